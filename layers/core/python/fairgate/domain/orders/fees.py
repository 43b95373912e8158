"""Charge fees: a fixed amount an order and a fixed amount a ticket, as the event has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fairgate.domain.orders.order import Line, PricedTier, Unit


class EventFees(Protocol):
    """What an event charges besides its prices, in minor units."""

    @property
    def order_minor(self) -> int: ...
    @property
    def ticket_minor(self) -> int: ...


def whole_price(tier: PricedTier, fees: EventFees) -> int:
    """Return what one ticket costs with what is charged for each, as a price is first shown.

    An order's own fee is charged once, whatever is in it, and is no ticket's.
    """
    return tier.price_minor + fees.ticket_minor


def fee_lines(units: Sequence[Unit], *, order_minor: int = 0, ticket_minor: int = 0) -> list[Line]:
    """Make lines like those of the tickets, without a tier; none for a fee of nothing."""
    tickets = sum(unit.quantity for unit in units)
    wanted = (
        ("Fee per order", 1, order_minor),
        ("Fee per ticket", tickets, ticket_minor),
    )
    return [Line(label, "", quantity, minor, "fee") for label, quantity, minor in wanted if minor]
