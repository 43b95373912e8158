"""Damaged marks, and sessions that nothing can end whole: told, bounded, and nobody waits."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from fairgate import metrics
from fairgate.domain.shared.ids import session_of_order
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.table import Update
from fairgate.service.checkout.end_checkout import (
    ASK_AGAIN_S,
    TRIED_S,
    CheckoutEnder,
    expire_session,
)
from fairgate.service.expiry import sweep_expired
from fairgate.service.expiry.sweep_cursors import MINUTES_MAX, find_cursor, resting_events
from fairgate.service.expiry.sweep_expired import LANDED_MS
from fairgate.service.expiry.swept import MUCH_LATER_S
from fairgate.service.ledger.manual_tasks import ManualTasks
from fairgate.service.shared.due import due_entries, refund_due
from fairgate.service.shared.keys import REFUNDS, refund_key, seat_key, swept_key
from fairgate.service.shared.records.sessions import DueEntry
from functions.expiry import handler as expiry
from functions.sweeper import handler as function
from tests.support.world import EVENT, World
from tests.unit.checkout.test_checkout_and_settle import begin, expire, held, order_of, settle
from tests.unit.expiry.test_sweep_expired import OVER_S, state_of, sweep
from tests.unit.refunds.test_refunds import sweep as sweep_refunds
from tests.unit.shared.test_idempotency import cancel

pytestmark = pytest.mark.table_in_memory

DAMAGED: dict[str, dict[str, Any]] = {
    "another type": {"minute": 5},
    "no time": {"minute": "~ soon"},
    "busy another type": {"busy": []},
    "busy no time": {"busy": "never"},
}
AWAY = DependencyUnavailableError("away")


def damage(world: World, event: str, changes: dict[str, Any]) -> None:
    world.table.update(Update("reservations", *swept_key(event), set=changes))


@pytest.mark.parametrize("changes", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_cursor_is_told_and_written_anew(world: World, changes: dict[str, Any]) -> None:
    mine = held(world, area=3, seconds=60)
    sweep(world)
    damage(world, EVENT, {"minute": "2026-01-01T00:00"} | changes)
    world.clock.tick(60 + OVER_S)
    swept = sweep(world)
    assert [failure.error for failure in swept.failures] == ["DamagedItemError"]
    assert (swept.expired, state_of(world, mine)) == (1, "expired")
    cursor = find_cursor(world.table, EVENT)
    assert cursor is not None
    assert cursor.minute == swept.until
    world.clock.tick(60)
    assert sweep(world).failures == ()


def test_a_damaged_refund_that_landed_late_stops_no_minute(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    now_ms = world.clock.now_ms()
    world.clock.tick(120 + OVER_S)
    sweep_refunds(world)
    order = begin(world, held(world)).order
    landed = refund_due(order.order_id, "pay1", now_ms, in_s=60)
    owed = refund_key(session_of_order(order.order_id), order.order_id, "pay1")
    world.table.transact([landed, Update("reservations", *owed, set={"amountMinor": "some"})])
    world.clock.tick(LANDED_MS // 1000)
    swept = sweep_refunds(world)
    assert [(failure.error, swept.overdue) for failure in swept.failures] == [
        ("DamagedItemError", 1)
    ]
    world.clock.tick(60)
    assert sweep_refunds(world).until > swept.until


def test_a_damaged_cursor_begins_a_bounded_window_back(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []

    def looking(table: Any, event: str, minute: str) -> Any:
        looked.append(minute)
        return due_entries(table, event, minute)

    monkeypatch.setattr(sweep_expired, "due_entries", looking)
    damage(world, EVENT, {"minute": 5})
    world.clock.tick(86_400)
    until = sweep(world).until
    first_looks = looked[::2]  # each is followed by a second look at a minute before it
    assert MINUTES_MAX - 2 <= len(first_looks) <= MINUTES_MAX
    assert first_looks[-1] == until
    assert sweep(world).until == ""


def test_a_damaged_cursor_stops_no_refund(world: World) -> None:
    order = begin(world, held(world)).order
    settle(world, order)
    world.payments.fail = AWAY
    with pytest.raises(DependencyUnavailableError):
        cancel(world, order, "")
    world.payments.fail = None
    damage(world, REFUNDS, {"minute": 5})
    world.clock.tick(3_600)
    swept = sweep_refunds(world)
    assert [failure.error for failure in swept.failures] == ["DamagedItemError"]
    assert order_of(world, order).state == "refunded"


def test_an_event_whose_cursor_is_damaged_does_not_rest(world: World) -> None:
    closed = msgspec.structs.replace(world.event, state="closed")
    for changes in DAMAGED.values():
        damage(world, EVENT, {"minute": "2026-01-01T00:00"} | changes)
        assert resting_events(world.table, [closed]) == set()


def kinds(world: World) -> list[str]:
    return [task.kind for task in ManualTasks(world.table, world.clock).open()]


def entries(world: World, seconds: int) -> list[DueEntry]:
    at = rfc3339(world.clock.ms + seconds * 1000)
    return list(due_entries(world.table, EVENT, at[:16]).records)


def test_a_session_that_never_ends_becomes_a_task_and_is_looked_at_rarely(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = world.session("ann", seconds=60)
    world.clock.tick(60 + OVER_S)
    monkeypatch.setattr(CheckoutEnder, "end", fails)
    assert (sweep(world).postponed, kinds(world)) == (1, [])
    assert len(entries(world, ASK_AGAIN_S)) == 1
    world.clock.tick(TRIED_S)
    for _ in range(1 + TRIED_S // 60 // MINUTES_MAX):
        sweep(world)
    assert kinds(world) == ["entry-failed"]
    (task,) = ManualTasks(world.table, world.clock).open()
    assert mine.session in task.what
    assert "damaged" in task.what
    assert entries(world, ASK_AGAIN_S) == []
    assert len(entries(world, MUCH_LATER_S)) == 1
    monkeypatch.undo()
    world.clock.tick(MUCH_LATER_S + OVER_S)
    assert sweep(world).expired == 1
    assert len(ManualTasks(world.table, world.clock).all()) == 1


def fails(*_arguments: object) -> None:
    raise AWAY


def test_messages_leave_to_the_sweeper_what_never_ends(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = world.session("ann", seconds=60)
    monkeypatch.setattr(CheckoutEnder, "end", fails)
    world.clock.tick(TRIED_S + 59)
    world.reminders.sent.clear()
    assert expire(world, mine.session) == "unanswered"
    assert world.reminders.sent == [(mine.session, ASK_AGAIN_S)]
    world.clock.tick(1)
    assert expire(world, mine.session) == "unanswered"
    assert len(world.reminders.sent) == 1


def test_what_was_handed_over_reminds_of_itself_by_nothing_but_its_entry(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = held(world, seconds=60)
    begin(world, mine)
    world.reminders.sent.clear()
    ender = CheckoutEnder.of(world.table, world.clock, world.payments)
    assert expire_session(ender, world.reminders, mine.session, handed=True) == "later"
    monkeypatch.setattr(CheckoutEnder, "end", fails)
    world.clock.tick(3_600)
    assert expire_session(ender, world.reminders, mine.session, handed=True) == "unanswered"
    assert world.reminders.sent == []
    monkeypatch.setattr(expiry, "container", lambda: world.container)
    for body, reminders in (({"handed": True}, 0), ({"handed": "no"}, 1), ({}, 2)):
        message = json.dumps({"session": mine.session} | body)
        expiry.handler({"Records": [{"messageId": "m", "body": message}]}, None)
        assert len(world.reminders.sent) == reminders


def test_a_session_with_a_damaged_seat_is_a_task_at_once(world: World) -> None:
    mine = held(world, area=3, seconds=60)
    key = seat_key(EVENT, world.seat_ids[0])
    world.table.update(Update("seats", *key, set={"availability": 7}))
    world.clock.tick(60 + OVER_S)
    sweep(world)
    assert (state_of(world, mine), kinds(world)) == ("reservation", ["entry-failed"])
    assert entries(world, ASK_AGAIN_S) == []
    assert len(entries(world, MUCH_LATER_S)) == 1


def test_a_damaged_cursor_is_counted_as_the_alarms_look_for_it(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    damage(world, EVENT, {"minute": 5})
    monkeypatch.setattr(function, "container", lambda: world.container)
    monkeypatch.setenv("POWERTOOLS_METRICS_NAMESPACE", "Fairgate")
    monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", "sweeper")
    context: Any = SimpleNamespace(get_remaining_time_in_millis=lambda: 55_000)
    function.handler({}, context)
    assert f'"{metrics.BACKSTOP_FAILURES}":[1.0]' in capsys.readouterr().out
