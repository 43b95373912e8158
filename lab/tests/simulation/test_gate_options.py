"""Farms against each option that an organiser may set, in small."""

from __future__ import annotations

import numpy as np
import pytest

from fairgate_lab.simulate.gate import options
from fairgate_lab.simulate.gate.options import OPTIONS
from fairgate_lab.simulate.gate.sale import SEATS_SHARE, hold_sale, steady_epochs

BUYERS, ACCOUNTS = 40_000, 4_000


@pytest.fixture(scope="module")
def found():
    sale = hold_sale(BUYERS, curve=1.0, mode="a", seed=2, versions=steady_epochs(1.0, times=4.0))
    return {one["option"]: one for one in options.options(sale, (ACCOUNTS,))}


def test_without_an_option_each_account_of_a_farm_is_a_draw_like_any_other(found):
    fair = ACCOUNTS * SEATS_SHARE * BUYERS / (BUYERS + ACCOUNTS)
    assert abs(found["none"]["baskets"] - fair) < 2 * found["none"]["within"]


@pytest.mark.parametrize("name", [name for name, option in OPTIONS.items() if option.farm < 1])
def test_a_farm_has_as_many_draws_as_accounts_that_may_come_in(found, name):
    """Who may come in has a better chance, as others are kept out."""
    option = OPTIONS[name]
    fair = option.farm * ACCOUNTS * found[name]["honest_chance"]
    assert abs(found[name]["baskets"] - fair) <= 2 * found[name]["within"]
    assert found[name]["kept_out"] == pytest.approx(1 - option.honest)
    assert found[name]["honest_chance"] > found["none"]["honest_chance"]


@pytest.mark.parametrize("name", [name for name, option in OPTIONS.items() if option.a_source > 1])
def test_a_shared_address_or_card_has_one_basket(found, name):
    assert found[name]["baskets"] <= ACCOUNTS / OPTIONS[name].a_source
    assert found[name]["baskets"] < found["none"]["baskets"] - found["none"]["within"]


def test_an_address_that_is_spelt_in_another_way_each_time_limits_nothing(found):
    evades = found["one address, a letter more each time"]
    assert abs(evades["baskets"] - found["none"]["baskets"]) < 2 * evades["within"]


def test_of_accounts_that_share_a_source_the_first_buys():
    came = np.array([[3.0, 1.0, 2.0, np.inf, 5.0]])
    bought = options._limited(came, 3)
    assert bought.tolist() == [[np.inf, 1.0, np.inf, np.inf, 5.0]]
