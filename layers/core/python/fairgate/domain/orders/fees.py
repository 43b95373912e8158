"""Fees: a fixed amount an order and a fixed amount a ticket, as the event has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairgate.domain.orders.order import Unit

FEE = "fee"  # a line's kind; lines without one are tickets


def fee_lines(units: Sequence[Unit], fees: Mapping[str, int]) -> list[dict[str, Any]]:
    """Lines like those of the tickets, without a tier; none for a fee of nothing.

    Args:
        fees: ``orderMinor`` and ``ticketMinor``, either may be left out.
    """
    tickets = sum(unit.quantity for unit in units)
    wanted = (
        ("Fee per order", 1, fees.get("orderMinor", 0)),
        ("Fee per ticket", tickets, fees.get("ticketMinor", 0)),
    )
    return [
        {"label": label, "tier": "", "kind": FEE, "quantity": quantity, "priceMinor": minor}
        for label, quantity, minor in wanted
        if minor
    ]
