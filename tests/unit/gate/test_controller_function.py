"""The planner over tables and gate, and the scheduled handler."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from typing import cast

import pytest

from fairgate.domain.gate.admission import operational_time
from fairgate.domain.gate.controller import CORRECTION_STEP_MAX, STEP_MAX
from fairgate.domain.gate.gate_config import Epoch, dump_gate, gate_key, parse_gate
from fairgate.domain.shared.session import live_bucket
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.table import Table, Update
from fairgate.service.availability.watch_seats import SeatWatch
from fairgate.service.gate.compare_store import StoreKeeper
from fairgate.service.gate.control_gate import GateControl
from fairgate.service.gate.plan_admission import AdmissionPlanner
from fairgate.service.shared.keys import (
    controller_memory_key,
    event_key,
    live_key,
    seat_key,
    seats_memory_key,
)
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.gate import ControllerMemory, SeatsMemory
from fairgate.service.watch.make_figures import FigureMaker
from functions.controller import handler as controller
from tests.support.world import EVENT, START_MS, gate

pytestmark = pytest.mark.table_in_memory

START_S = START_MS // 1000
KEY = gate_key(EVENT)
MINUTE = len("2026-01-01T00:00")


@pytest.fixture
def sale(world):
    """An automatic sale an hour after its start; a crowd of 100,000, one in a hundred sampled."""
    epochs = (Epoch(START_S - 3600.0, 0.0, 0.0), Epoch(START_S - 60.0, 0.0, 1e-5))
    set_gate(world, epochs=epochs, sample_queue=0.01, sale_start_s=START_S - 3600)
    set_event(world, control="auto", liveMax=1000, sessionMeanS=300)
    crowd(world, minute_ms=START_MS - 120_000, count=1000, h=0.0)
    return world


def set_gate(world, **changes):
    world.edge_config.values[KEY] = dump_gate(gate(**changes))


def set_event(world, **changes):
    if changes:
        world.table.update(Update("catalog", "EVENT", EVENT, set=changes))


def crowd(world, *, minute_ms, count, h):
    update = Update(
        "reservations",
        f"Q#{EVENT}",
        rfc3339(minute_ms)[:MINUTE],
        set={"h": h, "ttl": minute_ms // 1000 + 86_400},
        add={"count": count},
    )
    world.table.update(update)


def live(world, count, *, in_s=300, opened=0):
    key = live_key(EVENT, live_bucket(rfc3339(world.clock.ms + in_s * 1000), "ses_0"))
    world.table.update(Update("reservations", *key, add={"live": count, "opened": opened}))


def plan(world, **options):
    control = GateControl(world.edge_config, world.clock, lambda _n: None, **options)
    event = world.table.find(Event, event_key(EVENT))
    return AdmissionPlanner(world.table, world.clock, control).plan(event)


def written(world):
    return parse_gate(world.edge_config.values[KEY])


def test_an_epoch_is_planned_on_a_whole_minute_that_every_edge_will_know(sale):
    planned = plan(sale)
    assert planned.outcome == "planned"
    epoch = written(sale).epochs[-1]
    assert epoch.start_s % 60 == 0
    assert START_S + 60 <= epoch.start_s < START_S + 120
    assert epoch.slope == planned.slope > 0


def test_the_crowd_is_the_sample_divided_by_its_rate(sale):
    plan(sale)
    epoch = written(sale).epochs[-1]
    admitted = 100_000 * 60 * epoch.slope  # at the beginning of the curve
    # A step more than what 1e-5 a second admits in a minute.
    assert admitted == pytest.approx(60 * STEP_MAX, rel=0.05)


def test_one_minute_is_planned_once_when_the_schedule_fires_again(sale):
    sale.clock.tick(40)
    assert plan(sale).outcome == "planned"
    version = sale.edge_config.version
    for _ in range(4):
        sale.clock.tick(5)
        again = plan(sale)
    assert again.outcome == "planned before"
    assert sale.edge_config.version == version
    sale.clock.tick(40)
    assert plan(sale).outcome == "planned"


def test_a_minute_is_planned_late_by_one_of_three_runs(sale):
    sale.clock.tick(1)
    outcomes = []
    for _ in range(12):
        before = sale.edge_config.values[KEY]
        outcomes.append(plan(sale).outcome)
        sale.edge_config.values[KEY] = before  # as if the run had failed
        sale.clock.tick(10)
    minute = ["planned soon", "planned soon", "planned soon", "planned soon", "planned", "planned"]
    assert outcomes == minute * 2


def test_nobody_is_admitted_when_live_sessions_fill_the_target(sale):
    live(sale, 1500)
    assert plan(sale).slope == 0.0


def test_sessions_that_have_ended_do_not_count(sale):
    live(sale, 5000, in_s=-120)
    assert plan(sale).live == 0


@pytest.mark.parametrize(
    ("event", "config", "outcome"),
    [
        ({"control": "manual"}, {}, "manual"),
        ({"liveMax": 0}, {}, "manual"),
        ({}, {"state": "paused"}, "paused"),
        ({}, {"sample_queue": 0.0}, "no estimate: nothing is sampled at the queue"),
    ],
)
def test_the_gate_is_left_alone_when_it_is_not_the_controllers(sale, event, config, outcome):
    set_gate(sale, **({"sample_queue": 0.01} | config))
    set_event(sale, **event)
    version = sale.edge_config.version
    assert plan(sale).outcome == outcome
    assert sale.edge_config.version == version


def test_the_start_gets_its_pace_before_it_comes(sale):
    sale_start_s = START_S + 1800
    epochs = (Epoch(START_S - 60.0, 0.0, 0.0), Epoch(float(sale_start_s), 0.0, 1 / 600))
    set_gate(sale, epochs=epochs, sale_start_s=sale_start_s, sample_queue=0.01)
    planned = plan(sale)
    assert planned.starts_at == rfc3339(sale_start_s * 1000)
    epoch = written(sale).epochs[-1]
    assert epoch.start_s == sale_start_s
    length_s = 60 - sale_start_s % 60 or 60
    assert 100_000 * length_s * epoch.slope == pytest.approx(100, rel=0.05)  # a tenth of 1,000
    version = sale.edge_config.version
    sale.clock.tick(60)
    plan(sale)
    assert sale.edge_config.version == version


def test_the_crowd_is_corrected_when_more_came_in_than_expected(sale):
    plan(sale)
    sale.clock.tick(60)
    live(sale, 500, in_s=sale.event.session_s, opened=500)
    plan(sale)
    look = sale.items("reservations", f"{EVENT}#CONTROL")[0]
    assert look["factor"] == CORRECTION_STEP_MAX


def test_h_has_no_step_when_epochs_follow_each_other(sale):
    for _ in range(10):
        plan(sale)
        epochs = written(sale).epochs
        for before, after in pairwise(epochs):
            reached = before.h + (after.start_s - before.start_s) * before.slope
            assert after.h == pytest.approx(reached, abs=1e-12)
        sale.clock.tick(60)
    assert operational_time(epochs, START_S + 600) > 0


def test_nothing_is_written_when_it_is_a_dry_run(sale):
    version = sale.edge_config.version
    assert plan(sale, dry_run=True).outcome == "planned"
    assert sale.edge_config.version == version
    assert sale.items("reservations", f"{EVENT}#CONTROL") == []


def published(capsys):
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    (counted,) = [line for line in lines if "ControllerRuns" in line]
    return counted


def figures(capsys):
    counted = published(capsys)
    return {name: counted[name] for name in ("ControllerFailures", "EventsDamaged")}


def test_every_run_says_that_it_ended(sale, monkeypatch, capsys):
    assert run(sale, monkeypatch) == "planned"
    assert figures(capsys) == {"ControllerFailures": [0.0], "EventsDamaged": [0.0]}


@pytest.mark.parametrize(
    ("gate", "failures"),  # a value that nobody can read is one when planned, and one when compared
    [(None, 1.0), ("no gate at all", 2.0), ("{}", 2.0)],
    ids=["no gate", "a damaged gate", "another's"],
)
def test_one_event_that_fails_is_counted_and_stops_no_other(
    sale, monkeypatch, capsys, gate, failures
):
    other = sale.item("catalog", ("EVENT", EVENT)) | {"SK": "another"}
    sale.put_item("catalog", other)
    sale.put_item("catalog", other | {"SK": "damaged", "version": "one"})
    if gate is not None:
        sale.edge_config.values[gate_key("another")] = gate
    monkeypatch.setattr(controller, "container", lambda: sale.container)
    planned = controller.handler({}, None)["planned"]
    assert [p["event"] for p in planned] == ["another", EVENT]
    assert planned[1]["outcome"] == "planned"
    assert figures(capsys) == {"ControllerFailures": [failures], "EventsDamaged": [1.0]}


@pytest.mark.parametrize(
    ("of", "name", "outcome", "failures"),
    [
        (SeatWatch, "all_gone", "internal", 1.0),
        (StoreKeeper, "bring", "planned", 1.0),
        (FigureMaker, "make", "planned", 0.0),
    ],
)
def test_a_defect_at_one_event_stops_no_other(
    sale, monkeypatch, capsys, of, name, outcome, failures
):
    sale.put_item("catalog", sale.item("catalog", ("EVENT", EVENT)) | {"SK": "another"})
    sale.edge_config.values[gate_key("another")] = sale.edge_config.values[KEY]
    real, done = getattr(of, name), []

    def defect(one, event):
        if event.id == "another":
            raise ZeroDivisionError("a release that divides by it")
        done.append(event.id)
        return real(one, event)

    monkeypatch.setattr(of, name, defect)
    monkeypatch.setattr(controller, "container", lambda: sale.container)
    planned = controller.handler({}, None)["planned"]
    assert (planned[0]["outcome"], planned[1]["outcome"]) == (outcome, "planned")
    assert EVENT in done
    said = capsys.readouterr().out
    assert f'"ControllerFailures":[{failures}]' in said
    assert ("figures not made" in said) == (of is FigureMaker)


def test_figures_are_made_until_two_hours_after_the_end(sale, monkeypatch):
    """The last ones of before would say "admitting", and be older and older."""
    made = []
    monkeypatch.setattr(FigureMaker, "make", lambda _maker, event: made.append(event.id))
    monkeypatch.setattr(controller, "container", lambda: sale.container)
    closed_s = START_S - 7_000
    kept = [32_503_680_000.0, 1.0, 1e-5]  # the pace for who resumes, which is no end
    log = [[closed_s - 60.0, 0.0, 1e-5], [closed_s, 1.0, 0.0], kept]
    set_event(sale, state="closed", epochsLog=log)
    controller.handler({}, None)
    assert made == [EVENT]
    sale.clock.tick(201)
    controller.handler({}, None)
    assert made == [EVENT]
    set_event(sale, cancelledAt=rfc3339(sale.clock.ms))  # long after it was over
    controller.handler({}, None)
    assert made == [EVENT, EVENT]


def sell(world, *seats, availability="reserved"):
    for seat in seats:
        world.table.update(
            Update("seats", *seat_key(EVENT, seat), set={"availability": availability})
        )


def empty_area(world):
    world.table.update(Update("seats", f"{EVENT}#floor#0", "GA", set={"remaining": 0}))


def run(world, monkeypatch):
    monkeypatch.setattr(controller, "container", lambda: world.container)
    return controller.handler({}, None)["planned"][0]["outcome"]


@pytest.mark.parametrize("control", ["auto", "manual"])
def test_the_gate_is_sold_out_when_everything_is_sold(sale, monkeypatch, control):
    set_event(sale, control=control)
    sell(sale, *sale.seat_ids[:-1])
    sell(sale, sale.seat_ids[-1], availability="blocked")
    empty_area(sale)
    assert run(sale, monkeypatch) == "sold out"
    assert written(sale).state == "soldout"
    assert sale.item("catalog", ("EVENT", EVENT))["state"] == "soldout"
    assert run(sale, monkeypatch) in ("soldout", "manual")
    sell(sale, sale.seat_ids[0], availability="available")  # somebody has cancelled
    assert run(sale, monkeypatch) == "open again"
    assert written(sale).state == "open"
    assert run(sale, monkeypatch) not in ("sold out", "open again")


def test_an_event_stays_sold_out_when_an_operator_said_so(sale, monkeypatch):
    """Also where the controller had said so before, and somebody opened it again since."""
    sell(sale, *sale.seat_ids)
    empty_area(sale)
    assert run(sale, monkeypatch) == "sold out"
    set_event(sale, state="open")
    sell(sale, sale.seat_ids[0], availability="available")
    run(sale, monkeypatch)
    set_event(sale, state="soldout")
    assert run(sale, monkeypatch) != "open again"


def test_no_sale_ends_while_a_seat_a_place_or_a_hold_is_left(sale, monkeypatch):
    sell(sale, *sale.seat_ids)
    assert run(sale, monkeypatch) != "sold out"  # the area has places
    empty_area(sale)
    live(sale, 1)
    assert run(sale, monkeypatch) != "sold out"  # a session may hold some of them
    live(sale, -1)
    sell(sale, sale.seat_ids[3], availability="locked")
    assert run(sale, monkeypatch) != "sold out"  # a lock may come back
    sell(sale, sale.seat_ids[3])
    assert run(sale, monkeypatch) == "sold out"


def test_no_sale_ends_when_the_index_lacks_a_seat(sale, monkeypatch):
    sell(sale, *sale.seat_ids)
    empty_area(sale)
    set_event(
        sale,
        sections=[{"id": "s", "name": "Stalls", "seats": len(sale.seat_ids) + 1, "blocks": []}],
    )
    assert run(sale, monkeypatch) != "sold out"


def test_no_sale_ends_before_its_start_or_while_nobody_is_admitted(sale, monkeypatch):
    sell(sale, *sale.seat_ids)
    empty_area(sale)
    set_event(sale, saleOpensAt=rfc3339(sale.clock.ms + 1))
    assert run(sale, monkeypatch) != "sold out"
    set_event(sale, saleOpensAt=rfc3339(sale.clock.ms), state="paused")
    assert run(sale, monkeypatch) != "sold out"


def test_one_section_is_read_while_it_has_seats(sale):
    empty = [{"id": f"x{n}", "name": "", "seats": 0, "blocks": []} for n in range(9)]
    stalls = {"id": "s", "name": "Stalls", "seats": len(sale.seat_ids), "blocks": []}
    set_event(sale, sections=[*empty, stalls])
    event = sale.table.find(Event, event_key(EVENT))
    asked = []

    class Counting:
        def __getattr__(self, name):
            return getattr(sale.table, name)

        def query(self, table, pk, *more, **options):
            asked.append(pk)
            return sale.table.query(table, pk, *more, **options)

    watch = SeatWatch(cast(Table, Counting()), sale.clock)
    assert not watch.all_gone(event)
    assert len(asked) == 10
    asked.clear()
    assert not watch.all_gone(event)
    assert asked == [f"{EVENT}#s"]


DAMAGED_MEMORIES = [
    (seats_memory_key(EVENT), SeatsMemory, {"section": 1}),
    (seats_memory_key(EVENT), SeatsMemory, {"left": {"s": "x"}}),
    (seats_memory_key(EVENT), SeatsMemory, {"soldOut": "yes"}),
    (seats_memory_key(EVENT), SeatsMemory, {"ttl": "soon"}),
    (controller_memory_key(EVENT), ControllerMemory, {"factor": "x"}),
    (controller_memory_key(EVENT), ControllerMemory, {"planned": 1}),
    (controller_memory_key(EVENT), ControllerMemory, {"ttl": "soon"}),
]


@pytest.mark.parametrize(("key", "kind", "values"), DAMAGED_MEMORIES)
def test_a_damaged_memory_is_replaced(sale, monkeypatch, key, kind, values):
    assert run(sale, monkeypatch) == "planned"
    sale.clock.tick(60)
    sale.table.update(Update("reservations", key.pk, key.sk, set=values))
    assert run(sale, monkeypatch) == "planned"
    assert sale.table.find(kind, key) is not None


def test_an_event_stays_sold_out_when_the_memory_is_damaged(sale, monkeypatch):
    sell(sale, *sale.seat_ids)
    empty_area(sale)
    assert run(sale, monkeypatch) == "sold out"
    sell(sale, sale.seat_ids[0], availability="available")
    update = Update("reservations", *seats_memory_key(EVENT), set={"ttl": "soon"})
    sale.table.update(update)
    assert [run(sale, monkeypatch), run(sale, monkeypatch)] == ["soldout", "soldout"]
    assert sale.table.find(SeatsMemory, seats_memory_key(EVENT)) is not None


def test_a_draining_room_is_planned(sale):
    epochs = (Epoch(START_S - 3600.0, 0.0, 0.0), Epoch(START_S - 60.0, 0.0, 1e-5))
    set_gate(sale, state="draining", epochs=epochs, sample_queue=0.01, sale_start_s=START_S - 3600)
    assert plan(sale).outcome == "planned"
    assert written(sale).state == "draining"
    assert written(sale).epochs[-1].slope > 0


def test_the_first_run_of_a_minute_says_how_many_wait_how_long_and_who_shops(
    sale, monkeypatch, capsys
):
    monkeypatch.setattr(controller, "container", lambda: sale.container)
    live(sale, 400)
    controller.handler({"beat": 0}, None)
    said = published(capsys)
    h = operational_time(written(sale).epochs, START_S)
    assert said["QueueWaiting"] == [pytest.approx(100_000 * math.exp(-h))]
    assert said["WaitExpectedSeconds"] == [pytest.approx(1e5)]  # curve 1: τ itself
    assert (said["SessionsLive"], said["SessionsTarget"]) == ([400], [1000])
    controller.handler({"beat": 3}, None)
    assert "QueueWaiting" not in published(capsys)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"sample_queue": 0.0}, {"SessionsLive"}),
        ({"epochs": (Epoch(START_S - 3600.0, 0.0, 0.0),)}, {"SessionsLive", "QueueWaiting"}),
    ],
)
def test_unknown_figures_are_not_published(sale, monkeypatch, capsys, changes, said):
    rules = {"epochs": (Epoch(START_S - 3600.0, 0.0, 1e-5),), "sample_queue": 0.01}
    set_gate(sale, sale_start_s=START_S - 3600, **rules | changes)
    set_event(sale, control="manual")
    monkeypatch.setattr(controller, "container", lambda: sale.container)
    controller.handler({}, None)
    known = {"SessionsLive", "QueueWaiting", "WaitExpectedSeconds"} & set(published(capsys))
    assert known == said
