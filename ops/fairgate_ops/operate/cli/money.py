"""Read and show amounts of money as people write them; JSON has minor units."""

from __future__ import annotations

import argparse
import re
from decimal import Decimal

AMOUNT = re.compile(r"[0-9]{1,12}(\.[0-9]{1,4})?")


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


def amount(text: str) -> Decimal:
    """Read an amount, such as 45 or 45.00. Raises ArgumentTypeError."""
    if not AMOUNT.fullmatch(text):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no amount: write 45 or 45.00, with a point and nothing else"
        )
    return Decimal(text)


def in_minor_units(options: argparse.Namespace, currency: str) -> None:
    """Put minor units in place of each typed amount, also in lists of a tier with its price.

    Raises MalformedInputError: an amount has more decimals than its currency, or is too large.
    """
    from fairgate_ops.operate.cli.typed_names import place_of, typed

    options.amounts_in = currency
    for name, value in vars(options).items():
        if isinstance(value, Decimal):
            setattr(options, name, _minor(value, currency, place_of(options, typed(name))))
        elif isinstance(value, list) and value and isinstance(value[0], tuple):
            pairs = [
                (tier, _minor(one, currency, place_of(options, f"{typed(name)} {tier}")))
                if isinstance(one, Decimal)
                else (tier, one)
                for tier, one in value
            ]
            setattr(options, name, pairs)


def _minor(value: Decimal, currency: str, where: str) -> int:
    from fairgate.domain.catalog.event_facts import PRICE_MINOR_MAX
    from fairgate.domain.shared.amount_text import minor_digits
    from fairgate.errors import MalformedInputError

    digits = minor_digits(currency)
    minor = value.scaleb(digits)
    if minor != minor.to_integral_value():
        have = f"at most {digits} decimals" if digits else "no decimals"
        raise MalformedInputError(f"{where} {value}: amounts in {currency} have {have}.")
    if minor > PRICE_MINOR_MAX:
        most = money(PRICE_MINOR_MAX, currency)
        raise MalformedInputError(f"{where} {value:f}: at most {most} is taken.")
    return int(minor)


def money(minor: int, currency: str) -> str:
    """Return ``45.00 EUR`` for 4500, ``4,500 JPY`` for 4500."""
    from fairgate.domain.shared.amount_text import money_text

    return money_text(minor, currency)
