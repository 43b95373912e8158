"""A sign-in in, auth token out: whose, in which groups, for how long."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from fairgate.domain.shared.account import Account
from fairgate.domain.shared.auth_token import verify_auth_token
from fairgate.domain.shared.ids import USER_ID
from fairgate.errors import UnauthenticatedError
from fairgate.service.gate.exchange_identity import exchange_identity, groups_of, user_of
from fairgate.settings import AccountClaims
from fairgate_lab.engine.clock import MemoryClock
from fairgate_lab.engine.secrets import MemorySecrets
from tests.support.world import START_MS


class Identity:
    def __init__(self, **claims: Any) -> None:
        self.claims = claims

    def redeem(self, code: str, verifier: str, nonce: str, _page: str = "") -> Mapping[str, Any]:
        if (code, verifier, nonce) != ("code", "verifier", "nonce-123"):
            raise UnauthenticatedError("no")
        return self.claims


CLAIMS = AccountClaims("created", "phone_number_verified", "https://club.example/level")


def exchange(identity: Identity, nonce: str = "nonce-123", claims: Any = CLAIMS) -> Any:
    return exchange_identity(
        identity=identity,
        secrets=MemorySecrets(),
        clock=MemoryClock(),
        code="code",
        verifier="verifier",
        nonce=nonce,
        told_by=claims,
    )


def test_the_edge_accepts_the_token_when_the_identity_verifies() -> None:
    got = exchange(Identity(sub="auth0|ann", groups=["operators"]))
    claims = verify_auth_token(got.token, MemorySecrets().current.auth, START_MS // 1000)
    assert (claims.sub, claims.groups) == ("auth0|ann", ("operators",))
    assert got.sub == "auth0|ann"


def test_the_token_ends_after_two_hours() -> None:
    got = exchange(Identity(sub="ann"))
    keys, start_s = MemorySecrets().current.auth, START_MS // 1000
    assert verify_auth_token(got.token, keys, start_s + 7199).exp == start_s + 7200
    with pytest.raises(UnauthenticatedError):
        verify_auth_token(got.token, keys, start_s + 7200)
    assert got.expires_at == "2027-01-15T10:00:00.000Z"


def test_it_refuses_when_the_identity_does_not_verify() -> None:
    with pytest.raises(UnauthenticatedError):
        exchange(Identity(sub="ann"), nonce="other-nonce")


@pytest.mark.parametrize("subject", [None, "", 7, ["ann"]])
def test_it_refuses_when_the_token_names_nobody(subject: object) -> None:
    with pytest.raises(UnauthenticatedError):
        exchange(Identity(sub=subject))


@pytest.mark.parametrize("subject", ["ä", "a b", "#", "x" * 129, "|x", "a#b", "\ud800", "a\n"])
def test_a_subject_is_hashed_when_it_has_not_our_shape(subject: str) -> None:
    user = user_of(subject)
    assert USER_ID.fullmatch(user)
    assert user.startswith("sha256.")
    assert user == user_of(subject)
    assert user != user_of(subject + "x")


def test_nobody_becomes_somebody_else_by_naming_themselves_like_a_hash() -> None:
    victim = user_of("Zoë")
    assert user_of(victim) != victim


def test_groups_are_kept_when_they_could_be_ours() -> None:
    assert groups_of({"groups": ["operators", "box-office"]}) == ["operators", "box-office"]
    assert groups_of({"cognito:groups": ["operators"]}) == ["operators"]


@pytest.mark.parametrize("groups", [None, "operators", {"operators": 1}, 7])
def test_there_are_no_groups_when_the_claim_is_no_list(groups: object) -> None:
    assert groups_of({"groups": groups}) == []


def test_groups_are_dropped_when_none_of_ours_is_called_so() -> None:
    named = ["Operators", "a" * 33, "", "x\n", 7, None, "ok", "ok"]
    assert groups_of({"groups": named}) == ["ok"]
    assert len(groups_of({"groups": [chr(97 + i) for i in range(20)]})) == 8


def test_groups_that_give_rights_are_kept_of_however_many() -> None:
    of_a_company = [*(chr(97 + i) for i in range(20)), "fairgate-organiser", "operators"]
    assert groups_of({"groups": of_a_company})[:3] == ["fairgate-organiser", "operators", "a"]


def test_what_the_provider_says_of_an_account_is_in_the_token_and_gives_no_rights() -> None:
    said = {"created": 1_738_281_600, "phone_number_verified": True}
    got = exchange(Identity(sub="ann", **said, **{CLAIMS.membership: ["Fan-Club", "no 2", 7]}))
    claims = verify_auth_token(got.token, MemorySecrets().current.auth, START_MS // 1000)
    assert claims.account == got.account == Account("2025-01-31", True, ["fan-club"])
    assert claims.groups == ()
    untold = exchange(Identity(sub="ann", **said), claims=AccountClaims())
    assert untold.account == Account()


def test_no_group_of_the_provider_counts_as_a_fact_of_the_account() -> None:
    got = exchange(Identity(sub="ann", groups=["is-verified-phone", "is-in-fan-club"]))
    claims = verify_auth_token(got.token, MemorySecrets().current.auth, START_MS // 1000)
    assert (claims.account, claims.groups) == (Account(), ())


@pytest.mark.parametrize(
    ("told", "since"),
    [
        (1_738_281_600, "2025-01-31"),
        (1_738_281_600_000, "2025-01-31"),
        ("1738281600", "2025-01-31"),
        ("2025-01-31T02:00:00+03:00", "2025-01-30"),
        ("2025-01-31", "2025-01-31"),
        (9_999_999_999, "2027-01-15"),  # nobody is younger than today
        (True, ""),
        (0, ""),
        (20_250_131, ""),  # in seconds in 1970: a new account would be older than any event asks
        ("20250131", ""),
        ("2025", ""),
        ("soon", ""),
        ({}, ""),
        (float("nan"), ""),
        (None, ""),
    ],
)
def test_the_day_of_creation_is_read_in_every_usual_form(told: object, since: str) -> None:
    assert exchange(Identity(sub="ann", created=told)).account.since == since


@pytest.mark.parametrize(("told", "is_verified"), [(True, True), ("true", True), ("no", False)])
def test_a_phone_is_verified_when_the_provider_says_so(told: object, is_verified: bool) -> None:
    got = exchange(Identity(sub="ann", phone_number_verified=told))
    assert got.account.verified_phone is is_verified
