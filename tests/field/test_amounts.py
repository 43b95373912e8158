"""What the payment provider takes, known when an event is created and not at its sale start."""

from __future__ import annotations

import re

import pytest

from fairgate.domain.orders.charge_limits import charge_problem, step_problem

CHARGES = [
    # price, currency, fees (order, ticket), places; why it is refused
    (4_500, "EUR", (0, 0), 10, ""),
    (50, "EUR", (0, 0), 1, ""),
    (10, "EUR", (0, 0), 10, "one place costs 0.10 EUR with its fees, .* no less than 0.50"),
    (1, "EUR", (0, 0), 10, "no less than 0.50"),
    (10, "EUR", (40, 0), 10, ""),  # with the fee of its order it can be paid
    (10, "EUR", (0, 40), 10, ""),
    (1_500, "JPY", (0, 0), 10, ""),
    (49, "JPY", (0, 0), 10, "no less than 50"),
    (29, "GBP", (0, 0), 1, "no less than 0.30"),
    (17_499, "HUF", (0, 0), 1, "no less than 175.00"),
    (99_999_999, "EUR", (0, 0), 1, ""),
    (99_999_999, "EUR", (0, 0), 2, "2 places cost 1,999,999.98 EUR .* no more than 999,999.99"),
    (9_999_990, "EUR", (0, 0), 10, ""),
    (9_999_990, "EUR", (0, 1), 10, ""),
    (9_999_990, "EUR", (100, 0), 10, "no more than 999,999.99"),
    (100_000_000, "IDR", (0, 0), 40, ""),
    (100_000, "ISK", (0, 0), 10, "no more than 999,999"),
    (1, "XXX", (0, 0), 1, ""),  # nothing is known of it
]
STEPS = [
    (12_500, "KWD", True),
    (12_501, "KWD", False),
    (12_505, "KWD", False),
    (4_501, "EUR", True),
]


@pytest.mark.parametrize(("price", "currency", "fees", "places", "why"), CHARGES)
def test_the_cheapest_place_and_the_largest_basket_can_be_paid(
    price: int, currency: str, fees: tuple[int, int], places: int, why: str
) -> None:
    order, ticket = fees
    found = charge_problem(
        [price], currency, fee_order_minor=order, fee_ticket_minor=ticket, places=places
    )
    assert re.search(why, found) if why else not found


@pytest.mark.parametrize(("amount", "currency", "taken"), STEPS)
def test_the_last_of_three_decimals_is_0(amount: int, currency: str, taken: bool) -> None:
    assert (step_problem(amount, currency) == "") is taken
