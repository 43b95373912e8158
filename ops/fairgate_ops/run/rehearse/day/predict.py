"""Predict a rehearsed day: the simulator's controller and room, with the settings of the script.

Only how long sessions last is taken from the day itself, as no controller decides that.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fairgate.service.catalog.create_event import BACKOFF_S
from fairgate_ops.operate.forecast.crowd import SALE_START_S
from fairgate_ops.operate.forecast.sessions import Edge, Setting, run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate_ops.run.crowd.buyer import Outcome
    from fairgate_ops.run.rehearse.day.script import Script

RUNS = 8
_EDGE = Edge(1.0, 1.0)  # the local edge has a value within a second
_MINUTE_S = 60
_SIGN_IN_S = 1.0  # from a buyer's coming to its place in the room


@dataclass(frozen=True)
class Predicted:
    """How many shop in the mean of some minutes, in several simulated days."""

    means: tuple[float, ...]

    @property
    def mean(self) -> float:
        return sum(self.means) / len(self.means)

    def allows(self, mean: float, within: float) -> bool:
        """Say whether a day with this mean is no further off than chance and ``within`` allow."""
        return min(self.means) - within <= mean <= max(self.means) + within


def predict(script: Script, outcomes: Sequence[Outcome]) -> list[Predicted]:
    """Return what the simulator shows for the minutes of each expectation, in RUNS runs."""
    lengths, expected = session_lengths_s(script, outcomes), script.expected
    if not lengths or not expected:
        return []
    minutes = math.ceil(max(each.to_min for each in expected))
    days = [run(setting_of(script, lengths, minutes, seed)).live for seed in range(RUNS)]
    found = []
    for each in expected:
        first, last = (_second(script, minute) for minute in (each.from_min, each.to_min))
        found.append(Predicted(tuple(_mean(live[max(0, first) : max(0, last)]) for live in days)))
    return found


def setting_of(script: Script, lengths_s: Sequence[float], minutes: int, seed: int) -> Setting:
    """Return the script's sale and crowd as the simulator's setting."""
    sale, crowd = script.sale, script.crowd
    chance = np.random.default_rng(seed)
    comes_s = crowd.comes_after_s + crowd.arrival_s * chance.random(crowd.buyers) + _SIGN_IN_S
    believed_s = sale.session_mean_s or sale.session_s
    leaves = None
    if crowd.leaves:
        middle_s = crowd.comes_after_s + crowd.arrival_s / 2 + crowd.leaves_after_s
        leaves = (round(middle_s - sale.sale_starts_in_s), crowd.leaves)
    return Setting(
        crowd.buyers,
        sale.live_max,
        minutes=minutes,
        seed=seed,
        sample=sale.sample,
        leave_per_s=0.0,
        edges=(_EDGE,),
        session_believed=believed_s / float(np.mean(lengths_s)),
        first_tau_s=sale.tau_s,
        backoff_s=(BACKOFF_S[0], sale.backoff_max_s),
        before_s=math.ceil(sale.sale_starts_in_s),
        sale_start_s=SALE_START_S
        + seed * _MINUTE_S // RUNS,  # plans begin on whole minutes, sales do not
        comes_s=tuple((comes_s - sale.sale_starts_in_s).tolist()),
        lengths_s=tuple(lengths_s),
        leaves=leaves,
    )


def session_lengths_s(script: Script, outcomes: Sequence[Outcome]) -> list[float]:
    """Return how long each session lasted; who walked off leaves it to run out."""
    return [
        outcome.inside_s + (_left_s(script, outcome) if outcome.walked_off else 0.0)
        for outcome in outcomes
        if outcome.inside_s > 0
    ]


def _left_s(script: Script, outcome: Outcome) -> float:
    if any(step == "checkout" for step, _ in outcome.steps):
        return script.sale.checkout_s
    return max(0.0, script.sale.session_s - outcome.inside_s)


def _second(script: Script, minute: float) -> int:
    """Return the simulator's second: it begins at the sale start."""
    return round(minute * 60 - script.sale.sale_starts_in_s)


def _mean(live: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> float:
    return float(live.mean()) if live.size else 0.0
