"""Predict a rehearsed day by the script, with the model of ``fairgate simulate``.

Only how long sessions last is taken from the day itself, as no controller decides that.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fairgate.domain.gate.gate_config import Epoch
from fairgate.service.catalog.create_event import BACKOFF_S
from fairgate_ops.operate.forecast.assumptions import Assumptions, default_assumptions
from fairgate_ops.operate.forecast.crowd import SALE_START_S
from fairgate_ops.operate.forecast.sessions import Setting, run
from fairgate_ops.operate.forecast.setting import LOCAL_EDGES, Sale
from fairgate_ops.operate.forecast.setting import setting_of as forecast_setting

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from fairgate_ops.run.crowd.buyer import Outcome
    from fairgate_ops.run.rehearse.day.script import Script

RUNS = 8
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
    crowd, starts_in_s = script.crowd, script.sale.sale_starts_in_s
    setting = forecast_setting(
        sale_of(script, seed), assumptions_of(script, lengths_s, minutes), crowd.buyers, seed
    )
    leaves = None
    if crowd.leaves:
        middle_s = crowd.comes_after_s + crowd.arrival_s / 2 + crowd.leaves_after_s
        leaves = (round(middle_s - starts_in_s), crowd.leaves)
    return replace(setting, leaves=leaves, ends=False)


def sale_of(script: Script, seed: int) -> Sale:
    """Return the script's sale as a forecast knows it; places are not what a rehearsal lacks."""
    sale = script.sale
    # Plans begin on whole minutes, sales do not.
    start_s = SALE_START_S + seed * _MINUTE_S // RUNS
    return Sale(
        sale_start_s=start_s,
        epochs=(Epoch(start_s - 7200.0, 0.0, 0.0), Epoch(float(start_s), 0.0, 1 / sale.tau_s)),
        control="auto",
        curve=1.0,
        live_max=sale.live_max,
        session_s=sale.session_s,
        checkout_s=sale.checkout_s,
        session_mean_s=sale.session_mean_s,
        backoff_s=(BACKOFF_S[0], sale.backoff_max_s),
        sample=sale.sample,
        places=None,
        edges=LOCAL_EDGES,
    )


def assumptions_of(script: Script, lengths_s: Sequence[float], minutes: int) -> Assumptions:
    """Return what the script says of its crowd; how long sessions last is as it was seen."""
    crowd, starts_in_s = script.crowd, script.sale.sale_starts_in_s
    return default_assumptions(
        buyers=crowd.buyers,
        before_share=0.0,
        wave_share=0.0,
        before_s=max(1.0, starts_in_s),
        tail_from_s=crowd.comes_after_s + _SIGN_IN_S - starts_in_s,
        tail_s=max(1.0, crowd.arrival_s),
        gives_up_an_hour=0.0,
        lengths_s=tuple(lengths_s),
        hours=minutes / 60,
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
