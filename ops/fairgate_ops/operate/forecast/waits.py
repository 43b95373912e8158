"""Count how long those waited who came in, by when they came. The wait ends as a session opens."""

from __future__ import annotations

import numpy as np

from fairgate_ops.operate.forecast.maths import Floats, Ints

COHORT_S = 10  # who joins within it is counted together; the first has all who came before
# When they came, in seconds after the sale start; the first group has those who came before it.
GROUPS_S = (0, COHORT_S, 60, 300, 900, 3600)
GROUPS = ("before the start", "first minute", "to 5 min", "to 15 min", "to 1 h", "later")


class Waits:
    """The waits of a sale, in whole seconds from the sale start or from a later arrival.

    Who of those that are due polls first is not simulated: each is as likely as the others.
    """

    def __init__(self, seconds: int) -> None:
        starts = np.arange(seconds // COHORT_S + 1) * COHORT_S
        self._came = np.where(starts > 0, starts + COHORT_S // 2, 0)
        self._group = np.searchsorted(GROUPS_S, starts, side="right") - 1
        self._due = np.zeros(starts.size)
        self._waited = np.zeros((len(GROUPS), seconds + 1))

    @property
    def due(self) -> int:
        """Return how many have reached their moment of admission, and are not inside yet."""
        return round(float(self._due.sum()))

    def step(self, second: int, due: Ints, opened: int) -> None:
        """Take in who is due now, by cohort, and how many sessions open."""
        self._due[: due.size] += due
        whole = float(self._due.sum())
        if not opened or whole <= 0:
            return
        some = np.flatnonzero(self._due)
        taken = self._due[some] * min(1.0, opened / whole)
        self._due[some] -= taken
        waited = np.maximum(0, second - self._came[some])
        np.add.at(self._waited, (self._group[some], waited), taken)

    def counts(self) -> list[float]:
        """Return how many came in, by group."""
        return [float(one) for one in self._waited.sum(axis=1)]

    def quantiles(self, shares: tuple[float, ...], group: int | None = None) -> list[int] | None:
        """Return after how many seconds these shares were in; None: nobody came in."""
        waited = self._waited.sum(axis=0) if group is None else self._waited[group]
        in_by: Floats = np.cumsum(waited)
        whole = in_by[-1]
        if whole < 0.5:  # noqa: PLR2004 counts are expectations
            return None
        # The last: half a buyer is nobody.
        goals = [min(share * whole, whole - 0.5) for share in shares]
        return [int(np.searchsorted(in_by, goal)) for goal in goals]
