"""Write an amount of money with the decimals of the payment provider.

The tables of a language (CLDR) are not used: they say how people round, and they change, so a page
and a mail could differ a hundredfold. ``edge/web/assets/js/format.js`` does the same.
"""

from __future__ import annotations

# Currencies whose minor unit is not a hundredth. Source: ISO 4217, list one, minor units; and MGA,
# whose minor unit is a fifth and which providers charge whole (Stripe, "Supported currencies").
_NONE = "BIF CLP DJF GNF ISK JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF"
_THREE = "BHD IQD JOD KWD LYD OMR TND"
_DIGITS = dict.fromkeys(_NONE.split(), 0) | dict.fromkeys(_THREE.split(), 3)


def minor_digits(currency: str) -> int:
    """Return how many decimals an amount has: 2 for EUR, 0 for JPY, 3 for KWD."""
    return _DIGITS.get(currency, 2)


def amount_text(minor: int, currency: str) -> str:
    """Return ``45.00`` for 4500 cents, ``4,500`` for 4500 yen."""
    digits = minor_digits(currency)
    whole, rest = divmod(abs(minor), 10**digits)
    sign = "-" if minor < 0 else ""
    return f"{sign}{whole:,}" + (f".{rest:0{digits}d}" if digits else "")


def money_text(minor: int, currency: str) -> str:
    """Return ``45.00 EUR`` for 4500 cents, ``4,500 JPY`` for 4500 yen; "": not known."""
    return f"{amount_text(minor, currency)} {currency}" if currency else f"{minor} (minor units)"
