"""The controller steers by an empty room, reached capacity, places left and session lengths."""

from __future__ import annotations

import math
from typing import cast

import pytest
from msgspec.structs import replace

from fairgate.domain.gate.admission import operational_time
from fairgate.domain.gate.capacity_reached import FORGOTTEN_S
from fairgate.domain.gate.controller import SEEN_LEAST, TAU_SEEN_MIN_S
from fairgate.domain.gate.gate_config import VERSION_BEFORE, Epoch, dump_gate, gate_key, parse_gate
from fairgate.domain.shared.session import live_bucket, live_from
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.table import Table, Update
from fairgate.service.availability.watch_seats import LOOK_MS, SECTIONS_A_LOOK, SeatWatch
from fairgate.service.gate import plan_admission
from fairgate.service.gate.control_gate import GateControl
from fairgate.service.gate.plan_admission import AdmissionPlanner
from fairgate.service.sessions.admission_threshold import reached
from fairgate.service.shared.keys import (
    admission_threshold_key,
    event_key,
    live_key,
    sampled_key,
    seat_key,
)
from fairgate.service.shared.live_count import count_sessions
from fairgate.service.shared.records.catalog import Event
from functions.controller import handler as controller
from tests.support.world import EVENT, START_MS, gate

pytestmark = pytest.mark.table_in_memory

START_S = START_MS // 1000
SALE_START_S = START_S + 300
KEY = gate_key(EVENT)
TAU_S = 600.0  # the operator's


@pytest.fixture
def early(world):
    """An automatic sale five minutes before the sale. Nobody is there."""
    epochs = (Epoch(START_S - 60.0, 0.0, 0.0), Epoch(float(SALE_START_S), 0.0, 1 / TAU_S))
    values = gate(epochs=epochs, sale_start_s=SALE_START_S, sample_queue=1.0)
    world.edge_config.values[KEY] = dump_gate(values)
    set_event(world, control="auto", liveMax=50, sessionMeanS=300, saleOpensAt=rfc3339(START_MS))
    return world


def set_event(world, **changes):
    world.table.update(Update("catalog", "EVENT", EVENT, set=changes))


def gate_now(world):
    return parse_gate(world.edge_config.values[KEY])


def join(world, count):
    """The desk counts so many newcomers, at this minute's H."""
    now_s = world.clock.ms / 1000
    key = sampled_key(EVENT, live_from(rfc3339(world.clock.ms)))
    h = operational_time(gate_now(world).epochs, now_s)
    update = Update("reservations", *key, set={"h": h, "ttl": int(now_s) + 9}, add={"count": count})
    world.table.update(update)


def enter(world, count):
    bucket = live_bucket(rfc3339(world.clock.ms + world.event.session_s * 1000), "ses_0")
    update = Update("reservations", *live_key(EVENT, bucket), add={"live": count, "opened": count})
    world.table.update(update)


def leave(world, count, *, entered_s):
    ends_ms = (entered_s + world.event.session_s) * 1000
    key = live_key(EVENT, live_bucket(rfc3339(ends_ms), "ses_0"))
    world.table.update(Update("reservations", *key, add={"live": -count}))


def plan(world, places_left=None, **options):
    control = GateControl(world.edge_config, world.clock, lambda _n: None)
    event = world.table.find(Event, event_key(EVENT))
    return AdmissionPlanner(world.table, world.clock, control, **options).plan(event, places_left)


def plan_until(world, end_s):
    while world.clock.ms < end_s * 1000:
        plan(world)
        world.clock.tick(10)


def turns_within(world, seconds):
    """Return the share of buyers who join now and are admitted within these seconds (curve 1)."""
    epochs, now_s = gate_now(world).epochs, world.clock.ms / 1000
    x = operational_time(epochs, now_s + seconds) - operational_time(epochs, now_s)
    return -math.expm1(-x)


def test_a_late_crowd_is_not_admitted_at_once_when_nobody_came_before_the_start(early):
    plan_until(early, SALE_START_S + 150)
    join(early, 250)
    assert 250 * turns_within(early, 18) < 10  # of 250; at τ = 1 s it was everybody


def test_control_a_late_crowd_is_admitted_at_once_when_only_the_crowd_bounds_the_pace(
    early, monkeypatch
):
    """Plans an empty room as if nobody could come."""
    monkeypatch.setattr(plan_admission, "fastest_slope", lambda *_seen: 1.0)
    plan_until(early, SALE_START_S + 150)
    join(early, 250)
    assert 250 * turns_within(early, 18) > 249


def test_the_room_recovers_when_a_late_crowd_is_seen(early):
    plan_until(early, SALE_START_S + 150)
    join(early, 2_500)
    entered = 0
    for _ in range(90):
        plan(early)
        early.clock.tick(10)
        turns = 2_500 * turns_within(early, 10)
        enter(early, round(min(turns, 50 - entered)))
        entered += round(min(turns, 50 - entered))
    assert gate_now(early).epochs[-1].slope < 1 / 3_000  # 50 at a time, of 300 s: 0.17 a second


@pytest.mark.parametrize("tau_s", [60.0, 600.0, 5_000.0])
def test_the_operators_pace_is_the_fastest_while_nobody_is_seen(early, tau_s):
    control = GateControl(early.edge_config, early.clock, lambda _n: None)
    control.set_tau(EVENT, tau_s)
    plan_until(early, SALE_START_S + 600)
    assert all(epoch.slope <= 1 / tau_s for epoch in gate_now(early).epochs)
    assert gate_now(early).epochs[-1].slope == pytest.approx(1 / tau_s, rel=1e-5)


def test_the_operators_pace_is_kept_in_mind_when_the_controller_has_set_its_own(early):
    join(early, 100_000)
    plan_until(early, SALE_START_S + 30)
    assert gate_now(early).epochs[-1].slope < 1 / TAU_S / 10
    early.table.update(
        Update("reservations", *sampled_key(EVENT, live_from(rfc3339(START_MS))), set={"count": 0})
    )
    plan_until(early, SALE_START_S + 300)  # the crowd was flagged, and has gone
    assert gate_now(early).epochs[-1].slope == pytest.approx(1 / TAU_S, rel=1e-5)


def test_a_small_sample_does_not_set_the_pace_and_a_larger_one_bounds_it(early):
    plan_until(early, SALE_START_S + 100)
    join(early, int(SEEN_LEAST) - 1)
    plan(early)
    assert gate_now(early).epochs[-1].slope == pytest.approx(1 / TAU_S, rel=1e-5)
    early.clock.tick(60)
    set_event(early, liveMax=5_000)
    join(early, 20)
    assert plan(early).slope == pytest.approx(1 / TAU_SEEN_MIN_S, rel=1e-5)


def test_the_pace_falls_when_capacity_has_held_buyers_back(early):
    join(early, 5_000)
    plan_until(early, SALE_START_S + 100)
    early.clock.tick(60)
    enter(early, 45)
    h = operational_time(gate_now(early).epochs, early.clock.ms / 1000)
    before = early.edge_config.values[KEY]
    free = plan(early, threshold_of=lambda *_look: h).slope
    early.edge_config.values[KEY] = before
    few = plan(early, threshold_of=lambda *_look: h - 0.002).slope  # ten wait for room
    early.edge_config.values[KEY] = before
    many = plan(early, threshold_of=lambda *_look: 0.0).slope
    assert free > few > many >= 0.0


def test_few_sessions_do_not_shrink_the_crowd_when_capacity_was_reached(early):
    join(early, 5_000)
    plan_until(early, SALE_START_S + 100)
    enter(early, 50)  # as many as may; more have had their turn
    for _ in range(5):
        early.clock.tick(60)
        plan(early)
    memory = early.items("reservations", f"{EVENT}#CONTROL")[0]
    assert memory["factor"] >= 1.0


def test_fewer_are_admitted_when_few_places_are_left(early):
    set_event(early, liveMax=5_000)
    join(early, 500_000)
    plan_until(early, SALE_START_S + 100)
    early.clock.tick(60)
    enter(early, 500)
    before = early.edge_config.values[KEY]
    slopes = []
    for left in (None, 100_000, 4_000, 3_000, 714, 1, 0):
        early.edge_config.values[KEY] = before
        slopes.append(plan(early, left).slope)
    assert slopes[0] == slopes[1] > slopes[2] > slopes[3] > 0.0
    assert slopes[4:] == [0.0, 0.0, 0.0]  # of 714 places 0.7 is no more than are inside


def test_the_controller_tells_the_planner_what_is_left(early, monkeypatch):
    monkeypatch.setattr(controller, "container", lambda: early.container)
    early.clock.tick(300 + 60)
    set_event(early, saleOpensAt=rfc3339(SALE_START_S * 1000))
    (planned,) = controller.handler({}, None)["planned"]
    assert planned["places_left"] == len(early.seat_ids) + 10
    for seat in early.seat_ids[:4]:
        early.table.update(
            Update("seats", *seat_key(EVENT, seat), set={"availability": "reserved"})
        )
    early.clock.tick(60)
    (planned,) = controller.handler({}, None)["planned"]
    assert planned["places_left"] == len(early.seat_ids) - 4 + 10


def test_a_few_sections_are_read_in_a_run_and_all_of_them_in_turn(early):
    names = [f"x{n}" for n in range(9)]
    empty = [{"id": name, "name": "", "seats": 5, "blocks": []} for name in names]
    stalls = {"id": "s", "name": "Stalls", "seats": len(early.seat_ids), "blocks": []}
    set_event(early, sections=[*empty, stalls], areas={})
    event = early.table.find(Event, event_key(EVENT))
    for seat in early.seat_ids[:4]:
        early.table.update(Update("seats", *seat_key(EVENT, seat), set={"availability": "blocked"}))
    runs = math.ceil(10 / SECTIONS_A_LOOK)
    asked: list[str] = []

    class Counting:
        def __getattr__(self, name):
            return getattr(early.table, name)

        def query(self, kind, pk, *more, **options):
            asked.append(pk)
            return early.table.query(kind, pk, *more, **options)

    for _ in range(runs):
        before = len(asked)
        left = SeatWatch(cast(Table, Counting()), early.clock).places_left(event)
        assert len(asked) - before == SECTIONS_A_LOOK
        early.clock.tick(LOOK_MS // 1000)
    assert {pk.partition("#")[2] for pk in asked} == {*names, "s"}
    assert left == 9 * 5 + len(early.seat_ids) - 4


def test_the_length_of_sessions_is_learned_from_those_that_ended(early):
    set_event(early, liveMax=5_000)
    join(early, 200_000)
    plan_until(early, SALE_START_S)
    early.clock.tick(60)
    lasting, entered = [plan(early).session_s], {}
    early.clock.tick(60)
    for minute in range(12):  # a hundred a minute; everybody stays for two
        now_s = early.clock.ms // 1000
        enter(early, 100)
        entered[minute] = now_s
        if minute >= 2:
            leave(early, 100, entered_s=entered[minute - 2])
        lasting.append(plan(early).session_s)
        early.clock.tick(60)
    assert lasting[0] == 300  # as the operator expects
    assert lasting[-1] == pytest.approx(120, rel=0.2)  # beside a prior of twenty


def test_opened_sessions_are_counted_where_they_are_to_end_and_never_uncounted(early):
    now = rfc3339(early.clock.ms)
    enter(early, 3)
    minute = live_from(rfc3339(early.clock.ms + early.event.session_s * 1000))
    leave(early, 2, entered_s=early.clock.ms // 1000)
    counts = count_sessions(early.table, EVENT, now)
    assert (counts.live, counts.opened_from(minute)) == (1, 3)
    assert counts.opened_from(live_from(rfc3339(early.clock.ms + 7_200_000))) == 0


@pytest.mark.parametrize(
    ("joined", "budget", "width_s"),
    [
        (100_000, 0, 168),  # 10 million at a sample of 0.01; 12 s would be 833,000 a second
        (100_000, 250_000, 84),
        (100_000, 100, 3_600),
        (20, 0, 1),
        (0, 0, 0),
    ],
)
def test_first_attempts_are_spread_by_the_crowd_and_the_budget(early, joined, budget, width_s):
    early.edge_config.values[KEY] = dump_gate(replace(gate_now(early), sample_queue=0.01))
    set_event(early, requestsPerS=budget)
    join(early, joined)
    plan(early)
    assert gate_now(early).wave_s == width_s


def test_the_wave_is_written_before_the_start_and_only_when_it_changes(early):
    join(early, 1_000_000)
    plan(early)
    first = gate_now(early).wave_s
    version = early.edge_config.version
    early.clock.tick(60)
    join(early, 1_000)  # a thousandth more
    plan(early)
    assert (gate_now(early).wave_s, early.edge_config.version) == (first, version)
    join(early, 2_000_000)
    plan(early)
    assert gate_now(early).wave_s > 2 * first
    wide = gate_now(early).wave_s
    early.clock.tick(300)
    join(early, 9_000_000)
    plan(early)  # the sale has started: a buyer who has a moment keeps it
    assert gate_now(early).wave_s == wide


def test_a_value_of_the_format_before_gets_no_wave_and_no_useless_write(early):
    older = replace(gate_now(early), version=VERSION_BEFORE)
    early.edge_config.values[KEY] = dump_gate(older)
    join(early, 1_000_000)
    plan(early)
    version = early.edge_config.version
    early.clock.tick(10)
    plan(early)
    assert (gate_now(early).wave_s, early.edge_config.version) == (0, version)


def test_the_controller_believes_a_level_that_somebody_has_looked_at_just_now(early):
    now_s = early.clock.ms / 1000
    assert reached(early.table, EVENT, 2.0, now_s) is None
    level: dict[str, object] = {
        "e": 0.5,
        "rise": 0.25,
        "follows": False,
        "pace": 0.1,
        "live": 1,
        "pending": 0,
    }
    more = {"arrived": 1, "risen": 1, "ended": 0, "watchedS": 0, "bucket": "", "opened": 0}
    level |= more | {"pending": 0, "atMs": early.clock.ms, "ttl": 1}
    early.table.update(Update("reservations", *admission_threshold_key(EVENT), set=level))
    assert reached(early.table, EVENT, 2.0, now_s) == 0.5
    assert reached(early.table, EVENT, 2.0, now_s + 9) == 0.75
    assert reached(early.table, EVENT, 0.6, now_s + 9) == 0.6
    assert reached(early.table, EVENT, 2.0, now_s + FORGOTTEN_S + 1) is None
