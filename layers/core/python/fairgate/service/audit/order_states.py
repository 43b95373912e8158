"""Group the states of orders for the laws."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.service.shared.shared_count import COUNTED

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

SOLD = ("paid", "ticketed")
BANKED = ("disputed", "charged_back")  # sold, but the buyer's bank takes the money back
SOLD_OR_BANKED = (*SOLD, *BANKED)
TAKING = COUNTED  # its places count for its user's limit
WAITING = ("refund_due", "cancelled")  # for its refund


def places_in(order: Mapping[str, Any]) -> int:
    """Count the places that an order has now."""
    return sum(unit.get("quantity", 1) for unit in order["units"])
