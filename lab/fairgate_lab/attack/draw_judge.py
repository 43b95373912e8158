"""Was the draw kept? Admissions as guests saw them, against the published rule and nothing else."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from fairgate.domain.gate import admission

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fairgate.domain.gate.gate_config import Epoch

KS_LEVEL = 0.01  # a draw that is kept fails once in a hundred runs
LATE_P95_MAX_S = 2.0
STAMP_S = 0.05  # the edge stamps with the time at which its worker last woke, which lies before
_TERMS = 100  # of a series whose terms fall like exp(−2j²λ²)
_SERIES_FROM = 0.2  # below it the sum is 1 to more digits than anybody prints


@dataclass(frozen=True)
class Rule:
    """What is published: the line of H, the curve, and how wide the wave at the sale start is."""

    epochs: tuple[Epoch, ...]
    curve: float
    wave_s: int = 0

    def x_at(self, t_s: float, h: float) -> float:
        return max(0.0, admission.operational_time(self.epochs, t_s) - h)

    def admission_s(self, h: float, u: float) -> float:
        """Return when H reaches h + x*, in epoch seconds; infinite when it never does."""
        wanted = h + admission.admission_at(u, self.curve)
        for epoch, following in zip(self.epochs, [*self.epochs[1:], None], strict=True):
            if epoch.slope > 0 and wanted >= epoch.h:
                turn = epoch.start_s + (wanted - epoch.h) / epoch.slope
                if following is None or turn < following.start_s:
                    return turn
        return math.inf


@dataclass(frozen=True)
class Seen:
    """One guest's way in. Times in epoch seconds, on one clock with the system.

    Attributes:
        u: the lottery number that the key gives this guest.
        h: where the token's waiting began.
        asked_s: when the last attempt that was told to wait had been sent; 0: none was.
        admitted_s: when the answer came that let the guest in; infinite: none came.
        sent_on_s: when the gate, having let the guest in, asked the origin; 0: not known.
        called_s: when the token first allowed an attempt after the sale starts, under a wave.
    """

    guest: str
    u: float
    h: float
    asked_s: float
    admitted_s: float
    called_s: float = 0.0
    sent_on_s: float = 0.0

    @property
    def decided_s(self) -> float:
        """Return when the gate had decided: what waits for the origin is no part of the draw."""
        return self.sent_on_s or self.admitted_s


@dataclass(frozen=True)
class Verdict:
    """What the rule says of what was seen."""

    rule: Rule
    seen: Sequence[Seen]

    @cached_property
    def absent(self) -> list[Seen]:
        """Return who never got in."""
        return [one for one in self.seen if math.isinf(one.admitted_s)]

    @cached_property
    def early(self) -> list[Seen]:
        """Return whom the gate let in while u was not yet below P."""
        return [one for one in self._inside if one.u >= self._p_at(one.decided_s + STAMP_S, one.h)]

    @cached_property
    def passed_over(self) -> list[Seen]:
        """Return who asked after their turn and was told to wait."""
        return [one for one in self.seen if one.asked_s and one.asked_s > self._due_s(one)]

    @cached_property
    def late_s(self) -> list[float]:
        """Return the seconds from each guest's turn to the answer, in order."""
        return sorted(one.admitted_s - self._due_s(one) for one in self._inside)

    @cached_property
    def gate_late_s(self) -> list[float]:
        """Return the seconds from each guest's turn to the gate's decision, in order."""
        return sorted(one.decided_s - self._due_s(one) for one in self._inside)

    @property
    def late_p95_s(self) -> float:
        return p95(self.late_s)

    @cached_property
    def ks(self) -> tuple[float, float]:
        """Return D and p: of P at each admission, which the rule makes uniform."""
        return kolmogorov_smirnov([self._p_at(one.decided_s, one.h) for one in self._inside])

    @property
    def broken(self) -> list[str]:
        return [*self._broken()]

    def _broken(self) -> Iterator[str]:
        if self.absent:
            yield f"{len(self.absent)} guests never got in, the first {self.absent[0].guest}"
        if self.early:
            yield f"{len(self.early)} guests got in early, the first {self.early[0].guest}"
        if self.passed_over:
            first = self.passed_over[0].guest
            yield f"{len(self.passed_over)} guests were put off after their turn, the first {first}"
        if self._inside and self.ks[1] < KS_LEVEL:
            d, p = self.ks
            yield f"admissions are not as the rule draws them: D = {d:.4f}, p = {p:.4g}"
        if self._inside and self.late_p95_s > LATE_P95_MAX_S:
            yield f"p95 of the answers is {self.late_p95_s:.2f} s after the turn"

    @cached_property
    def _inside(self) -> list[Seen]:
        return [one for one in self.seen if not math.isinf(one.admitted_s)]

    def _p_at(self, t_s: float, h: float) -> float:
        return admission.admission_probability(self.rule.x_at(t_s, h), self.rule.curve)

    def _due_s(self, one: Seen) -> float:
        admission_s = self.rule.admission_s(one.h, one.u)
        return max(admission_s, one.called_s) if self.rule.wave_s else admission_s


def p95(ordered: Sequence[float]) -> float:
    """Take the smallest of the ordered values that 95 % do not exceed; infinite of none."""
    return ordered[max(0, math.ceil(0.95 * len(ordered)) - 1)] if ordered else math.inf


def kolmogorov_smirnov(values: Sequence[float]) -> tuple[float, float]:
    """Return D of values that should be uniform in [0, 1], and the chance of as large a D.

    The chance is Kolmogorov's limit, at (√n + 0.12 + 0.11/√n)·D as small samples need it.
    Source: M. A. Stephens, "EDF Statistics for Goodness of Fit", JASA 69 (1974), section 2.
    """
    n = len(values)
    d = max(
        max((place + 1) / n - value, value - place / n)
        for place, value in enumerate(sorted(values))
    )
    root = math.sqrt(n)
    return d, kolmogorov_tail((root + 0.12 + 0.11 / root) * d)


def kolmogorov_tail(lam: float) -> float:
    """Return the chance that Kolmogorov's limit is at least ``lam``: 2 Σ (−1)^(j−1) e^(−2j²λ²)."""
    if lam < _SERIES_FROM:
        return 1.0
    terms = ((-1) ** (j - 1) * math.exp(-2.0 * (j * lam) ** 2) for j in range(1, _TERMS))
    return min(1.0, max(0.0, 2.0 * math.fsum(terms)))
