"""Defects that the simulator found, each as the shortest story that shows it again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from fairgate.domain.orders.order import Unit
from fairgate.domain.shared.credential import Credential
from fairgate.domain.shared.ids import UserId
from fairgate.errors import NotFoundError, WrongStateError
from fairgate.ports.payments import PaymentEvent
from fairgate.ports.table import Action, Update
from fairgate.service.holds.hold_seats import SeatHolder
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate.service.orders.begin_checkout import CheckoutBeginner
from fairgate.service.orders.cancel_order import OrderCanceller
from fairgate.service.orders.settle_payment import PaymentSettler
from fairgate.service.shared.keys import RESERVATION
from fairgate.service.shared.records.orders import Order
from fairgate.service.shared.records.sessions import Reservation
from fairgate_lab.engine.table import InterleavedTable
from tests.support.world import World


def floor(quantity: int) -> Unit:
    return Unit("area", "floor", "", "t", "Floor", quantity)


def hold(world: World, mine: Credential, *units: Unit) -> None:
    SeatHolder(world.table, world.clock, world.ids).hold(mine, units, shards={"floor": 1})


def pending(world: World, mine: Credential) -> Order:
    beginner = CheckoutBeginner(world.table, world.clock, world.ids, world.reminders)
    return beginner.begin(world.event, mine.session, mine.user, "a@example.org").order


def capture(order: Order, event: str) -> PaymentEvent:
    total = order.total_minor
    return PaymentEvent(event, "succeeded", order.order_id, total, "EUR", "pay1")


def settler(world: World, table: Any = None) -> PaymentSettler:
    return PaymentSettler(table or world.table, world.clock, world.payments)


def stored(world: World, order: Order) -> Order:
    found = world.table.find(Order, order.key)
    assert found is not None
    return found


def test_a_session_ends_when_two_of_its_holds_took_places_from_one_counter(world: World) -> None:
    mine = world.session()
    hold(world, mine, floor(1))
    hold(world, mine, floor(2))
    assert SeatReleaser(world.table, world.clock).end_session(mine.session, "cancelled")
    assert world.remaining() == 10


def test_an_order_is_cancelled_when_two_of_its_holds_took_places_from_one_counter(
    world: World,
) -> None:
    mine = world.session()
    hold(world, mine, floor(1))
    hold(world, mine, floor(2))
    order = pending(world, mine)
    settler(world).settle(capture(order, "evt1"))
    OrderCanceller(world.table, world.clock, world.payments).cancel(
        world.event, stored(world, order)
    )
    assert world.remaining() == 10


def test_a_capture_is_kept_when_two_events_report_it_at_once(world: World) -> None:
    mine = world.session()
    hold(world, mine, Unit("seat", world.seat_ids[0], "s", "t", "1"))
    order = pending(world, mine)
    table = InterleavedTable(world.table, lambda: settler(world).settle(capture(order, "evt2")))
    assert settler(world, table).settle(capture(order, "evt1")) == "duplicate"
    assert world.payments.refunds == {}
    assert stored(world, order).state == "paid"


class LostAnswer:
    """A table that commits a cancellation, is not heard, and is asked once more."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def transact(self, actions: Sequence[Action], token: str | None = None) -> None:
        self._table.transact(actions, token)
        if any(isinstance(a, Update) and a.set.get("state") == "cancelled" for a in actions):
            self._table.transact(actions, token)


def test_a_cancellation_succeeds_when_the_answer_of_its_commit_is_lost(world: World) -> None:
    mine = world.session()
    hold(world, mine, Unit("seat", world.seat_ids[0], "s", "t", "1"))
    order = pending(world, mine)
    settler(world).settle(capture(order, "evt1"))

    canceller = OrderCanceller(LostAnswer(world.table), world.clock, world.payments)
    assert canceller.cancel(world.event, stored(world, order)).state == "refunded"
    assert list(world.payments.refunds.values()) == [order.total_minor]


def test_a_cancellation_by_another_user_fails_when_the_owners_own_was_first(world: World) -> None:
    mine = world.session()
    hold(world, mine, Unit("seat", world.seat_ids[0], "s", "t", "1"))
    order = pending(world, mine)
    settler(world).settle(capture(order, "evt1"))
    paid = stored(world, order)
    owner = OrderCanceller(world.table, world.clock, world.payments)
    table = InterleavedTable(world.table, lambda: owner.cancel(world.event, paid))

    stolen = msgspec.structs.replace(paid, user_id=UserId("mallory"))
    with pytest.raises(NotFoundError):
        OrderCanceller(table, world.clock, world.payments).cancel(world.event, stolen)
    assert stored(world, order).state == "refunded"


class TornQuery:
    """A table whose next query reads the session before, and its reservations after, a change.

    A query is read-committed: of one commit it may show one item as before and another as after.
    """

    def __init__(self, table: Any, meanwhile: Callable[[], object]) -> None:
        self._table, self._meanwhile = table, meanwhile
        self._torn = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def partition(self, kinds: Any, pk: str) -> Any:
        first = self._table.partition(kinds, pk)
        if self._torn or not pk.startswith("ses_"):
            return first
        self._torn = True
        self._meanwhile()
        second = self._table.partition(kinds, pk)
        return [i for i in second if i.sk[0] == "S"] + [i for i in first if i.sk[0] != "S"]


def test_checkout_sells_nothing_unpriced_when_a_hold_commits_during_its_reading(
    world: World,
) -> None:
    mine = world.session()
    hold(world, mine, Unit("seat", world.seat_ids[0], "s", "t", "1"))
    table = TornQuery(
        world.table, lambda: hold(world, mine, Unit("seat", world.seat_ids[1], "s", "t", "2"))
    )
    beginner = CheckoutBeginner(table, world.clock, world.ids, world.reminders)
    order = beginner.begin(world.event, mine.session, mine.user, "a@example.org").order
    assert len(order.units) == 2


def test_places_return_when_their_hold_commits_during_the_reading_of_an_ending(
    world: World,
) -> None:
    mine = world.session()
    hold(world, mine, floor(1))
    table = TornQuery(world.table, lambda: hold(world, mine, floor(2)))
    SeatReleaser(table, world.clock).end_session(mine.session, "cancelled", mine.user)
    assert world.remaining() == 10


def test_checkout_is_refused_when_its_places_became_others_during_its_reading(
    world: World,
) -> None:
    mine = world.session()
    hold(world, mine, floor(1))
    (held,) = world.table.query(Reservation, mine.session, RESERVATION)

    def exchange() -> None:
        releaser = SeatReleaser(world.table, world.clock)
        releaser.release_hold(mine.session, mine.user, held.hold_id)
        hold(world, mine, Unit("seat", world.seat_ids[0], "s", "t", "1"))

    beginner = CheckoutBeginner(
        TornQuery(world.table, exchange), world.clock, world.ids, world.reminders
    )
    with pytest.raises(WrongStateError):
        beginner.begin(world.event, mine.session, mine.user, "a@example.org")
