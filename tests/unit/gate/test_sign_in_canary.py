"""The canary is signed in as an account of its own, by a direct call and by nothing else."""

from __future__ import annotations

import pytest

from fairgate.domain.shared.account import CANARY, Account
from fairgate.domain.shared.auth_token import verify_auth_token
from fairgate.service.gate.exchange_identity import account_in, user_of
from fairgate.service.gate.sign_in_canary import (
    ACCOUNT,
    CALL,
    CANARY_TTL_S,
    is_canary_call,
    sign_in_canary,
)
from fairgate.settings import AccountClaims
from tests.contract.http import request
from tests.support.world import World

HOUR_MS = 3_600_000


def test_its_sign_in_is_short_without_groups_and_of_this_hours_account(world: World) -> None:
    keys, now_s = world.secrets.sign_in(), world.clock.now_ms() // 1000
    claims = verify_auth_token(
        sign_in_canary(secrets=world.secrets, clock=world.clock)["token"], keys.auth, now_s
    )
    assert (claims.groups, claims.exp - claims.iat) == ((), CANARY_TTL_S)
    assert claims.sub == f"{ACCOUNT}{now_s // 3_600}"
    assert claims.account == Account(memberships=[CANARY])


@pytest.mark.parametrize("told", [CANARY, CANARY.upper(), [CANARY, "gold"]])
def test_no_word_of_a_provider_gives_the_canarys_membership(told: object) -> None:
    """Else anybody whom a provider says it of could take the places of its event."""
    said = account_in({"in": told}, AccountClaims(membership="in"), 1_800_000_000)
    assert CANARY not in said.memberships


@pytest.mark.parametrize("subject", [f"{ACCOUNT}1", ACCOUNT, f"{ACCOUNT}492157"])
def test_no_subject_of_a_provider_is_an_account_of_the_canary(subject: str) -> None:
    assert not user_of(subject).startswith(ACCOUNT)


@pytest.mark.parametrize(
    "event",
    [
        request("POST", "/api/auth/renew", dict(CALL)),
        {**request("POST", "/api/auth/renew"), **CALL},
        {},
        {"canary": "other"},
    ],
)
def test_no_event_of_the_api_is_its_call(event: dict[str, object]) -> None:
    assert not is_canary_call(event)
    assert is_canary_call(dict(CALL))
