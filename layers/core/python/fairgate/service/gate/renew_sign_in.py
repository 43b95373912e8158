"""Renew a sign-in while its page is open, so that it does not end during a sale."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.domain.shared.account import names_of
from fairgate.domain.shared.auth_token import issue_auth_token
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import ForbiddenError
from fairgate.service.gate.exchange_identity import AUTH_TTL_S, IdentityExchanged

if TYPE_CHECKING:
    from fairgate.domain.shared.auth_token import AuthClaims
    from fairgate.ports.world import Clock, SecretStore

SIGNED_IN_S_MAX = 12 * 3600  # a stolen token does not live longer


def renew_sign_in(caller: AuthClaims, *, secrets: SecretStore, clock: Clock) -> IdentityExchanged:
    """Issue a token for two more hours to a caller whose token is still valid.

    It keeps the time of the sign-in as its ``iat`` and what the provider said of the account then,
    and ends at most twelve hours after it.

    Raises:
        ForbiddenError: the caller has groups, which only the issuer can confirm.
    """
    if caller.groups:
        raise ForbiddenError("A sign-in with rights is not renewed. Please sign in again.")
    keys = secrets.sign_in()
    ends_s = min(clock.now_ms() // 1000 + AUTH_TTL_S, caller.iat + SIGNED_IN_S_MAX)
    key = keys.auth[keys.auth_kid]
    names, life_s = names_of(caller.account), ends_s - caller.iat
    token = issue_auth_token(caller.sub, names, key, keys.auth_kid, caller.iat, life_s)
    return IdentityExchanged(token, rfc3339(ends_s * 1000), caller.sub, caller.account)
