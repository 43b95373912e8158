"""What goes back for cancelled places, by the order's own terms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from fairgate.domain.orders.give_back import Back, place_back, place_price, rest_back
from fairgate.domain.orders.order import Line
from fairgate.errors import (
    DependencyUnavailableError,
    IdempotencyMismatchError,
    NotFoundError,
    PaymentRefusedError,
    WrongStateError,
)
from fairgate.ports.payments import Refund
from fairgate.service.ledger.manual_tasks import ManualTasks
from fairgate.service.refunds.cancel_order import OrderCanceller
from fairgate.service.refunds.cancel_terms import cancel_offer
from fairgate.service.refunds.refund_status import refund_status
from fairgate.service.refunds.refunds import Refunder
from fairgate.service.refunds.return_place import PlaceReturner
from fairgate.service.shared.keys import user_status_key
from fairgate.service.shared.records.orders import Order, OwedRefund
from fairgate.service.shared.records.sessions import Reservation, UserStatus
from fairgate.service.tickets.issue_tickets import TicketOffice, faces_of, issue_tickets
from tests.support.world import World
from tests.unit.books.test_reconcile_payments import captured, reconcile
from tests.unit.checkout.test_checkout_and_settle import begin, held, settle

LINES = [
    Line("Floor", "f", 2, 4_000),
    Line("Balcony", "b", 1, 2_500),
    Line("Fee per order", "", 1, 300, "fee"),
    Line("Fee per ticket", "", 3, 150, "fee"),
]


class _Nobody:
    def mail(self, order: str, *, again: bool = False) -> None: ...

    def mail_change(self, orders: Sequence[str], number: int) -> None: ...


def ticketed(world: World, *seats: str, area: int = 0, **terms: Any) -> Order:
    """Buy and get the tickets; the terms of cancelling are the order's from its checkout."""
    world.event = msgspec.structs.replace(world.event, **terms)
    order = begin(world, held(world, "ann", *seats, area=area)).order
    settle(world, order)
    office = TicketOffice(world.table, world.clock, _Nobody())
    issue_tickets(office, order.order_id)
    return now(world, order)


def now(world: World, order: Order) -> Order:
    read = world.table.find(Order, order.key)
    assert read is not None
    return read


def give_back(world: World, order: Order, ticket: int = 0, key: str = "") -> Order:
    returner = PlaceReturner(world.table, world.clock, world.payments)
    name = order.tickets[ticket].ticket
    return returner.give_back(world.event, now(world, order), name, idempotency_key=key)


def test_a_place_costs_its_price_and_its_own_fees() -> None:
    assert (place_price(LINES, "f"), place_price(LINES, "b")) == (4_150, 2_650)
    assert place_price([Line("Floor", "f", 1, 4_000), LINES[2]], "f") == 4_000


def test_a_fee_is_kept_of_each_place_and_never_more_than_is_left_goes_back() -> None:
    assert place_back(LINES, "f", 1, fee_minor=500, left_minor=99_999) == Back(3_650, 500)
    assert place_back(LINES, "f", 2, fee_minor=500, left_minor=5_000) == Back(5_000, 1_000)
    assert place_back(LINES, "b", 1, fee_minor=9_999, left_minor=99_999) == Back(0, 2_650)
    assert rest_back(3, fee_minor=500, left_minor=11_250) == Back(9_750, 1_500)
    assert rest_back(3, fee_minor=500, left_minor=1_000) == Back(0, 1_000)


def test_one_of_two_places_goes_back_and_the_other_stays(world: World) -> None:
    order = ticketed(world, cancel_fee_minor=700)
    first, second = world.seat_ids[:2]
    after = give_back(world, order)
    assert (after.state, after.partial_returns, after.back_minor) == ("ticketed", 1, 4_300)
    assert [unit.seat for unit in after.units] == [second]
    assert [ticket.unit for ticket in after.tickets] == [1]
    assert [face.label for face in faces_of(after, world.event, world.sign)] == [
        order.tickets[1].label
    ]
    assert world.seat(first)["availability"] == "available"
    assert world.seat(second)["availability"] == "reserved"
    status = world.table.find(UserStatus, user_status_key("ann", world.event.id))
    assert status is not None
    assert status.places_taken == 1
    assert world.payments.refunds == {"pay1": 4_300}
    assert after.returned[0].tickets == [order.tickets[0].ticket]
    standing = refund_status(world.table, after)
    assert standing is not None
    assert (standing.state, standing.amount_minor) == ("arrived", 4_300)


def test_the_same_ticket_goes_back_once_however_often_it_is_asked(world: World) -> None:
    order = ticketed(world)
    for key in ("", "k", "k", ""):
        assert len(give_back(world, order, key=key).units) == 1
    assert world.payments.refunds == {"pay1": 5_000}
    assert world.remaining() == 10


def test_the_last_place_is_the_order(world: World) -> None:
    order = ticketed(world, cancel_fee_minor=700)
    give_back(world, order)
    after = give_back(world, order, 1)
    assert (after.state, after.back_minor) == ("refunded", 8_600)
    assert world.payments.refunds == {"pay1": 8_600}
    assert give_back(world, order, 1).state == "refunded"
    with pytest.raises(NotFoundError):
        PlaceReturner(world.table, world.clock, world.payments).give_back(
            world.event, after, "tkt_0000000000000000"
        )


def test_a_place_of_an_area_goes_back_alone(world: World) -> None:
    order = ticketed(world, area=3)
    after = give_back(world, order, 0)
    assert world.remaining() == 8
    assert [unit.places for unit in after.units] == [2, 1, 1]
    kept = world.table.query(Reservation, order.session, "R#")
    assert sorted((r.kind, r.state, r.quantity) for r in kept) == [
        ("area", "sold", 2),
        ("seat", "sold", 1),
        ("seat", "sold", 1),
    ]
    for ticket in (1, 2):
        after = give_back(world, order, ticket)
    assert world.remaining() == 10
    assert [unit.kind for unit in after.units] == ["seat", "seat"]
    canceller = OrderCanceller(world.table, world.clock, world.payments)
    assert canceller.cancel(world.event, after).state == "refunded"
    assert world.payments.refunds == {"pay1": order.total_minor}


def test_what_may_be_given_back_is_offered_with_what_it_gives(world: World) -> None:
    until = "2099-01-01T00:00:00.000Z"
    order = ticketed(world, cancel_fee_minor=700)
    offer = cancel_offer(order, world.event)
    assert offer is not None
    assert (offer.until, offer.back) == (until, Back(8_600, 1_400))
    assert [place.back for place in offer.places] == [Back(4_300, 700)] * 2
    give_back(world, order)
    offer = cancel_offer(now(world, order), world.event)
    assert offer is not None
    assert offer.back == Back(4_300, 700)
    assert [place.back for place in offer.places] == [offer.back]


def test_a_place_goes_back_only_with_a_ticket_and_in_time(world: World) -> None:
    order = begin(world, held(world)).order
    settle(world, order)
    returner = PlaceReturner(world.table, world.clock, world.payments)
    with pytest.raises(WrongStateError, match="being made"):
        returner.give_back(world.event, now(world, order), "tkt_0000000000000000")
    office = TicketOffice(world.table, world.clock, _Nobody())
    issue_tickets(office, order.order_id)
    with pytest.raises(NotFoundError):
        returner.give_back(world.event, now(world, order), "tkt_0000000000000000")
    late = msgspec.structs.replace(now(world, order), cancel_until="2020-01-01T00:00:00.000Z")
    with pytest.raises(WrongStateError, match="is over") as refused:
        returner.give_back(world.event, late, late.tickets[0].ticket)
    assert refused.value.fields["reason"] == "too-late"


def test_a_key_of_another_ticket_is_refused(world: World) -> None:
    order = ticketed(world)
    give_back(world, order, 0, key="k")
    with pytest.raises(IdempotencyMismatchError):
        give_back(world, order, 1, key="k")


def test_what_another_changed_meanwhile_is_looked_at_again(world: World) -> None:
    """Two give different places back at once, each as it read the order."""
    order = ticketed(world, *world.seat_ids[:3])
    returner = PlaceReturner(world.table, world.clock, world.payments)
    stale = now(world, order)
    give_back(world, order, 0)
    after = returner.give_back(world.event, stale, order.tickets[1].ticket)
    assert (len(after.units), after.partial_returns, after.back_minor) == (1, 2, 10_000)
    assert world.payments.refunds == {"pay1": 10_000}
    assert [one.part for one in after.returned] == [1, 2]


def test_a_part_that_cannot_be_sent_is_owed_and_sent_later(world: World) -> None:
    order = ticketed(world)
    world.payments.fail = DependencyUnavailableError("away")
    with pytest.raises(DependencyUnavailableError):
        give_back(world, order)
    assert now(world, order).partial_returns == 1
    world.payments.fail = None
    refunder = Refunder(world.table, world.clock, world.payments)
    assert refunder.look(order.session, order.order_id, "pay1", 1)
    assert world.payments.refunds == {"pay1": 5_000}
    assert now(world, order).state == "ticketed"


def test_a_part_that_is_refused_is_a_task_of_its_own(world: World) -> None:
    order = ticketed(world, *world.seat_ids[:3])
    world.payments.refuse["refund"] = PaymentRefusedError("no", reason="too-old")
    give_back(world, order, 0)
    give_back(world, order, 1)
    tasks = ManualTasks(world.table, world.clock).open()
    assert [task.kind for task in tasks] == ["refund-refused"] * 2
    standing = refund_status(world.table, now(world, order))
    assert standing is not None
    assert (standing.state, standing.amount_minor) == ("attention", 10_000)


def test_another_hand_that_gives_all_back_ends_the_tasks_of_parts(world: World) -> None:
    order = ticketed(world, *world.seat_ids[:3])
    world.payments.refuse["refund"] = PaymentRefusedError("no", reason="too-old")
    give_back(world, order, 0)
    give_back(world, order, 1)
    refunder = Refunder(world.table, world.clock, world.payments)

    def by_hand(name: str, amount_minor: int) -> str:
        theirs = Refund(name, "pay1", order.order_id, amount_minor, "succeeded")
        world.payments.refund_states[name] = theirs
        return refunder.heard(theirs)

    assert by_hand("re_1", 5_000) == "noted"  # whose it is it does not say
    assert len(ManualTasks(world.table, world.clock).open()) == 3
    assert by_hand("re_2", 5_000) == "noted"
    assert [task.kind for task in ManualTasks(world.table, world.clock).open()] == []
    states = [o.state for o in world.table.query(OwedRefund, order.session, "F#")]
    assert states == ["succeeded", "succeeded"]


@pytest.mark.parametrize(
    ("amount_minor", "kind"), [(12_000, "refunded-in-part"), (15_000, "refunded-elsewhere")]
)
@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("how", ["webhook", "comparison"])
def test_what_another_hand_gives_back_beyond_our_parts_is_a_task(
    world: World, how: str, amount_minor: int, kind: str, *, first: bool
) -> None:
    order = ticketed(world, *world.seat_ids[:3])
    captured(world, order)
    refunder = Refunder(world.table, world.clock, world.payments)
    theirs = Refund("re_hand", "pay1", order.order_id, amount_minor, "succeeded")

    def by_hand() -> None:
        world.payments.refund_states[theirs.id] = theirs
        world.payments.refunds["pay1"] = amount_minor
        assert how == "comparison" or refunder.heard(theirs) == "noted"

    if first:
        by_hand()
    world.payments.refuse["refund"] = PaymentRefusedError("no", reason="too-old")
    give_back(world, order, 0)
    give_back(world, order, 1)
    if not first:
        by_hand()
    world.clock.tick(600)
    for _ in range(2):
        reconcile(world)
    tasks = ManualTasks(world.table, world.clock).open()
    assert [task.kind for task in tasks] == [kind]
    states = [o.state for o in world.table.query(OwedRefund, order.session, "F#")]
    assert states == ["succeeded", "succeeded"]


def test_what_another_hand_gives_of_the_fee_that_was_kept_stays_a_task(world: World) -> None:
    """Though all that is owed has gone back, by their hand and ours: 4,300 of 9,300 are ours."""
    order = ticketed(world, cancel_fee_minor=700)
    captured(world, order)
    refunder = Refunder(world.table, world.clock, world.payments)
    theirs = Refund("re_hand", "pay1", order.order_id, 5_000, "succeeded")
    assert refunder.heard(theirs) == "noted"
    give_back(world, order)
    ours = world.payments.refund_states["re_pay1_1"]
    world.payments.refund_states[ours.id] = replace(ours, state="failed")
    assert refunder.heard(world.payments.refund_states[ours.id]) == "noted"
    give_back(world, order, 1)
    world.payments.refund_states[theirs.id] = theirs
    world.payments.refunds["pay1"] = 9_300
    assert refunder.repeated(order.session, order.order_id, "pay1", 1)
    owed = world.table.query(OwedRefund, order.session, "F#")
    assert {one.part: (one.state, one.refund_id) for one in owed} == {
        0: ("succeeded", "re_pay1"),
        1: ("succeeded", "re_hand"),
    }
    world.clock.tick(600)
    reconcile(world)
    assert [task.kind for task in ManualTasks(world.table, world.clock).open()] == [
        "refunded-in-part"
    ]
