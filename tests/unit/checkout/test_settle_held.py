"""A card buys so many places of an event: it is counted before its money is taken."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from fairgate.errors import DependencyUnavailableError, PaymentRefusedError, WrongStateError
from fairgate.ports.payments import Capture, PaymentEvent
from fairgate.service.checkout.ask_payment import PaymentAsker
from fairgate.service.checkout.begin_checkout import CheckoutBeginner, CheckoutBegun
from fairgate.service.checkout.settle_held import CARD_LIMIT, card_tag
from fairgate.service.checkout.settle_payment import PaymentSettler
from fairgate.service.refunds.cancel_order import OrderCanceller
from fairgate.service.shared.keys import shared_count_key
from fairgate.service.shared.records.orders import Order
from fairgate.service.shared.records.sessions import SharedCount
from tests.support.world import EVENT, World
from tests.unit.checkout.test_checkout_and_settle import begin, expire, held, order_of
from tests.unit.checkout.test_open_payment import NewPages, open_for


def ordered(world: World, user: str = "ann", first: int = 0, count: int = 2) -> Order:
    seats = world.seat_ids[first : first + count]
    mine = held(world, user, *seats)
    beginner = CheckoutBeginner(world.table, world.clock, world.ids, world.reminders)
    sale = replace(world.event, card_limit=3, cancel_until="2099-01-01T00:00:00.000Z")
    return beginner.begin(sale, mine.session, mine.user, "a@example.org").order


def pays(world: World, order: Order, card: str = "visa", name: str = "", **changes: Any) -> str:
    """Let the provider report that it holds the order's money."""
    payment = name or f"pay-{order.order_id}-{card}"
    world.payments.cards[payment] = card
    capture = Capture(payment, order.order_id, order.total_minor, order.currency, world.clock.ms)
    world.payments.held.setdefault(payment, capture)
    amount = changes.get("amount_minor", order.total_minor)
    event = PaymentEvent(f"evt-{payment}", "held", order.order_id, amount, order.currency, payment)
    return PaymentSettler(world.table, world.clock, world.payments).settle(event)


def counted(world: World, card: str = "visa") -> int:
    count = world.table.find(SharedCount, shared_count_key(EVENT, card_tag(EVENT, card)))
    return 0 if count is None else count.places


def test_a_card_is_counted_and_then_its_money_is_taken_once(world: World) -> None:
    order = ordered(world)
    assert pays(world, order) == "paid"
    assert pays(world, order) == "duplicate"
    assert counted(world) == 2
    assert [one.order for one in world.payments.taken] == [order.order_id]
    assert order_of(world, order).state == "paid"


def test_a_card_that_has_bought_enough_is_freed_and_the_buyer_may_take_another(
    world: World,
) -> None:
    assert pays(world, ordered(world)) == "paid"
    order = ordered(world, "bob", 2)
    assert pays(world, order) == "noted"
    current = order_of(world, order)
    assert (current.state, current.last_attempt) == ("pending", CARD_LIMIT)
    assert len(world.payments.taken) == 1
    assert counted(world) == 2
    assert pays(world, order, "amex") == "paid"
    assert (counted(world), counted(world, "amex")) == (2, 2)


def test_one_order_above_the_limit_is_freed_although_nothing_is_counted(world: World) -> None:
    order = ordered(world, count=4)
    assert pays(world, order) == "noted"
    assert (world.payments.taken, counted(world)) == ([], 0)


def test_an_order_without_a_limit_takes_and_frees_nothing(world: World) -> None:
    order = begin(world, held(world)).order
    assert pays(world, order) == "noted"
    assert order_of(world, order).last_attempt == ""
    assert None not in world.payments.held.values()


def test_the_last_places_of_a_card_go_to_one_order(world: World) -> None:
    """Nothing is read before the write: the write alone decides."""
    one, two = ordered(world), ordered(world, "bob", 2)
    assert sorted([pays(world, one), pays(world, two)]) == ["noted", "paid"]
    assert counted(world) == 2


def test_nothing_is_taken_for_an_order_that_ended_or_has_another_price(world: World) -> None:
    order = ordered(world)
    assert pays(world, order, amount_minor=order.total_minor - 1) == "noted"
    world.clock.tick(1_000)
    assert expire(world, order.session) == "ended"
    assert pays(world, order, name="late") == "noted"
    assert (world.payments.taken, counted(world)) == ([], 0)


def test_nothing_is_taken_when_the_provider_does_not_know_the_card(world: World) -> None:
    order = ordered(world)
    assert pays(world, order, "") == "noted"
    assert order_of(world, order).last_attempt == CARD_LIMIT


def test_a_crash_between_count_and_money_is_made_good(world: World) -> None:
    order = ordered(world)
    world.payments.refuse["end_held"] = DependencyUnavailableError("away")
    with pytest.raises(DependencyUnavailableError):
        pays(world, order)
    assert (world.payments.taken, counted(world)) == ([], 2)
    del world.payments.refuse["end_held"]
    assert pays(world, order) == "paid"
    assert counted(world) == 2


def test_places_leave_the_count_with_the_order(world: World) -> None:
    order = ordered(world)
    assert pays(world, order) == "paid"
    canceller = OrderCanceller(world.table, world.clock, world.payments)
    canceller.cancel(world.event, order_of(world, order))
    assert counted(world) == 0


def reserved(world: World, order: Order, card: str = "visa") -> None:
    """The buyer pays on the order's page, and no webhook comes."""
    page = open_for(world, CheckoutBegun(order_of(world, order), order.expires_at))
    payment = f"pay-{order.order_id}-{card}"
    capture = Capture(payment, order.order_id, order.total_minor, order.currency, world.clock.ms)
    world.payments.cards[payment], world.payments.held[payment] = card, capture
    world.payments.paid[page] = replace(capture, held=True)


def test_a_buyer_who_comes_back_before_the_webhook_has_paid(world: World) -> None:
    order = ordered(world)
    reserved(world, order)
    settler = PaymentSettler(world.table, world.clock, world.payments)
    assert PaymentAsker(settler).ask(order_of(world, order)).state == "paid"
    assert (counted(world), len(world.payments.taken)) == (2, 1)
    assert pays(world, order) == "duplicate"


def test_an_order_whose_webhook_never_came_is_paid_at_its_end(world: World) -> None:
    order = ordered(world)
    reserved(world, order)
    world.clock.tick(301)
    assert expire(world, order.session) == "paid"
    assert (counted(world), len(world.payments.taken)) == (2, 1)


def test_a_card_that_has_bought_enough_is_freed_at_the_orders_end(world: World) -> None:
    assert pays(world, ordered(world)) == "paid"
    order = ordered(world, "bob", 2)
    reserved(world, order)
    world.clock.tick(301)
    assert expire(world, order.session) == "ended"
    assert (counted(world), len(world.payments.taken)) == (2, 1)
    assert None in world.payments.held.values()


def test_a_buyer_who_asks_for_another_page_has_paid_on_the_first(world: World) -> None:
    order = ordered(world)
    world.payments = NewPages(**vars(world.payments))
    reserved(world, order)
    with pytest.raises(WrongStateError):
        open_for(world, CheckoutBegun(order_of(world, order), order.expires_at))
    assert order_of(world, order).state == "paid"
    assert len(world.payments.taken) == 1


def test_money_that_the_provider_will_not_take_is_freed_and_its_order_ends(world: World) -> None:
    order = ordered(world)
    reserved(world, order)
    [payment] = world.payments.held
    refusal = PaymentRefusedError("expired", reason="invalid")
    world.payments.refuse[f"end_held {payment} take"] = refusal
    world.clock.tick(301)
    assert expire(world, order.session) == "ended"
    assert world.payments.held == {payment: None}
    assert counted(world) == 0


def test_a_card_whose_money_may_be_on_its_way_stays_counted_beside_another(world: World) -> None:
    """Two cards on two pages: both may be taken, and the first to be settled buys the order."""
    order = ordered(world)
    taking = world.payments.end_held

    def pays_by_another_first(payment: str, *, take: bool) -> Capture | None:
        world.payments.end_held = taking  # type: ignore[method-assign]
        taken = taking(payment, take=take)
        world.payments.refuse["end_held"] = DependencyUnavailableError("slow")
        with pytest.raises(DependencyUnavailableError):
            pays(world, order, "amex")
        del world.payments.refuse["end_held"]
        return taken

    world.payments.end_held = pays_by_another_first  # type: ignore[method-assign]
    assert pays(world, order) == "paid"
    assert (counted(world), counted(world, "amex")) == (2, 2)
    canceller = OrderCanceller(world.table, world.clock, world.payments)
    canceller.cancel(world.event, order_of(world, order))
    assert (counted(world), counted(world, "amex")) == (0, 0)
