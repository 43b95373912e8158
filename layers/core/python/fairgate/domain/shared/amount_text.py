"""Show an amount of money where no library of locales is at hand."""

from __future__ import annotations

# Digits behind the point where they are not two, as CLDR has them: `fairgate` and browsers show
# the same. Source: CLDR 47, supplemental data, currencyData/fractions; a test compares with Babel.
_NONE = (
    "AFN ALL BIF CLP DJF GNF IQD IRR ISK JPY KMF KPW KRW LAK LBP MGA MMK PYG RSD RWF SOS SYP UGX"
    " VND VUV XAF XOF XPF YER"
)
_THREE = "BHD JOD KWD LYD OMR TND"
_DIGITS = dict.fromkeys(_NONE.split(), 0) | dict.fromkeys(_THREE.split(), 3)


def amount_text(minor: int, currency: str) -> str:
    """Return ``45.00`` for 4500 cents, ``4,500`` for 4500 yen."""
    digits = _DIGITS.get(currency, 2)
    return f"{minor / 10**digits:,.{digits}f}"
