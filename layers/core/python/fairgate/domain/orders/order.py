"""Orders: what is bought and at what price, fixed at checkout, in minor units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from fairgate.errors import FairgateError

OrderState = Literal[
    "pending", "paid", "ticketed", "failed", "expired", "refund_due", "refunded", "cancelled"
]


class UnpricedTierError(FairgateError):
    """A unit's tier has no price in the event: a defect of its publication, not of the request."""

    code = "internal"


@dataclass(frozen=True, slots=True)
class Unit:
    """A seat, a table or box of ``quantity`` places, or so many places in an area."""

    kind: Literal["seat", "area"]  # a table or box is held as a seat is, whole
    place: str  # seat id or area id
    section: str  # "" for an area
    tier: str
    label: str  # what stands on the ticket
    quantity: int = 1
    shard: int = 0

    def as_item(self) -> dict[str, Any]:
        """As it stands in an order's ``units``."""
        item = {"kind": self.kind, self.kind: self.place, "tier": self.tier, "label": self.label}
        if self.kind == "area":
            return {**item, "quantity": self.quantity, "shard": self.shard}
        several = {"quantity": self.quantity} if self.quantity > 1 else {}
        return {**item, "section": self.section, **several}


def order_lines(units: Sequence[Unit], tiers: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """One line a tier: ``{label, tier, quantity, priceMinor}``, in the event's order of tiers.

    Raises:
        UnpricedTierError: a unit's tier is not among the event's.
    """
    quantities: dict[str, int] = {}
    for unit in units:
        quantities[unit.tier] = quantities.get(unit.tier, 0) + unit.quantity
    lines = [
        {
            "label": tier["name"],
            "tier": tier["id"],
            "quantity": quantities.pop(tier["id"]),
            "priceMinor": tier["priceMinor"],
        }
        for tier in tiers
        if tier["id"] in quantities
    ]
    if quantities:
        raise UnpricedTierError("A seat in this order has no price.", tiers=sorted(quantities))
    return lines


def total_minor(lines: Sequence[Mapping[str, Any]]) -> int:
    return sum(line["quantity"] * line["priceMinor"] for line in lines)
