"""One open payment page of an order, the same for a repeated request, a new one for a new try."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from fairgate.errors import (
    DependencyUnavailableError,
    PaymentRefusedError,
    SessionExpiredError,
    WrongStateError,
)
from fairgate.ports.payments import Capture, CheckoutRequest
from fairgate.service.checkout.begin_checkout import CheckoutBegun
from fairgate.service.checkout.open_payment import OPEN_PAGES_MAX, open_payment
from fairgate.service.checkout.settle_payment import PaymentSettler
from fairgate.service.shared.records.orders import Order
from fairgate_lab.engine.payments import MemoryPayments
from tests.support.world import World
from tests.unit.checkout.test_checkout_and_settle import expire, held, order_of, settle
from tests.unit.shared.test_idempotency import begin_as


class NewPages(MemoryPayments):
    """A provider whose pages have closed by themselves: each question opens another."""

    numbers = itertools.count(1)

    def open_checkout(self, request: CheckoutRequest) -> str:
        return f"{super().open_checkout(request)}&{next(self.numbers)}"


def open_page(world: World, mine: Any, key: str) -> str:
    return open_for(world, begin_as(world, mine, key))


def open_for(world: World, begun: CheckoutBegun) -> str:
    settler = PaymentSettler(world.table, world.clock, world.payments)
    return open_payment(settler, begun, "http://shop")


def capture_of(order: Order, payment: str = "pay1", **changes: Any) -> Capture:
    taken: dict[str, Any] = {"amount_minor": order.total_minor, "currency": order.currency}
    return Capture(payment, order.order_id, at_ms=0, **(taken | changes))


def test_the_same_request_leads_to_the_same_page_without_asking_the_provider(
    world: World,
) -> None:
    world.payments = NewPages()
    mine = held(world)
    page = open_page(world, mine, "k")
    world.payments.fail = DependencyUnavailableError("away")
    assert open_page(world, mine, "k") == page


def test_a_new_try_leads_to_a_new_page_and_closes_the_old_one(world: World) -> None:
    """Also before the provider has told of the decline that made it necessary."""
    world.payments = NewPages()
    mine = held(world)
    old = open_page(world, mine, "k")
    new = open_page(world, mine, "k2")
    assert new != old
    assert world.payments.closed == [old]
    assert open_page(world, mine, "k2") == new


def test_a_repeated_request_does_not_lead_back_to_the_page_of_a_declined_card(
    world: World,
) -> None:
    """Its first call began the attempt, and the provider was away."""
    world.payments = NewPages()
    mine = held(world)
    begun = begin_as(world, mine, "k")
    old = open_for(world, begun)
    settle(world, begun.order, kind="failed")
    world.payments.fail = DependencyUnavailableError("away")
    with pytest.raises(DependencyUnavailableError):
        open_page(world, mine, "k2")
    assert order_of(world, begun.order).last_attempt == "declined"
    world.payments.fail = None
    new = open_page(world, mine, "k2")
    assert new != old
    assert order_of(world, begun.order).last_attempt == ""
    assert open_page(world, mine, "k2") == new


def test_an_open_page_stays_the_page(world: World) -> None:
    mine = held(world)
    assert open_page(world, mine, "k") == open_page(world, mine, "k2")
    assert world.payments.closed == []


def test_a_page_is_closed_at_once_when_its_order_was_paid_meanwhile(world: World) -> None:
    mine = held(world)
    begun = begin_as(world, mine, "k")
    settle(world, begun.order)
    with pytest.raises(WrongStateError):
        open_for(world, begun)
    assert len(world.payments.closed) == 1
    assert order_of(world, begun.order).pay_page == ""


def test_a_page_is_closed_at_once_when_its_order_has_ended_meanwhile(world: World) -> None:
    """Nobody was given its URL, and a payment there all the same is given back."""
    mine = held(world)
    begun = begin_as(world, mine, "k")
    world.clock.tick(301)
    assert expire(world, mine.session) == "ended"
    request = CheckoutRequest(
        order=begun.order.order_id,
        amount_minor=begun.order.total_minor,
        currency="EUR",
        expires_ms=world.clock.ms - 1_000,
        return_url=f"http://shop/#/order/{begun.order.order_id}",
    )
    page = world.payments.open_checkout(request)
    world.payments.paid[page] = capture_of(begun.order)
    with pytest.raises(SessionExpiredError):
        open_for(world, begun)
    assert world.payments.closed == [page]
    assert world.payments.refunds == {"pay1": 10_000}


def test_an_older_page_is_remembered_until_the_provider_has_closed_it(world: World) -> None:
    world.payments = NewPages()
    mine = held(world)
    old = open_page(world, mine, "k")
    world.payments.refuse["close_checkout"] = DependencyUnavailableError("away")
    new = open_page(world, mine, "k2")
    order = begin_as(world, mine, "k2").order
    assert order_of(world, order).pages == [old, new]
    world.payments.refuse.clear()
    newest = open_page(world, mine, "k3")
    assert order_of(world, order).pages == [newest]
    assert world.payments.closed == [old, new]


def test_no_more_pages_are_opened_than_are_written_down(world: World) -> None:
    world.payments = NewPages()
    mine = held(world)
    world.payments.refuse["close_checkout"] = DependencyUnavailableError("away")
    for number in range(OPEN_PAGES_MAX + 1):
        open_page(world, mine, f"k{number}")
    with pytest.raises(DependencyUnavailableError):
        open_page(world, mine, "one more")
    order = begin_as(world, mine, "k0").order
    assert len(order_of(world, order).pages) == OPEN_PAGES_MAX + 1


def test_no_other_page_is_given_out_when_the_older_one_was_paid(world: World) -> None:
    """The webhook is still under way, and the buyer tries again."""
    world.payments = NewPages()
    mine = held(world)
    old = open_page(world, mine, "k")
    order = begin_as(world, mine, "k").order
    world.payments.paid[old] = capture_of(order)
    with pytest.raises(WrongStateError):
        open_page(world, mine, "k2")
    assert order_of(world, order).state == "paid"
    assert world.payments.closed[0] == old
    assert len(world.payments.closed) == 2
    assert settle(world, order) == "duplicate"
    assert world.payments.refunds == {}


def test_two_requests_at_once_do_not_lose_each_others_page(world: World) -> None:
    """Both asked before either wrote its page down."""
    world.payments = NewPages()
    mine = held(world)
    begun = begin_as(world, mine, "k")
    first = open_for(world, begun)
    second = open_for(world, begun)  # with the order as it was before the first
    assert first in world.payments.closed
    assert order_of(world, begun.order).pages == [second]


def test_a_payment_is_refused_in_words_when_its_time_is_over(world: World) -> None:
    mine = held(world)
    open_page(world, mine, "k")
    world.clock.tick(301)
    with pytest.raises(SessionExpiredError):
        open_page(world, mine, "k2")


def test_a_payment_is_refused_in_words_when_the_provider_finds_the_time_too_short(
    world: World,
) -> None:
    mine = held(world)
    late = PaymentRefusedError("expires too soon", reason="too-late")
    world.payments.refuse["open_checkout"] = late
    with pytest.raises(SessionExpiredError):
        open_page(world, mine, "k")


def test_another_refusal_of_the_provider_stays_one(world: World) -> None:
    mine = held(world)
    refusal = PaymentRefusedError("no such currency", reason="invalid")
    world.payments.refuse["open_checkout"] = refusal
    with pytest.raises(PaymentRefusedError):
        open_page(world, mine, "k")
