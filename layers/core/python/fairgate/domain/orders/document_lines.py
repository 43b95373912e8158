"""Reckon the lines of invoices and credit notes: amounts, and the VAT that they include."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from msgspec import Struct

from fairgate.domain.orders.give_back import BoughtLine
from fairgate.domain.orders.vat import vat_parts, vat_share

Name = TypeVar("Name", int, str)


class BilledLine(BoughtLine, Protocol):
    """A line of an order as an invoice needs it."""

    @property
    def label(self) -> str: ...
    @property
    def vat_bp(self) -> int: ...


class BilledPlace(Struct, frozen=True):
    """A bought place as an invoice names it; a table of four is one, for four."""

    label: str
    tier: str
    quantity: int


class AmountLine(Struct, frozen=True):
    """All of a place or a fee; of a credit note, what of it goes back. Minor units."""

    label: str
    quantity: int
    amount_minor: int  # VAT included
    vat_bp: int
    vat_minor: int


def invoice_lines(lines: Sequence[BilledLine], places: Sequence[BilledPlace]) -> list[AmountLine]:
    """Return a line for each place, then one for each fee; their VAT adds up by rate."""
    billed: list[tuple[str, int, int, int]] = []
    for line in lines:
        own = [place for place in places if place.tier == line.tier and line.kind == "tickets"]
        if sum(place.quantity for place in own) != line.quantity:
            own = [BilledPlace(line.label, line.tier, line.quantity)]
        billed += [(o.label, o.quantity, o.quantity * line.price_minor, line.vat_bp) for o in own]
    vats = vat_parts((amount, rate) for _, _, amount, rate in billed)
    return [AmountLine(*one, vat) for one, vat in zip(billed, vats, strict=True)]


def credit_lines(
    billed: Iterable[AmountLine],
    before: Iterable[AmountLine],
    amount_minor: int,
    label: str,
    own: Mapping[int, int],
) -> list[AmountLine]:
    """Share what goes back out over the VAT rates of what was billed and is not credited yet.

    At first by what its places cost, then by what else is left, largest remainders first; once
    everything has gone back, each rate's VAT has, too.

    Args:
        before: the lines of all credit notes that the invoice has already.
        amount_minor: 0 to what is left of the invoice.
        own: what was paid for the places that it is about, by rate, in minor units.
    """
    gross, vat, credited = _sums(billed), _vats(billed), _sums(before)
    left = {rate: total - credited.get(rate, 0) for rate, total in gross.items()}
    shares = shared_first(own, left, amount_minor)
    return [
        AmountLine(
            label,
            1,
            share,
            rate,
            vat_share(vat[rate], credited.get(rate, 0) + share, gross[rate])
            - vat_share(vat[rate], credited.get(rate, 0), gross[rate]),
        )
        for rate, share in shares.items()
        if share
    ]


def shared_out(left: Mapping[Name, int], amount_minor: int) -> dict[Name, int]:
    """Share an amount out by these parts, in minor units, largest remainders first."""
    whole = sum(left.values())
    if not whole:
        return {}
    shares = {rate: amount_minor * part // whole for rate, part in left.items()}
    rests = sorted(left, key=lambda name: (-(amount_minor * left[name] % whole), name))
    for rate in rests[: amount_minor - sum(shares.values())]:
        shares[rate] += 1
    return shares


def shared_first(
    own: Mapping[Name, int], left: Mapping[Name, int], amount_minor: int
) -> dict[Name, int]:
    """Share an amount out by ``own``, no more of each than is left, then by what is left."""
    wanted = shared_out(own, min(amount_minor, sum(own.values())))
    first = {name: min(wanted.get(name, 0), minor) for name, minor in left.items()}
    rest = {name: minor - first[name] for name, minor in left.items()}
    more = shared_out(rest, amount_minor - sum(first.values()))
    return {name: first[name] + more.get(name, 0) for name in left}


def by_rate(lines: Iterable[BilledLine], amounts: Iterable[int]) -> dict[int, int]:
    """Add amounts of an order's lines up by their VAT rates, in minor units."""
    sums: dict[int, int] = {}
    for line, minor in zip(lines, amounts, strict=True):
        sums[line.vat_bp] = sums.get(line.vat_bp, 0) + minor
    return sums


def _sums(lines: Iterable[AmountLine]) -> dict[int, int]:
    sums: dict[int, int] = {}
    for line in lines:
        sums[line.vat_bp] = sums.get(line.vat_bp, 0) + line.amount_minor
    return sums


def _vats(lines: Iterable[AmountLine]) -> dict[int, int]:
    sums: dict[int, int] = {}
    for line in lines:
        sums[line.vat_bp] = sums.get(line.vat_bp, 0) + line.vat_minor
    return sums
