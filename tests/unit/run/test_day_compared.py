"""Each figure of `watch` is compared with the tables at its moment; one that is wrong is named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from fairgate.domain.gate.gate_config import Epoch, dump_gate, gate_key
from fairgate.domain.shared.session import live_bucket
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.record import Key
from fairgate.ports.table import Update
from fairgate.service.audit.snapshot import Snapshot
from fairgate.service.gate.operator_log import OperatorLog
from fairgate.service.shared.keys import (
    figures_memory_key,
    gate_value_key,
    history_key,
    live_key,
    sampled_key,
)
from fairgate.service.watch.figures import PARTS
from fairgate.service.watch.history import COLUMNS, Kept
from fairgate.service.watch.make_figures import FigureMaker
from fairgate.service.watch.sections import AreaCounts, SeatCounts, SectionCounts
from fairgate_ops.run.rehearse.day.compare import compare
from fairgate_ops.run.rehearse.day.compare_around import compare_around
from fairgate_ops.run.rehearse.day.compare_kept import compare_kept
from fairgate_ops.run.rehearse.day.reading import Reading, read
from fairgate_ops.run.rehearse.day.record import Comparer
from tests.support.world import EVENT, NAMES, START_MS, World, gate
from tests.unit.checkout.test_checkout_and_settle import begin, held, settle

# What a figure is compared with is wide while sales go on, or it has no figure of its own.
LOOSE = {
    "acts.pace",  # as set_by, set_act and set_at of the gate
    "room.admitted_over_s",  # with admitted_per_s
    "room.refused_full",
    "room.waiting_error",  # with waiting
}


@pytest.fixture
def sale(world: World) -> World:
    """A sale with an order that is paid, a hold, and an act in its log."""
    start_s = START_MS / 1000
    epochs = (Epoch(start_s - 3600, 0.0, 0.0), Epoch(start_s - 60, 0.0, 1 / 600))
    world.edge_config.values[gate_key(EVENT)] = dump_gate(gate(epochs=epochs, sample_queue=0.1))
    world.event = msgspec.structs.replace(world.event, live_max=100, counted=True)
    world.put(world.event)
    settle(world, begin(world, held(world, "ann", "s-1-1", "s-1-2")).order)
    held(world, "bob", "s-1-3")
    where = live_key(EVENT, live_bucket(rfc3339(START_MS + 600_000), "ses_0"))
    world.table.update(Update("reservations", *where, add={"opened": 2, "live": 0}))
    OperatorLog.of(world.table, world.clock, EVENT, gate()).append(
        "anna", "tau set", "done", {"tau_s": 600}, gate()
    )
    return world


def reading(world: World, began_ms: int = 0, ended_ms: int = 0) -> Reading:
    found = read(world.client, {str(table): name for table, name in NAMES.items()}, EVENT)
    snapshot = replace(found.snapshot, now=rfc3339(world.clock.ms))
    now_ms = world.clock.ms
    return Reading(EVENT, began_ms or now_ms, ended_ms or now_ms, snapshot)


def figures(world: World) -> dict[str, Any]:
    made: dict[str, Any] = msgspec.to_builtins(
        FigureMaker(world.table, world.clock).make(world.event)
    )
    return made


def wrong(event: Mapping[str, Any], before: Reading, after: Reading) -> set[str]:
    return {one.name for one in compare(event, before, after) if not one.is_true}


def other(value: Any) -> Any:
    """A figure that is not this one."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1_000_000
    return "2030-01-01T00:00:00.000Z"


def test_true_figures_are_not_complained_of(sale: World) -> None:
    still = reading(sale)
    event = figures(sale)
    assert event["sale"]["paid"] == 1
    assert event["seats"]["held"] == 1
    assert wrong(event, still, still) == set()


def test_every_figure_that_is_wrong_is_named(sale: World) -> None:
    """The negative control of each: every figure of every part is put wrong."""
    still, event = reading(sale), figures(sale)
    assert wrong(event, still, still) == set()
    missed = set()
    for part in PARTS:
        for name, value in event[part].items():
            if name in ("at", "error") or f"{part}.{name}" in LOOSE:
                continue
            spoilt = {**event, part: {**event[part], name: other(value)}}
            try:
                told = wrong(spoilt, still, still)
            except (TypeError, LookupError):  # a list or a time that is none
                continue
            if not told:
                missed.add(f"{part}.{name}")
    assert missed == set()


def test_what_is_kept_beside_the_figures_is_compared(sale: World) -> None:
    before = reading(sale)
    event = {**figures(sale), "figures": {"made_at": rfc3339(sale.clock.ms)}}
    after = reading(sale)
    compared = list(compare_kept(event, before, after))
    assert [str(one) for one in compared if not one.is_true] == []
    names = {one.name for one in compared}
    assert names >= {f"sections.{state}" for state in ("sold", "held", "free", "blocked")}
    assert names >= {f"areas.{state}" for state in ("taken", "free", "blocked")}
    shown = {f"history.{part}.{column}" for part, column in COLUMNS}
    assert shown - names <= {"history.room.admitted_per_s", "history.room.refused_full"}


def test_each_value_that_is_kept_wrong_is_named(sale: World) -> None:
    """The negative control of each: every column, and every count of sections and areas."""
    before = reading(sale)
    event = {**figures(sale), "figures": {"made_at": rfc3339(sale.clock.ms)}}
    loose = {"history.room.admitted_per_s", "history.room.refused_full"}

    def named(key: Key, document: bytes) -> set[str]:
        sale.table.update(Update("reservations", *key, set={"document": document.decode()}))
        kept = compare_kept(event, before, reading(sale))
        return {one.name for one in kept if not one.is_true}

    rows = Kept(rows=[[sale.clock.ms]])
    for number, (part, column) in enumerate(COLUMNS, start=1):
        values = [event[name][one] for name, one in COLUMNS]
        values[number - 1] = other(values[number - 1] or 0)
        rows.rows = [[sale.clock.ms, *values]]
        found = named(history_key(EVENT), msgspec.json.encode(rows))
        assert f"history.{part}.{column}" in found | loose
    rows.rows = [[sale.clock.ms - 60_000]]
    assert "history.age_s" in named(history_key(EVENT), msgspec.json.encode(rows))
    assert "history.age_s" in named(history_key(EVENT), b"{}")
    now_ms = sale.clock.ms
    spoilt = SeatCounts(
        {"s": SectionCounts(now_ms, 99, 99, 99, 99)}, {"floor": AreaCounts(now_ms, 99, 99, 99)}
    )
    found = named(figures_memory_key(EVENT), msgspec.json.encode(spoilt))
    assert found >= {f"sections.{state}" for state in ("sold", "held", "free", "blocked")}
    assert found >= {f"areas.{state}" for state in ("taken", "free", "blocked")}


def test_what_changes_meanwhile_lies_between(sale: World) -> None:
    before = reading(sale)
    event = figures(sale)
    sale.clock.tick(1)
    held(sale, "cyd", "s-1-4")
    after = reading(sale)
    assert wrong(event, before, after) == set()
    assert "seats.held" in wrong(event, after, after)
    assert "room.live" in wrong(event, after, after)


def test_how_many_wait_is_compared_with_who_joined_and_who_was_let_in(sale: World) -> None:
    minute = rfc3339(START_MS - 30_000)[: len("2026-01-01T00:00")]
    joined = Update(
        "reservations",
        *sampled_key(EVENT, minute, "ann"),
        set={"h": 0.0, "ttl": 1},
        add={"count": 9},
    )
    sale.table.update(joined)
    still, event = reading(sale), figures(sale)
    assert wrong(event, still, still) == set()
    off = {**event, "room": {**event["room"], "waiting": event["room"]["waiting"] + 2}}
    assert wrong(off, still, still) >= {"room.waiting"}
    many = {**event, "room": {**event["room"], "waiting": 400}}
    assert wrong(many, still, still) >= {"room.waiting, by who was let in"}


def test_the_delay_of_webhooks_is_of_orders_that_were_heard_of(sale: World) -> None:
    """Another buyer came back: the provider was asked, and nobody heard of that payment."""
    sale.event = msgspec.structs.replace(sale.event, created_at=rfc3339(START_MS - 60_000))
    sale.put(sale.event)
    order = begin(sale, held(sale, "cyd", "s-1-4")).order
    settle(sale, order, "evt2", payment="pay2", at_ms=sale.clock.ms - 50)
    still, event = reading(sale), figures(sale)
    assert (still.counts["paid"], still.counts["heard"]) == (2, 1)
    assert event["sale"]["webhook_lag_s"] == 0.05
    assert "sale.webhook_lag_s" not in wrong(event, still, still)
    off = {**event, "sale": {**event["sale"], "webhook_lag_s": 0.051}}
    assert "sale.webhook_lag_s" in wrong(off, still, still)


def test_the_pace_is_of_a_trail_whose_oldest_moment_lies_up_to_a_gap_within(sale: World) -> None:
    """Makings come when they can: what is kept of the last ten minutes may be nine and a bit."""
    for step in range(15):
        FigureMaker(sale.table, sale.clock).make(sale.event)
        if step == 2:
            sale.clock.tick(1)
            settle(sale, begin(sale, held(sale, "cyd", "s-1-4")).order, "evt2", payment="pay2")
        sale.clock.tick(44 if step == 2 else 45)
    sale.clock.tick(-29)
    event, still = figures(sale), reading(sale)
    assert event["sale"]["sold_per_min"] == pytest.approx(60 / 556)
    assert "sale.sold_per_min" not in wrong(event, still, still)
    off = {**event, "sale": {**event["sale"], "sold_per_min": 60 / 539}}
    assert "sale.sold_per_min" in wrong(off, still, still)


def test_keys_are_compared_whatever_else_of_the_gate_has_changed(sale: World) -> None:
    before, event = reading(sale), figures(sale)
    sale.table.update(Update("catalog", *gate_value_key(EVENT), set={"version": 7}))
    off = {**event, "keys": {**event["keys"], "signing": "another"}}
    assert "keys.signing" in wrong(off, before, reading(sale))


def test_what_is_true_or_false_is_no_number(sale: World) -> None:
    """Either was so while it changed."""
    before, event = reading(sale), figures(sale)
    sale.table.update(Update("catalog", *sale.event.key, set={"gateBehind": 1}))
    assert wrong(event, before, reading(sale)) == set()


def test_a_change_that_edges_heard_in_between_is_compared_with_neither_side(sale: World) -> None:
    before, event = reading(sale), figures(sale)
    sale.table.update(Update("catalog", *gate_value_key(EVENT), set={"version": 7}))
    late = {**event, "edges": {**event["edges"], "heard": False}}
    assert "edges.heard" not in wrong(late, before, reading(sale))
    assert "edges.heard" in wrong(late, before, before)


def test_figures_are_compared_with_a_reading_before_them_and_one_after(sale: World) -> None:
    moments = iter([0, 40_000])
    comparer = Comparer(lambda: reading(sale), [])
    comparer.take(reading(sale, ended_ms=START_MS + next(moments) - 1))
    made = {**figures(sale), "figures": {"made_at": "now"}}
    seen = {"at": rfc3339(START_MS + 10), "events": [made]}
    comparer.lines.append({"at_s": 1.0, "watch": seen})
    comparer.take(reading(sale, began_ms=START_MS + 5))  # began before they were seen
    assert comparer.looks == 0
    comparer.take(reading(sale, began_ms=START_MS + next(moments)))
    comparer.take(reading(sale, began_ms=START_MS + 50_000))
    assert comparer.looks == 1
    assert comparer.compared["sale.paid"] == 1
    assert comparer.wrong == []


STILL = Reading(EVENT, 0, 0, snapshot=Snapshot(now=""))


def beside(given_up: int) -> dict[str, Any]:
    """What stands beside the events when so many mails were given up."""
    return {
        "queues": {"queues": {"mails": {"waiting": 0, "given_up": given_up}}},
        "tasks": {"open": 0},
        "sign_in_keys": {"signing": "a"},
        "alarms": {"alarms": None},
        "events": [],
    }


def queues_of(document: Mapping[str, Any]) -> Any:
    return document["queues"]["queues"]


def test_what_stands_beside_the_events_is_compared() -> None:
    document = beside(0)
    queues = (queues_of(document), queues_of(document))
    assert all(one.is_true for one in compare_around(document, STILL, queues, "a"))
    spoilt = {**document, "tasks": {"open": 2}, "sign_in_keys": {"signing": "b"}}
    told = [one.name for one in compare_around(spoilt, STILL, ({}, {}), "a") if not one.is_true]
    assert told[:2] == ["queues.mails.waiting", "queues.mails.given_up"]
    assert told[2:] == ["tasks.open", "sign_in_keys.signing"]
    ghost = {"ghost": {"waiting": -1, "given_up": -1}}
    more = {**document, "queues": {"queues": {**queues_of(document), **ghost}}}
    told = [one.name for one in compare_around(more, STILL, queues, "a") if not one.is_true]
    assert told == ["queues.ghost.waiting", "queues.ghost.given_up"]
    none = {**document, "queues": {"queues": {}}}
    told = [one.name for one in compare_around(none, STILL, queues, "a") if not one.is_true]
    assert told == ["queues.mails.waiting", "queues.mails.given_up"]


@pytest.mark.parametrize(("given_up", "wrong"), [(0, 1), (1, 0), (2, 0), (3, 1)])
def test_a_message_that_is_given_up_meanwhile_may_be_shown_or_not(
    given_up: int, wrong: int
) -> None:
    queues = (queues_of(beside(1)), queues_of(beside(2)))
    compared = compare_around(beside(given_up), STILL, queues, "a")
    told = [one.name for one in compared if not one.is_true]
    assert told == ["queues.mails.given_up"] * wrong
