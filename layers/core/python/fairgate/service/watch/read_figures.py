"""Read what operators watch of an event: one read in some seconds, however many watch."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

import msgspec

from fairgate.domain.shared.ids import EVENT_ID
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import NotFoundError, UnknownEventError
from fairgate.ports.record import DamagedItemError, decode_json
from fairgate.service.shared.keys import figures_key, figures_memory_key, history_key
from fairgate.service.shared.readable import find_readable
from fairgate.service.shared.records.gate import FiguresMemory, FiguresRecord, HistoryRecord
from fairgate.service.watch.figures import Figures
from fairgate.service.watch.history import History, columns_of, decoded
from fairgate.service.watch.sections import SeatCounts, Sections, sections_of

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

KEPT_MS, HISTORY_MS, SECTIONS_MS = 2_000, 10_000, 10_000
_KEPT_MAX = 64
T = TypeVar("T", Figures, History, Sections)


class _Reader(Generic[T]):
    """Keeps each event's answer for ``kept_ms``, also that there is none.

    Consistency: as old as the answer says, and up to ``kept_ms`` more.
    """

    kept_ms: ClassVar[int]

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table, self._clock = table, clock
        self._answers: dict[str, tuple[int, T | None]] = {}

    def read(self, event: str) -> T:
        """Read the answer, ``now`` filled in. Cost: at most a read in ``kept_ms``.

        Raises NotFoundError (no such event, or none were made yet), DependencyUnavailableError.
        """
        if not EVENT_ID.fullmatch(event):
            raise UnknownEventError(event)
        now_ms = self._clock.now_ms()
        read_ms, found = self._answers.get(event, (0, None))
        if not 0 <= now_ms - read_ms < self.kept_ms:
            found = self._find(event)
            if len(self._answers) >= _KEPT_MAX:
                self._answers.clear()
            self._answers[event] = (now_ms, found)
        if found is None:
            raise NotFoundError("There is no such event, or it has no figures yet.")
        return msgspec.structs.replace(found, now=rfc3339(now_ms))

    def _find(self, event: str) -> T | None:
        raise NotImplementedError


class FigureReader(_Reader[Figures]):
    kept_ms = KEPT_MS

    def _find(self, event: str) -> Figures | None:
        return read_kept(self._table, event)


class HistoryReader(_Reader[History]):
    kept_ms = HISTORY_MS

    def _find(self, event: str) -> History | None:
        record = find_readable(self._table, HistoryRecord, history_key(event))
        kept = None if record is None else decoded(record)
        return None if kept is None else columns_of(event, kept)


class SectionReader(_Reader[Sections]):
    """Reads the counts from what the maker of the figures remembers: they need no further write."""

    kept_ms = SECTIONS_MS

    def _find(self, event: str) -> Sections | None:
        try:
            record = self._table.find(FiguresMemory, figures_memory_key(event))
            counts = None if record is None else decode_json(record.document, SeatCounts)
        except (DamagedItemError, msgspec.DecodeError):  # replaced in seconds
            return None
        return None if counts is None else sections_of(event, counts)


def read_kept(table: Table, event: str) -> Figures | None:
    """Read the last figures; None: there are none, or they are damaged. Cost: one read."""
    try:
        record = table.find(FiguresRecord, figures_key(event))
        return None if record is None else decode_json(record.document, Figures)
    except (DamagedItemError, msgspec.DecodeError):  # replaced in seconds
        return None
