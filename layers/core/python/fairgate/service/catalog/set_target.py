"""Set how many may shop at once: the controller meets this target, the origin never exceeds it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from fairgate.errors import MalformedInputError, NotFoundError, VersionConflictError
from fairgate.ports.table import TransactionRefusedError
from fairgate.service.shared.event_update import event_update
from fairgate.service.shared.keys import event_key
from fairgate.service.shared.records.catalog import Event

if TYPE_CHECKING:
    from fairgate.ports.table import Table

LIVE_MAX = 10_000_000
ATTEMPTS_MAX = 8

Control = Literal["manual", "auto"]


@dataclass(frozen=True, slots=True)
class Target:
    live_max: int
    control: Control


@dataclass(frozen=True, slots=True)
class TargetChange:
    """A change of the target: what was written, or would have been."""

    before: Target
    after: Target


def set_target(
    table: Table,
    event: str,
    live_max: int,
    *,
    control: Control | None = None,
    dry_run: bool = False,
) -> TargetChange:
    """Bound live sessions to ``live_max`` from now on; ``control`` None leaves it who steers.

    The origin heeds it within five seconds, the controller with its next plan.

    Raises:
        MalformedInputError: not 1 to LIVE_MAX.
        NotFoundError: there is no such event.
        VersionConflictError: others kept changing the event.

    Cost: one read, one conditional write.
    """
    if not 1 <= live_max <= LIVE_MAX:
        raise MalformedInputError(f"A target is 1 to {LIVE_MAX:,} sessions at once.")
    for _ in range(ATTEMPTS_MAX):
        sale = table.find(Event, event_key(event))
        if sale is None:
            raise NotFoundError(f"There is no event {event}. `event list` shows what there is.")
        before = Target(sale.live_max, sale.control)
        after = Target(live_max, control or before.control)
        if dry_run or after == before:
            return TargetChange(before, after)
        update = event_update(sale, {"liveMax": after.live_max, "control": after.control})
        try:
            table.update(update)
        except TransactionRefusedError:
            continue
        return TargetChange(before, after)
    raise VersionConflictError(f"Others keep changing {event}. Please try again.")
