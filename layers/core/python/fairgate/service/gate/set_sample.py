"""Set the share of refused attempts that the edge forwards to the risk desk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from fairgate.domain.gate.gate_value import WAVED
from fairgate.errors import MalformedInputError, WrongStateError

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.service.gate.control_gate import GateChange, GateControl


def set_sample_violations(control: GateControl, event: str, share: float) -> GateChange:
    """Forward this share of refused attempts to the desk.

    Raises:
        MalformedInputError: not from 0 to 1.
        NotFoundError, VersionConflictError, DependencyUnavailableError.
        WrongStateError: the value's format cannot store it.
    """
    if not 0.0 <= share <= 1.0:
        raise MalformedInputError("--sample-violations is a share from 0 to 1.")

    def change(gate: GateConfig) -> GateConfig:
        if gate.version < WAVED:
            raise WrongStateError(
                f"{event}'s gate value has an older format, which cannot store"
                " --sample-violations. `event upgrade` brings it up to date."
            )
        return replace(gate, sample_violations=share)

    return control.change_rules(event, change)
