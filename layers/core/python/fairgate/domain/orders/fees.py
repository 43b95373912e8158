"""Charge fees: a fixed amount an order and a fixed amount a ticket, as the event has them."""

from __future__ import annotations

from collections.abc import Sequence

from fairgate.domain.orders.order import Line, Unit


def fee_lines(units: Sequence[Unit], *, order_minor: int = 0, ticket_minor: int = 0) -> list[Line]:
    """Make lines like those of the tickets, without a tier; none for a fee of nothing."""
    tickets = sum(unit.quantity for unit in units)
    wanted = (
        ("Fee per order", 1, order_minor),
        ("Fee per ticket", tickets, ticket_minor),
    )
    return [Line(label, "", quantity, minor, "fee") for label, quantity, minor in wanted if minor]
