"""Charge fees: a fixed amount an order and a fixed amount a ticket, as the event has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fairgate.domain.orders.order import Line, PricedTier, Unit, order_lines


class EventFees(Protocol):
    """The fees of an event in addition to its prices, in minor units."""

    @property
    def order_minor(self) -> int: ...
    @property
    def ticket_minor(self) -> int: ...
    @property
    def vat_bp(self) -> int: ...


def whole_price(tier: PricedTier, fees: EventFees) -> int:
    """Return what one ticket costs with what is charged for each, as a price is first shown.

    An order's own fee is charged once, whatever is in it, and is no ticket's.
    """
    return tier.price_minor + fees.ticket_minor


def price_lines(units: Sequence[Unit], tiers: Sequence[PricedTier], fees: EventFees) -> list[Line]:
    """Price what is bought: the one list that checkout, its page and the receipt go by.

    Raises UnpricedTierError.
    """
    return order_lines(units, tiers) + fee_lines(units, fees)


def fee_lines(units: Sequence[Unit], fees: EventFees) -> list[Line]:
    """Make lines like those of the tickets, without a tier; none for a fee of nothing."""
    tickets = sum(unit.quantity for unit in units)
    wanted = (
        ("Fee per order", 1, fees.order_minor),
        ("Fee per ticket", tickets, fees.ticket_minor),
    )
    return [
        Line(label, "", quantity, minor, "fee", fees.vat_bp)
        for label, quantity, minor in wanted
        if minor
    ]
