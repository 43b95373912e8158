"""Lines of invoices and credit notes add up, in amounts and in VAT."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fairgate.domain.orders.document_lines import (
    AmountLine,
    BilledPlace,
    by_rate,
    credit_lines,
    invoice_lines,
)
from fairgate.domain.orders.give_back import place_parts
from fairgate.domain.orders.order import Line, line_vats
from fairgate.domain.orders.vat import included_vat, vat_share

RATES = st.sampled_from([0, 700, 1_900, 2_500])
LINES = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 9_999), RATES), min_size=1, max_size=4)


def billed(bought: list[tuple[int, int, int]]) -> tuple[list[Line], list[AmountLine]]:
    lines = [
        Line(f"T{n}", f"t{n}", q, price, "tickets", bp) for n, (q, price, bp) in enumerate(bought)
    ]
    lines.append(Line("Fee per order", "", 1, 123, "fee", 1_900))
    places = [
        BilledPlace(f"{line.tier} {seat}", line.tier, 1)
        for line in lines
        if line.kind == "tickets"
        for seat in range(line.quantity)
    ]
    return lines, invoice_lines(lines, places)


def test_each_place_has_a_line_and_each_fee() -> None:
    lines = [Line("Stalls", "s", 3, 999, "tickets", 1_900), Line("Fee", "", 1, 100, "fee", 700)]
    places = [BilledPlace("Table 4", "s", 2), BilledPlace("A-1", "s", 1)]
    assert invoice_lines(lines, places) == [
        AmountLine("Table 4", 2, 1_998, 1_900, 319),
        AmountLine("A-1", 1, 999, 1_900, 160),
        AmountLine("Fee", 1, 100, 700, 7),
    ]


def test_vat_is_rounded_once_a_rate_and_not_once_a_line() -> None:
    """Three tiers at 0.10: 0.016 of VAT each is 0.02, and three times 0.02 is not that of 0.30."""
    lines = [Line(name, name, 1, 10, "tickets", 1_900) for name in ("a", "b", "c")]
    places = [BilledPlace(name, name, 1) for name in ("a", "b", "c")]
    assert [one.vat_minor for one in invoice_lines(lines, places)] == [2, 1, 2]
    assert included_vat(30, 1_900) == 5


def test_a_tier_whose_places_are_not_known_is_one_line() -> None:
    lines = [Line("Stalls", "s", 3, 999, "tickets", 1_900)]
    assert [one.label for one in invoice_lines(lines, [BilledPlace("A-1", "s", 1)])] == ["Stalls"]


@given(LINES)
def test_an_invoice_adds_up_to_its_order_in_amount_and_vat(
    bought: list[tuple[int, int, int]],
) -> None:
    lines, found = billed(bought)
    assert sum(one.amount_minor for one in found) == sum(n.quantity * n.price_minor for n in lines)
    for rate in {one.vat_bp for one in found}:
        own = [one for one in found if one.vat_bp == rate]
        whole = sum(one.amount_minor for one in own)
        assert sum(one.vat_minor for one in own) == included_vat(whole, rate)
    assert sum(line_vats(lines)) == sum(one.vat_minor for one in found)
    assert all(0 <= one.vat_minor <= one.amount_minor for one in found)


@given(LINES, st.lists(st.integers(1, 5_000), max_size=6))
def test_credit_notes_of_everything_give_back_all_vat(
    bought: list[tuple[int, int, int]], parts: list[int]
) -> None:
    _, invoice = billed(bought)
    whole, before = sum(one.amount_minor for one in invoice), list[AmountLine]()
    left = whole
    for part in parts:
        amount = min(part, left)
        back = credit_lines(invoice, before, amount, "Refund", {})
        assert sum(one.amount_minor for one in back) == amount
        assert all(one.vat_minor >= 0 for one in back)
        before, left = [*before, *back], left - amount
    before += credit_lines(invoice, before, left, "Refund", {})
    for rate in {one.vat_bp for one in invoice}:
        given_back = [one for one in before if one.vat_bp == rate]
        taken = [one for one in invoice if one.vat_bp == rate]
        assert sum(one.amount_minor for one in given_back) == sum(o.amount_minor for o in taken)
        assert sum(one.vat_minor for one in given_back) == sum(one.vat_minor for one in taken)


def test_a_place_goes_back_at_its_own_rates() -> None:
    lines = [
        Line("Concert", "c", 1, 10_000, "tickets", 700),
        Line("Dinner", "d", 1, 10_000, "tickets", 1_900),
        Line("Fee per ticket", "", 2, 100, "fee", 700),
    ]
    invoice = invoice_lines(lines, [])
    dinner = by_rate(lines, place_parts(lines, "d", 1))
    assert dinner == {700: 100, 1_900: 10_000}
    back = credit_lines(invoice, [], 10_100, "Refund", dinner)
    assert [(one.vat_bp, one.amount_minor) for one in back] == [(700, 100), (1_900, 10_000)]
    kept = credit_lines(invoice, [], 5_050, "Refund", dinner)  # the rest is kept
    assert [(one.vat_bp, one.amount_minor) for one in kept] == [(700, 50), (1_900, 5_000)]
    again = credit_lines(invoice, back, 10_050, "Refund", dinner)  # more than is left of it
    assert [(one.vat_bp, one.amount_minor) for one in again] == [(700, 10_050)]


def test_the_share_of_nothing_is_nothing() -> None:
    assert vat_share(0, 0, 0) == 0
    assert (vat_share(19, 0, 119), vat_share(19, 119, 119)) == (0, 19)
