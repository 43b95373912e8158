"""Every check of an identity token is needed: without it, the named test fails."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from types import ModuleType
from unittest.mock import patch

import pytest

from fairgate.adapters.identity import oidc
from fairgate.errors import FairgateError
from tests.unit.identity import test_oidc as tests

REQUIRED = 'options={"require": ["iss", "sub", "aud", "exp", "iat"]}'


def wrong(**claim: object) -> Callable[[], None]:
    return partial(tests.test_it_refuses_when_a_claim_is_wrong_or_missing, claim)


# What is taken out, what stands there instead, the test that must notice.
CONTROLS: list[tuple[str, str, Callable[[], None]]] = [
    ("issuer=self._issuer,", "", wrong(iss="https://evil.example")),
    (REQUIRED, REQUIRED[:-1] + ', "verify_aud": False}', wrong(aud="somebody-else")),
    ('"sub", ', "", wrong(sub=None)),
    ('"exp", ', "", wrong(exp=None)),
    ("leeway=LEEWAY_S,", "leeway=10**10,", wrong(exp=1)),
    ("leeway=LEEWAY_S,", "leeway=10**10,", wrong(iat=4_000_000_000)),
    ('_same_nonce(claims.get("nonce"), nonce) and ', "", wrong(nonce="another-nonce")),
    (" and self._for_us(claims)", "", wrong(azp="somebody-else")),
    ("needs_party = isinstance", "needs_party = False and isinstance",
     wrong(aud=[tests.AUDIENCE, "somebody-else"])),
    ("len(expected) < NONCE_CHARS_MIN", "False",
     tests.test_it_refuses_when_the_nonce_is_empty_on_both_sides),
    ("if not (self._issuer and self._audience):", "if False:",
     tests.test_it_refuses_everyone_when_no_issuer_is_set_up),
    ('entry.get("use", "sig") != "sig"', "False",
     tests.test_it_skips_keys_when_they_are_not_for_rsa_signatures),
    ("now >= self._may_fetch_at", "True",
     tests.test_one_request_is_made_when_strangers_name_unknown_keys),
    ("age_s > KEYS_FRESH_S or ", "",
     tests.test_a_withdrawn_key_is_refused_when_the_kept_ones_are_no_longer_fresh),
    (" or wanted) and", ") and", tests.test_a_new_key_is_found_when_the_issuer_rotates),
    ("if len(self._keys) == 1 else", "if self._keys else",
     partial(tests.test_it_refuses_when_the_token_names_none_of_several_keys, "k2")),
    ("return read(self._key(kid, but=key))", "raise refused",
     tests.test_a_key_without_a_name_is_found_when_the_issuer_rotates),
    ("if missing and self._failures:", "if False:",
     tests.test_it_is_unavailable_for_as_long_as_rotated_keys_cannot_be_read),
    ("if missing and self._failures:", "if self._failures:",
     tests.test_it_is_unavailable_for_as_long_as_rotated_keys_cannot_be_read),
    ("if not keys:", "if False:",
     partial(tests.test_it_is_unavailable_when_the_issuer_answers_no_key_set, {"keys": []})),
]  # fmt: skip


def without(before: str, after: str) -> ModuleType:
    source = inspect.getsource(oidc)
    assert source.count(before) == 1, before
    changed = ModuleType("oidc_without")
    exec(compile(source.replace(before, after), "oidc_without", "exec"), changed.__dict__)  # noqa: S102 our own source
    return changed


@pytest.mark.parametrize(("before", "after", "scenario"), CONTROLS)
def test_a_scenario_fails_when_the_check_is_taken_out(
    before: str, after: str, scenario: Callable[[], None]
) -> None:
    changed = without(before, after)
    caught = (AssertionError, FairgateError, OSError, pytest.fail.Exception)
    with (
        patch.object(tests, "IdTokenVerifier", changed.IdTokenVerifier),
        pytest.raises(caught),
    ):
        scenario()


def test_the_scenarios_pass_when_every_check_is_there() -> None:
    for _, _, scenario in CONTROLS:
        scenario()
