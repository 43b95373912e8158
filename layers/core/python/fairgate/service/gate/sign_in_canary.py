"""Sign the canary in: an account of its own for each hour, and a token for one journey."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate.domain.shared.account import CANARY, Account, names_of
from fairgate.domain.shared.auth_token import issue_auth_token

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate.ports.world import Clock, SecretStore

CANARY_TTL_S = 120  # a journey takes less than a minute
HOUR_S = 3_600
# No sign-in at a provider becomes an account of this name: ``exchange_identity.user_of`` hashes a
# subject that begins so, and a hash has 43 characters behind the point.
ACCOUNT = "sha256.canary-"
CALL = {"canary": "sign-in"}  # an event of API Gateway has other names on its first level


def is_canary_call(event: Mapping[str, Any]) -> bool:
    """Say whether the function was called directly by the canary, and not over HTTP."""
    return dict(event) == CALL


def sign_in_canary(*, secrets: SecretStore, clock: Clock) -> dict[str, str]:
    """Return ``{"token": …}`` for the account of this hour, a buyer with a membership of its own.

    An account may open 1,000 sessions at an event; one for each hour opens 60.
    """
    keys = secrets.sign_in()
    now_s = clock.now_ms() // 1000
    account = f"{ACCOUNT}{now_s // HOUR_S}"
    names = names_of(Account(memberships=[CANARY]))
    key = keys.auth[keys.auth_kid]
    return {"token": issue_auth_token(account, names, key, keys.auth_kid, now_s, CANARY_TTL_S)}
