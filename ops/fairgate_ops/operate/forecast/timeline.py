"""Operational time as an edge sees it: each version of the configuration from when it arrived."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from fairgate.domain.gate.admission import operational_time, slope
from fairgate.domain.gate.gate_config import Epoch
from fairgate_ops.operate.forecast.maths import Floats, Pace

LONG_AGO_S = -1e12


@dataclass(frozen=True)
class Version:
    """The epochs of one write to the KeyValueStore, and when it was made."""

    published_s: float
    epochs: tuple[Epoch, ...]


@dataclass(frozen=True)
class Timeline:
    """H as one edge computes it: straight pieces, continuous unless the edge learned too late.

    ``begun_s`` is when the epoch of a piece began, ``starts_s`` when the edge follows it from.
    """

    starts_s: Floats
    begun_s: Floats
    levels: Floats
    slopes: Floats

    def at(self, t_s: Floats) -> Floats:
        piece = self._piece(t_s)
        h: Floats = self.levels[piece] + (t_s - self.starts_s[piece]) * self.slopes[piece]
        return h

    def slope(self, t_s: Floats) -> Floats:
        slopes: Floats = self.slopes[self._piece(t_s)]
        return slopes

    def pace(self, t_s: Floats) -> Pace:
        return Pace(self.at(t_s), self.slope(t_s), t_s - self.begun_s[self._piece(t_s)])

    def highest(self, until_s: float) -> float:
        """The most that H is at any time up to ``until_s``."""
        begun = self.starts_s <= until_s
        ends = np.minimum(np.append(self.starts_s[1:], np.inf), until_s)[begun]
        starts, levels, slopes = self.starts_s[begun], self.levels[begun], self.slopes[begun]
        return float(np.max(levels + (ends - starts) * slopes))

    def _piece(self, t_s: Floats) -> np.ndarray[tuple[int, ...], np.dtype[np.intp]]:
        return np.searchsorted(self.starts_s, t_s, side="right") - 1


def seen(versions: Sequence[Version], lag_s: float = 0.0) -> Timeline:
    """Return H as an edge has it that learns of every write ``lag_s`` late.

    What it knew first it has known for ever: nobody joins before an edge has its first value.
    """
    learned = [LONG_AGO_S, *(v.published_s + lag_s for v in versions[1:]), np.inf]
    starts: list[float] = []
    begun: list[float] = []
    levels: list[float] = []
    slopes: list[float] = []
    for version, (since, until) in zip(versions, pairwise(learned), strict=True):
        bends = [e.start_s for e in version.epochs if since < e.start_s < until]
        began = [e.start_s for e in version.epochs]
        for start in (since, *bends):
            starts.append(start)
            begun.append(max((b for b in began if b <= start), default=began[0]))
            levels.append(operational_time(version.epochs, start))
            slopes.append(slope(version.epochs, start))
    return Timeline(*(np.array(column) for column in (starts, begun, levels, slopes)))
