"""Apply changes to a cache again after a short failure, instead of leaving that to the queue.

The queue delivers again after its visibility time-out, which is minutes. If the cache is back after
a second, the map would be minutes old without need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.service.availability.apply_seat_changes import Applied, apply_seat_changes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from fairgate.ports.availability import AvailabilityCache
    from fairgate.ports.world import Clock

PATIENCE_S = 10.0
FIRST_PAUSE_S, PAUSE_MAX_S = 0.1, 2.0


def apply_patiently(
    cache: AvailabilityCache,
    records: Sequence[tuple[str, Mapping[str, Any]]],
    clock: Clock,
    *,
    wait: Callable[[float], object],
    patience_s: float,
) -> Applied:
    """Apply a batch, and retry what the cache did not take, for ``patience_s`` at most.

    ``cache_gone`` stays set after the first failure, even if everything is applied in the end.
    """
    bodies = dict(records)
    total = apply_seat_changes(cache, records, clock)
    pause_s, left_s = FIRST_PAUSE_S, min(patience_s, PATIENCE_S)
    while left_s >= pause_s and (again := _not_taken(total)):
        wait(pause_s)
        left_s, pause_s = left_s - pause_s, min(2 * pause_s, PAUSE_MAX_S)
        some = apply_seat_changes(cache, [(m, bodies[m]) for m in again], clock)
        total.failed = total.malformed + total.defective + some.failed
        total.defective += some.defective
        total.defects += some.defects
        total.malformed += some.malformed
        total.reasons |= some.reasons
        total.applied += some.applied
        total.ages_ms += some.ages_ms
    return total


def _not_taken(outcome: Applied) -> list[str]:
    """Return the failed messages that a retry may help: not malformed or defective ones."""
    hopeless = {*outcome.malformed, *outcome.defective}
    return [message for message in outcome.failed if message not in hopeless]
