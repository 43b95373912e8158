"""An event's ledger adds up to the books of every payment provider, told by its own webhooks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec
import pytest

from fairgate.ports.payments import PaymentEvent
from fairgate.service.books.check_ledger import LedgerChecker
from fairgate.service.books.ledger_checked import LedgerChecked
from fairgate.service.checkout.payment_events import PaymentEvents
from fairgate.service.refunds.cancel_order import OrderCanceller
from fairgate.service.refunds.refund_part import PartRefunder
from tests.contract.test_payments_contract import event_of, paid
from tests.unit.checkout.test_checkout_and_settle import begin, held, order_of

if TYPE_CHECKING:
    from fairgate.service.shared.records.orders import Order
    from tests.support.payment_providers import Delivery, Provider
    from tests.support.world import World


@dataclass
class Shop:
    """A world whose payments are the provider's."""

    world: World
    provider: Provider

    def hears(self, delivery: Delivery) -> PaymentEvent:
        event = event_of(self.provider, delivery)
        self.apply(event)
        return event

    def apply(self, event: PaymentEvent) -> None:
        PaymentEvents(self.world.table, self.world.clock, self.provider.payments).apply(event)

    def sells(self, user: str, seat: int) -> tuple[Order, str]:
        """An order and the payment that bought it."""
        order = begin(self.world, held(self.world, user, *self.seats(seat))).order
        event = paid(self.provider, order.order_id)
        self.apply(event)
        assert order_of(self.world, order).state == "paid"
        return order, event.payment

    def seats(self, first: int) -> list[str]:
        return list(self.world.seat_ids[2 * first : 2 * first + 2])

    def check(self) -> LedgerChecked:
        # The providers' clocks are real, and the world's is not.
        event = msgspec.structs.replace(self.world.event, created_at="2020-01-01T00:00:00.000Z")
        checker = LedgerChecker(self.world.table, self.world.clock, self.provider.payments)
        return checker.check(event)


@pytest.fixture
def shop(world: World, provider: Provider) -> Shop:
    return Shop(world, provider)


def test_a_sale_of_every_ending_adds_up(shop: Shop) -> None:
    world, payments = shop.world, shop.provider.payments
    cancelled, _ = shop.sells("ann", 0)
    _, disputed = shop.sells("bob", 1)
    shop.hears(shop.provider.dispute(disputed))
    OrderCanceller(world.table, world.clock, payments).cancel(
        world.event, order_of(world, cancelled)
    )
    checked = shop.check()
    assert checked.agrees, checked.differences
    assert checked.ledger == checked.provider
    assert (checked.ledger.captured_minor, checked.ledger.net_minor) == (20_000, 0)


def test_a_dispute_that_is_won_gives_the_money_back_on_both_sides(shop: Shop) -> None:
    _, disputed = shop.sells("ann", 0)
    shop.hears(shop.provider.dispute(disputed))
    assert shop.check().agrees
    shop.provider.decide(disputed, "won")
    (difference,) = shop.check().differences
    assert (difference.what, difference.ledger_minor, difference.provider_minor) == (
        "disputed",
        10_000,
        0,
    )


def test_a_part_and_what_another_hand_gives_back_are_told_apart(shop: Shop) -> None:
    world, payments = shop.world, shop.provider.payments
    order, _ = shop.sells("ann", 0)
    other, by_hand = shop.sells("bob", 1)
    assert shop.check().agrees
    shop.provider.refund_elsewhere(by_hand)
    PartRefunder(world.table, world.clock, payments).refund(order_of(world, order), 300, key="late")
    (difference,) = shop.check().differences
    assert (difference.what, difference.order, difference.payment) == (
        "refunded",
        other.order_id,
        by_hand,
    )
    assert difference.ledger_minor == 0
    assert difference.provider_minor > 0


def test_a_refund_that_the_bank_returns_is_in_both_books_again(shop: Shop) -> None:
    world, payments = shop.world, shop.provider.payments
    order, payment = shop.sells("ann", 0)
    OrderCanceller(world.table, world.clock, payments).cancel(world.event, order_of(world, order))
    shop.hears(shop.provider.return_refund(payment))
    checked = shop.check()
    assert checked.agrees, checked.differences
    assert (checked.entries, checked.ledger.net_minor) == (3, 10_000)
