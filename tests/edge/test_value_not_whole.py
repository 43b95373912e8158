"""A gate value with a figure that is no number admits, refuses and places nobody."""

from __future__ import annotations

import base64
import math
import struct
from pathlib import Path
from typing import Any

import pytest

from fairgate.domain.gate.gate_config import dump_gate
from fairgate.domain.gate.slip import write_slip
from tests.edge.gate_tools import (
    EVENT,
    NOW_S,
    make_event,
    make_gate,
    missing_tool,
    run_joined,
    write_gates,
)
from tests.edge.test_slips import auth_of, place_of, sent
from tests.support.gate_build import gate_source

pytestmark = pytest.mark.skipif(missing_tool() is not None, reason=str(missing_tool()))
GATE = make_gate(sample_violations=0.0, sample_admission=0.0)
FIGURES, FIGURE_CHARS, LATER_CHARS = 215, 342, 21  # docs/gate.md has the layout
# k, p, b, x, sq, sa, ou, ds, an epoch's start, level and slope, w, sv
SUMMED = [*range(3, 12), 14, 15, 16, 32, 33]
UNAVAILABLE, WAITS = 503, 202


def spoilt(figure: int, value: float) -> str:
    """The gate's value with one figure exchanged."""
    text = dump_gate(GATE)
    chars = text[FIGURES : FIGURES + FIGURE_CHARS] + text[-LATER_CHARS:]
    figures = bytearray(base64.urlsafe_b64decode(chars + "A"))
    struct.pack_into("<d", figures, 8 * figure, value)
    chars = base64.urlsafe_b64encode(figures).decode()
    return (
        text[:FIGURES]
        + chars[:FIGURE_CHARS]
        + text[FIGURES + FIGURE_CHARS : -LATER_CHARS]
        + chars[FIGURE_CHARS : FIGURE_CHARS + LATER_CHARS]
    )


def asked(slip: str = "") -> list[dict[str, Any]]:
    joins = make_event("queue", {"authorization": f"Bearer {auth_of()}"})
    attempts = make_event("admission", sent(place_of(), x_fairgate_slip=slip))
    return [{"now_ms": NOW_S * 1000, "event": event} for event in (joins, attempts)]


def statuses(tmp: Path, value: str, cases: list[dict[str, Any]], source: str) -> list[int]:
    """Return each status; 0 for a request that was sent on."""
    write_gates(tmp / "kvs", {EVENT: value})
    outcomes = run_joined(tmp, source, "harness.js", cases)
    return [outcome.get("statusCode", 0) for outcome in outcomes]


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_nobody_is_placed_or_told_a_time_when_a_figure_is_no_number(
    tmp_path: Path, value: float
) -> None:
    source = gate_source()
    assert statuses(tmp_path, spoilt(3, GATE.curve), asked(), source) == [200, WAITS]
    for figure in SUMMED:
        got = statuses(tmp_path, spoilt(figure, value), asked(), source)
        assert got == [UNAVAILABLE, UNAVAILABLE], figure


@pytest.mark.parametrize(
    ("value", "check"),
    [
        (math.nan, "rules.includes(0 / 0)"),
        (math.inf, "rules.includes(1 / 0)"),
        (-math.inf, "rules.includes(-1 / 0)"),
    ],
)
def test_a_gate_that_does_not_ask_for_numbers_answers(
    tmp_path: Path, value: float, check: str
) -> None:
    source = gate_source(readable=True)
    assert source.count(check) == 1
    lax = source.replace(check, "false")
    figure = 9  # `sa`, which no other check asks for
    assert statuses(tmp_path, spoilt(figure, value), asked(), lax) == [200, WAITS]


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_by_a_slip_such_a_value_admits_nobody(tmp_path: Path, value: float) -> None:
    """A slip says no more than "not yet"; what it cannot say goes the whole way, which asks."""
    place, auth = place_of(), auth_of()
    slip = write_slip(GATE, place, sent(place)["x-fairgate-token"], auth, NOW_S + 3600)
    source = gate_source()
    for figure in SUMMED:
        [_, got] = statuses(tmp_path, spoilt(figure, value), asked(slip), source)
        assert got in (WAITS, UNAVAILABLE), figure
