"""The short-lived HS256 token that says who is calling; the edge can check it alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairgate.domain import jws
from fairgate.domain.gate_config import TIME_MAX_S, is_whole
from fairgate.domain.ids import USER_ID, UserId
from fairgate.errors import UnauthenticatedError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_TYP = "JWT"
CHARS_MAX = 2048


@dataclass(frozen=True)
class AuthClaims:
    sub: UserId
    groups: tuple[str, ...]
    exp: int


def issue_auth_token(
    sub: str, groups: Sequence[str], key: bytes, kid: str, now_s: float, ttl_s: int
) -> str:
    """Raises ValueError for a ``sub`` that the edge would refuse."""
    if USER_ID.fullmatch(sub) is None:
        raise ValueError("the subject does not have the shape of a user id")
    claims: dict[str, object] = {"sub": sub, "iat": int(now_s), "exp": int(now_s) + ttl_s}
    if groups:
        claims["grp"] = list(groups)
    return jws.encode(_TYP, kid, claims, key)


def verify_auth_token(text: str, keys: Mapping[str, bytes], now_s: float) -> AuthClaims:
    """Who is calling.

    Raises:
        UnauthenticatedError: bad shape, signature or claims, or expired; always the same text.
    """
    claims = jws.decode(text, typ=_TYP, keys=keys, chars_max=CHARS_MAX)
    sub, iat, exp = claims.get("sub"), claims.get("iat"), claims.get("exp")
    groups = claims.get("grp", [])
    if (
        not isinstance(sub, str)
        or USER_ID.fullmatch(sub) is None
        or not is_whole(iat, TIME_MAX_S)
        or not is_whole(exp, TIME_MAX_S)
        or exp <= now_s
        or not isinstance(groups, list)
        or not all(isinstance(group, str) for group in groups)
    ):
        raise UnauthenticatedError("The token does not verify.")
    return AuthClaims(UserId(sub), tuple(groups), exp)
