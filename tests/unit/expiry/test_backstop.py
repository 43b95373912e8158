"""The two timers behind everything: nothing that fails in them stops anything else."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from fairgate import metrics
from fairgate.domain.shared.times import epoch_ms
from fairgate.errors import DependencyUnavailableError, PaymentRefusedError
from fairgate.ports.payments import Dispute, Refund
from fairgate.ports.record import DamagedItemError
from fairgate.ports.table import Update
from fairgate.service.books import compare_captures, reconcile_payments
from fairgate.service.books.find_sold import sold_orders
from fairgate.service.books.reconcile_payments import HELD_BACK_MS, Reconciler
from fairgate.service.checkout.settle_payment import PaymentSettler
from fairgate.service.expiry.sweep_cursors import MINUTES_MAX, QUIET_MS, resting_events
from fairgate.service.expiry.sweep_expired import ExpirySweeper
from fairgate.service.expiry.sweep_sessions import HAND_OVER_MS, HANDED_AGAIN_S
from fairgate.service.expiry.swept import STOP_MS, Swept
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate.service.ledger.manual_tasks import ManualTasks
from fairgate.service.refunds.refunds import Refunder
from fairgate.service.shared.keys import event_key, reconciled_key, session_key, swept_key
from fairgate.service.shared.records.cursors import ReconcileCursor, SweepCursor
from fairgate_lab.engine.outside import MemoryTicketQueue
from functions.reconcile import handler as reconcile
from functions.sweeper import handler as sweeper
from tests.support.world import EVENT, START_MS, World
from tests.unit.books.test_reconcile_payments import captured
from tests.unit.checkout.test_checkout_and_settle import begin, held, order_of, settle
from tests.unit.expiry.test_sweep_expired import OVER_S, state_of
from tests.unit.shared.test_idempotency import cancel

pytestmark = pytest.mark.table_in_memory

PLENTY_MS = 55_000


class Poisoned(SeatReleaser, frozen=True):
    """Ends every session but one, whose end meets a defect."""

    poison: str = ""
    error: Exception = KeyError("a defect")

    def end_session(self, session: str, *arguments: Any, **named: Any) -> bool:
        if session == self.poison:
            raise self.error
        return super().end_session(session, *arguments, **named)


def swept_by(
    world: World, releaser: SeatReleaser | None = None, left_ms: Callable[[], int] | None = None
) -> Swept:
    refunder = Refunder(world.table, world.clock, world.payments)
    sweeper = ExpirySweeper(
        world.table,
        world.clock,
        releaser or SeatReleaser(world.table, world.clock),
        refunder,
        world.reminders,
        left_ms or (lambda: PLENTY_MS),
    )
    return sweeper.sweep(world.event)


def poisoned(world: World, session: str, error: Exception) -> Poisoned:
    return Poisoned(world.table, world.clock, poison=session, error=error)


def kinds(world: World) -> list[str]:
    return sorted(task.kind for task in ManualTasks(world.table, world.clock).open())


def mark_of(world: World) -> str:
    cursor = world.table.find(SweepCursor, swept_key(EVENT))
    return "" if cursor is None else cursor.minute


# --- the sweeper


@pytest.mark.parametrize("error", [KeyError("ann@example.org"), DamagedItemError("a Session")])
def test_a_session_that_meets_a_defect_holds_no_other_one_up(
    world: World, error: Exception
) -> None:
    first, second = world.session("ann", seconds=60), world.session("bob", seconds=60)
    world.clock.tick(60 + OVER_S)
    swept = swept_by(world, poisoned(world, first.session, error))
    assert (swept.expired, swept.postponed) == (1, 1)
    assert (state_of(world, first), state_of(world, second)) == ("reservation", "expired")
    (failure,) = swept.failures
    assert first.session in failure.what
    assert "ann@example.org" not in str(failure)
    assert kinds(world) == ["entry-failed"]
    world.clock.tick(3_600 + OVER_S)  # somebody has mended it
    assert swept_by(world).expired == 1
    assert state_of(world, first) == "expired"


def test_a_session_that_may_end_later_is_no_task(world: World) -> None:
    mine = world.session("ann", seconds=60)
    world.clock.tick(60 + OVER_S)
    swept = swept_by(world, poisoned(world, mine.session, DependencyUnavailableError("busy")))
    assert (swept.postponed, len(swept.failures), kinds(world)) == (1, 1, [])


def test_a_refused_refund_does_not_stop_the_backstop(world: World) -> None:
    order = begin(world, held(world)).order
    settle(world, order)
    world.payments.fail = DependencyUnavailableError("away")
    with pytest.raises(DependencyUnavailableError):
        cancel(world, order, "")
    world.payments.fail = None
    world.payments.refuse["refund"] = PaymentRefusedError("no", reason="disputed")
    behind = world.session("bob", seconds=60)
    world.clock.tick(400)
    answer = run(sweeper, world)
    assert answer["failures"] == 0
    assert state_of(world, behind) == "expired"
    assert kinds(world) == ["refund-refused"]
    world.clock.tick(3_600)
    assert run(sweeper, world)["swept"] == []  # what is owed is over


def test_a_damaged_session_is_named_and_the_others_are_ended(world: World) -> None:
    first, second = world.session("ann", seconds=60), world.session("bob", seconds=60)
    world.table.update(Update("reservations", *session_key(first.session), set={"resCount": "x"}))
    world.clock.tick(60 + OVER_S)
    swept = swept_by(world)
    assert (swept.expired, state_of(world, second)) == (1, "expired")
    assert [first.session in failure.what for failure in swept.failures] == [True]
    assert kinds(world) == ["entry-failed"]


def test_the_cursor_moves_by_the_minute_when_a_later_one_fails(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.session("ann", seconds=60)
    third = world.session("cid", seconds=180)
    world.clock.tick(180 + OVER_S)
    releaser = poisoned(world, third.session, DependencyUnavailableError("busy"))
    transact = world.table.transact

    def refusing(actions: Sequence[Any], token: str | None = None) -> None:
        if any(third.session in str(action) and "DUE" in str(action) for action in actions):
            raise DependencyUnavailableError("it cannot even be entered again")
        transact(actions, token)

    monkeypatch.setattr(world.table, "transact", refusing)
    swept = swept_by(world, releaser)
    assert swept.expired == 1
    assert len(swept.failures) == 1
    assert epoch_ms(f"{mark_of(world)}:00.000Z") == START_MS + 120_000
    monkeypatch.undo()
    assert swept_by(world).expired == 1
    assert state_of(world, third) == "expired"


def test_what_is_too_much_for_one_run_goes_to_the_queue_and_stays_due(world: World) -> None:
    mine = [world.session(f"u{n}", seconds=60) for n in range(3)]
    world.clock.tick(60 + OVER_S)
    swept = swept_by(world, left_ms=lambda: HAND_OVER_MS - 1)
    assert (swept.expired, swept.handed) == (0, 3)
    assert sorted(world.reminders.sent) == sorted((one.session, 0) for one in mine)
    assert HANDED_AGAIN_S == 300
    world.clock.tick(HANDED_AGAIN_S)  # the queue has delivered nothing
    runs = -(-HANDED_AGAIN_S // 60 // MINUTES_MAX) + 1
    assert sum(swept_by(world).expired for _ in range(runs)) == 0
    world.clock.tick(OVER_S)
    assert swept_by(world).expired == 3


def test_a_queue_that_is_away_loses_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.session("ann", seconds=60)
    world.clock.tick(60 + OVER_S)

    def away(_sessions: Sequence[str]) -> None:
        raise DependencyUnavailableError("away")

    monkeypatch.setattr(world.reminders, "remind_all", away)
    swept = swept_by(world, left_ms=lambda: HAND_OVER_MS - 1)
    assert (swept.handed, len(swept.failures)) == (0, 1)
    world.clock.tick(120 + OVER_S)
    assert swept_by(world).expired == 1


def test_a_run_out_of_time_ends_by_itself_and_the_next_begins_there(world: World) -> None:
    world.session("ann", seconds=60)
    world.clock.tick(60 + OVER_S)
    before = mark_of(world)
    swept = swept_by(world, left_ms=lambda: STOP_MS - 1)
    assert (swept.expired, [failure.error for failure in swept.failures]) == (0, ["OutOfTimeError"])
    assert before == ""
    assert swept_by(world).expired == 1


def test_an_event_rests_once_it_is_closed_and_was_quiet_for_a_day(world: World) -> None:
    closed = msgspec.structs.replace(world.event, state="closed")
    minute, busy = "2027-02-02T08:00", "2027-02-01T08:00"
    cursor = SweepCursor(*swept_key(EVENT), minute=minute, busy=busy)
    assert QUIET_MS == 86_400_000
    for event, kept, rests in (
        (closed, cursor, True),
        (world.event, cursor, False),
        (closed, msgspec.structs.replace(cursor, busy="2027-02-01T08:01"), False),
        (closed, msgspec.structs.replace(cursor, busy=""), False),
    ):
        world.put(kept)
        assert (resting_events(world.table, [event]) == {EVENT}) is rests
    world.put(cursor)
    world.put(closed)
    world.clock.ms = epoch_ms(f"{minute}:00.000Z") + 600_000
    refunder = Refunder(world.table, world.clock, world.payments)
    releaser = SeatReleaser(world.table, world.clock)
    sweep = ExpirySweeper(world.table, world.clock, releaser, refunder).sweep
    assert sweep(closed).until == ""
    assert mark_of(world) == minute
    assert sweep(world.event).until == "2027-02-02T08:08"


def test_a_cursor_says_which_minute_was_busy(world: World) -> None:
    world.session("ann", seconds=60)
    world.clock.tick(600)
    swept_by(world)
    cursor = world.table.find(SweepCursor, swept_key(EVENT))
    assert cursor is not None
    assert epoch_ms(f"{cursor.busy}:00.000Z") == START_MS + 60_000
    assert cursor.minute > cursor.busy


# --- the functions, and what they say


def run(function: Any, world: World, left_ms: Any = lambda: PLENTY_MS) -> dict[str, Any]:
    context = SimpleNamespace(get_remaining_time_in_millis=left_ms)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(function, "container", lambda: world.container)
        patched.setenv("POWERTOOLS_METRICS_NAMESPACE", "Fairgate")
        patched.setenv("POWERTOOLS_SERVICE_NAME", "test")
        answer: dict[str, Any] = function.handler({}, context)
    return answer


def test_refunds_that_stall_leave_the_events_their_time(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    left_ms = [PLENTY_MS]

    def stall(**_asked: object) -> Refund:
        left_ms.append(STOP_MS - 1)
        raise DependencyUnavailableError("no answer")

    order = begin(world, held(world)).order
    settle(world, order)
    monkeypatch.setattr(world.payments, "refund", stall)
    with pytest.raises(DependencyUnavailableError):
        cancel(world, order, "c")
    del left_ms[1:]
    behind = world.session("bob", seconds=60)
    world.clock.tick(400)
    answer = run(sweeper, world, lambda: left_ms[-1])
    assert (state_of(world, behind), answer["failures"], len(left_ms)) == ("expired", 1, 2)


def figures(said: str) -> dict[str, float]:
    """The figures that a run has published, by name."""
    (document,) = (json.loads(line) for line in said.splitlines() if "_aws" in line)
    names = [m["Name"] for m in document["_aws"]["CloudWatchMetrics"][0]["Metrics"]]
    return {name: document[name][0] for name in names}


def test_an_event_that_cannot_be_read_is_counted_and_the_others_are_swept(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    behind = world.session("ann", seconds=60)
    world.table.update(Update("catalog", *event_key("a-damaged-one"), set={"name": "x"}))
    world.clock.tick(60 + OVER_S)
    ManualTasks(world.table, world.clock).note("disputed", "Answer it.", order="ord_1")
    assert run(sweeper, world)["failures"] == 1
    assert state_of(world, behind) == "expired"
    assert figures(capsys.readouterr().out) == {
        metrics.SWEEPER_RUNS: 1,
        metrics.SESSIONS_SWEPT: 1,
        metrics.REFUNDS_MOVED: 0,
        metrics.REFUNDS_OVERDUE: 0,
        metrics.BACKSTOP_FAILURES: 1,
        metrics.MANUAL_TASKS_OPEN: 1,
    }


def test_an_event_whose_sweep_fails_as_a_whole_stops_no_other(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.put(msgspec.structs.replace(world.event, sk="another"))
    behind = world.session("ann", seconds=60)
    world.clock.tick(60 + OVER_S)
    sweep = ExpirySweeper.sweep

    def failing(one: ExpirySweeper, event: Any) -> Swept:
        if event.id == "another":
            raise KeyError("a defect")
        return sweep(one, event)

    monkeypatch.setattr(ExpirySweeper, "sweep", failing)
    assert run(sweeper, world)["failures"] == 1
    assert state_of(world, behind) == "expired"


def test_the_hours_run_says_that_it_came_to_its_end_and_what_failed(
    world: World, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconcile_payments, "FIRST_LOOK_MS", 900_000)
    monkeypatch.setattr(reconcile_payments, "_CHECKOUT_MS_MAX", 60_000)
    world.container.__dict__["ticket_queue"] = MemoryTicketQueue()
    world.payments.refuse["disputes"] = DependencyUnavailableError("away")
    assert run(reconcile, world)["failures"] == 1
    assert figures(capsys.readouterr().out) == {
        metrics.RECONCILE_RUNS: 1,
        metrics.PAYMENTS_REPAIRED: 0,
        metrics.PAYMENTS_RAISED: 0,
        metrics.RECONCILE_FAILURES: 1,
    }


# --- the comparison with the provider's books


@pytest.fixture
def books(world: World, monkeypatch: pytest.MonkeyPatch) -> World:
    """Short days: a query a minute of a whole one takes moto a while."""
    monkeypatch.setattr(reconcile_payments, "FIRST_LOOK_MS", 900_000)
    monkeypatch.setattr(reconcile_payments, "OVERLAP_MS", 30_000)
    monkeypatch.setattr(reconcile_payments, "_CHECKOUT_MS_MAX", 60_000)
    return world


def compare(
    world: World, queue: MemoryTicketQueue | None = None, events: Sequence[str] = ()
) -> Any:
    settler = PaymentSettler(world.table, world.clock, world.payments)
    refunder = Refunder(world.table, world.clock, world.payments)
    return Reconciler(world.table, world.clock, settler, refunder, queue).run(events)


def reconciled_until(world: World) -> int:
    cursor = world.table.find(ReconcileCursor, reconciled_key())
    return 0 if cursor is None else epoch_ms(cursor.until)


def two_captures(world: World) -> tuple[Any, Any]:
    first = begin(world, held(world, "ann", world.seat_ids[0])).order
    second = begin(world, held(world, "bob", world.seat_ids[1])).order
    captured(world, first, "pay1")
    world.clock.tick(10)
    captured(world, second, "pay2")
    world.clock.tick(350)
    return first, second


def poison(monkeypatch: pytest.MonkeyPatch, order: Any, error: Exception) -> None:
    settle_one = PaymentSettler.settle

    def poisoned(settler: PaymentSettler, payment: Any) -> Any:
        if payment.order == order.order_id:
            raise error
        return settle_one(settler, payment)

    monkeypatch.setattr(PaymentSettler, "settle", poisoned)


def test_a_capture_that_meets_a_defect_is_a_task_and_the_cursor_moves_on(
    books: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = two_captures(books)
    poison(monkeypatch, first, KeyError("a defect"))
    compared = compare(books)
    assert [d.kind for d in compared.differences] == ["failed", "settled"]
    assert order_of(books, second).state == "paid"
    assert kinds(books) == ["capture-failed"]
    assert reconciled_until(books) == books.clock.ms - 300_000


def test_a_capture_that_may_be_settled_later_is_looked_at_again_but_not_for_ever(
    books: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = two_captures(books)
    at_ms = books.payments.taken[0].at_ms
    poison(monkeypatch, first, DependencyUnavailableError("busy"))
    compare(books)
    assert order_of(books, second).state == "paid"
    assert reconciled_until(books) == at_ms
    assert kinds(books) == []
    books.clock.tick(3_600)
    assert "failed" in [d.kind for d in compare(books).differences]
    assert reconciled_until(books) == at_ms
    books.clock.tick(HELD_BACK_MS / 1000)
    compare(books, MemoryTicketQueue())
    assert "capture-failed" in kinds(books)
    assert reconciled_until(books) == books.clock.ms - 300_000


def test_a_list_that_breaks_off_keeps_the_cursor_and_disputes_are_followed(
    books: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = begin(books, held(books)).order
    settle(books, order)
    dispute = Dispute("dp1", "pay1", order.order_id, 10_000, "EUR", "open", books.clock.ms)
    books.payments.opened.append(dispute)
    books.payments.refuse["captures"] = DependencyUnavailableError("away")
    compared = compare(books)
    assert not compared.complete
    assert len(compared.failures) == 1
    assert reconciled_until(books) == 0
    assert order_of(books, order).state == "disputed"
    assert [d.kind for d in compared.differences] == ["dispute-noted"]


def test_a_dispute_that_meets_a_defect_stops_no_other(books: World) -> None:
    order = begin(books, held(books)).order
    settle(books, order)
    now_ms = books.clock.ms
    for name, of in (("dp1", order.order_id), ("dp2", order.order_id)):
        books.payments.opened.append(Dispute(name, "pay1", of, 1, "EUR", "open", now_ms))
    nobody: Any = None
    books.payments.opened[0] = Dispute("dp1", "pay1", nobody, 1, "EUR", "open", now_ms)
    assert len(compare(books).failures) == 1
    assert order_of(books, order).state == "disputed"


def test_an_event_whose_comparison_fails_stops_no_other(
    books: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = begin(books, held(books)).order
    settle(books, order)
    books.clock.tick(360)

    def failing(table: Any, event: str, *window: int, **known: Any) -> Any:
        if event == "another":
            raise KeyError("a defect")
        return sold_orders(table, event, *window, **known)

    monkeypatch.setattr(reconcile_payments, "sold_orders", failing)
    monkeypatch.setattr(reconcile_payments, "_CHECKOUT_MS_MAX", 900_000)
    compared = compare(books, events=["another", EVENT])
    assert len(compared.failures) == 1
    assert [d.kind for d in compared.differences] == ["raised"]  # sold, and no capture is listed
    assert kinds(books) == ["entry-failed", "no-capture"]


def test_what_is_raised_is_a_task_once_and_counted_once(books: World) -> None:
    order = begin(books, held(books)).order
    captured(books, order, refunded_minor=1)
    settle(books, order)
    books.clock.tick(310)
    runs = [compare(books) for _ in range(2)]
    assert [(run.count("raised"), run.raised) for run in runs] == [(1, 1), (1, 0)]
    assert kinds(books) == ["refunded-in-part"]


def test_late_tickets_are_asked_for_and_a_task_when_that_was_in_vain(books: World) -> None:
    queue = MemoryTicketQueue()
    order = begin(books, held(books)).order
    captured(books, order)
    settle(books, order)
    books.clock.tick(610)
    assert [d.kind for d in compare(books, queue).differences] == ["tickets-asked"]
    assert (queue.asked, kinds(books)) == ([order.order_id], [])
    cursor = {"until": "2027-01-15T07:59:00.000Z"}
    books.table.update(Update("reservations", *reconciled_key(), set=cursor))
    books.clock.tick(compare_captures.ASKED_IN_VAIN_MS / 1000)
    assert [d.kind for d in compare(books, queue).differences] == ["raised"]
    assert (len(queue.asked), kinds(books)) == (2, ["tickets-late"])


def test_tickets_that_were_never_mailed_are_asked_for_again(books: World) -> None:
    queue = MemoryTicketQueue()
    order = begin(books, held(books)).order
    captured(books, order)
    settle(books, order)
    made = {"state": "ticketed", "ticketedAt": (now := order_of(books, order).paid_at)}
    books.table.update(Update("reservations", *order.key, set=made))
    books.clock.tick(610)
    assert [d.kind for d in compare(books, queue).differences] == ["tickets-asked"]
    books.table.update(Update("reservations", *order.key, set={"mailedAt": now}))
    assert compare(books, queue).differences == []
    assert queue.asked == [order.order_id]
