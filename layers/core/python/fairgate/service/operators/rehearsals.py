"""Keep which simulated crowds were asked for, and how far each is.

asked ──a program brings it──► running ──all have gone, or the sale is closed──► ended
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.shared.times import rfc3339
from fairgate.ports.table import Update
from fairgate.service.shared.keys import REHEARSALS, rehearsal_key
from fairgate.service.shared.records.operators import Rehearsal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

ASKED, RUNNING, ENDED = "asked", "running", "ended"
_KEPT_S = 30 * 86_400


class Rehearsals(Struct, frozen=True):
    """The crowds of all rehearsals. One program at a time brings them."""

    table: Table
    clock: Clock

    def ask(self, event: str, of: str, *, buyers: int, script: str, by: str) -> None:
        """Ask for a crowd at ``event``, a copy of ``of``; asked again, the last one counts.

        Cost: a write.
        """
        now_ms = self.clock.now_ms()
        asked = {
            "of": of,
            "buyers": buyers,
            "script": script,
            "by": by,
            "at": rfc3339(now_ms),
            "ttl": now_ms // 1000 + _KEPT_S,
        }
        self._write(event, asked | {"state": ASKED, "arrived": 0, "tickets": 0, "gone": 0})

    def note(self, event: str, state: str, *, arrived: int, tickets: int, gone: int) -> None:
        """Note how far its crowd is. Cost: a write."""
        self._write(event, {"state": state, "arrived": arrived, "tickets": tickets, "gone": gone})

    def all(self) -> list[Rehearsal]:
        """Read every one; strongly consistent. Cost: a query."""
        return self.table.query(Rehearsal, REHEARSALS)

    def find(self, event: str) -> Rehearsal | None:
        """Read that of a copy; None: the event is no rehearsal. Cost: a read."""
        return self.table.find(Rehearsal, rehearsal_key(event))

    def _write(self, event: str, values: Mapping[str, object]) -> None:
        self.table.update(Update("reservations", *rehearsal_key(event), set=values))
