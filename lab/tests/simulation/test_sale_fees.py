"""Fees that staff edits in mid-sale: what is kept of them by mistake is noticed by a whole sale."""

from __future__ import annotations

from collections.abc import Sequence
from unittest.mock import patch

from fairgate.domain.orders import give_back
from fairgate.domain.orders.give_back import BoughtLine
from fairgate_lab.simulate.sale.run import run_seed

SEED = 9_697  # a buyer cancels one of several places that were bought with such a fee


def price_alone(lines: Sequence[BoughtLine], tier: str) -> int:
    return next(line.price_minor for line in lines if line.tier == tier)


def test_a_tickets_own_fee_that_is_kept_is_noticed() -> None:
    assert run_seed(SEED).failures == ()
    with patch.object(give_back, "place_price", price_alone):
        assert any("cancel-amount" in failure for failure in run_seed(SEED).failures)
