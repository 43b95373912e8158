"""Read an event's figures: one read in two seconds, however many watch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from fairgate.domain.shared.ids import EVENT_ID
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import NotFoundError, UnknownEventError
from fairgate.ports.record import DamagedItemError, decode_json
from fairgate.service.shared.keys import figures_key
from fairgate.service.shared.records.gate import FiguresRecord
from fairgate.service.watch.figures import Figures

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

KEPT_MS = 2_000
_KEPT_MAX = 64


class FigureReader:
    """Keeps each event's figures for two seconds, also that there are none.

    Consistency: as old as ``at`` says, and up to KEPT_MS more.
    """

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table, self._clock = table, clock
        self._figures: dict[str, tuple[int, Figures | None]] = {}

    def read(self, event: str) -> Figures:
        """Read the figures, ``now`` filled in. Cost: at most a read in KEPT_MS.

        Raises NotFoundError (no such event, or none were made yet), DependencyUnavailableError.
        """
        if not EVENT_ID.fullmatch(event):
            raise UnknownEventError(event)
        now_ms = self._clock.now_ms()
        read_ms, figures = self._figures.get(event, (0, None))
        if not 0 <= now_ms - read_ms < KEPT_MS:
            figures = read_kept(self._table, event)
            if len(self._figures) >= _KEPT_MAX:
                self._figures.clear()
            self._figures[event] = (now_ms, figures)
        if figures is None:
            raise NotFoundError("There is no such event, or it has no figures yet.")
        return msgspec.structs.replace(figures, now=rfc3339(now_ms))


def read_kept(table: Table, event: str) -> Figures | None:
    """Read the last figures; None: there are none, or they are damaged. Cost: one read."""
    try:
        record = table.find(FiguresRecord, figures_key(event))
        return None if record is None else decode_json(record.document, Figures)
    except (DamagedItemError, msgspec.DecodeError):  # replaced in seconds
        return None
