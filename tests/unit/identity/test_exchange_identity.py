"""A sign-in in, auth token out: whose, in which groups, for how long."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from fairgate.domain.shared.auth_token import verify_auth_token
from fairgate.domain.shared.ids import USER_ID
from fairgate.errors import UnauthenticatedError
from fairgate.service.gate.exchange_identity import exchange_identity, groups_of, user_of
from fairgate_lab.engine.clock import MemoryClock
from fairgate_lab.engine.secrets import MemorySecrets
from tests.support.world import START_MS


class Identity:
    def __init__(self, **claims: Any) -> None:
        self.claims = claims

    def redeem(self, code: str, verifier: str, nonce: str) -> Mapping[str, Any]:
        if (code, verifier, nonce) != ("code", "verifier", "nonce-123"):
            raise UnauthenticatedError("no")
        return self.claims


def exchange(identity: Identity, nonce: str = "nonce-123") -> Any:
    return exchange_identity(
        identity=identity,
        secrets=MemorySecrets(),
        clock=MemoryClock(),
        code="code",
        verifier="verifier",
        nonce=nonce,
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
