"""Log in the operators' log what the controller does: a changed pace, and the end of a sale."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.service.gate.operator_log import OperatorLog

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.gate.control_gate import GateControl
    from fairgate.service.gate.plan_admission import Planned

CONTROLLER = "the controller"
SAME = 0.02  # a smaller change of the pace is not logged, so a steady sale adds no lines


def log_plan(table: Table, clock: Clock, control: GateControl, planned: Planned) -> bool:
    """Log old and new pace and the start of a plan; say whether it was logged.

    This adds at most one line a minute, and none while the pace stays within ``SAME``. The gate's
    value is in its history, not in the line.

    Raises: NotFoundError (no gate), VersionConflictError, DependencyUnavailableError.

    Cost: one read, a query of the log, a conditional write.
    """
    before, after = planned.slope_before, planned.slope
    if before is None or after is None or abs(after - before) <= SAME * max(after, before):
        return False
    log = OperatorLog.of(table, clock, planned.event, control.read(planned.event))
    detail = {
        "tau_s_before": _tau_s(before),
        "tau_s": _tau_s(after),
        "starts_at": planned.starts_at,
        "live": planned.live,
    }
    log.append(CONTROLLER, "plan", "done", detail)
    return True


def end_sale(table: Table, clock: Clock, control: GateControl, event: str) -> None:
    """Close an event whose sale has ended, and log it.

    Raises: NotFoundError (no gate), WrongStateError, DependencyUnavailableError.
    """
    changed = control.close(event)
    log = OperatorLog.of(table, clock, event, changed.after)
    log.append(CONTROLLER, "close", "done", {"as": "ended"}, changed.after)


def _tau_s(slope: float) -> float | None:
    """Return the pace in seconds; None: nobody is admitted."""
    return float(f"{1 / slope:.4g}") if slope else None
