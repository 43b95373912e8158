"""Store an event's gate in another format that all of its readers know.

Readers know their own format and the one before. Writers keep the format of a value: only this
module changes it, so deployment and value may be upgraded in any order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from fairgate.domain.gate.gate_config import SAMPLE_VIOLATIONS, VERSION, VERSION_BEFORE
from fairgate.domain.gate.gate_value import WAVED
from fairgate.errors import WrongStateError

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.service.gate.control_gate import GateChange, GateControl


def upgrade_gate(control: GateControl, event: str, version: int, *, deployed: int) -> GateChange:
    """Store the gate in the format ``version``, which may also be the one before.

    Args:
        deployed: the newest format that all of the deployment reads.

    Raises:
        NotFoundError.
        WrongStateError: the deployment does not read that format.
    """
    if version not in (deployed, deployed - 1):
        raise WrongStateError(
            f"The deployment reads the formats {deployed - 1} and {deployed} of a gate's value, not"
            f" {version}. Deploy this version first, then try again."
        )
    return control.change_rules(event, lambda gate: _in_format(gate, version))


def _in_format(gate: GateConfig, version: int) -> GateConfig:
    """Return the gate in a format. The one before has no wave and no share of violations."""
    if version < WAVED:
        gate = replace(gate, wave_s=0, sample_violations=SAMPLE_VIOLATIONS)
    return replace(gate, version=version)


def first_format(deployed: int) -> int:
    """Return the newest format that writer and readers know. Raises WrongStateError: none."""
    if deployed < VERSION_BEFORE:
        raise WrongStateError(
            f"The deployment reads the formats {deployed - 1} and {deployed} of a gate's value;"
            f" this tool writes {VERSION_BEFORE} and {VERSION}. Use that of the deployment."
        )
    return min(VERSION, deployed)
