"""What somebody else does between our reading and our writing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pytest

from fairgate.errors import FairgateError, WrongStateError
from fairgate.ports.payments import PaymentEvent
from fairgate.ports.record import Key, R
from fairgate.ports.table import Update
from fairgate.service.checkout.begin_checkout import CheckoutBeginner
from fairgate.service.checkout.settle_payment import PaymentSettler
from fairgate.service.holds.hold_seats import SeatHolder
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate.service.refunds.cancel_order import OrderCanceller
from fairgate.service.shared.order_update import order_changed
from fairgate.service.shared.records.orders import Order
from fairgate_lab.engine.table import InterleavedTable
from tests.support.world import EVENT, World
from tests.unit.checkout.test_checkout_and_settle import begin, held, order_of, settle
from tests.unit.holds.test_hold_seats import floor, seats


def test_a_seat_taken_over_during_the_release_stays_its_new_holders(world: World) -> None:
    seat = world.seat_ids[0]
    mine = world.session(seconds=60)
    holder = SeatHolder(world.table, world.clock, world.ids)
    hold = holder.hold(mine, seats(seat)).hold
    world.clock.tick(61)
    theirs = world.session("bob")
    table = InterleavedTable(world.table, lambda: holder.hold(theirs, seats(seat)))
    SeatReleaser(table, world.clock).release_hold(mine.session, mine.user, hold)
    assert world.seat(seat)["sessionId"] == theirs.session


def test_two_releases_at_once_return_the_places_once(world: World) -> None:
    mine = world.session()
    holder = SeatHolder(world.table, world.clock, world.ids)
    hold = holder.hold(mine, [floor(4)], shards={"floor": 1}).hold

    # The other release happened in a session whose count looks as before: only the reservation
    # itself can tell.
    def release_and_hold_again() -> None:
        SeatReleaser(world.table, world.clock).release_hold(mine.session, mine.user, hold)
        holder.hold(mine, [floor(4)], shards={"floor": 1})

    table = InterleavedTable(world.table, release_and_hold_again)
    SeatReleaser(table, world.clock).release_hold(mine.session, mine.user, hold)
    assert world.remaining() == 6


def test_a_hold_made_while_the_session_ends_is_given_back_too(world: World) -> None:
    mine = held(world)
    late = world.seat_ids[5]
    holder = SeatHolder(world.table, world.clock, world.ids)
    table = InterleavedTable(world.table, lambda: holder.hold(mine, seats(late)))
    SeatReleaser(table, world.clock).end_session(mine.session, "cancelled", mine.user)
    assert world.seat(late)["availability"] == "available"


class HalfSeen(InterleavedTable):
    """Where somebody's hold commits before our write, and one look at its seats is older."""

    stale: Mapping[str, Any] | None = None

    def find_many(self, kind: type[R], keys: Sequence[Key]) -> list[R]:
        seen = list(self._table.find_many(kind, keys))
        if self.stale is not None:
            seen = [msgspec.structs.replace(one, **self.stale) for one in seen]
            self.stale = None
        return seen


def test_a_hold_whose_seat_is_seen_later_than_itself_is_given_back_too(world: World) -> None:
    """Plain reads see the items of a transaction one by one while it commits."""
    mine = held(world)
    late = world.seat_ids[5]
    holder = SeatHolder(world.table, world.clock, world.ids)
    table = HalfSeen(world.table, lambda: holder.hold(mine, seats(late)))
    table.stale = {"availability": "available", "session_id": "", "expires_at": ""}
    SeatReleaser(table, world.clock).end_session(mine.session, "cancelled", mine.user)
    assert table.stale is None
    for seat in (late, *world.seat_ids[:2]):
        assert world.seat(seat)["availability"] == "available"


def test_a_hold_made_during_checkout_is_not_sold_unpriced(world: World) -> None:
    mine = held(world)
    holder = SeatHolder(world.table, world.clock, world.ids)
    table = InterleavedTable(world.table, lambda: holder.hold(mine, seats(world.seat_ids[5])))
    beginner = CheckoutBeginner(table, world.clock, world.ids, world.reminders)
    with pytest.raises(WrongStateError):
        beginner.begin(world.event, mine.session, mine.user, "a@example.org")
    assert begin(world, mine).order.total_minor == 3 * 5_000


def settled_while(world: World, order: Order, change: Update) -> str:
    """The outcome of a payment when ``change`` commits just before the settlement does."""
    payment = PaymentEvent("evt", "succeeded", order.order_id, 10_000, "EUR", "pay1")
    table = InterleavedTable(world.table, lambda: world.table.update(change))
    return PaymentSettler(table, world.clock, world.payments).settle(payment)


def test_a_payment_is_refunded_when_its_order_fails_meanwhile(world: World) -> None:
    order = begin(world, held(world)).order
    _, failed = order_changed(order, state="failed")
    assert settled_while(world, order, failed) == "refunded"
    assert order_of(world, order).state == "refunded"


def test_a_payment_is_refunded_when_its_session_ends_meanwhile(world: World) -> None:
    mine = held(world)
    order = begin(world, mine).order
    ended = Update("reservations", mine.session, f"S#{mine.session}", set={"state": "cancelled"})
    assert settled_while(world, order, ended) == "refunded"
    assert order_of(world, order).state == "refunded"


def test_two_deliveries_at_once_sell_once(world: World) -> None:
    order = begin(world, held(world)).order
    payment = PaymentEvent("evt1", "succeeded", order.order_id, 10_000, "EUR", "pay1")
    table = InterleavedTable(world.table, lambda: settle(world, order))
    settler = PaymentSettler(table, world.clock, world.payments)
    assert settler.settle(payment) == "duplicate"
    assert world.payments.refunds == {}
    assert world.seat(world.seat_ids[0])["version"] == 3


def test_two_deliveries_of_a_declined_attempt_at_once_are_noted_once(world: World) -> None:
    order = begin(world, held(world)).order
    payment = PaymentEvent("evt1", "failed", order.order_id, 10_000, "EUR", "pay1")
    first = PaymentSettler(world.table, world.clock, world.payments)
    table = InterleavedTable(world.table, lambda: first.settle(payment))
    assert msgspec.structs.replace(first, table=table).settle(payment) == "duplicate"


def test_two_cancellations_at_once_are_one(world: World) -> None:
    order = begin(world, held(world)).order
    settle(world, order)
    event = msgspec.structs.replace(world.event, cancel_until="2099-01-01T00:00:00.000Z")
    first = OrderCanceller(world.table, world.clock, world.payments)
    read = order_of(world, order)
    table = InterleavedTable(world.table, lambda: first.cancel(event, read))
    second = msgspec.structs.replace(first, table=table)
    assert second.cancel(event, read) == order_of(world, order)
    assert world.payments.refunds == {"pay1": order.total_minor}


def test_a_cancellation_takes_nobody_elses_seat(world: World) -> None:
    order = begin(world, held(world)).order
    settle(world, order)
    seat = world.seat_ids[0]
    world.table.update(Update("seats", f"{EVENT}#{seat}", "META", set={"sessionId": "ses_x"}))
    event = msgspec.structs.replace(world.event, cancel_until="2099-01-01T00:00:00.000Z")
    with pytest.raises(FairgateError):
        OrderCanceller(world.table, world.clock, world.payments).cancel(
            event, order_of(world, order)
        )
    assert world.seat(seat)["availability"] == "reserved"
    assert world.payments.refunds == {}
