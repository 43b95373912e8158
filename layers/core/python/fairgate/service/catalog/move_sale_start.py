"""Move an event's doors, as long as they are closed and everybody can hear of it in time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import MalformedInputError, NotFoundError, WrongStateError
from fairgate.service.catalog.edit_event import require_not_cancelled
from fairgate.service.shared.keys import event_key
from fairgate.service.shared.records.catalog import Event

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.service.gate.control_gate import GateChange, GateControl

# What caches tell of the doors: the seats' inventory for a minute, a page for 5 s and while it asks
# anew for 15 s more.
CACHES_S = 80.0


def move_sale_start(
    table: Table,
    control: GateControl,
    event: str,
    sale_start_s: int,
    *,
    starts_at: str = "",
    starts_in_s: float,
) -> GateChange:
    """Set the doors to ``sale_start_s``, epoch seconds; who waits already waits on.

    Args:
        starts_at: of the performance, if that is changed together with this; "": as it is.
        starts_in_s: how long edges take to hear of a change.

    Raises:
        NotFoundError.
        MalformedInputError: sooner than caches and edges can show it, not before the performance,
            or before the draw's beacon.
        WrongStateError: the doors are open or about to be, the sale is paused or over, or the
            event is cancelled.
    """
    sale = table.find(Event, event_key(event))
    if sale is None:
        raise NotFoundError(f"There is no event {event}. `event list` shows what there is.")
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
        gate.sale_start_s > now_s
        and sale_start_s != gate.sale_start_s
        and sale_start_s < now_s + ahead_s
    ):
        raise MalformedInputError(
            f"Doors can open from {rfc3339(round((now_s + ahead_s) * 1000))} on: until then caches"
            " and edges may tell of the time before."
        )
    _require_order(sale, sale_start_s, starts_at or sale.starts_at)
    return control.open(event, sale_start_s=sale_start_s, starts_in_s=starts_in_s)


def _require_order(sale: Event, sale_start_s: int, starts_at: str) -> None:
    """Return only if the beacon is there before doors, and they open before the performance."""
    if starts_at and sale_start_s * 1000 >= epoch_ms(starts_at):
        raise MalformedInputError(
            f"Doors have to open before the performance begins, at {starts_at}."
        )
    waits = sale.beacon is not None and not sale.beacon.value
    if sale.beacon is not None and waits and sale_start_s * 1000 < epoch_ms(sale.beacon.at):
        raise MalformedInputError(
            f"The draw's beacon is announced for {sale.beacon.at}: nobody could be drawn before"
            " it. Doors have to open after it."
        )
