"""Fees stand in the order as lines of their own, and in its total."""

from __future__ import annotations

import msgspec
import pytest

from fairgate.domain.orders.fees import fee_lines, whole_price
from fairgate.domain.orders.vat import included_vat
from fairgate.http.views.events import FeesView, event_view
from fairgate.http.views.orders import order_view
from fairgate.service.shared.records.catalog import Fees
from tests.support.world import World
from tests.unit.checkout.test_checkout_and_settle import begin, held, settle
from tests.unit.holds.test_hold_seats import floor, seats


def test_fees_count_orders_and_tickets() -> None:
    units = [*seats("a", "b"), floor(3)]
    lines = fee_lines(units, Fees(order_minor=250, ticket_minor=100))
    assert [(line.quantity, line.price_minor) for line in lines] == [(1, 250), (5, 100)]


def test_a_fee_of_nothing_has_no_line() -> None:
    assert fee_lines([floor(1)], Fees(order_minor=0)) == []
    assert fee_lines([floor(1)], Fees()) == []


def test_the_buyer_pays_and_sees_the_fees(world: World) -> None:
    fees = Fees(order_minor=250, ticket_minor=100)
    world.event = msgspec.structs.replace(world.event, fees=fees)
    order = begin(world, held(world, area=2)).order
    assert order.total_minor == 4 * 5_000 + 250 + 4 * 100
    assert settle(world, order) == "paid"
    shown = order_view(order)
    assert [line.kind for line in shown.lines] == ["tickets", "fee", "fee"]
    total = sum(line.quantity * line.price_minor for line in shown.lines)
    assert total == shown.total_minor
    assert event_view(world.event).fees == FeesView(order_minor=250, ticket_minor=100)


def test_an_event_without_fees_shows_none(world: World) -> None:
    assert world.event.fees == Fees()
    assert event_view(world.event).fees == FeesView(order_minor=0, ticket_minor=0)


def test_the_first_price_shown_is_what_each_ticket_adds_to_the_total(world: World) -> None:
    fees = Fees(order_minor=250, ticket_minor=100)
    world.event = msgspec.structs.replace(world.event, fees=fees)
    (tier,) = event_view(world.event).tiers
    assert tier.whole_minor == whole_price(world.event.tiers[0], fees) == 5_100
    order = begin(world, held(world, area=2)).order
    assert order.total_minor == 4 * tier.whole_minor + fees.order_minor


@pytest.mark.parametrize(
    ("amount", "rate", "vat"),
    [(11_900, 1_900, 1_900), (10_000, 0, 0), (10_000, 700, 654), (1, 1_900, 0), (3, 10_000, 2)],
)
def test_vat_is_what_the_price_includes_with_halves_rounded_up(
    amount: int, rate: int, vat: int
) -> None:
    assert included_vat(amount, rate) == vat


def test_vat_is_rounded_once_a_line_and_fixed_in_the_order(world: World) -> None:
    tiers = [msgspec.structs.replace(tier, vat_bp=700) for tier in world.event.tiers]
    fees = Fees(order_minor=250, ticket_minor=33, vat_bp=1_900)
    world.event = msgspec.structs.replace(world.event, tiers=tiers, fees=fees)
    order = begin(world, held(world, area=2)).order
    shown = {line.label: (line.vat_bp, line.vat_minor) for line in order_view(order).lines}
    assert shown == {
        world.event.tiers[0].name: (700, 1_308),  # of 200.00 at once: 4 × 3.27 and rounded
        "Fee per order": (1_900, 40),
        "Fee per ticket": (1_900, 21),  # of 1.32; four times 0.05 would be 0.20
    }
    assert order.total_minor == 4 * 5_000 + 250 + 4 * 33  # it is in the price, and not added
