"""Read and show amounts of money: typed in minor units, shown as people write them."""

from __future__ import annotations

import argparse


def currency_code(text: str) -> str:
    """Read ``--currency``. Raises ArgumentTypeError for what is legal tender nowhere."""
    from babel.core import get_global

    # A territory's row: code, first day, last day (None: still in use), whether it is tender.
    rows = [row for rows in get_global("territory_currencies").values() for row in rows]
    if text not in {code for code, _, last, is_tender in rows if last is None and is_tender}:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no currency in use; ISO 4217 has codes like EUR, GBP, USD"
        )
    return text


def minor_units(text: str) -> int:
    """Read an amount in minor units. Raises ArgumentTypeError, most of all for 45.00."""
    if not text.isascii() or not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no amount in minor units: 45.00 EUR is 4500")
    return int(text)


def money(minor: int, currency: str) -> str:
    """Return ``45.00 EUR`` for 4500, ``4,500 JPY`` for 4500."""
    from fairgate.domain.shared.amount_text import amount_text

    return f"{amount_text(minor, currency)} {currency}"
