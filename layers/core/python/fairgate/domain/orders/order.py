"""Price orders: what is bought and at what price, fixed at checkout, in minor units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, Protocol

from msgspec import Meta, Struct

from fairgate.domain.orders.vat import vat_parts
from fairgate.errors import FairgateError

OrderState = Literal[
    "pending",
    "paid",
    "ticketed",
    "failed",
    "expired",
    "refund_due",
    "refunded",
    "cancelled",
    "disputed",
    "charged_back",
]
# Its tickets were good once and admit nobody now, or not for now.
VOID_STATES: tuple[OrderState, ...] = ("cancelled", "refunded", "disputed", "charged_back")
LineKind = Literal["tickets", "fee"]
# How a refund stands, the least good news first. attention: it did not get there, and a person has
# to act; handled: that person has.
RefundStatus = Literal["attention", "owed", "sent", "handled", "arrived"]

# An order ends after the event's checkoutS. Then its payment page is closed and the provider asked
# what it took; until it answers, but no longer than this, the seats stay locked.
SETTLING_S = 1_800
# For so long in all an order's end is put off while its buyer waits for a turn at the provider.
DELAY_MAX_S = 900


class UnpricedTierError(FairgateError):
    """Reports a unit whose tier has no price: a defect of the event, not of the request."""

    code = "internal"


# Bounded only: orders/postal_address.py says in words what is wrong with one.
AddressText = Annotated[str, Meta(max_length=1_000)]


class PostalAddress(Struct, frozen=True):
    """Where a buyer lives, in the API, in records and on invoices alike."""

    name: AddressText
    street: AddressText  # up to three lines
    postcode: AddressText  # "" where a country has none
    city: AddressText
    country: AddressText

    @property
    def lines(self) -> list[str]:
        """Return it as on a letter."""
        town = f"{self.postcode} {self.city}".strip()
        return [self.name, *self.street.split("\n"), town, self.country]


class Unit(Struct, frozen=True):
    """A seat, a table or box of ``quantity`` places, or so many places in an area."""

    kind: Literal["seat", "area"]  # a table or box is held as a seat is, whole
    place: str  # seat id or area id
    section: str  # "" for an area
    tier: str
    label: str  # what stands on the ticket
    quantity: int = 1
    shard: int = 0


class Line(Struct, frozen=True):
    """A line: so many tickets of a tier, or a fee, at a price each."""

    label: str
    tier: str  # "" for a fee
    quantity: int
    price_minor: int  # of each, VAT included
    kind: LineKind = "tickets"
    vat_bp: int = 0


class PricedTier(Protocol):
    """A tier as a line needs it."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def price_minor(self) -> int: ...
    @property
    def vat_bp(self) -> int: ...


def order_lines(units: Sequence[Unit], tiers: Sequence[PricedTier]) -> list[Line]:
    """Make one line a tier, in the event's order of tiers.

    Raises:
        UnpricedTierError: a unit's tier is not among the event's.
    """
    quantities: dict[str, int] = {}
    for unit in units:
        quantities[unit.tier] = quantities.get(unit.tier, 0) + unit.quantity
    lines = [
        Line(tier.name, tier.id, quantities.pop(tier.id), tier.price_minor, vat_bp=tier.vat_bp)
        for tier in tiers
        if tier.id in quantities
    ]
    if quantities:
        raise UnpricedTierError("A seat in this order has no price.", tiers=sorted(quantities))
    return lines


def line_vats(lines: Sequence[Line]) -> list[int]:
    """Return the VAT in each line, in minor units; those of a rate add up."""
    return vat_parts((line.quantity * line.price_minor, line.vat_bp) for line in lines)


def total_minor(lines: Sequence[Line]) -> int:
    return sum(line.quantity * line.price_minor for line in lines)
