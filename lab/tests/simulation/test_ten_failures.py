"""Ten failures that other ticketing systems have had, each told as a story that ends well here.

Beside each story stands what would let it end badly: the guard is taken away, and the story fails.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field, replace
from typing import Any
from unittest.mock import patch

import pytest
from botocore.exceptions import ClientError
from msgspec import structs

from fairgate.adapters.aws.retries import FREE
from fairgate.adapters.dynamodb import client as adapter
from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.errors import (
    DependencyUnavailableError,
    FairgateError,
    SeatsTakenError,
    SessionExpiredError,
)
from fairgate.ports.payments import Capture, CheckoutRequest, PaymentEvent
from fairgate.ports.table import Action, Put
from fairgate.service.books.compare_captures import SETTLING_MS
from fairgate.service.books.reconcile_payments import Reconciler
from fairgate.service.checkout import open_payment as paying
from fairgate.service.checkout import settle_payment as settling
from fairgate.service.checkout.begin_checkout import CheckoutBegun
from fairgate.service.checkout.settle_payment import PaymentSettler
from fairgate.service.expiry import sweep_sessions as sweeping
from fairgate.service.expiry.sweep_expired import ExpirySweeper
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate.service.refunds.refunds import Refunder
from fairgate.service.shared.records.orders import Order
from fairgate.service.tickets.issue_tickets import TicketOffice, issue_tickets
from fairgate_lab.engine.outside import MemoryMailQueue
from fairgate_lab.engine.refusals import canceled
from fairgate_lab.engine.table import InterleavedTable
from fairgate_lab.simulate.sale.guards import all_guards
from fairgate_ops.run.local.sandbox_ledger import Ledger
from simulation.steps import SEAT, cancel, capture, check_out, hold, leave, settle, stored
from simulation.test_sale_guards import ORDER_VERSION
from tests.support.world import EVENT, NAMES, World

GUARDS = {guard.name: guard for guard in all_guards()}


# --- what else happens


def sweep(world: World) -> None:
    releaser = SeatReleaser(world.table, world.clock)
    refunder = Refunder(world.table, world.clock, world.payments)
    ExpirySweeper(world.table, world.clock, releaser, refunder).sweep(world.event)


def ticket(world: World, order: Order) -> str:
    office = TicketOffice(
        table=world.table,
        clock=world.clock,
        mail_queue=MemoryMailQueue(),
    )
    return issue_tickets(office, order.order_id).state


def without(*names: str) -> Callable[[], AbstractContextManager[Any]]:
    """These guards are gone, all of them."""

    @contextlib.contextmanager
    def gone() -> Iterator[None]:
        with ExitStack() as stack:
            for name in names:
                (guard,) = (g for known, g in GUARDS.items() if known == name)
                stack.enter_context(guard.without())
            yield

    return gone


# --- the stories


def a_lock_counts_as_long_as_it_runs(world: World) -> None:
    ann, bob = world.session("ann"), world.session("bob")
    hold(world, ann, SEAT)
    world.clock.tick(1)  # nowhere near the end of her time
    with pytest.raises(SeatsTakenError):
        hold(world, bob, SEAT)
    assert settle(world, capture(check_out(world, ann).order)) == "paid"
    assert world.seat(SEAT)["sessionId"] == ann.session


def a_late_webhook_leaves_the_seat_with_its_next_holder(world: World) -> None:
    ann = world.session("ann", seconds=60)
    hold(world, ann, SEAT)
    order = check_out(world, ann).order
    world.clock.tick(3_000)  # her time is up, even that to ask for a payment; no message has come
    bob = world.session("bob")
    hold(world, bob, SEAT)
    bobs = check_out(world, bob).order
    assert settle(world, capture(order)) == "refunded"
    assert settle(world, capture(bobs, "2")) == "paid"
    assert world.seat(SEAT)["sessionId"] == bob.session
    assert list(world.payments.refunds) == ["pay1"]


def two_users_meet_at_the_same_item(world: World) -> None:
    ann, bob = world.session("ann"), world.session("bob")
    table = InterleavedTable(world.table, lambda: hold(world, ann, SEAT))
    with pytest.raises(SeatsTakenError):
        hold(world, bob, SEAT, table=table)
    assert world.seat(SEAT)["sessionId"] == ann.session


def a_webhook_and_its_user_cross(world: World) -> None:
    ann, bob = world.session("ann"), world.session("bob")
    hold(world, ann, SEAT, places=2)
    order = check_out(world, ann).order
    table = InterleavedTable(world.table, lambda: leave(world, ann))
    assert settle(world, capture(order), table) == "refunded"
    assert world.seat(SEAT)["availability"] == "available"
    assert world.remaining() == 10
    # The other way round: the payment commits while the user is leaving.
    hold(world, bob, SEAT, places=2)
    bobs = check_out(world, bob).order
    table = InterleavedTable(world.table, lambda: settle(world, capture(bobs, "2")))
    assert leave(world, bob, table) is False
    assert stored(world, bobs).state == "paid"
    assert world.seat(SEAT)["availability"] == "reserved"
    assert world.remaining() == 8


def a_burst_leaves_nobody_pending(world: World) -> None:
    orders = []
    for number, user in enumerate(("ann", "bob", "cid", "dot")):
        mine = world.session(user)
        hold(world, mine, f"s-1-{number + 1}")
        orders.append(check_out(world, mine).order)
    throttled = Throttled(world.table)
    for order in orders:  # all at once: none is taken at first
        with pytest.raises(DependencyUnavailableError):
            settle(world, capture(order, order.order_id[-8:]), throttled)
    throttled.busy = False
    for order in orders[:-1]:
        assert settle(world, capture(order, order.order_id[-8:]), throttled) == "paid"
    reconcile(world, orders[-1])  # the last one is never reported again
    assert {stored(world, order).state for order in orders} == {"paid"}


class Throttled:
    def __init__(self, table: Any) -> None:
        self._table, self.busy = table, True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def transact(self, actions: Sequence[Action], token: str | None = None) -> None:
        if self.busy:
            raise DependencyUnavailableError("throttled")
        self._table.transact(actions, token)


def reconcile(world: World, order: Order) -> None:
    made = Capture("payX", order.order_id, order.total_minor, "EUR", world.clock.ms, 0)

    class Books:
        def captures(self, _since_ms: int) -> Sequence[Capture]:
            return [made]

    world.clock.tick(SETTLING_MS / 1000 + 1)
    settler = PaymentSettler(world.table, world.clock, Books())  # type: ignore[arg-type]
    refunder = Refunder(world.table, world.clock, world.payments)
    Reconciler(world.table, world.clock, settler, refunder).run([EVENT])


def a_failed_webhook_is_not_done(world: World) -> None:
    mine = world.session()
    hold(world, mine, SEAT)
    order = check_out(world, mine).order
    throttled = Throttled(world.table)
    with pytest.raises(DependencyUnavailableError):
        settle(world, capture(order), throttled)
    assert settle(world, capture(order)) == "paid"
    assert stored(world, order).state == "paid"


@contextlib.contextmanager
def noted_before_it_is_done() -> Iterator[None]:
    """The webhook's record is written first, and what it asks for afterwards."""
    record = PaymentSettler._record

    def first(settler: PaymentSettler, payment: PaymentEvent, outcome: str) -> Put:
        made = record(settler, payment, outcome)
        table = getattr(settler.table, "_table", settler.table)
        table.transact([structs.replace(made, condition="")])
        return structs.replace(made, condition="")

    with patch.object(PaymentSettler, "_record", first):
        yield


def a_payment_after_cancellation_buys_nothing(world: World) -> None:
    mine = world.session()
    hold(world, mine, SEAT)
    order = check_out(world, mine).order
    leave(world, mine)
    assert settle(world, capture(order)) == "refunded"
    assert ticket(world, order) == "refunded"
    assert "tickets" not in (world.item("reservations", order.key) or {})
    assert world.seat(SEAT)["availability"] == "available"


@contextlib.contextmanager
def paid_whatever_it_is() -> Iterator[None]:
    name = "settle_payment.SESSION_IN_CHECKOUT: #state = :checkout"
    with patch.object(settling, "_may_be_paid", lambda *_: True), without(name)():
        yield


def a_declined_card_is_followed_by_another(world: World) -> None:
    mine = world.session()
    hold(world, mine, SEAT)
    ledger = Ledger(lambda: world.clock.ms)
    provider = Provider(ledger)
    first = check_out(world, mine, "first try")
    settler = PaymentSettler(world.table, world.clock, provider)  # type: ignore[arg-type]
    page = paying.open_payment(settler, first, "")
    assert ledger.move(ledger.find(page), "declined")
    again = check_out(world, mine, "second try")
    other = paying.open_payment(settler, again, "")
    assert (again.order.order_id, other != page) == (first.order.order_id, True)
    paid = ledger.find(other)
    assert ledger.move(paid, "captured")
    event = PaymentEvent("evt", "succeeded", paid.order, paid.amount_minor, "EUR", paid.payment)
    assert settle(world, event) == "paid"


@dataclass
class Provider:
    ledger: Ledger

    def open_checkout(self, request: CheckoutRequest) -> str:
        asked = structs.asdict(request)
        del asked["correlation_id"]  # of log lines alone
        del asked["attempt"], asked["held"]  # no event here limits cards
        return self.ledger.open(**asked)[0].id

    def close_checkout(self, page: str) -> None:
        self.ledger.move(self.ledger.find(page), "expired")


@contextlib.contextmanager
def one_attempt_an_order() -> Iterator[None]:
    """The order is the key of its payment: what it was answered once, it is answered for ever."""
    opened = paying.open_payment

    def same(settler: PaymentSettler, begun: CheckoutBegun, public_url: str) -> str:
        kept = settler.table.find(Order, begun.order.key) or begun.order
        return opened(settler, replace(begun, order=kept, again=True), public_url)

    with patch.object(paying, "open_payment", same):
        yield


def what_expires_or_is_cancelled_returns(world: World) -> None:
    ann = world.session("ann", seconds=60)
    hold(world, ann, SEAT, places=2)
    late = InterleavedTable(world.table, lambda: hold(world, ann, "s-1-2", places=1))
    leave(world, ann, late)  # while a last hold commits
    bob = world.session("bob", seconds=60)
    hold(world, bob, SEAT, places=2)
    check_out(world, bob)  # and is never heard of again; nor is any message
    world.clock.tick(2_000)
    sweep(world)
    cid = world.session("cid")
    hold(world, cid, SEAT, "s-1-2", places=3)
    order = check_out(world, cid).order
    assert settle(world, capture(order)) == "paid"
    assert cancel(world, stored(world, order)).state == "refunded"
    assert {world.seat(seat)["availability"] for seat in world.seat_ids} == {"available"}
    assert world.remaining() == 10


def each_reason_is_told_apart(world: World) -> None:
    ann, bob = world.session("ann"), world.session("bob")
    hold(world, ann, SEAT)
    moody = Moody(world.client)
    table = DynamoTable(lambda: moody, NAMES, sleep=lambda _s: None)
    moody.conflicts = 3
    hold(world, bob, "s-1-2", table=table)  # a conflict passes, and the hold succeeds
    assert moody.calls == 4
    moody.calls, moody.conflicts, moody.mixed = 0, 0, True
    with pytest.raises(SeatsTakenError) as taken:  # one reason is final, and is told at once
        hold(world, bob, SEAT, "s-1-3", table=table)
    assert (taken.value.seats, moody.calls) == ((SEAT,), 1)
    world.clock.tick(5_000)
    with pytest.raises(SessionExpiredError):
        hold(world, bob, "s-1-4", table=table)


@dataclass
class Moody:
    """A client whose transactions conflict with others', alone or beside a failed condition."""

    client: Any
    conflicts: int = 0
    mixed: bool = False
    calls: int = 0
    asked: list[Any] = field(default_factory=list)

    def transact_write_items(self, **request: Any) -> Any:
        self.calls += 1
        if self.calls <= self.conflicts:
            reasons = [{"Code": "None"} for _ in request["TransactItems"]]
            reasons[0] = {"Code": "TransactionConflict"}
            raise canceled(reasons)
        try:
            return self.client.transact_write_items(**request)
        except ClientError as error:
            found: Any = error.response.get("CancellationReasons", [])
            if self.mixed:
                fine = next(n for n, reason in enumerate(found) if reason["Code"] == "None")
                found = [*found]
                found[fine] = {"Code": "TransactionConflict"}
            raise canceled(found) from error


@contextlib.contextmanager
def any_conflict_means_again() -> Iterator[None]:
    """Whatever else a cancelled transaction says, it is tried again."""
    judge = adapter._cost_of_answer

    def naive(response: Mapping[str, Any]) -> int | None:
        codes = {reason["Code"] for reason in response.get("CancellationReasons", ())}
        return FREE if "TransactionConflict" in codes else judge(response)

    with patch.object(adapter, "_cost_of_answer", naive):
        yield


@contextlib.contextmanager
def nobody_sweeps() -> Iterator[None]:
    with patch.object(sweeping.SessionSweep, "_left_behind", lambda *_: iter(())):
        yield


Story = Callable[[World], None]
SEAT_IS_FREE = (
    "hold_seats.SEAT_IS_FREE: #availability = :available OR (#availability = :locked AND"
    " #expiresAt <= :now)"
)
FAILURES: Mapping[str, tuple[Story, Callable[[], AbstractContextManager[Any]]]] = {
    "1: the lock is skipped when the cart is not near expiry": (
        a_lock_counts_as_long_as_it_runs,
        without("hold_seats.SEAT_IS_FREE: #expiresAt <= :now"),
    ),
    "2: A's hold expires, B buys, A's webhook overwrites B": (
        a_late_webhook_leaves_the_seat_with_its_next_holder,
        without("settle_payment.SEAT_IS_OURS: #sessionId = :session"),
    ),
    "3: the lock's key includes the user, and the update has no status guard": (
        two_users_meet_at_the_same_item,
        without(SEAT_IS_FREE),
    ),
    "4: webhook and user flow lock in opposite order": (
        a_webhook_and_its_user_cross,
        without(
            ORDER_VERSION,
            "settle_payment.SESSION_IN_CHECKOUT: #state = :checkout",
            "settle_payment.SEAT_IS_OURS: #availability = :locked",
            "settle_payment.SEAT_IS_OURS: #sessionId = :session",
            "settle_payment.RESERVATION_IS_LIVE: #state = :live",
            "settle_payment.USER_IN_SESSION_WITHIN_LIMIT: #liveSession = :session",
        ),
    ),
    "5: buyers who paid are left pending for ever after a burst": (
        a_burst_leaves_nobody_pending,
        noted_before_it_is_done,
    ),
    "6: the webhook fails once, and its retry is answered done": (
        a_failed_webhook_is_not_done,
        noted_before_it_is_done,
    ),
    "7: a payment after cancellation issues a valid ticket": (
        a_payment_after_cancellation_buys_nothing,
        paid_whatever_it_is,
    ),
    "8: a declined card cannot be retried": (
        a_declined_card_is_followed_by_another,
        one_attempt_an_order,
    ),
    "9: expired reservations never return; a cancelled seat is lost": (
        what_expires_or_is_cancelled_returns,
        nobody_sweeps,
    ),
    "9: a hold that commits while its session ends never returns": (
        what_expires_or_is_cancelled_returns,
        without("release_seats.SESSION_AS_READ: #resCount = :count"),
    ),
    "10: every cancelled transaction is retried although one reason is final": (
        each_reason_is_told_apart,
        any_conflict_means_again,
    ),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_the_failure_does_not_happen(world: World, failure: str) -> None:
    FAILURES[failure][0](world)


@pytest.mark.parametrize("failure", FAILURES)
def test_the_failure_happens_when_its_guard_is_gone(world: World, failure: str) -> None:
    story, gone = FAILURES[failure]
    with gone(), pytest.raises((AssertionError, FairgateError, pytest.fail.Exception)):
        story(world)
