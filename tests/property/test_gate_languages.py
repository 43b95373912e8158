"""JavaScript and Python are one gate: the same draw, the same decisions, each other's tokens.

10,000 cases each here; ``make gate-cases CASES=1000000`` for as many as one likes.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from fairgate.domain.gate import admission, proof_of_work
from fairgate.domain.gate.edge_header import verify_edge_header
from fairgate.domain.gate.gate_config import Epoch
from fairgate.domain.gate.waiting_token import (
    encode_waiting_token,
    issue_waiting_token,
    parse_waiting_token,
    postponed,
)
from fairgate.domain.shared.auth_token import issue_auth_token
from tests.edge import gate_tools
from tests.edge.gate_tools import make_event, make_gate, missing_tool, run_handler, run_maths
from tests.edge.vectors import draw_vector
from tests.property.gate_cases import CASES, CASES_SHORT, GATES, PLACES, SHARED, Place, places

pytestmark = pytest.mark.skipif(missing_tool() is not None, reason=str(missing_tool()))
# Everything up to x is additions, multiplications and whole numbers, which IEEE 754 fixes to the
# bit. exp and pow belong to the platform's mathematics library, which may be one unit off:
# P = 1 - exp(-y) with y = x^k; one unit of y moves P by y·exp(-y)·2^-53 <= 0.37·2^-53, one of
# exp by at most 2^-53, and the subtraction rounds once. Four units cover both libraries.
P_TOLERANCE = 4 * 2**-53
MISREAD = 8877.111148039


def as_vector(place: Place) -> dict[str, Any]:
    nonce = str(place.now_ms % 100)
    return draw_vector(place.gate, place.token, place.now_ms, nonce)


def near(place: Place) -> bool:
    """Whether u and P are so close that the mathematics libraries' last bits decide."""
    decision = admission.decide(place.gate, place.token, place.now_s)
    return abs(decision.u - decision.probability) <= P_TOLERANCE


def close(value: int, other: int) -> bool:
    """A logarithm's last bit may push a ceiling by one second."""
    return abs(value - other) <= 1


@SHARED
@given(places())
def test_the_draw_is_the_same_in_both_languages(tmp_path: Path, batch: list[Place]) -> None:
    vectors = [as_vector(place) for place in batch]
    results = run_maths(tmp_path, [vector["given"] for vector in vectors])
    for vector, result, place in zip(vectors, results, batch, strict=True):
        want: dict[str, Any] = vector["want"]
        for name in ("u", "H", "x"):
            assert result[name] == want[name], (name, place)  # bit for bit
        assert abs(result["p"] - want["p"]) <= P_TOLERANCE, place
        assert close(result.pop("boff"), want.pop("boff")), place
        if near(place):
            result["admitted"] = want["admitted"]
        for name in ("lot", "sampled", "estimate", "state", "solved", "admitted"):
            assert result[name] == want[name], (name, place)


@SHARED
@given(places())
def test_the_edge_decides_as_the_origin_does(tmp_path: Path, batch: list[Place]) -> None:
    batch = [
        replace(p, token=postponed(p.token, p.gate, math.floor(p.now_s) - 1))
        for p in batch
        if not near(p)
    ]
    cases = [{"now_ms": place.now_ms, "event": attempt(place)} for place in batch]
    outcomes = run_handler(tmp_path, {place.event: place.gate for place in batch}, cases)
    for place, outcome in zip(batch, outcomes, strict=True):
        decision = admission.decide(place.gate, place.token, place.now_s)
        if decision.admitted:
            assert verdict(outcome, place) == "admit", place
            continue
        assert outcome.get("statusCode") == 202, (outcome, place)
        body = json.loads(outcome["body"])
        again = parse_waiting_token(body["token"], place.gate, place.now_s)
        assert close(again.boff, decision.boff_s), place
        # The same place, h to the bit, so no number of polls can move it.
        assert again == postponed(place.token, place.gate, again.boff)
        assert body["state"] == admission.state_shown(place.gate, place.now_s)
        assert body["estimate"] == (decision.estimate.as_json() if decision.estimate else None)


@SHARED
@given(places())
def test_the_edge_issues_as_the_origin_does(tmp_path: Path, batch: list[Place]) -> None:
    batch = [p for p in batch if p.gate.state != "draining"]
    cases = []
    for n, place in enumerate(batch):
        event = make_event("queue", {"authorization": auth(place)}, uri=uri(place, "queue"))
        event["context"]["requestId"] = f"r-{n}"
        cases.append({"now_ms": place.now_ms, "event": event})
    outcomes = run_handler(tmp_path, {place.event: place.gate for place in batch}, cases)
    for n, (place, outcome) in enumerate(zip(batch, outcomes, strict=True)):
        if admission.sampled_account(place.gate, place.event, place.token.sub):
            assert verdict(outcome, place) == "sample-queue", place
            continue
        body = json.loads(outcome["body"])
        want = issue_waiting_token(
            place.gate,
            place.event,
            place.token.sub,
            request_id=f"r-{n}",
            ip="203.0.113.7",
            now_ms=place.now_ms,
        )
        got = parse_waiting_token(body["token"], place.gate, place.now_s)
        assert close(got.boff, want.boff), place
        assert got == postponed(want, place.gate, got.boff)
        assert body["challenge"] == {"ch": want.ch, "pow": want.pow_bits}


def test_ten_thousand_cases_run_when_nothing_else_is_asked() -> None:
    assert SHARED.max_examples * GATES * PLACES >= CASES
    assert CASES_SHORT >= 10_000


def test_the_gates_figures_are_the_doubles_that_they_were(tmp_path: Path) -> None:
    """njs 0.7.9 reads some decimals one unit off, MISREAD among them; the value has none."""
    gate = make_gate(epochs=(Epoch(1, MISREAD, 0.0),))
    token = issue_waiting_token(gate, "e", "ada", request_id="r", ip="", now_ms=0)
    given = draw_vector(gate, token, gate_tools.NOW_S * 1000, "1")["given"]
    [result] = run_maths(tmp_path, [given])
    assert result["H"] == MISREAD


def attempt(place: Place) -> dict[str, Any]:
    token = place.token
    headers = {
        "authorization": auth(place),
        "x-fairgate-token": encode_waiting_token(token, place.gate),
        "x-fairgate-solution": proof_of_work.solve(token.ch, token.pow_bits),
    }
    return make_event("admission", headers, uri=uri(place, "admission"))


def auth(place: Place) -> str:
    key = place.gate.auth_keys["a1"]
    return "Bearer " + issue_auth_token(place.token.sub, [], key, "a1", place.now_s, 60)


def uri(place: Place, action: str) -> str:
    return f"/api/events/{place.event}/{action}"


def verdict(outcome: dict[str, Any], place: Place) -> str:
    word = outcome["headers"]["x-fairgate-edge"]["value"]
    return verify_edge_header(word, place.gate, place.event, place.token.sub, place.now_s).verdict
