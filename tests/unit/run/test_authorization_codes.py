"""A code of the local provider: good once, for a minute, for whoever has its verifier."""

from __future__ import annotations

import pytest

from fairgate_ops.run.local import authorization_codes
from fairgate_ops.run.local.authorization_codes import (
    CODE_S,
    AuthorizationCodes,
    GrantError,
    Person,
    SignIn,
    challenge_of,
)

VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
BEGUN = SignIn(challenge_of(VERIFIER), "nonce-123", Person("ann"), "http://127.0.0.1/")


def test_a_challenge_is_that_of_the_standard() -> None:
    """Source: RFC 7636, appendix B."""
    assert challenge_of(VERIFIER) == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"


def test_a_code_ends_after_a_minute() -> None:
    now = [0.0]
    codes = AuthorizationCodes(lambda: now[0])
    early, late = codes.issue(BEGUN), codes.issue(BEGUN)
    now[0] = CODE_S - 0.1
    assert codes.redeem(early, VERIFIER) == BEGUN
    now[0] = CODE_S
    with pytest.raises(GrantError):
        codes.redeem(late, VERIFIER)


@pytest.mark.parametrize("verifier", ["", "x" * 43, VERIFIER + "=", VERIFIER[:-1]])
def test_a_code_is_of_no_use_without_its_verifier(verifier: str) -> None:
    codes = AuthorizationCodes()
    with pytest.raises(GrantError):
        codes.redeem(codes.issue(BEGUN), verifier)


def test_the_oldest_is_forgotten_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(authorization_codes, "CODES_MAX", 2)
    codes = AuthorizationCodes()
    first, *others = [codes.issue(BEGUN) for _ in range(3)]
    with pytest.raises(GrantError):
        codes.redeem(first, VERIFIER)
    assert [codes.redeem(code, VERIFIER) for code in others] == [BEGUN, BEGUN]
