"""Model what a gate's H means for the waiting crowd that is counted now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.gate.admission import operational_time
from fairgate.domain.gate.controller import expected_admissions, still_waiting

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fairgate.domain.gate.controller import Cohort
    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.service.shared.records.catalog import Event

MOMENTS_S = (0, 60, 600)
_SECOND_S = 1.0
_LAST = 0.5  # if fewer are waiting, nobody is
_HORIZON_S = 7 * 86_400
_STEPS = 40  # of halving: below a second in a week


class PacePreview(Struct, frozen=True):
    """What happens to the crowd that waits now, if nobody else joins.

    Attributes:
        waiting: how many wait, about.
        per_s: admissions a second after each of MOMENTS_S seconds.
        last_in_s: seconds until the last of them is admitted; None: more than a week.
        live: live sessions at the fastest of these rates and the mean length; at most ``waiting``.
        holds_per_s: at the fastest of these rates, with one hold a session.
    """

    waiting: float
    per_s: tuple[float, ...]
    last_in_s: float | None
    live: float
    holds_per_s: float


def preview_pace(
    gate: GateConfig, sale: Event, crowd: Sequence[Cohort], from_s: float
) -> PacePreview:
    """Look ahead from ``from_s``, epoch seconds, without the capacity limit."""

    def level(after_s: float) -> float:
        return operational_time(gate.epochs, from_s + after_s)

    def waiting(after_s: float) -> float:
        h = level(after_s)
        return sum(c.count * still_waiting(h - c.h, gate.curve) for c in crowd)

    per_s = tuple(
        expected_admissions(crowd, gate.curve, level(s), level(s + _SECOND_S)) for s in MOMENTS_S
    )
    fastest = max(per_s)
    mean_s = sale.session_mean_s or sale.session_s
    return PacePreview(
        waiting=waiting(0.0),
        per_s=per_s,
        last_in_s=_first_below(waiting, _LAST),
        live=min(fastest * mean_s, waiting(0.0)),
        holds_per_s=fastest,
    )


def _first_below(falling: Callable[[float], float], bound: float) -> float | None:
    """Return when a falling function drops below the bound, in seconds."""
    low, high = 0.0, float(_HORIZON_S)
    if falling(high) >= bound:
        return None
    if falling(low) < bound:
        return low
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) >= bound else (low, middle)
    return high
