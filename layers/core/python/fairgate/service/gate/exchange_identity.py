"""Exchange an OpenID sign-in for the short auth token that the edge can check."""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from fairgate.domain.shared.auth_token import GROUP, issue_auth_token
from fairgate.domain.shared.ids import USER_ID, UserId
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import UnauthenticatedError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate.ports.outside import IdentityProvider
    from fairgate.ports.world import Clock, SecretStore

AUTH_TTL_S = 2 * 3600  # longer than a sale's rush, shorter than a day's theft
GROUPS_MAX = 8
_HASHED = "sha256."


class IdentityExchanged(Struct, frozen=True):
    """Answered as it is."""

    token: str
    expires_at: str
    sub: str


def exchange_identity(
    *,
    identity: IdentityProvider,
    secrets: SecretStore,
    clock: Clock,
    code: str,
    verifier: str,
    nonce: str,
) -> IdentityExchanged:
    """Issue an auth token, valid for two hours, to a user who signed in at the provider.

    Args:
        code: the provider's, which it redeems once.
        verifier: of the proof key with which the sign-in began.
        nonce: of that sign-in, which the identity token repeats.

    Raises:
        SignInRefusedError: the provider does not vouch for this sign-in.
        IdentityUnavailableError: the provider does not answer.
    """
    claims = identity.redeem(code, verifier, nonce)
    user = user_of(claims.get("sub"))
    keys = secrets.secrets()
    now_s = clock.now_ms() // 1000
    token = issue_auth_token(
        user, groups_of(claims), keys.auth[keys.auth_kid], keys.auth_kid, now_s, AUTH_TTL_S
    )
    return IdentityExchanged(token, rfc3339((now_s + AUTH_TTL_S) * 1000), user)


def user_of(subject: object) -> UserId:
    """Return the issuer's subject if it has the form of our user ids, else its hash.

    A subject that looks like such a hash is hashed too, so nobody can choose the id of another
    user. Raises UnauthenticatedError: there is no subject.
    """
    if not isinstance(subject, str) or not subject:
        raise UnauthenticatedError("The identity token names nobody.")
    if USER_ID.fullmatch(subject) and not subject.startswith(_HASHED):
        return UserId(subject)
    digest = hashlib.sha256(subject.encode("utf-8", "surrogatepass")).digest()
    return UserId(_HASHED + base64.urlsafe_b64encode(digest).rstrip(b"=").decode())


def groups_of(claims: Mapping[str, Any]) -> list[str]:
    """Read the claim ``groups`` (Cognito: ``cognito:groups``), without names that do not fit."""
    named = claims.get("groups", claims.get("cognito:groups"))
    if not isinstance(named, list):
        return []
    fitting = dict.fromkeys(g for g in named if isinstance(g, str) and GROUP.fullmatch(g))
    return list(fitting)[:GROUPS_MAX]
