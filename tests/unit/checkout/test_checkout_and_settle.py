"""Checkout and settlement: a captured payment ends in one ticket set or one refund."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from fairgate.domain.orders.order import SETTLING_S, Unit
from fairgate.domain.shared.credential import Credential
from fairgate.domain.shared.ids import OrderId
from fairgate.errors import (
    DependencyUnavailableError,
    HoldExpiredError,
    LimitExceededError,
    MalformedInputError,
    NotFoundError,
    SessionExpiredError,
    WrongStateError,
)
from fairgate.ports.payments import PaymentEvent
from fairgate.ports.table import Update
from fairgate.service.checkout.begin_checkout import CheckoutBeginner, CheckoutBegun
from fairgate.service.checkout.end_checkout import CheckoutEnder, expire_session
from fairgate.service.checkout.settle_payment import PaymentSettler
from fairgate.service.holds.hold_seats import SeatHolder
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate.service.refunds.cancel_order import OrderCanceller
from fairgate.service.shared.keys import seat_key, session_key, user_status_key
from fairgate.service.shared.records.orders import Order
from fairgate.service.shared.records.sessions import Session, UserStatus
from tests.support.world import EVENT, World

pytestmark = pytest.mark.through_boto3

LOCKS_ARE_OVER_S = 300 + SETTLING_S  # after the checkout began, should nobody end it


def held(
    world: World, user: str = "ann", *seats: str, area: int = 0, seconds: int = 600
) -> Credential:
    mine = world.session(user, seconds=seconds)
    units = [Unit("seat", seat, "s", "t", seat) for seat in seats or world.seat_ids[:2]]
    if area:
        units.append(Unit("area", "floor", "", "t", "Floor", area))
    SeatHolder(world.table, world.clock, world.ids).hold(mine, units, shards={"floor": 1})
    return mine


def begin(world: World, mine: Credential) -> CheckoutBegun:
    """Begin; what is bought may be cancelled for good, unless the event says otherwise."""
    until = world.event.cancel_until or "2099-01-01T00:00:00.000Z"
    event = msgspec.structs.replace(world.event, cancel_until=until)
    beginner = CheckoutBeginner(
        *(world.table, world.clock, world.ids, world.reminders),
        addresses_key=world.secrets.current.addresses,
    )
    return beginner.begin(event, mine.session, mine.user, "ann@example.org")


def settle(world: World, order: Order, event: str = "evt1", **changes: Any) -> str:
    payment = PaymentEvent(
        **{
            "id": event,
            "kind": "succeeded",
            "order": order.order_id,
            "amount_minor": order.total_minor,
            "currency": order.currency,
            "payment": "pay1",
            **changes,
        }
    )
    return PaymentSettler(world.table, world.clock, world.payments).settle(payment)


def order_of(world: World, order: Order) -> Order:
    """The order as it is by now."""
    current = world.table.find(Order, order.key)
    assert current is not None
    return current


def status_of(world: World, user: str) -> UserStatus:
    status = world.table.find(UserStatus, user_status_key(user, EVENT))
    assert status is not None
    return status


def expire(world: World, session: str) -> str:
    ender = CheckoutEnder.of(world.table, world.clock, world.payments)
    return expire_session(ender, world.reminders, session)


def test_the_price_is_fixed_and_the_seats_stay_for_the_window(world: World) -> None:
    mine = held(world, area=2)
    begun = begin(world, mine)
    assert begun.order.total_minor == 4 * 5_000
    assert begun.order.lines[0].quantity == 4
    assert world.seat(world.seat_ids[0])["expiresAt"] == begun.expires_at
    assert world.reminders.sent == [(mine.session, 301)]


def test_checkout_again_leads_to_the_same_order(world: World) -> None:
    mine = held(world)
    assert begin(world, mine).order.order_id == begin(world, mine).order.order_id


def test_checkout_is_refused_when_nothing_is_held(world: World) -> None:
    with pytest.raises(MalformedInputError):
        begin(world, world.session())


def test_checkout_is_refused_when_the_session_is_over_or_foreign(world: World) -> None:
    mine = held(world, seconds=60)
    with pytest.raises(NotFoundError):
        CheckoutBeginner(world.table, world.clock, world.ids, world.reminders).begin(
            world.event, mine.session, "eve", "e@example.org"
        )
    world.clock.tick(60)
    with pytest.raises(SessionExpiredError):
        begin(world, mine)


def test_checkout_names_the_seats_that_are_gone(world: World) -> None:
    mine = held(world)
    seat = world.seat_ids[0]
    world.table.update(Update("seats", *seat_key(EVENT, seat), set={"sessionId": "ses_other"}))
    with pytest.raises(HoldExpiredError) as refused:
        begin(world, mine)
    assert refused.value.fields["seats"] == [seat]


def test_checkout_names_a_seat_that_stands_in_two_holds(world: World) -> None:
    mine = held(world, "ann", seat := world.seat_ids[0])
    # Its lock ran out, another session had it meanwhile, and a clock behind held it again.
    world.table.update(Update("seats", *seat_key(EVENT, seat), set={"expiresAt": "2000-01-01"}))
    held_again = SeatHolder(world.table, world.clock, world.ids)
    held_again.hold(mine, [Unit("seat", seat, "s", "t", seat)])
    with pytest.raises(HoldExpiredError) as refused:
        begin(world, mine)
    assert refused.value.fields["seats"] == [seat]


def test_a_user_never_buys_more_than_their_limit(world: World) -> None:
    mine = held(world)
    world.table.update(
        Update("reservations", *user_status_key("ann", EVENT), set={"placesTaken": 9})
    )
    with pytest.raises(LimitExceededError):
        begin(world, mine)


def test_a_checkout_under_a_risen_limit_takes_nothing_from_an_earlier_one(world: World) -> None:
    world.event = msgspec.structs.replace(world.event, user_limit=1)
    first = begin(world, held(world, "bob", world.seat_ids[5])).order
    world.event = msgspec.structs.replace(world.event, user_limit=2)
    begin(world, held(world, "bob", world.seat_ids[6]))
    assert settle(world, first, "evt_b", payment="pay_b") == "paid"


def test_a_payment_sells_the_seats(world: World) -> None:
    mine = held(world, area=2)
    order = begin(world, mine).order
    assert settle(world, order) == "paid"
    assert order_of(world, order).state == "paid"
    seat = world.seat(world.seat_ids[0])
    assert (seat["availability"], seat["sessionId"], seat["expiresAt"]) == (
        "reserved",
        mine.session,
        "",
    )
    status = status_of(world, "ann")
    assert (status.places_taken, status.live_session) == (4, "")
    session = world.table.find(Session, session_key(mine.session))
    assert session is not None
    assert session.state == "finalised"


@pytest.mark.parametrize("event", ["evt1", "evt2"])
def test_a_payment_told_twice_counts_once(world: World, event: str) -> None:
    order = begin(world, held(world)).order
    assert settle(world, order) == "paid"
    assert settle(world, order, event) == "duplicate"
    assert world.payments.refunds == {}
    assert world.seat(world.seat_ids[0])["version"] == 3


def test_a_second_capture_of_a_paid_order_is_refunded(world: World) -> None:
    order = begin(world, held(world)).order
    settle(world, order)
    assert settle(world, order, "evt2", payment="pay2") == "refunded"
    assert world.payments.refunds == {"pay2": 10_000}
    assert order_of(world, order).state == "paid"


def test_a_declined_card_can_be_tried_again(world: World) -> None:
    order = begin(world, held(world)).order
    assert settle(world, order, "evt1", kind="failed") == "noted"
    assert settle(world, order, "evt2") == "paid"


def test_a_late_payment_still_buys_when_nobody_took_the_seats(world: World) -> None:
    order = begin(world, held(world)).order
    world.clock.tick(1_000)
    assert settle(world, order) == "paid"


def test_a_late_payment_is_refunded_when_the_seats_went_to_somebody_else(world: World) -> None:
    order = begin(world, held(world)).order
    world.clock.tick(LOCKS_ARE_OVER_S)
    theirs = held(world, "bob")
    assert settle(world, order) == "refunded"
    assert order_of(world, order).state == "refunded"
    assert world.payments.refunds == {"pay1": 10_000}
    assert world.seat(world.seat_ids[0])["sessionId"] == theirs.session


def test_a_late_payment_is_refunded_when_the_session_was_expired(world: World) -> None:
    mine = held(world, area=1)
    order = begin(world, mine).order
    world.clock.tick(1_000)
    assert expire(world, mine.session) == "ended"
    assert settle(world, order) == "refunded"
    assert world.remaining() == 10
    assert settle(world, order, "evt2") == "duplicate"
    assert world.payments.refunds == {"pay1": 15_000}


def test_a_payment_after_cancelling_is_refunded(world: World) -> None:
    mine = held(world)
    order = begin(world, mine).order
    SeatReleaser(world.table, world.clock).end_session(mine.session, "cancelled", mine.user)
    assert settle(world, order) == "refunded"
    assert world.seat(world.seat_ids[0])["availability"] == "available"


def test_a_payment_of_another_amount_is_refunded(world: World) -> None:
    order = begin(world, held(world)).order
    assert settle(world, order, amount_minor=1) == "refunded"
    assert order_of(world, order).state == "refunded"


def test_the_refund_is_sent_by_the_redelivery_when_the_provider_was_away(world: World) -> None:
    order = begin(world, held(world)).order
    world.payments.fail = DependencyUnavailableError("away")
    with pytest.raises(DependencyUnavailableError):
        settle(world, order, amount_minor=1)
    assert order_of(world, order).state == "refund_due"
    world.payments.fail = None
    assert settle(world, order, amount_minor=1) == "refunded"
    assert settle(world, order, amount_minor=1) == "duplicate"
    assert order_of(world, order).state == "refunded"


def test_a_payment_for_nothing_we_know_is_said_so(world: World) -> None:
    order = begin(world, held(world)).order
    for unknown in ("ord_" + "0" * 32 + "_" + "0" * 8, "nonsense"):
        other = msgspec.structs.replace(order, order_id=OrderId(unknown))
        assert settle(world, other) == "unknown-order"


def test_a_late_payment_leaves_a_newer_session_of_its_user_alone(world: World) -> None:
    order = begin(world, held(world)).order
    world.clock.tick(LOCKS_ARE_OVER_S)
    newer = world.session()
    assert settle(world, order) == "paid"
    status = status_of(world, "ann")
    assert (status.live_session, status.places_taken) == (newer.session, 2)


def test_cancelling_gives_seats_and_money_back_once(world: World) -> None:
    order = begin(world, held(world, area=1)).order
    settle(world, order)
    event = msgspec.structs.replace(world.event, cancel_until="2099-01-01T00:00:00.000Z")
    canceller = OrderCanceller(world.table, world.clock, world.payments)
    for _ in range(2):
        assert canceller.cancel(event, order_of(world, order)).state == "refunded"
        assert world.seat(world.seat_ids[0])["availability"] == "available"
        assert world.remaining() == 10
        assert world.payments.refunds == {"pay1": 15_000}


@pytest.mark.parametrize(
    ("until", "why"), [("", "cannot be cancelled"), ("2020-01-01T00:00:00.000Z", "is over")]
)
def test_cancelling_goes_by_what_the_order_was_bought_with(
    world: World, until: str, why: str
) -> None:
    mine = held(world)
    beginner = CheckoutBeginner(world.table, world.clock, world.ids, world.reminders)
    terms = msgspec.structs.replace(world.event, cancel_until=until)
    order = beginner.begin(terms, mine.session, mine.user, "ann@example.org").order
    settle(world, order)
    now = msgspec.structs.replace(world.event, cancel_until="2099-01-01T00:00:00.000Z")
    with pytest.raises(WrongStateError, match=why):
        OrderCanceller(world.table, world.clock, world.payments).cancel(now, order_of(world, order))
    assert world.seat(world.seat_ids[0])["availability"] == "reserved"
