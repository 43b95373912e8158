"""Model who comes when: most before the sale starts, then a wave and a tail."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fairgate_ops.operate.forecast.maths import Floats

SALE_START_S = 1_800_000_000  # a whole minute; only differences matter
BEFORE_S = 3600.0  # the waiting room is open for an hour before the sale starts
SHARE_BEFORE, SHARE_WAVE = 0.7, 0.2  # the rest is the tail
WAVE_S = 20.0  # mean of how long after the sale starts those of the wave come
TAIL_S = 3600.0


@dataclass(frozen=True)
class Arrivals:
    """Shares of the crowd, and the moments between which they come."""

    before: float = SHARE_BEFORE
    wave: float = SHARE_WAVE

    def draw(self, buyers: int, rng: np.random.Generator) -> Floats:
        """Epoch seconds of joining, sorted."""
        group = rng.random(buyers)
        # More come the nearer the sale start is; the square root of an even number does that.
        early = SALE_START_S - BEFORE_S * (1.0 - np.sqrt(rng.random(buyers)))
        wave = SALE_START_S + rng.exponential(WAVE_S, buyers)
        tail = SALE_START_S + TAIL_S * rng.random(buyers)
        at = np.where(group < self.before, early, tail)
        at = np.where((group >= self.before) & (group < self.before + self.wave), wave, at)
        return np.sort(at)
