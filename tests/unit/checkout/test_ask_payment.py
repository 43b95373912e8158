"""A buyer who looks at a pending order has it settled by asking the provider, now and then."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from fairgate.errors import DependencyUnavailableError, PaymentRefusedError
from fairgate.ports.payments import Capture
from fairgate.ports.table import Update
from fairgate.service.checkout.ask_payment import ASK_EVERY_S, PaymentAsker
from fairgate.service.checkout.settle_payment import PaymentSettler
from fairgate.service.shared.records.orders import Order
from fairgate_lab.engine.payments import MemoryPayments
from tests.support.world import World
from tests.unit.checkout.test_checkout_and_settle import begin, held, order_of, settle
from tests.unit.checkout.test_end_checkout import in_checkout, two_pages
from tests.unit.checkout.test_open_payment import capture_of


@dataclass
class Counting(MemoryPayments):
    asked: list[str] = field(default_factory=list)

    def find_capture(self, page: str) -> Capture | None:
        self.asked.append(page)
        return super().find_capture(page)


class LooksFirst:
    """Another window of the same buyer looks just before ours writes that it asks."""

    def __init__(self, world: World, order: Order) -> None:
        self._world, self._order, self._first = world, order, True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._world.table, name)

    def update(self, action: Update) -> None:
        if self._first:
            self._first = False
            look(self._world, self._order)
        self._world.table.update(action)


def look(world: World, order: Order) -> Order:
    """The buyer looks at the order page."""
    settler = PaymentSettler(world.table, world.clock, world.payments)
    return PaymentAsker(settler).ask(order_of(world, order))


def test_a_buyer_who_paid_is_not_kept_waiting_for_a_webhook(world: World) -> None:
    _mine, order, page = in_checkout(world)
    world.payments.paid[page] = capture_of(order)
    assert look(world, order).state == "paid"
    assert settle(world, order) == "duplicate"
    assert world.payments.closed == []


def test_the_page_stays_open_for_a_buyer_who_has_not_paid(world: World) -> None:
    _mine, order, page = in_checkout(world)
    assert look(world, order).state == "pending"
    world.payments.paid[page] = capture_of(order)
    world.clock.tick(ASK_EVERY_S)
    assert look(world, order).state == "paid"


def test_the_provider_is_asked_once_in_a_while_however_many_look(world: World) -> None:
    world.payments = Counting()
    _mine, order, page = in_checkout(world)
    for _ in range(3):
        look(world, order)
    assert world.payments.asked == [page]
    world.clock.tick(ASK_EVERY_S)
    look(world, order)
    assert world.payments.asked == [page, page]


def test_two_who_look_at_one_moment_ask_once(world: World) -> None:
    world.payments = Counting()
    _mine, order, page = in_checkout(world)
    table: Any = LooksFirst(world, order)
    settler = PaymentSettler(table, world.clock, world.payments)
    assert PaymentAsker(settler).ask(order_of(world, order)).state == "pending"
    assert world.payments.asked == [page]


def test_a_look_never_fails_for_the_providers_sake(world: World) -> None:
    _mine, order, page = in_checkout(world)
    world.payments.fail = DependencyUnavailableError("away")
    assert look(world, order).state == "pending"
    world.payments.fail = None
    world.payments.refuse["find_capture"] = PaymentRefusedError("no", reason="unknown-payment")
    world.clock.tick(ASK_EVERY_S)
    assert look(world, order).state == "pending"
    world.payments.refuse.clear()
    world.payments.paid[page] = capture_of(order)
    world.clock.tick(ASK_EVERY_S)
    assert look(world, order).state == "paid"


def test_nobody_is_asked_about_an_order_without_a_page_or_with_an_end(world: World) -> None:
    world.payments = Counting()
    order = begin(world, held(world)).order
    assert look(world, order).state == "pending"
    settle(world, order)
    assert look(world, order).state == "paid"
    assert world.payments.asked == []
    assert order_of(world, order).asked_at == ""


def test_a_page_of_which_nobody_tells_hides_no_payment_of_another(world: World) -> None:
    _mine, order, first, second = two_pages(world)
    refusal = PaymentRefusedError("never heard of it", reason="unknown-payment")
    world.payments.refuse[f"find_capture {first}"] = refusal
    world.payments.paid[second] = capture_of(order)
    assert look(world, order).state == "paid"
