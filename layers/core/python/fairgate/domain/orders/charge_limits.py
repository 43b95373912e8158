"""Say which amounts the payment provider takes.

Source: Stripe, "Supported currencies": "Three-decimal currencies", "Minimum and maximum charge
amounts".
"""

from __future__ import annotations

from collections.abc import Iterable

from fairgate.domain.shared.amount_text import amount_text

# In minor units, of an account that is paid out in the same currency.
_LEAST = {
    **dict.fromkeys(["AUD", "BRL", "CAD", "CHF", "EUR", "INR", "NZD", "SGD", "USD"], 50),
    **dict.fromkeys(["AED", "MYR", "PLN", "RON"], 200),
    **dict.fromkeys(["NOK", "SEK"], 300),
    **dict.fromkeys(["MXN", "THB"], 1_000),
    "BGN": 100,
    "CZK": 1_500,
    "DKK": 250,
    "GBP": 30,
    "HKD": 400,
    "HUF": 17_500,
    "JPY": 50,
}
# The last of three decimals must be 0.
_STEPS = dict.fromkeys(["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"], 10)
# Eight digits; amounts of the last two are sent a hundredfold.
_MOST = {"IDR": 999_999_999_999, "ISK": 999_999, "UGX": 999_999}
_MOST_ELSE = 99_999_999


def step_minor(currency: str) -> int:
    """Return of what every amount must be a multiple, in minor units."""
    return _STEPS.get(currency, 1)


def step_problem(amount_minor: int, currency: str) -> str:
    """Return what is wrong with the digits of a price or fee; "": nothing."""
    if amount_minor % step_minor(currency) == 0:
        return ""
    return "must end in 0: the payment provider takes no third decimal of this currency"


def charge_problem(
    prices_minor: Iterable[int],
    currency: str,
    *,
    fee_order_minor: int,
    fee_ticket_minor: int,
    places: int,
) -> str:
    """Return why the cheapest place or the dearest basket cannot be paid; "": both can.

    Args:
        prices_minor: of all tiers.
        places: the most of one order.
    """
    prices = sorted(prices_minor)
    if not prices:
        return ""
    least = _LEAST.get(currency, 1)
    most = _MOST.get(currency, _MOST_ELSE)
    cheapest = prices[0] + fee_ticket_minor + fee_order_minor
    dearest = places * (prices[-1] + fee_ticket_minor) + fee_order_minor
    if cheapest < least:
        return (
            f"one place costs {amount_text(cheapest, currency)} {currency} with its fees, and the"
            f" payment provider takes no less than {amount_text(least, currency)}"
        )
    if dearest > most:
        return (
            f"{places} places cost {amount_text(dearest, currency)} {currency} with their fees, and"
            f" the payment provider takes no more than {amount_text(most, currency)} at once"
        )
    return ""
