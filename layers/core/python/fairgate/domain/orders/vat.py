"""Reckon the VAT that a price includes."""

from __future__ import annotations

from collections.abc import Iterable

WHOLE_BP = 10_000  # basis points: 100 %


def included_vat(amount_minor: int, rate_bp: int) -> int:
    """Return how much of an amount is VAT, rounded once, halves up.

    Args:
        amount_minor: what is paid, its VAT included, in minor units.
        rate_bp: of the price without VAT, in basis points: 19 % is 1,900.
    """
    whole = WHOLE_BP + rate_bp
    return (2 * amount_minor * rate_bp + whole) // (2 * whole)


def vat_parts(amounts: Iterable[tuple[int, int]]) -> list[int]:
    """Return the VAT of each amount with its rate, so that those of a rate add up.

    Together they are the VAT that the sum of the rate includes, rounded once (ADR 43).
    """
    sums: dict[int, int] = {}
    parts = []
    for amount_minor, rate_bp in amounts:
        before = sums.get(rate_bp, 0)
        sums[rate_bp] = before + amount_minor
        parts.append(included_vat(sums[rate_bp], rate_bp) - included_vat(before, rate_bp))
    return parts


def vat_share(vat_minor: int, part_minor: int, whole_minor: int) -> int:
    """Return the VAT in a part of an amount that holds ``vat_minor``, rounded once, halves up.

    The share of nothing is 0 and that of the whole all of it, so that parts told by the difference
    of two shares add up.
    """
    if not whole_minor:
        return 0
    return (2 * vat_minor * part_minor + whole_minor) // (2 * whole_minor)


def rate_text(rate_bp: int) -> str:
    """Return ``19 %`` for 1,900 basis points, ``5.5 %`` for 550."""
    return f"{rate_bp / 100:g} %"
