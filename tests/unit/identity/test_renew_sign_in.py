"""A sign-in renewed while its page is open: for how long, for whom, and never beyond a day."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from fairgate.domain.shared.account import Account, names_of
from fairgate.domain.shared.auth_token import AuthClaims, issue_auth_token, verify_auth_token
from fairgate.errors import ForbiddenError, SignInEndedError
from fairgate.service.gate.exchange_identity import AUTH_TTL_S, IdentityExchanged
from fairgate.service.gate.renew_sign_in import SIGNED_IN_S_MAX, renew_sign_in
from fairgate_lab.engine.clock import MemoryClock
from fairgate_lab.engine.secrets import MemorySecrets
from tests.support.world import START_MS

START_S = START_MS // 1000
SECRETS = MemorySecrets()


def signed_in(*groups: str) -> AuthClaims:
    keys = SECRETS.current
    key = keys.auth[keys.auth_kid]
    text = issue_auth_token("ann", groups, key, keys.auth_kid, START_S, AUTH_TTL_S)
    return verify_auth_token(text, keys.auth, START_S)


def renewed(caller: AuthClaims, clock: MemoryClock) -> IdentityExchanged:
    return renew_sign_in(caller, secrets=SECRETS, clock=clock)


def test_it_lasts_two_more_hours_from_now_and_is_the_same_person() -> None:
    clock = MemoryClock()
    clock.tick(5_400)
    answer = renewed(signed_in(), clock)
    claims = verify_auth_token(answer.token, SECRETS.current.auth, START_S + 5_400)
    assert claims == AuthClaims(claims.sub, (), START_S, START_S + 5_400 + AUTH_TTL_S)
    assert (claims.sub, answer.sub) == ("ann", "ann")
    assert answer.expires_at == "2027-01-15T11:30:00.000Z"


def test_no_chain_of_renewals_outlives_twelve_hours() -> None:
    clock, caller, token = MemoryClock(), signed_in(), ""
    for _ in range(SIGNED_IN_S_MAX // 3_600 - 1):
        clock.tick(3_600)
        token = renewed(caller, clock).token
        caller = verify_auth_token(token, SECRETS.current.auth, clock.now_ms() // 1000)
    assert caller.exp == START_S + SIGNED_IN_S_MAX
    with pytest.raises(SignInEndedError):
        verify_auth_token(token, SECRETS.current.auth, START_S + SIGNED_IN_S_MAX)


def test_the_newest_key_signs_it_whichever_signed_before() -> None:
    old = SECRETS.current
    both = {"newest": b"n" * 32, **old.auth}
    secrets = MemorySecrets()
    secrets.current = replace(old, auth=both, auth_kid="newest")
    token = renew_sign_in(signed_in(), secrets=secrets, clock=MemoryClock()).token
    assert verify_auth_token(token, {"newest": both["newest"]}, START_S).iat == START_S


def test_whoever_has_rights_signs_in_again() -> None:
    with pytest.raises(ForbiddenError):
        renewed(signed_in("operators"), MemoryClock())


def test_what_the_provider_said_of_the_account_is_kept() -> None:
    account = Account("2025-01-31", verified_phone=True, memberships=["fan-club"])
    answer = renewed(signed_in(*names_of(account)), MemoryClock())
    claims = verify_auth_token(answer.token, SECRETS.current.auth, START_S)
    assert claims.account == answer.account == account
