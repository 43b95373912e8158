"""Move the sale start of an event, before the sale starts and if everybody can see it in time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from msgspec.structs import replace

from fairgate.domain.gate.pace import last_slope, with_sale_start
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import MalformedInputError, WrongStateError
from fairgate.service.catalog.edit_event import require_not_cancelled
from fairgate.service.shared.event_update import read_event

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.ports.table import Table
    from fairgate.service.gate.control_gate import GateChange, GateControl
    from fairgate.service.shared.records.catalog import Event

# How long caches show an old sale start: the seats' inventory for a minute, a page for 5 s and for
# 15 s more while it is refreshed.
CACHES_S = 80.0


def move_sale_start(
    table: Table,
    control: GateControl,
    event: str,
    sale_start_s: int,
    *,
    ends_at: str = "",
    starts_in_s: float,
) -> GateChange:
    """Set the sale start to ``sale_start_s``, epoch seconds. Waiting buyers keep their places.

    Args:
        ends_at: when the sale ends, if that changes as well; "": as it is.
        starts_in_s: how long a change takes to reach every edge.

    Raises:
        NotFoundError.
        MalformedInputError: too soon for caches and edges, not before the sale ends, or before
            the draw's beacon.
        WrongStateError: the sale has started or is about to, is paused or over, or the event is
            cancelled.
    """
    sale = read_event(table, event)
    require_not_cancelled(sale)
    now_s = control.clock.now_ms() / 1000
    ahead_s = max(CACHES_S, starts_in_s)
    gate = control.read(event)
    if gate.state == "paused":
        raise WrongStateError(
            f"{event} is paused. `event resume` sets it going; `event open --at` does both.",
            state="paused",
        )
    if (
        gate.state != "draft"
        and gate.sale_start_s > now_s
        and sale_start_s != gate.sale_start_s
        and sale_start_s < now_s + ahead_s
    ):
        raise MalformedInputError(
            f"The sale can start from {rfc3339(round((now_s + ahead_s) * 1000))} on: until then"
            " caches and edges may show the earlier time."
        )
    _require_order(sale, sale_start_s, ends_at or sale.ends_at)
    if gate.state == "draft":
        return control.change_rules(event, lambda gate: _moved_draft(gate, sale_start_s, now_s))
    return control.open(event, sale_start_s=sale_start_s, starts_in_s=starts_in_s)


def _moved_draft(gate: GateConfig, sale_start_s: int, now_s: float) -> GateConfig:
    """Return a draft with another sale start, also after its own: nobody has a place to keep.

    Raises MalformedInputError: it would be published after the sale start.
    """
    if sale_start_s < max(now_s, gate.open_until_s):
        earliest = rfc3339(math.ceil(max(now_s, gate.open_until_s)) * 1000)
        raise MalformedInputError(f"The sale can start from {earliest} on.")
    still = replace(gate, sale_start_s=sale_start_s, epochs=gate.epochs[:1])
    return with_sale_start(still, sale_start_s, last_slope(gate), now_s)


def _require_order(sale: Event, sale_start_s: int, ends_at: str) -> None:
    """Raise MalformedInputError unless beacon, sale start and sale end are in this order."""
    if ends_at and sale_start_s * 1000 >= epoch_ms(ends_at):
        raise MalformedInputError(f"The sale has to start before it ends, at {ends_at}.")
    waits = sale.beacon is not None and not sale.beacon.value
    if sale.beacon is not None and waits and sale_start_s * 1000 < epoch_ms(sale.beacon.at):
        raise MalformedInputError(
            f"The draw's beacon is announced for {sale.beacon.at}: nobody could be drawn before"
            " it. The sale has to start after it."
        )
