"""Farms with the desk off and on, and honest buyers at the same addresses, in small."""

from __future__ import annotations

import numpy as np
import pytest

from fairgate.domain.gate.edge_header import EdgeWord
from fairgate_lab.simulate.gate import farms
from fairgate_lab.simulate.gate.farms import Desk
from fairgate_lab.simulate.gate.inflated import Counted
from fairgate_lab.simulate.gate.sale import hold_sale, steady_epochs
from fairgate_ops.operate.forecast.crowd import SALE_START_S
from fairgate_ops.operate.forecast.shop import EVENT

BUYERS = 40_000
SIZES = (10, 1_000)


@pytest.fixture(scope="module")
def sale():
    return hold_sale(BUYERS, curve=1.0, mode="a", seed=2, versions=steady_epochs(1.0))


@pytest.fixture(scope="module")
def found(sale):
    return {one["accounts"]: one for one in farms.farms(sale, SIZES)}


@pytest.mark.parametrize("size", SIZES)
def test_an_account_of_a_farm_gains_nothing_when_the_desk_is_off(found, size):
    for way in ("obeys", "desk off"):
        seat = found[size][way]["seat_probability_gain"]
        assert seat["low"] <= 0.0 <= seat["high"]
        assert seat["high"] - seat["low"] < 0.005


@pytest.mark.parametrize("size", SIZES)
def test_a_farm_that_asks_every_second_loses_when_the_desk_is_on(found, size):
    watched = found[size]["desk on"]
    assert watched["seat_probability_gain"]["mean"] < 0.0
    assert watched["seats"] < found[size]["desk off"]["seats"]
    assert watched["sooner_s"]["high"] < -60.0
    assert watched["locked_out"] > 0.9


@pytest.mark.parametrize("size", SIZES)
def test_no_honest_buyer_is_flagged_who_shares_a_farms_addresses(found, size):
    assert found[size]["desk on"]["campus_seen"] > 10
    assert found[size]["desk on"]["campus_flagged"] == 0


def test_honest_buyers_were_flagged_for_their_address_by_the_rule_before(found):
    before = found[1_000]["before"]
    assert before["campus_flagged"] > before["campus_seen"] / 2


def test_the_desk_of_the_simulation_decides_as_the_one_that_ships():
    room, rng = Counted(), np.random.default_rng(3)
    room.clock.ms = (SALE_START_S + 60) * 1000
    modelled = Desk()
    levels = []
    for _ in range(150):
        room.clock.ms += int(rng.integers(1, 20_000))
        now_s = room.clock.ms // 1000
        user = f"u{rng.integers(0, 12)}"
        word = EdgeWord("early", f"198.51.100.{rng.integers(1, 3)}")
        shipped = room.desk.receive(EVENT, room.gate, user, word)
        weight = 1 / word.share(room.gate)
        modelled.receive(now_s, user, word.address, word.verdict, weight)
        assert modelled.level(now_s, user) == shipped.level
        levels.append(shipped.level)
    assert set(levels) == {0, 1, 2}
