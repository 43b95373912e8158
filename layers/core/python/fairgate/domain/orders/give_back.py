"""Reckon what goes back for cancelled places: the price and its fees, less what is kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from fairgate.domain.orders.order import LineKind


class BoughtLine(Protocol):
    """A line of an order as reckoning needs it."""

    @property
    def tier(self) -> str: ...
    @property
    def quantity(self) -> int: ...
    @property
    def price_minor(self) -> int: ...
    @property
    def kind(self) -> LineKind: ...


class Back(Struct, frozen=True):
    """What goes back of a price and what of it is kept, in minor units."""

    amount_minor: int
    fee_minor: int


def place_price(lines: Sequence[BoughtLine], tier: str) -> int:
    """Return what one place of a tier was bought for, its own fees included, in minor units.

    A fee that was charged as often as there were tickets is each ticket's own. The order's own
    fees go back with its last place.
    """
    tickets = [line for line in lines if line.kind == "tickets"]
    bought = sum(line.quantity for line in tickets)
    price = next((line.price_minor for line in tickets if line.tier == tier), 0)
    own = [line for line in lines if line.kind == "fee" and line.quantity == bought > 1]
    return price + sum(line.price_minor for line in own)


def place_back(
    lines: Sequence[BoughtLine], tier: str, places: int, *, fee_minor: int, left_minor: int
) -> Back:
    """Return what goes back for so many places of a tier, while the order stands.

    Args:
        fee_minor: kept of each place; never more than it cost.
        left_minor: of what was paid, neither kept nor decided to go back.
    """
    full = places * place_price(lines, tier)
    fee = min(places * fee_minor, full)
    return Back(max(0, min(full - fee, left_minor)), fee)


def rest_back(places: int, *, fee_minor: int, left_minor: int) -> Back:
    """Return what goes back for all places that an order still has."""
    fee = min(places * fee_minor, max(0, left_minor))
    return Back(max(0, left_minor) - fee, fee)
