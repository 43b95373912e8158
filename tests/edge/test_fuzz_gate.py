"""Hostile requests through the gate in njs and through its Python twin; make fuzz-gate goes on."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from fairgate.domain.gate import proof_of_work, waiting_token
from fairgate.domain.gate.edge_header import VERDICTS, sign_edge_header, verify_edge_header
from fairgate.domain.gate.waiting_token import parse_waiting_token
from fairgate.domain.shared.auth_token import verify_auth_token
from fairgate.errors import ForbiddenError, UnauthenticatedError
from tests.edge import fuzz
from tests.edge.fuzz_cases import KINDS, header, make_case
from tests.edge.fuzz_corpus import BASE64, SUMMER, Case, bases, claims_of, gates, sent, sign, uri
from tests.edge.fuzz_oracle import objections
from tests.edge.gate_tools import NOW_S, missing_tool
from tests.support.gate_build import gate_source
from tests.support.lengths import at_length

needs_njs = pytest.mark.skipif(missing_tool() is not None, reason=str(missing_tool()))
PARTS = 3  # for as many workers
# Of each, of which a fifth turns out to be good, to wait, or to be for the queue.
INPUTS = at_length(3_200, 42_500)
HOSTILE = at_length(7_500, 100_000)
GOOD = ("admit", "200", "202")
CONTROL_INPUTS = 6000
GATE = gates()[SUMMER]
BASE = bases()[0]


@needs_njs
@pytest.mark.parametrize("part", range(PARTS))
def test_nothing_hostile_throws_or_is_admitted(part: int) -> None:
    report = fuzz.fuzz(fuzz.SEED, range(part * INPUTS, (part + 1) * INPUTS))
    assert report.findings == [], fuzz.summary(report, fuzz.SEED)
    assert report.inputs - sum(report.verdicts[verdict] for verdict in GOOD) >= HOSTILE / PARTS
    # It did look: every kind and every verdict came up, and the genuine ones went in.
    assert set(report.kinds) == {*KINDS, "genuine"}
    assert report.verdicts["admit"] == report.genuine_admitted >= report.kinds["genuine"]
    unsampled = {verdict for verdict in VERDICTS if not verdict.startswith("sample")}
    assert unsampled <= set(report.verdicts)


def test_a_case_is_the_same_when_it_is_made_again() -> None:
    again = [make_case(7, number) for number in range(200)]
    assert [make_case(7, number) for number in range(200)] == again
    assert [make_case(8, number) for number in range(200)] != again


@needs_njs
def test_one_input_is_repeated_when_its_number_is_given(capsys: pytest.CaptureFixture[str]) -> None:
    assert fuzz.main(["--seed", "7", "--only", "3"]) == 0
    shown = capsys.readouterr().out
    assert json.dumps(make_case(7, 3).uri) in shown
    assert "nothing is wrong" in shown


@needs_njs
def test_the_command_says_what_it_saw_when_it_is_done(capsys: pytest.CaptureFixture[str]) -> None:
    assert fuzz.main(["--inputs", "300", "--seed", "7"]) == 0
    assert "seed 7: 300 inputs of" in capsys.readouterr().out


# --- by hypothesis

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=60)  # lone surrogates, too
TOKEN_TEXT = st.text(BASE64 + ".=+/", max_size=300)
SEGMENTS = st.lists(st.text(BASE64, max_size=60), max_size=4).map(".".join)


def with_a_hole(text: str) -> st.SearchStrategy[str]:
    places = st.tuples(st.integers(0, len(text)), st.integers(0, 6), ANY_TEXT | TOKEN_TEXT)
    return places.map(lambda p: text[: p[0]] + p[2] + text[p[0] + p[1] :])


TOKENS = st.one_of(ANY_TEXT, TOKEN_TEXT, SEGMENTS, with_a_hole(BASE.token))
AUTHS = st.one_of(
    ANY_TEXT, TOKENS.map("Bearer ".__add__), with_a_hole(BASE.auth).map("Bearer ".__add__)
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANY_TEXT, inner, max_size=4),
    max_leaves=8,
)
CLAIMS = st.dictionaries(st.sampled_from(sorted(claims_of(BASE.token))), JSON, min_size=1)
WIDE = settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def case(headers: Mapping[str, Any]) -> Case:
    return Case(0, "hypothesis", uri(SUMMER), dict(headers))


def assert_harmless(cases: list[Case]) -> None:
    report = fuzz.judge(fuzz.Report(), cases)
    assert [(f.what, f.case.headers) for f in report.findings] == []


@needs_njs
@WIDE
@given(
    st.lists(
        st.one_of(
            st.builds(lambda text: case(sent(BASE, token=text)), TOKENS),
            st.builds(lambda text: case(sent(BASE, auth=text)), AUTHS),
            st.builds(lambda text: case(sent(BASE, nonce=text)), ANY_TEXT),
        ),
        min_size=40,
        max_size=80,
    )
)
def test_no_text_in_a_header_throws_or_is_admitted(cases: list[Case]) -> None:
    assert_harmless(cases)


@needs_njs
@WIDE
@given(st.lists(CLAIMS, min_size=10, max_size=20))
def test_no_claims_throw_or_are_admitted_even_when_signed(changes: list[dict[str, Any]]) -> None:
    genuine = claims_of(BASE.token)
    texts = [json.dumps(genuine | change, separators=(",", ":")) for change in changes]
    signed = [sign(header("WR", "w1"), text, GATE.token_keys["w1"]) for text in texts]
    assert_harmless([case(sent(BASE, token=token)) for token in signed])


@settings(max_examples=500, deadline=None)
@given(TOKENS.filter(lambda text: text not in (BASE.token, BASE.auth)))
def test_no_text_makes_the_origin_raise_anything_but_its_refusal(text: str) -> None:
    for verify in (
        lambda: parse_waiting_token(text, GATE, NOW_S),
        lambda: verify_auth_token(text, GATE.auth_keys, NOW_S),
    ):
        with pytest.raises(UnauthenticatedError):
            verify()


WORD = sign_edge_header(GATE, "admit", SUMMER, "ada", NOW_S, "203.0.113.7")


@settings(max_examples=500, deadline=None)
@given(st.one_of(ANY_TEXT, with_a_hole(WORD), st.text("v12.admit-" + BASE64, max_size=60)))
def test_no_word_is_the_gates_but_its_own(text: str) -> None:
    if text == WORD:
        assert verify_edge_header(text, GATE, SUMMER, "ada", NOW_S).verdict == "admit"
        return
    with pytest.raises(ForbiddenError):
        verify_edge_header(text, GATE, SUMMER, "ada", NOW_S)


# --- negative controls: each check taken out of the gate, one at a time

CONTROLS: dict[str, tuple[str, str, str]] = {
    "signatures": ("(same(", "((() => true)(", "damaged-token signed-by-others"),
    "every eighth part of them": (
        " | (words[4] !== words[10]) | (words[5] !== words[11])",
        " | (words[4] !== words[10])",
        "damaged-token",
    ),
    "exact header": ("token.startsWith(start, from)", "true", "damaged-token"),
    "exact header of the caller": ("token.startsWith(start, from)", "true", "damaged-auth"),
    "whole payload": (
        "match[0].length * 4 !== (caller + place).length * 3",
        "false",
        "other-spelling",
    ),
    "event": ("place[EVT] !== name", "false", "for-another-event"),
    "user": ("place[SUB] !== place[CALLER]", "false", "for-another-user of-somebody-else"),
    "expiry": ("+place[EXP] <= now", "false", "at-a-wrong-time"),
    "backoff": ("now < place[BOFF] - GRACE_S", "false", "at-a-wrong-time"),
    "issue": ("+place[IAT] > now + AHEAD_S", "false", "at-a-wrong-time"),
    "solution": ("solves(place[CH], +place[POW], solution.value)", "true", "wrong-solution"),
    "nonce": ("'' + number !== nonce", "false", "wrong-solution"),
    "turn": (
        (
            "((!(wait > 0) || wait > LARGEST || rules[MODE] === PER_TOKEN) &&\n"
            "          u < admissionProbability(x, rules[CURVE]) &&"
        ),
        "(true &&",
        "at-a-wrong-time",
    ),
    "signed in until": ("+claims[CALLER_EXP] > now", "true", "auth-at-a-wrong-time"),
    "signed in since": ("+claims[CALLER_IAT] > now + AHEAD_S", "false", "auth-at-a-wrong-time"),
}


class Lax:
    """A pattern that also takes what stands around its match."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.fullmatch = pattern.search


@pytest.fixture(scope="module")
def hostile() -> list[Case]:
    return [make_case(fuzz.SEED, number) for number in range(CONTROL_INPUTS)]


@needs_njs
@pytest.mark.parametrize("check", list(CONTROLS))
def test_the_fuzzer_finds_a_gate_that_lacks_a_check(check: str, hostile: list[Case]) -> None:
    line, instead, kinds = CONTROLS[check]
    source = gate_source(readable=True)
    assert source.count(line) == 1, f"edge/gate/src spells this check differently now: {line}"
    cases = [case for case in hostile if case.kind in kinds.split()]
    report = fuzz.judge(fuzz.Report(), cases, source.replace(line, instead))
    assert any(finding.what.startswith("admitted") for finding in report.findings)


@needs_njs
def test_the_fuzzer_finds_a_gate_that_throws_or_differs(hostile: list[Case]) -> None:
    source = gate_source(readable=True)
    line = "wrong = violation(place);"
    assert source.count(line) == 1
    for instead, what in ((line + " null.x;", "exception"), ("wrong = 'early';", "python says")):
        report = fuzz.judge(fuzz.Report(), hostile[:200], source.replace(line, instead))
        assert any(finding.what.startswith(what) for finding in report.findings)


@needs_njs
@pytest.mark.parametrize(
    ("where", "instead", "kinds"),
    [
        (
            "fairgate.domain.shared.jws.hmac.compare_digest",
            lambda *_: True,
            "damaged-token damaged-auth",
        ),
        (
            "fairgate.domain.shared.jws.ISSUED_AHEAD_S",
            10**12,
            "at-a-wrong-time auth-at-a-wrong-time",
        ),
        (
            "fairgate.domain.gate.waiting_token._PAYLOAD",
            Lax(waiting_token._PAYLOAD),
            "wrong-claims",
        ),
        ("fairgate.domain.gate.proof_of_work._NONCE", Lax(proof_of_work._NONCE), "wrong-solution"),
    ],
)
def test_the_fuzzer_finds_an_origin_that_lacks_a_check(
    where: str, instead: object, kinds: str, hostile: list[Case], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, instead)
    cases = [case for case in hostile if case.kind in kinds.split()]
    report = fuzz.judge(fuzz.Report(), cases)
    assert any(finding.what.startswith("python") for finding in report.findings)


def test_the_oracle_accepts_what_is_genuine_and_names_what_is_not() -> None:
    assert objections(case(sent(BASE))) == []
    other = next(base for base in bases() if (base.user, base.event) == ("grace", SUMMER))
    assert objections(case(sent(BASE, token=other.token, nonce=other.solution))) == ["user"]
