"""Before the sale, at the edge: presence renews a token, and a lapsed one costs nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from fairgate.domain.gate.admission import (
    admission_at,
    earliest_s,
    life_max_s,
    lottery_number,
    lottery_ticket,
)
from fairgate.domain.gate.gate_config import Epoch, GateConfig
from fairgate.domain.gate.waiting_claims import WaitingToken
from fairgate.domain.gate.waiting_token import parse_waiting_token
from tests.edge.gate_tools import (
    EVENT,
    NOW_S,
    SUB,
    asks,
    make_gate,
    missing_tool,
    run_handler,
    told,
)

pytestmark = pytest.mark.skipif(missing_tool() is not None, reason=str(missing_tool()))
WEEKS_S = 14 * 86_400
SALE_START_S = NOW_S + WEEKS_S
GATE = make_gate(
    sale_start_s=SALE_START_S,
    epochs=(Epoch(NOW_S - 86_400, 0.25, 0.0), Epoch(SALE_START_S, 0.25, 1 / 300)),
)


def answer(
    tmp: Path, to: str, now_s: int, token: str = "", *, gate: GateConfig = GATE, sub: str = SUB
) -> Any:
    """Return the edge's own body, or the verdict that it sent on."""
    case = asks(to, gate, now_s, token, sub=sub)
    case["event"]["context"]["requestId"] = f"r-{now_s}"
    [outcome] = run_handler(tmp, {EVENT: gate}, [case])
    answered = told(outcome)
    return answered if answered["status"] else answered["verdict"]


def place_of(body: Any, now_s: int) -> WaitingToken:
    return parse_waiting_token(body["token"], GATE, now_s)


def test_a_token_is_renewed_at_the_edge_when_the_page_stays(tmp_path: Path) -> None:
    body, now_s = answer(tmp_path, "queue", NOW_S), NOW_S
    first = place_of(body, now_s)
    for _ in range(3):
        now_s = body["boff"]
        body = answer(tmp_path, "admission", now_s, body["token"])
        place = place_of(body, now_s)
        assert body["state"] == "prequeue"
        assert (place.id, place.lot, place.h) == (first.id, first.lot, 0.25)
        assert now_s < place.boff < place.exp <= now_s + life_max_s(GATE)


def test_nothing_is_lost_when_a_token_lapses_before_sale_start(tmp_path: Path) -> None:
    first = answer(tmp_path, "queue", NOW_S)
    before = place_of(first, NOW_S)
    assert (
        answer(tmp_path, "admission", before.exp, first["token"])["code"] == "waiting-token-ended"
    )
    for later_s in (before.exp, SALE_START_S - 1, SALE_START_S):
        again = place_of(answer(tmp_path, "queue", later_s), later_s)
        assert (again.lot, again.h) == (before.lot, before.h)
        assert again.id != before.id


def test_a_token_that_was_taken_weeks_ahead_is_no_place_at_the_sale_start(tmp_path: Path) -> None:
    token = answer(tmp_path, "queue", NOW_S)["token"]
    for now_s in (NOW_S + life_max_s(GATE), SALE_START_S, SALE_START_S + 3600):
        assert answer(tmp_path, "admission", now_s, token)["code"] == "waiting-token-ended"


def late_called(gate: GateConfig) -> str:
    """A user whose turn comes soon, and whose moment in the wave is late."""
    for number in range(10_000):
        sub = f"robot-{number}"
        lot = lottery_ticket(gate, EVENT, sub, "")
        admission_s = (
            admission_at(lottery_number(gate.number_key, lot), gate.curve) / gate.epochs[-1].slope
        )
        if earliest_s(gate, lot) > gate.sale_start_s + 0.9 * gate.wave_s and admission_s < 10:
            return sub
    raise AssertionError("nobody is so lucky")


def test_a_place_that_was_not_renewed_before_sale_start_waits_for_its_moment_in_the_wave(
    tmp_path: Path,
) -> None:
    gate = replace(GATE, wave_s=600)
    sub = late_called(gate)
    called_s = earliest_s(gate, lottery_ticket(gate, EVENT, sub, ""))
    held = answer(tmp_path, "queue", SALE_START_S - 450, gate=gate, sub=sub)
    assert held["boff"] < SALE_START_S  # to be renewed, which this one is not
    alive_s = held["boff"] + gate.token_ttl_s - 1
    for now_s in (SALE_START_S, SALE_START_S + 30, min(alive_s, called_s - 3)):
        later = answer(tmp_path, "admission", now_s, held["token"], gate=gate, sub=sub)
        assert later["boff"] == called_s
    again = later["token"]
    assert answer(tmp_path, "admission", called_s - 2, again, gate=gate, sub=sub) == "admit"
    opened = replace(gate, open_until_s=SALE_START_S + 60)
    assert (
        answer(tmp_path, "admission", SALE_START_S, held["token"], gate=opened, sub=sub) == "admit"
    )


def test_the_last_renewal_leads_to_the_sale_start(tmp_path: Path) -> None:
    body = answer(tmp_path, "queue", SALE_START_S - 100)
    assert SALE_START_S <= body["boff"] <= SALE_START_S + 0.2 * GATE.backoff_max_s
    assert place_of(body, SALE_START_S - 100).exp == body["boff"] + GATE.token_ttl_s
