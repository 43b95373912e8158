"""Store an event's gate in another format, once everything that reads it knows that format.

Readers know their own format and the one before; writers leave a value in the format that it has.
A deployment and a value may thus come in either order: only this changes a value's format.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fairgate.domain.gate.gate_config import VERSION, VERSION_BEFORE, Signed
from fairgate.domain.gate.gate_value import TIMED
from fairgate.domain.gate.key_ring import made_at_s
from fairgate.errors import WrongStateError

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.ports.world import Clock
    from fairgate.service.gate.control_gate import GateChange, GateControl


def upgrade_gate(
    control: GateControl, clock: Clock, event: str, version: int, *, deployed: int
) -> GateChange:
    """Store the gate in the format ``version``, which may be the one before: to go back.

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
    now_s = clock.now_ms() // 1000
    return control.change_keys(event, lambda gate: _in_format(gate, version, now_s))


def _in_format(gate: GateConfig, version: int, now_s: int) -> GateConfig:
    """Return the gate with the times that its format has; what nobody noted ended now at last."""
    if gate.version == version:
        return gate
    if version < TIMED:
        return replace(gate, version=version, token_signed={})
    ended = {
        kid: Signed(0, now_s)
        for kid in gate.token_keys
        if kid != gate.token_kid and made_at_s(kid) <= made_at_s(gate.token_kid)
    }
    signed = gate.token_signed if gate.version >= TIMED else ended
    return replace(gate, version=version, token_signed=signed)


def first_format(deployed: int) -> int:
    """Return the format of a new value: the newest that writer and readers both know.

    Raises:
        WrongStateError: there is none.
    """
    if deployed < VERSION_BEFORE:
        raise WrongStateError(
            f"The deployment reads the formats {deployed - 1} and {deployed} of a gate's value;"
            f" this tool writes {VERSION_BEFORE} and {VERSION}. Use that of the deployment."
        )
    return min(VERSION, deployed)
