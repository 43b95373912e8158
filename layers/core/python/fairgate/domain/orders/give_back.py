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


class GoneLine(Protocol):
    """A place that was cancelled while its order went on."""

    @property
    def tier(self) -> str: ...
    @property
    def tickets(self) -> Sequence[str]: ...
    @property
    def part(self) -> int: ...


class Back(Struct, frozen=True):
    """What goes back of a price and what of it is kept, in minor units."""

    amount_minor: int
    fee_minor: int


def place_parts(lines: Sequence[BoughtLine], tier: str, places: int) -> list[int]:
    """Return what so many places of a tier were bought for, by line, in minor units.

    A fee that was charged as often as there were tickets is each ticket's own. The order's own
    fees go back with its last place.
    """
    bought = sum(line.quantity for line in lines if line.kind == "tickets")
    return [
        places * line.price_minor
        if (line.tier == tier if line.kind == "tickets" else line.quantity == bought > 1)
        else 0
        for line in lines
    ]


def place_price(lines: Sequence[BoughtLine], tier: str) -> int:
    """Return what one place of a tier was bought for, its own fees included, in minor units."""
    return sum(place_parts(lines, tier, 1))


def refund_parts(lines: Sequence[BoughtLine], returned: Sequence[GoneLine], part: int) -> list[int]:
    """Return what was paid for the places that a refund is about, by line, in minor units.

    Args:
        part: a cancelled place's; another one gives money back alone, about no place; 0: the rest.
    """
    gone = [(one.part, place_parts(lines, one.tier, len(one.tickets))) for one in returned]
    if part:
        return next((paid for of, paid in gone if of == part), [0] * len(lines))
    whole = [line.quantity * line.price_minor for line in lines]
    return [paid - sum(one[n] for _, one in gone) for n, paid in enumerate(whole)]


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
