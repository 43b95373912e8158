"""One postal address gets so many places of an event, however many accounts order for it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from fairgate.domain.orders.order import PostalAddress
from fairgate.domain.orders.postal_address import address_tag, checked
from fairgate.errors import LimitExceededError
from fairgate.ports.table import Update
from fairgate.service.checkout.begin_checkout import CheckoutBeginner
from fairgate.service.orders.erase_buyer import BuyerEraser
from fairgate.service.refunds.cancel_order import OrderCanceller
from fairgate.service.shared.keys import shared_count_key
from fairgate.service.shared.records.orders import Order
from fairgate.service.shared.records.sessions import SharedCount
from tests.support.world import EVENT, World
from tests.unit.checkout.test_checkout_and_settle import expire, held, order_of, settle

HOME = PostalAddress("Ann Buyer", "Quai 1,\nFlat 2", "20457", "Hamburg", "Germany")
AGAIN = PostalAddress("Bob Other", "QUAI 1 - Flat 2", "20 457", "Hámburg", "germany")
AWAY = replace(HOME, street="Quai 2")
KEY = b"k" * 32


def check_out(world: World, mine: Any, postal: PostalAddress = HOME, **event: Any) -> Order:
    terms = {"ask_address": True, "address_limit": 3, "cancel_until": "2099-01-01T00:00:00.000Z"}
    beginner = CheckoutBeginner(
        world.table, world.clock, world.ids, world.reminders, addresses_key=KEY
    )
    sale = replace(world.event, **terms | event)
    begun = beginner.begin(sale, mine.session, mine.user, "a@example.org", postal_address=postal)
    return begun.order


def counted(world: World, postal: PostalAddress = HOME) -> int:
    count = world.table.find(SharedCount, shared_count_key(EVENT, address_tag(KEY, EVENT, postal)))
    return 0 if count is None else count.places


def one_more(world: World, user: str, seat: int, postal: PostalAddress = AGAIN) -> Order:
    return check_out(world, held(world, user, world.seat_ids[seat]), postal)


def test_an_address_has_no_more_places_than_its_limit(world: World) -> None:
    check_out(world, held(world))
    one_more(world, "bob", 2)
    assert counted(world) == 3
    with pytest.raises(LimitExceededError) as refused:
        one_more(world, "cid", 3)
    assert refused.value.fields["limit"] == 3
    assert one_more(world, "cid", 4, AWAY).state == "pending"
    assert counted(world) == 3


def test_one_order_above_the_limit_is_refused_although_nothing_is_counted(world: World) -> None:
    mine = held(world, "ann", *world.seat_ids[:4])
    with pytest.raises(LimitExceededError):
        check_out(world, mine)
    assert check_out(world, mine, address_limit=4).state == "pending"


def test_two_at_once_do_not_pass_the_limit_together(world: World) -> None:
    """Nothing is read before the write: the write alone decides."""
    mine, other = held(world), held(world, "bob", *world.seat_ids[2:4])
    check_out(world, mine)
    with pytest.raises(LimitExceededError):
        check_out(world, other)
    assert check_out(world, other, AWAY).counted_by == [address_tag(KEY, EVENT, AWAY)]


def test_places_come_back_when_the_order_ends_unpaid(world: World) -> None:
    mine = held(world)
    check_out(world, mine)
    world.clock.tick(1_000)
    assert expire(world, mine.session) == "ended"
    assert counted(world) == 0


def test_sold_places_stay_counted_until_they_are_cancelled(world: World) -> None:
    order = check_out(world, held(world))
    assert settle(world, order) == "paid"
    assert counted(world) == 2
    canceller = OrderCanceller(world.table, world.clock, world.payments)
    canceller.cancel(world.event, order_of(world, order))
    assert counted(world) == 0


def test_a_payment_that_is_refunded_counts_nothing(world: World) -> None:
    order = check_out(world, held(world))
    assert settle(world, order, amount_minor=order.total_minor - 1) == "refunded"
    assert counted(world) == 0


def test_another_address_takes_over_the_places_of_a_pending_order(world: World) -> None:
    mine = held(world)
    check_out(world, mine)
    assert check_out(world, mine, AGAIN).postal_address == AGAIN
    assert (counted(world), counted(world, AWAY)) == (2, 0)
    check_out(world, mine, AWAY)
    assert (counted(world), counted(world, AWAY)) == (0, 2)
    check_out(world, held(world, "bob", *world.seat_ids[2:4]))
    with pytest.raises(LimitExceededError):
        check_out(world, mine)
    assert (counted(world), counted(world, AWAY)) == (2, 2)
    check_out(world, mine, HOME, address_limit=0)
    assert (counted(world), counted(world, AWAY)) == (2, 0)


def test_an_erasure_takes_the_order_out_of_the_count(world: World) -> None:
    mine = held(world)
    order = check_out(world, mine)
    assert settle(world, order) == "paid"
    world.table.update(Update("reservations", *order.key, set={"state": "ticketed"}))
    erased = BuyerEraser(world.table, world.clock).erase(order.key)
    assert (erased.counted_by, counted(world)) == ((), 0)


def test_an_address_is_known_in_one_event_alone() -> None:
    tags = {address_tag(KEY, event, HOME) for event in (EVENT, "other")}
    assert len(tags) == 2
    assert address_tag(KEY, EVENT, HOME) == address_tag(KEY, EVENT, AGAIN)
    assert not address_tag(b"", EVENT, HOME)


@pytest.mark.parametrize("sign", ["|", "\uff5c", "\u3164", "\u02c8"])
def test_no_sign_and_no_blank_letter_makes_another_address(sign: str) -> None:
    typed = replace(HOME, street=f"Quai{sign} 1, Flat 2{sign}", country=f"{sign}Germany")
    assert address_tag(KEY, EVENT, checked(typed, asked=True)) == address_tag(KEY, EVENT, HOME)


def test_a_part_on_another_line_makes_no_other_address() -> None:
    typed = replace(HOME, street=f"{HOME.street}\n{HOME.postcode}", postcode="")
    assert address_tag(KEY, EVENT, checked(typed, asked=True)) == address_tag(KEY, EVENT, HOME)
