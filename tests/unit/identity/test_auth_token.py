"""The short sign-in token: its claims come back, and every defect of one is refused."""

from __future__ import annotations

from typing import Any

import pytest

from fairgate.domain.shared import jws
from fairgate.domain.shared.auth_token import AuthClaims, issue_auth_token, verify_auth_token
from fairgate.domain.shared.ids import UserId
from fairgate.errors import SignInEndedError, UnauthenticatedError

KEY = bytes(32)
NOW_S = 1_800_000_000


def test_the_claims_come_back_when_the_token_is_genuine() -> None:
    text = issue_auth_token("ada@x.org", ["operators"], KEY, "a1", NOW_S + 0.9, 60)
    claims = verify_auth_token(text, {"a1": KEY}, NOW_S)
    assert claims == AuthClaims(UserId("ada@x.org"), ("operators",), NOW_S, NOW_S + 60)


def test_a_token_is_refused_by_a_name_of_its_own_when_it_has_ended() -> None:
    text = issue_auth_token("ada", [], KEY, "a1", NOW_S, 60)
    assert verify_auth_token(text, {"a1": KEY}, NOW_S + 59.9).groups == ()
    with pytest.raises(SignInEndedError):
        verify_auth_token(text, {"a1": KEY}, NOW_S + 60)
    for keys in ({"a1": b"1" * 32}, {}):  # nobody learns from a forged one that its time is over
        with pytest.raises(UnauthenticatedError) as refused:
            verify_auth_token(text, keys, NOW_S + 60)
        assert type(refused.value) is UnauthenticatedError


def test_a_token_is_refused_when_another_key_signed_it() -> None:
    text = issue_auth_token("ada", [], KEY, "a1", NOW_S, 60)
    for keys in ({}, {"a2": KEY}, {"a1": b"1" * 32}):
        with pytest.raises(UnauthenticatedError):
            verify_auth_token(text, keys, NOW_S)


@pytest.mark.parametrize(
    "changes",
    [{"sub": "#"}, {"sub": 1}, {"sub": "-a"}, {"iat": None}, {"exp": 1.8e10}, {"exp": "1"},
     {"exp": True}, {"grp": "operators"}, {"grp": [1]}],
)  # fmt: skip
def test_a_signed_token_is_refused_when_a_claim_is_wrong(changes: dict[str, Any]) -> None:
    text = jws.encode("JWT", "a1", {"sub": "ada", "iat": NOW_S, "exp": NOW_S + 60} | changes, KEY)
    with pytest.raises(UnauthenticatedError):
        verify_auth_token(text, {"a1": KEY}, NOW_S)


@pytest.mark.parametrize("sub", ["", "#", "a b", "a" * 129])
def test_no_token_is_issued_when_the_edge_would_refuse_its_subject(sub: str) -> None:
    with pytest.raises(ValueError, match="user id"):
        issue_auth_token(sub, [], KEY, "a1", NOW_S, 60)
