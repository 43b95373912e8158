"""Plan changes of a gate's pace for later, and give them up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.domain.gate.gate_config import ADMITTING
from fairgate.domain.gate.pace import planned, slope_of, unplanned
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import MalformedInputError
from fairgate.service.gate.control_gate import must_be

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.service.gate.control_gate import GateChange, GateControl

AHEAD_MAX_S = 7 * 86_400.0


def plan_tau(
    control: GateControl, event: str, tau_s: float, at_s: float, *, lead_s: float
) -> GateChange:
    """Change the pace at ``at_s``, epoch seconds, and leave what is planned for later.

    Args:
        lead_s: how long a change takes to reach every edge.

    Raises:
        NotFoundError.
        MalformedInputError: before the sale start, too soon for every edge, or too far ahead.
        WrongStateError: nobody is admitted now.
        LimitExceededError: too many changes are still to come.
    """
    slope = slope_of(tau_s)
    now_s = control.clock.now_ms() / 1000
    known_s, last_s = now_s + lead_s, now_s + AHEAD_MAX_S
    if not known_s <= at_s <= last_s:
        first, last = (rfc3339(round(s * 1000)) for s in (known_s, last_s))
        raise MalformedInputError(
            f"A change can be planned from {first}, when every edge has it, up to {last}."
        )

    def change(gate: GateConfig) -> GateConfig:
        must_be(gate, event, *ADMITTING)
        return planned(gate, at_s, slope, now_s)

    return control.change_rules(event, change)


def cancel_plans(control: GateControl, event: str, *, lead_s: float) -> GateChange:
    """Cancel every planned change of the pace that starts after all edges can have this.

    The pace of the sale start stays.

    Raises: NotFoundError, WrongStateError.
    """
    now_s = control.clock.now_ms() / 1000

    def change(gate: GateConfig) -> GateConfig:
        must_be(gate, event, *ADMITTING)
        return unplanned(gate, now_s + lead_s, now_s)

    return control.change_rules(event, change)
