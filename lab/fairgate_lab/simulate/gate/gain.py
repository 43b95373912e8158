"""What a strategist has over an identical honest buyer, with its 95 % confidence interval."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairgate_ops.operate.forecast.maths import Floats

_Z_95 = 1.959963984540054  # the normal distribution's 97.5 % point


@dataclass(frozen=True)
class Interval:
    """An estimate and the ends of its 95 % confidence interval."""

    mean: float
    low: float
    high: float

    def as_json(self) -> dict[str, float]:
        return {"mean": self.mean, "low": self.low, "high": self.high}


@dataclass(frozen=True)
class Gain:
    """``seat``: difference of the probability of a seat. ``sooner_s``: how much earlier in, of
    pairs who both got one. Positive is better for the strategist.
    """

    pairs: int
    honest: float
    seat: Interval
    sooner_s: Interval

    def as_json(self) -> dict[str, Any]:
        return {
            "pairs": self.pairs,
            "honest_seat_probability": self.honest,
            "seat_probability_gain": self.seat.as_json(),
            "sooner_s": self.sooner_s.as_json(),
        }


def compare(honest_s: Floats, strategist_s: Floats, sold_out_s: float) -> Gain:
    """Pair by pair: the same person, arrival and first lottery number, honest and not."""
    honest, strategist = honest_s < sold_out_s, strategist_s < sold_out_s
    seat = paired_shares(
        won=int((strategist & ~honest).sum()),
        lost=int((honest & ~strategist).sum()),
        pairs=honest.size,
    )
    both = honest & strategist
    sooner = mean_interval(honest_s[both] - strategist_s[both])
    return Gain(honest.size, float(honest.mean()), seat, sooner)


def paired_shares(*, won: int, lost: int, pairs: int) -> Interval:
    """Difference of two paired shares, by Agresti and Min: half a case more in each cell.

    It has a width even when no pair differs.
    Source: Agresti and Min, Simple improved confidence intervals for comparing matched
    proportions, Statistics in Medicine 24 (2005), 729–740.
    """
    b, c, n = won + 0.5, lost + 0.5, pairs + 2.0
    spread = _Z_95 * math.sqrt((b + c) - (b - c) ** 2 / n) / n
    middle = (b - c) / n
    return Interval((won - lost) / pairs, middle - spread, middle + spread)


def mean_interval(values: Floats) -> Interval:
    """Mean by the normal approximation; of nothing, zero."""
    if values.size < 2:  # noqa: PLR2004 a spread needs two
        return Interval(0.0, 0.0, 0.0)
    mean = float(np.mean(values))
    spread = _Z_95 * float(np.std(values, ddof=1)) / math.sqrt(values.size)
    return Interval(mean, mean - spread, mean + spread)
