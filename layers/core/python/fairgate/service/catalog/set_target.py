"""Set how many sessions may be live: the controller's target and the origin's limit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from fairgate.errors import MalformedInputError
from fairgate.service.shared.change import Write
from fairgate.service.shared.event_update import change_event, event_update
from fairgate.service.shared.records.catalog import Event

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

LIVE_MAX = 10_000_000
MEAN_LEAST_S = 10  # as at the creation

Control = Literal["manual", "auto"]


class Target(Struct, frozen=True):
    live_max: int
    control: Control


class TargetChange(Struct, frozen=True):
    before: Target
    after: Target


def set_target(
    table: Table,
    clock: Clock,
    event: str,
    live_max: int,
    *,
    control: Control | None = None,
    dry_run: bool = False,
) -> TargetChange:
    """Limit live sessions to ``live_max`` from now on; ``control`` None: as it is.

    The origin applies it within five seconds, the controller with its next plan.

    Raises:
        MalformedInputError: not 1 to LIVE_MAX.
        NotFoundError: there is no such event.
        VersionConflictError: others kept changing the event.

    Cost: one read, one conditional write.
    """
    if not 1 <= live_max <= LIVE_MAX:
        raise MalformedInputError(f"A target is 1 to {LIVE_MAX:,} sessions at once.")

    def decide(sale: Event) -> Write[TargetChange]:
        before = Target(sale.live_max, sale.control)
        after = Target(live_max, control or before.control)
        done = TargetChange(before, after)
        if dry_run or after == before:
            return Write(done)
        changes = {"liveMax": after.live_max, "control": after.control}
        return Write(done, [event_update(sale, changes)])

    return change_event(table, clock, event, decide)


class MeanChange(Struct, frozen=True):
    """The expected length of a session in seconds, before and after; 0: the longest allowed."""

    before: float
    after: float


def set_session_mean(
    table: Table, clock: Clock, event: str, mean_s: int, *, dry_run: bool = False
) -> MeanChange:
    """Set the expected mean length of sessions, until the controller has seen some end.

    Raises:
        MalformedInputError: neither 0 nor 10 s to the limit of a session.
        NotFoundError: there is no such event.
        VersionConflictError: others kept changing the event.

    Cost: one read, one conditional write.
    """

    def decide(sale: Event) -> Write[MeanChange]:
        if mean_s and not MEAN_LEAST_S <= mean_s <= sale.session_s:
            raise MalformedInputError(
                f"--session-mean-s is {MEAN_LEAST_S} to {sale.session_s}, or 0 for the longest."
            )
        done = MeanChange(sale.session_mean_s, mean_s)
        if dry_run or done.before == done.after:
            return Write(done)
        return Write(done, [event_update(sale, {"sessionMeanS": mean_s})])

    return change_event(table, clock, event, decide)
