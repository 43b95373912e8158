"""Issue and verify the short-lived HS256 token of the caller; the edge can check it alone."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.shared import jws
from fairgate.domain.shared.account import PREFIX, Account, account_of
from fairgate.domain.shared.ids import USER_ID, UserId
from fairgate.errors import SignInEndedError, UnauthenticatedError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_TYP = "JWT"
CHARS_MAX = 2048
GROUP = re.compile(r"[a-z-]{1,32}")
# Exactly these claims in this order, each in one spelling, as edge/gate/src/token.js has it.
_PAYLOAD = re.compile(
    rf'{{"sub":"(?P<sub>{USER_ID.pattern})","iat":(?P<iat>{jws.MOMENT}),"exp":(?P<exp>{jws.MOMENT})'
    rf'(?:,"grp":(?P<grp>\["{GROUP.pattern}"(?:,"{GROUP.pattern}")*\]))? {{0,2}}}}'
)


class AuthClaims(Struct, frozen=True):
    sub: UserId
    groups: tuple[str, ...]  # which give rights
    iat: int  # time of the sign-in, also in a renewed token
    exp: int
    account: Account = Account()


def issue_auth_token(
    sub: str, groups: Sequence[str], key: bytes, kid: str, now_s: float, ttl_s: int
) -> str:
    """Issue a token. Raises ValueError for a ``sub`` or a group that the edge would refuse."""
    if not all(GROUP.fullmatch(group) for group in groups):
        raise ValueError("a group does not have the shape of one")
    if USER_ID.fullmatch(sub) is None:
        raise ValueError("the subject does not have the shape of a user id")
    claims: dict[str, object] = {"sub": sub, "iat": int(now_s), "exp": int(now_s) + ttl_s}
    if groups:
        claims["grp"] = list(groups)
    return jws.encode(_TYP, kid, claims, key)


def verify_auth_token(text: str, keys: Mapping[str, bytes], now_s: float) -> AuthClaims:
    """Return who is calling.

    Raises:
        SignInEndedError: everything about it is right, but its time is over.
        UnauthenticatedError: bad shape, signature or claims, or from the future; always the same
            text.
    """
    text = jws.verified_payload(text, typ=_TYP, keys=keys, chars_max=CHARS_MAX)
    match = _PAYLOAD.fullmatch(text)
    if match is None or now_s < int(match["iat"]) - jws.ISSUED_AHEAD_S:
        raise UnauthenticatedError("The token does not verify.")
    if int(match["exp"]) <= now_s:
        raise SignInEndedError("Your sign-in has ended. Please sign in again.")
    names = json.loads(match["grp"]) if match["grp"] else ()
    return AuthClaims(
        UserId(match["sub"]),
        tuple(name for name in names if not name.startswith(PREFIX)),
        int(match["iat"]),
        int(match["exp"]),
        account_of(names),
    )
