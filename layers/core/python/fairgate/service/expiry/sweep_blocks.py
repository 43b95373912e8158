"""Free the house seats whose time has come to the sale."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from fairgate.domain.shared.times import rfc3339
from fairgate.service.expiry.swept import STOP_MS, Swept, Teller
from fairgate.service.house.free_seats import SeatFreer

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.shared.records.catalog import Event
    from fairgate.service.shared.records.house import HouseBlock


class BlockSweep(Struct, frozen=True):
    """Frees blocks that are due; the next run goes on with what one has no time for.

    Cost: a query for each event that is not closed, of some 20 bytes a blocked seat.

    Attributes:
        left_ms: returns how much time the run has left.
    """

    table: Table
    clock: Clock
    left_ms: Callable[[], int]

    def sweep(self, event: Event) -> Swept:
        swept = Swept(event.id)
        if event.state == "closed":
            return swept
        freer = SeatFreer(self.table, self.clock, self._is_due)
        blocks = freer.blocks(event.id)
        for key in blocks.damaged:
            swept = Teller(self.table, self.clock).unreadable(swept, f"house block {key.sk}")
        for block in filter(self._is_due, blocks.records):
            try:
                freed = freer.free(event.id, block.id)
            except Exception as error:  # noqa: BLE001 one block holds no other one up
                what = f"house block {block.id}"
                swept = Teller(self.table, self.clock).failed(swept, what, error)
            else:
                places = len(freed.seats) + sum(freed.areas.values())
                swept = replace(swept, freed=swept.freed + places)
        return swept

    def _is_due(self, block: HouseBlock) -> bool:
        due = "" < block.until <= rfc3339(self.clock.now_ms())
        return due and not block.is_empty and self.left_ms() > STOP_MS
