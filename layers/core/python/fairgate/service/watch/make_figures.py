"""Make an event's figures every ten seconds: one item that all watchers read.

Every part is made by itself. If a part fails, or stalls until its share of the time is over, keep
its old values and attach the error.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from msgspec import Struct

from fairgate.deadline import each, left_s, within
from fairgate.domain.gate.pace import KEPT_FROM_S
from fairgate.domain.shared.times import epoch_ms
from fairgate.errors import FairgateError
from fairgate.ports.record import decode_json
from fairgate.ports.table import Update
from fairgate.service.shared.keys import figures_key, figures_memory_key
from fairgate.service.shared.readable import find_readable
from fairgate.service.shared.records.gate import FiguresMemory
from fairgate.service.watch.count_seats import count_seats
from fairgate.service.watch.figures import Act, Figures, Part
from fairgate.service.watch.gate_parts import act_part, edge_part, gate_part, key_part
from fairgate.service.watch.history import keep_point
from fairgate.service.watch.look import Look
from fairgate.service.watch.read_figures import read_kept
from fairgate.service.watch.room_part import room_part
from fairgate.service.watch.sale_parts import Trail, desk_part, sale_part
from fairgate.service.watch.sections import SeatCounts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.shared.records.catalog import Event
    from fairgate.service.watch.look import Asked

KEPT_S = 30 * 86_400
WRITE_S = 0.5  # of the time is reserved for writing, whatever stalls
AFTER_CLOSE_S = 7_200  # sessions end, refunds are sent, and operators see that it is closed
_HISTORY = "history"
T = TypeVar("T")
_log = logging.getLogger(__name__)


def is_shown(sale: Event, now_s: float) -> bool:
    """Say whether an event's figures are made: until two hours after it was closed or cancelled.

    An event that was closed before its sale start counts as closed at the sale start.
    """
    if sale.state != "closed":
        return True
    ends = [float(start) for start, _h, _slope in sale.epochs_log if float(start) < KEPT_FROM_S]
    if sale.cancelled_at:
        ends.append(epoch_ms(sale.cancelled_at) / 1000)
    return now_s < max(ends, default=0.0) + AFTER_CLOSE_S


class Memory(SeatCounts):
    """What is kept from one run to the next.

    Attributes:
        trail: the tally at several times of the last minutes.
        point_due_ms: from when on the history's next point can be due; 0: not known.
    """

    trail: list[Trail] = msgspec.field(default_factory=list)
    point_due_ms: int = 0


class FigureMaker(Struct, frozen=True):
    """Makes figures.

    Cost: three reads; a query for each partition of live counters, of the tally and of the sampled
        crowd, one of the log, a few of sections; a batch for each hundred counters of areas; two
        writes; a read and a write more for each point of the history.
    """

    table: Table
    clock: Clock

    def make(self, sale: Event) -> Figures:
        """Make and write the figures. Raises DependencyUnavailableError: the old ones stay."""
        before = read_kept(self.table, sale.id) or Figures(event=sale.id, name=sale.name, at="")
        memory = self._memory(sale.id)
        look = Look(self.table, sale, self.clock.now_ms(), before)
        made: dict[str, Part] = {}
        makers: Mapping[str, Callable[[], Part]] = {
            "gate": lambda: gate_part(look, _pace(made, before)),
            "room": lambda: room_part(look),
            "sale": lambda: sale_part(look, memory.trail, made.get("seats", before.seats)),
            "seats": lambda: count_seats(look, memory),
            "edges": lambda: edge_part(look),
            "desk": lambda: desk_part(look),
            "keys": lambda: key_part(look),
            "acts": lambda: act_part(look),
        }
        shared: dict[str, Asked[Any]] = {"sessions": look.sessions, "value": look.value}
        if sale.counted:
            shared["tally"] = look.tally
        # Parts that other parts use come first.
        order = ("acts", "seats", "room", "sale", "gate", "edges", "keys", "desk")
        with within(max(0.0, left_s() - WRITE_S)):
            # Shared answers have shares of the time of their own, so that no part loses its share.
            for name in each([*shared, *order, _HISTORY]):
                if name in shared:
                    shared[name].ask()
                elif name != _HISTORY:
                    made[name] = _made(makers[name], getattr(before, name))
                else:
                    figures = Figures(event=sale.id, name=sale.name, at=look.now, **made)  # type: ignore[arg-type]
                    self._keep_point(sale, figures, memory)
        self._keep(figures, memory, look.now_ms)
        return figures

    def _memory(self, event: str) -> Memory:
        record = find_readable(self.table, FiguresMemory, figures_memory_key(event))
        return Memory() if record is None else _decoded(record.document, Memory) or Memory()

    def _keep_point(self, sale: Event, figures: Figures, memory: Memory) -> None:
        """Add to the history what is due; a point that cannot be kept is a gap."""
        try:
            memory.point_due_ms = keep_point(self.table, sale, figures, memory.point_due_ms)
        except Exception:  # noqa: BLE001 the figures do not depend on it
            _log.exception("no point of the history of %s is kept", figures.event)
            memory.point_due_ms = 0

    def _keep(self, figures: Figures, memory: Memory, now_ms: int) -> None:
        ttl = now_ms // 1000 + KEPT_S
        for key, document, more in (
            (figures_memory_key(figures.event), memory, {}),
            (figures_key(figures.event), figures, {"atMs": now_ms}),
        ):
            body = {"document": msgspec.json.encode(document).decode(), "ttl": ttl, **more}
            self.table.update(Update("reservations", *key, set=body))


def _made(make: Callable[[], Part], before: Part) -> Part:
    """Make a part. On an error, keep the old value and attach the error."""
    try:
        return make()
    except FairgateError as error:
        return msgspec.structs.replace(before, error=error.detail)
    except Exception as error:  # noqa: BLE001 a defect of one part must not stop the others
        return msgspec.structs.replace(before, error=f"cannot be read: {type(error).__name__}")


def _pace(made: Mapping[str, Part], before: Figures) -> Act | None:
    pace: Act | None = getattr(made.get("acts", before.acts), "pace", None)
    return pace


def _decoded(document: str, kind: type[T]) -> T | None:
    """Decode a kept document; None: another version wrote something else."""
    try:
        return decode_json(document, kind)
    except msgspec.DecodeError:
        return None
