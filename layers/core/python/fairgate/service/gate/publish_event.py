"""Publish a draft at a time: from then on lists, pages and gate show it as any other event.

draft, for ever ──publish──► draft, until a time ──the time──► open

No timer ends it: the gate's value has the time, and each reader compares it with the clock.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from msgspec.structs import replace

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import MalformedInputError, WrongStateError

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.service.gate.control_gate import GateChange, GateControl


def publish_event(
    control: GateControl, event: str, at_s: int | None = None, *, starts_in_s: float
) -> GateChange:
    """Publish the event at ``at_s``, epoch seconds; None: as soon as every edge knows.

    A publication to come is moved.

    Args:
        starts_in_s: how long a change takes to reach every edge.

    Raises:
        NotFoundError.
        MalformedInputError: too soon for every edge, or the sale would have started before.
        WrongStateError: it is published, or will be before every edge can have another time.
    """
    now_s = control.clock.now_ms() / 1000
    known_s = math.ceil(now_s + starts_in_s)
    moment_s = known_s if at_s is None else at_s
    if moment_s < known_s:
        raise MalformedInputError(
            f"It can be published from {rfc3339(known_s * 1000)} on, so that every edge has it."
        )

    def publish(gate: GateConfig) -> GateConfig:
        if gate.state != "draft":
            raise WrongStateError(f"{event} is published already.", state=gate.state)
        to_come_s = gate.open_until_s
        if 0 < to_come_s < known_s:
            raise WrongStateError(
                f"{event} is published at {rfc3339(to_come_s * 1000)}, too soon for every edge to"
                " get another time.",
                state="draft",
            )
        if gate.sale_start_s < moment_s:
            raise MalformedInputError(
                f"Its sale starts at {rfc3339(gate.sale_start_s * 1000)}, before it would be"
                f" published at {rfc3339(moment_s * 1000)}: nobody could wait for it. First"
                f" `event edit {event} --sale-starts-at TIME`."
            )
        return replace(gate, open_until_s=moment_s)

    return control.change_rules(event, publish)
