"""Books against orders: every difference is repaired once or raised, and agreement is silent."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from fairgate.domain.shared.ids import OrderId
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.payments import Capture, Dispute, UnreadableEntry
from fairgate.ports.table import Table, Update
from fairgate.service.books import find_sold, reconcile_payments
from fairgate.service.books.books import Reconciled
from fairgate.service.books.find_sold import SaleWindow
from fairgate.service.books.reconcile_payments import Reconciler
from fairgate.service.checkout.settle_payment import PaymentSettler
from fairgate.service.ledger.manual_tasks import ManualTasks
from fairgate.service.refunds.refunds import Refunder
from fairgate.service.shared.due import due_entries
from fairgate.service.shared.keys import reconciled_key
from fairgate.service.shared.readable import Readable
from fairgate.service.shared.records.cursors import ReconcileCursor
from fairgate.service.shared.records.orders import Order
from fairgate.service.shared.records.sessions import DueEntry
from fairgate_lab.engine.table import InterleavedTable
from tests.support.world import EVENT, START_MS, World
from tests.unit.checkout.test_checkout_and_settle import begin, expire, held, order_of, settle
from tests.unit.shared.test_idempotency import cancel


@pytest.fixture(autouse=True)
def _short_days(monkeypatch: pytest.MonkeyPatch) -> None:
    """A query a minute of a whole day takes moto a while."""
    monkeypatch.setattr(reconcile_payments, "FIRST_LOOK_MS", 900_000)
    monkeypatch.setattr(reconcile_payments, "OVERLAP_MS", 30_000)
    monkeypatch.setattr(reconcile_payments, "_CHECKOUT_MS_MAX", 900_000)


def reconcile(world: World, **options: Any) -> Reconciled:
    options.setdefault("since_ms", START_MS - 60_000)
    settler = PaymentSettler(world.table, world.clock, world.payments)
    refunder = Refunder(world.table, world.clock, world.payments)
    return Reconciler(world.table, world.clock, settler, refunder).run([EVENT], **options)


def captured(world: World, order: Order, payment: str = "pay1", **changes: Any) -> None:
    fields: dict[str, Any] = {
        "payment": payment,
        "order": order.order_id,
        "amount_minor": order.total_minor,
        "currency": "EUR",
        "at_ms": world.clock.ms,
        "refunded_minor": 0,
    }
    world.payments.taken.append(Capture(**fields | changes))


def kinds(found: Reconciled) -> list[str]:
    return [difference.kind for difference in found.differences]


def test_nothing_is_found_when_books_and_orders_agree(world: World) -> None:
    order = begin(world, held(world)).order
    captured(world, order)
    settle(world, order)
    ticketed(world, order)
    world.clock.tick(700)
    found = reconcile(world)
    assert (found.captures, found.differences) == (1, [])


def ticketed(world: World, order: Order) -> None:
    world.table.update(Update("reservations", *order.key, set={"state": "ticketed"}))


def test_a_payment_whose_webhook_never_came_is_settled(world: World) -> None:
    order = begin(world, held(world)).order
    captured(world, order)
    world.clock.tick(360)
    assert kinds(reconcile(world)) == ["settled"]
    assert order_of(world, order).state == "paid"
    assert kinds(reconcile(world)) == []
    assert settle(world, order) == "duplicate"  # the webhook, after all


def test_a_payment_that_can_buy_nothing_any_more_is_given_back(world: World) -> None:
    mine = held(world)
    order = begin(world, mine).order
    captured(world, order)
    world.clock.tick(1_000)
    expire(world, mine.session)
    assert kinds(reconcile(world)) == ["settled"]
    assert order_of(world, order).state == "refunded"
    assert world.payments.refunds == {"pay1": 10_000}
    assert kinds(reconcile(world)) == []


def test_what_is_still_on_its_way_is_left_alone(world: World) -> None:
    order = begin(world, held(world)).order
    captured(world, order)
    assert reconcile(world).captures == 0
    assert order_of(world, order).state == "pending"


def test_an_owed_refund_is_sent(world: World) -> None:
    order = interrupted_cancellation(world)
    assert kinds(reconcile(world)) == ["refund-sent"]
    assert order_of(world, order).state == "refunded"
    assert world.payments.refunds == {"pay1": 10_000}


def interrupted_cancellation(world: World) -> Order:
    order = begin(world, held(world)).order
    captured(world, order)
    settle(world, order)
    world.payments.fail = DependencyUnavailableError("away")
    with pytest.raises(DependencyUnavailableError):
        cancel(world, order, "")
    world.payments.fail = None
    world.clock.tick(360)
    return order


def test_a_refund_made_and_not_noted_is_noted_and_not_made_again(world: World) -> None:
    order = interrupted_cancellation(world)
    world.payments.refunds["pay1"] = 10_000
    assert kinds(reconcile(world)) == ["refund-noted"]
    assert order_of(world, order).state == "refunded"


def test_a_refund_is_sent_once_when_two_send_it_at_the_same_moment(world: World) -> None:
    order = interrupted_cancellation(world)
    table = InterleavedTable(world.table, lambda: reconcile(world))
    refunder = Refunder(table, world.clock, world.payments)
    assert not refunder.send(order.session, order.order_id, "pay1")
    assert world.payments.refunds == {"pay1": 10_000}
    assert order_of(world, order).state == "refunded"


def test_a_second_capture_is_noted_as_sent_once_when_two_send_it(world: World) -> None:
    order = begin(world, held(world)).order
    captured(world, order)
    settle(world, order)
    captured(world, order, "pay2")
    world.payments.fail = DependencyUnavailableError("away")
    with pytest.raises(DependencyUnavailableError):
        settle(world, order, "evt2", payment="pay2")
    world.payments.fail = None
    world.clock.tick(360)
    table = InterleavedTable(world.table, lambda: reconcile(world))
    refunder = Refunder(table, world.clock, world.payments)
    assert not refunder.send(order.session, order.order_id, "pay2")
    assert order_of(world, order).state == "paid"


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"refunded_minor": 10_000}, "outside Fairgate"),
        ({"refunded_minor": 1}, "in part"),
    ],
)
def test_money_that_went_back_behind_our_back_is_raised(
    world: World, changes: dict[str, Any], text: str
) -> None:
    order = begin(world, held(world)).order
    captured(world, order, **changes)
    settle(world, order)
    world.clock.tick(360)
    (difference,) = reconcile(world).differences
    assert (difference.kind, difference.order) == ("raised", order.order_id)
    assert text in difference.what


def test_a_noted_refund_that_the_provider_does_not_have_is_raised(world: World) -> None:
    order = begin(world, held(world)).order
    captured(world, order)
    settle(world, order)
    cancel(world, order, "")
    world.payments.refunds.clear()
    world.clock.tick(360)
    assert kinds(reconcile(world)) == ["raised"]


def test_money_for_an_order_that_nobody_knows_is_raised(world: World) -> None:
    order = begin(world, held(world)).order
    for unknown in ("ord_" + "0" * 32 + "_" + "0" * 8, "nonsense"):
        captured(world, msgspec.structs.replace(order, order_id=OrderId(unknown)))
    world.clock.tick(360)
    assert kinds(reconcile(world)) == ["raised", "raised"]


def test_entries_that_cannot_be_read_are_raised_and_the_others_are_compared(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = begin(world, held(world)).order
    captured(world, order)
    world.clock.tick(360)
    listed = list(world.payments.taken)
    unreadable = [UnreadableEntry("ch_1"), UnreadableEntry("ch_2"), UnreadableEntry("ch_3", "pay7")]

    def captures(_since_ms: int) -> list[Capture | UnreadableEntry]:
        return [*unreadable, *listed]

    monkeypatch.setattr(world.payments, "captures", captures)
    found = reconcile(world, since_ms=None)
    assert kinds(found) == ["failed"] * 3 + ["settled"]
    assert [failure.what for failure in found.failures] == [
        "charge ch_1",
        "charge ch_2",
        "charge ch_3",
    ]
    assert order_of(world, order).state == "paid"
    tasks = ManualTasks(world.table, world.clock).open()
    assert [(task.kind, task.payment_id) for task in tasks] == [
        ("capture-failed", ""),
        ("capture-failed", ""),
        ("capture-failed", "pay7"),
    ]
    again = reconcile(world, since_ms=None)
    assert again.since > found.since  # the cursor has moved past them
    assert (len(again.failures), again.differences[0].new) == (3, False)
    assert len(ManualTasks(world.table, world.clock).open()) == 3


def test_a_dispute_that_cannot_be_read_is_raised_once_and_the_others_are_noted(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = begin(world, held(world)).order
    settle(world, order)
    readable = Dispute("dp2", "pay1", order.order_id, 1, "EUR", "open", world.clock.ms)
    listed = [UnreadableEntry("dp1", "pay7"), readable]
    monkeypatch.setattr(world.payments, "disputes", lambda _since_ms: listed)
    for _ in range(2):
        found = reconcile(world)
        assert [failure.what for failure in found.failures] == ["dispute dp1"]
        assert order_of(world, order).state == "disputed"
        tasks = ManualTasks(world.table, world.clock).open()
        assert [d.payment_id for d in tasks if d.kind == "entry-failed"] == ["pay7"]


def test_a_buyer_who_paid_and_waits_for_tickets_is_raised(world: World) -> None:
    order = begin(world, held(world)).order
    captured(world, order)
    settle(world, order)
    world.clock.tick(360)
    assert kinds(reconcile(world)) == []
    world.clock.tick(300)
    assert "tickets" in reconcile(world).differences[0].what


def test_tickets_without_money_are_raised(world: World) -> None:
    order = begin(world, held(world)).order
    settle(world, order)
    ticketed(world, order)
    world.clock.tick(360)
    (difference,) = reconcile(world).differences
    assert (difference.kind, difference.payment) == ("raised", "pay1")


def test_the_next_run_begins_where_the_last_complete_one_ended(world: World) -> None:
    first = reconcile(world, since_ms=None)
    world.clock.tick(3_600)
    second = reconcile(world, since_ms=None)
    assert first.since < second.since < first.until < second.until


def test_the_next_run_begins_again_when_something_could_not_be_repaired(world: World) -> None:
    order = begin(world, held(world)).order
    captured(world, order)
    world.clock.tick(360)
    settler = PaymentSettler(Broken(world), world.clock, world.payments)
    refunder = Refunder(world.table, world.clock, world.payments)
    broken = Reconciler(world.table, world.clock, settler, refunder).run([EVENT])
    assert kinds(broken) == ["failed"]
    world.clock.tick(500)
    assert kinds(reconcile(world, since_ms=None)) == ["settled"]


class Broken:
    def __init__(self, world: World) -> None:
        self._table = world.table

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def transact(self, *_args: Any, **_options: Any) -> None:
        raise DependencyUnavailableError("away")


def test_a_dry_run_changes_nothing(world: World) -> None:
    order = begin(world, held(world)).order
    captured(world, order)
    world.clock.tick(360)
    assert kinds(reconcile(world, dry_run=True, since_ms=None)) == ["settled"]
    assert world.table.find(ReconcileCursor, reconciled_key()) is None
    assert order_of(world, order).state == "pending"


def test_a_disputed_order_that_another_hand_refunded_is_raised(world: World) -> None:
    order = begin(world, held(world)).order
    settle(world, order)
    world.table.update(Update("reservations", *order.key, set={"state": "disputed"}))
    captured(world, order)
    world.clock.tick(360)
    assert reconcile(world).differences == []
    world.payments.taken.clear()
    captured(world, order, refunded_minor=order.total_minor, at_ms=START_MS)
    found = reconcile(world)
    assert kinds(found) == ["raised"]
    assert [d.kind for d in ManualTasks(world.table, world.clock).open()] == ["refunded-elsewhere"]


def test_no_minute_before_the_sale_start_is_looked_at(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    minutes: list[str] = []

    def looking(table: Table, event: str, minute: str) -> Readable[DueEntry]:
        minutes.append(minute)
        return due_entries(table, event, minute)

    monkeypatch.setattr(find_sold, "due_entries", looking)
    world.clock.tick(600)
    opened = rfc3339(START_MS + 120_000)
    assert not reconcile(world, windows={EVENT: SaleWindow(EVENT, opened)}).failures
    assert minutes[0] == opened[:16]
    sold = len(minutes)
    reconcile(world, windows={"another": SaleWindow("another", opened)})
    assert len(minutes) - sold == sold + 3  # from a minute before START_MS


def test_a_sale_start_that_cannot_be_read_stops_its_own_event_alone(world: World) -> None:
    found = reconcile(world, windows={EVENT: SaleWindow(EVENT, "~ when the band is ready")})
    assert [failure.what for failure in found.failures] == [f"event {EVENT}"]
