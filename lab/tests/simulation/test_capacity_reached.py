"""A sale at capacity in a simulation: vacancies go by the keys, and nobody gains by asking."""

from __future__ import annotations

import math
import statistics
from functools import cache

import pytest

from fairgate.domain.gate import capacity_reached
from fairgate.domain.gate.capacity_reached import threshold_at
from tests.support.capacity_reached import Buyer, FullSale

SEEDS = range(3)
FULL_S = 100.0  # by then the sale of these sales is full


def interval(values: list[float]) -> tuple[float, float]:
    """Return the mean and half of its 99 % interval."""
    return statistics.mean(values), 2.576 * statistics.stdev(values) / math.sqrt(len(values))


@cache
def usual(seed: int) -> FullSale:
    """The sale that most tests look at, run once for all of them; none changes it."""
    return FullSale(seed).run()


@pytest.mark.parametrize("habit", ["fast", "again"])
def test_asking_more_often_gains_nothing_at_capacity(habit: str) -> None:
    gains = [g for n in SEEDS for g in usual(n).gains(habit, after_s=FULL_S)]
    gain_s, half_s = interval(gains)
    assert len(gains) > 500
    assert half_s < 0.5
    assert gain_s <= half_s


def test_without_the_level_or_the_moment_that_a_refusal_names_asking_more_often_gains() -> None:
    """The controls: the race that it was, and the gate's two seconds of grace."""
    race = [
        g for n in SEEDS for g in FullSale(n, ordered=False).run().gains("fast", after_s=FULL_S)
    ]
    assert interval(race)[0] > 30.0
    grace = [
        g for n in SEEDS for g in FullSale(n, strict=False).run().gains("fast", after_s=FULL_S)
    ]
    assert interval(grace)[0] > 1.0


@pytest.mark.parametrize("seed", SEEDS)
def test_the_hall_stays_filled_and_never_overfilled_at_1_3_times_its_capacity(seed: int) -> None:
    sale = usual(seed)
    assert sale.filled(FULL_S, sale.crowd_s) >= 0.95
    assert max(live for _, live in sale.lives) <= sale.live_max
    assert all(buyer.admitted_s >= 0 for buyer in sale.buyers)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_small_hall_stays_filled_but_for_the_seconds_until_the_next_asks(seed: int) -> None:
    """Of ten places, one ends every six seconds, and its buyer asks every two or more."""
    sale = FullSale(seed, live_max=10).run()
    assert sale.filled(FULL_S, sale.crowd_s) >= 0.9


@pytest.mark.parametrize("seed", SEEDS)
def test_buyers_who_never_come_back_hold_up_nobody(seed: int) -> None:
    sale = FullSale(seed, gone=0.1).run()
    assert sale.filled(FULL_S, sale.crowd_s) >= 0.95


@pytest.mark.parametrize("seed", SEEDS)
def test_buyers_come_in_by_their_keys(seed: int) -> None:
    sale = FullSale(seed, robots=("again",)).run()
    order = sorted(sale.buyers, key=lambda buyer: buyer.admitted_s)
    ranks = {id(b): rank for rank, b in enumerate(sorted(sale.buyers, key=lambda b: b.key))}
    away = statistics.mean(abs(ranks[id(b)] - place) for place, b in enumerate(order))
    assert away < 0.05 * sale.live_max  # a race: as many as the sale holds, and more


@pytest.mark.parametrize(("live_max", "every_s"), [(10, 20.0), (200, 2.0), (200, 20.0)])
def test_the_level_catches_up_soon_after_the_crowd_has_gone(live_max: int, every_s: float) -> None:
    """Everyone who had been refused goes at once; those who come later meet room."""
    sale = FullSale(
        2, live_max, end_s=1000.0, crowd_s=300.0, gone_until_s=300.0, trickle=(305.0, every_s)
    ).run()
    waits = sale.waits("late")
    assert waits[0] < 60.0
    assert max(waits[round(60.0 / every_s) :]) < 2.0


@pytest.mark.parametrize("seed", SEEDS)
def test_sessions_that_end_together_and_a_changed_cap_stop_nothing(seed: int) -> None:
    bursts = FullSale(seed, bursts=True).run()
    assert bursts.filled(FULL_S, bursts.crowd_s) >= 0.95
    caps = FullSale(seed, caps=((200.0, 100), (350.0, 200))).run()
    assert caps.filled(400.0, caps.crowd_s) >= 0.95
    assert max(live for at_s, live in caps.lives if 300.0 < at_s < 350.0) <= 100


@pytest.mark.parametrize("seed", SEEDS)
def test_a_pause_keeps_the_order_of_those_who_were_refused_before_it(seed: int) -> None:
    sale = FullSale(seed, robots=("again",), paused=(200.0, 320.0)).run()
    gain_s, half_s = interval(sale.gains("again", after_s=FULL_S))
    assert gain_s <= half_s
    assert sale.filled(400.0, sale.crowd_s) >= 0.95


def robots_sooner_s(sale: FullSale) -> float:
    """Return how much sooner robots came in, of all whose turn came while nobody was let in."""
    waited: dict[str, list[float]] = {"honest": [], "again": []}
    for buyer in sale.buyers:
        if sale.away[0] < buyer.admission_s < sale.away[1]:
            waited[buyer.habit].append(sale.waited(buyer))
    return statistics.mean(waited["honest"]) - statistics.mean(waited["again"])


@pytest.mark.parametrize("away_s", [60.0, 200.0])
def test_robots_gain_nothing_by_an_outage_at_capacity(away_s: float) -> None:
    """They try again at once and come first when the house is back; turns come in their order."""
    sale = FullSale(1, robots=("again",), end_s=1300.0, away=(300.0, 300.0 + away_s)).run()
    assert robots_sooner_s(sale) < 10.0
    assert sale.filled(330.0 + away_s, sale.crowd_s) >= 0.95
    assert max(live for _, live in sale.lives) <= sale.live_max


def test_robots_gain_by_an_outage_when_silence_counts_as_an_empty_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The control: the first look after the outage believes that nobody waits."""
    monkeypatch.setattr(capacity_reached, "ALONE_S", 0.0)
    sale = FullSale(1, robots=("again",), end_s=1300.0, away=(300.0, 500.0)).run()
    assert robots_sooner_s(sale) > 20.0


def test_the_level_never_falls_and_never_passes_h(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[float, float]] = []
    ask = FullSale.ask

    def noting(sale: FullSale, buyer: Buyer, now_s: float) -> float:
        ends_s = ask(sale, buyer, now_s)
        seen.append((threshold_at(sale.level, sale.h(now_s), now_s), sale.h(now_s)))
        return ends_s

    monkeypatch.setattr(FullSale, "ask", noting)
    for sale in (
        FullSale(1),
        FullSale(1, bursts=True),
        FullSale(1, caps=((200.0, 50), (350.0, 200))),
    ):
        seen.clear()
        sale.run()
        assert all(level <= h for level, h in seen)
        levels = [level for level, _ in seen]
        assert levels == sorted(levels)
