"""Make the figures of an event's waiting room and of its live sessions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from fairgate.domain.gate.admission import operational_time
from fairgate.domain.gate.capacity_reached import FORGOTTEN_S
from fairgate.domain.gate.controller import still_waiting
from fairgate.domain.shared.session import live_from
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.service.gate.count_crowd import sampled_cohorts
from fairgate.service.gate.look_at_room import mean_wait_s
from fairgate.service.shared.keys import admission_threshold_key, controller_memory_key
from fairgate.service.shared.readable import find_readable
from fairgate.service.shared.records.gate import ControllerMemory
from fairgate.service.shared.records.sessions import AdmissionThresholdRecord
from fairgate.service.watch.figures import RoomFigures

if TYPE_CHECKING:
    from fairgate.service.watch.look import Look

_NINETY_FIVE = 1.96  # standard deviations
_MINUTE_S = 60
_STAYS_MIN = 1.0  # ended sessions that a mean needs


def room_part(look: Look) -> RoomFigures:
    """Raises NotFoundError, DependencyUnavailableError."""
    per_s, over_s = _admitted(look)
    joined, waiting, error = _crowd(look)
    threshold = look.table.find(AdmissionThresholdRecord, admission_threshold_key(look.sale.id))
    return RoomFigures(
        at=look.now,
        joined=joined,
        waiting=waiting,
        waiting_error=error,
        wait_s=mean_wait_s(look.gate, waiting, look.now_s),
        live=look.sessions().live,
        live_max=look.sale.live_max,
        admitted_per_s=per_s,
        admitted_over_s=over_s,
        refused_full=_refused_full(look, threshold),
        stay_s=_stay_s(look, threshold),
    )


def _admitted(look: Look) -> tuple[float, float]:
    """Count the sessions opened since at least a whole minute, by when they were to end."""
    ends_ms = look.now_ms + look.sale.session_s * 1000
    minute = live_from(rfc3339(ends_ms - _MINUTE_S * 1000))
    over_s = (ends_ms - epoch_ms(f"{minute}:00.000Z")) / 1000
    return look.sessions().opened_from(minute) / over_s, over_s


def _crowd(look: Look) -> tuple[int | None, int | None, int | None]:
    """Estimate how many joined and how many wait, and the error of the latter.

    One part of the error is the sample's, the other is the chance of the draw. Buyers who left
    count as waiting.
    """
    share = look.gate.sample_queue
    if share <= 0:
        return None, None, None
    h = operational_time(look.gate.epochs, look.now_s)
    joined = waiting = 0.0
    variance = (1 - share) / share**2  # as if one waiting buyer were not counted
    for cohort in sampled_cohorts(look.table, look.sale.id):
        waits = still_waiting(h - cohort.h, look.gate.curve)
        count = cohort.count / share
        joined += count
        waiting += count * waits
        variance += cohort.count * waits**2 * (1 - share) / share**2 + count * waits * (1 - waits)
    return round(joined), round(waiting), math.ceil(_NINETY_FIVE * math.sqrt(variance))


def _refused_full(look: Look, threshold: AdmissionThresholdRecord | None) -> int:
    """Return how many admitted buyers wait for capacity, as far as that is known."""
    if (
        threshold is None
        or threshold.follows
        or abs(look.now_s - threshold.at_ms / 1000) > FORGOTTEN_S
    ):
        return 0
    return round(threshold.pending)


def _stay_s(look: Look, threshold: AdmissionThresholdRecord | None) -> float | None:
    """Return the mean length of sessions, by the controller or the admission threshold."""
    memory = find_readable(look.table, ControllerMemory, controller_memory_key(look.sale.id))
    seen = [(memory.spent_s, memory.ended)] if memory is not None else []
    seen += [(threshold.watched_s, threshold.ended)] if threshold is not None else []
    return next((spent / ended for spent, ended in seen if ended >= _STAYS_MIN), None)
