"""What the payment provider takes, known when an event is created and not at its sale start."""

from __future__ import annotations

import re
from argparse import ArgumentTypeError, Namespace
from typing import Any

import pytest

from fairgate.domain.orders.charge_limits import charge_problem, step_problem
from fairgate.errors import MalformedInputError
from fairgate_ops.operate.cli.kinds import rate_bp, tau_s, whole_s
from fairgate_ops.operate.cli.money import amount, in_minor_units

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


TYPED = [
    # typed, currency; minor units, or why it is refused
    ("45.00", "EUR", 4_500),
    ("45", "EUR", 4_500),
    ("45.5", "EUR", 4_550),
    ("0.07", "EUR", 7),
    ("45.000", "EUR", 4_500),
    ("45.005", "EUR", "at most 2 decimals"),
    ("45,00", "EUR", "write 45 or 45.00"),
    ("1.234,50", "EUR", "write 45 or 45.00"),
    ("1,234.50", "EUR", "write 45 or 45.00"),
    ("45 EUR", "EUR", "write 45 or 45.00"),
    ("4e3", "EUR", "write 45 or 45.00"),
    ("-1", "EUR", "write 45 or 45.00"),
    ("\u0664\u0665", "EUR", "write 45 or 45.00"),
    ("", "EUR", "write 45 or 45.00"),
    (".5", "EUR", "write 45 or 45.00"),
    ("1000000", "EUR", 100_000_000),
    ("1000000.01", "EUR", "at most 1,000,000.00 EUR"),
    ("1500", "JPY", 1_500),
    ("1500.0", "JPY", 1_500),
    ("15.5", "JPY", "JPY have no decimals"),
    ("12.505", "KWD", 12_505),  # refused by what the provider takes
    ("12.50", "KWD", 12_500),
]
RATES = [
    ("19%", 1_900),
    ("19", 1_900),
    ("19 %", 1_900),
    ("7.5%", 750),
    ("0", 0),
    ("100%", 10_000),
    ("0.19%", 19),
    ("0.19", "two ways"),
    ("1900", "more than 100 %"),
    ("-1", "write 19%"),
    ("19,5%", "write 19%"),
    ("7.555%", "write 19%"),
]
DURATIONS = [
    ("600", 600),
    ("600s", 600),
    ("10min", 600),
    ("10m", 600),
    ("1h30min", 5_400),
    ("1.5h", 5_400),
    ("", "10min"),
    ("10 min", "10min"),
    ("ten", "10min"),
    ("-5", "10min"),
    ("nan", "10min"),
    ("0.5", "whole number of seconds"),
]


def read(kind: Any, text: str) -> Any:
    try:
        return kind(text)
    except (ArgumentTypeError, MalformedInputError) as refused:
        return str(refused)


@pytest.mark.parametrize(("text", "currency", "expected"), TYPED)
def test_an_amount_is_read_as_people_write_it(text: str, currency: str, expected: object) -> None:
    def minor(typed: str) -> Any:
        options = Namespace(price_all=amount(typed), price=[("t", amount(typed))], other=3)
        in_minor_units(options, currency)
        assert options.price == [("t", options.price_all)]
        return options.price_all

    found = read(minor, text)
    assert found == expected if isinstance(expected, int) else str(expected) in found


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        *((rate_bp, *row) for row in RATES),
        *((whole_s, *row) for row in DURATIONS),
        (tau_s, "10min", 600),
        (tau_s, "0", "not 1 to 10,000,000 seconds"),
        (tau_s, "inf", "not 1 to 10,000,000 seconds"),
    ],
)
def test_a_rate_and_a_duration_are_read_as_people_write_them(
    kind: Any, text: str, expected: object
) -> None:
    found = read(kind, text)
    assert found == expected if isinstance(expected, int) else str(expected) in found
