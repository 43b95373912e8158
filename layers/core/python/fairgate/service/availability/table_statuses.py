"""Read a section's seats and an area's counters from the table, in the cache's form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.service.availability.apply_seat_changes import seat_status, shard_status
from fairgate.service.shared.keys import area_key, section_index
from fairgate.service.shared.records.seats import AreaShard, SeatInIndex

if TYPE_CHECKING:
    from fairgate.ports.availability import SeatStatus, ShardStatus
    from fairgate.ports.table import Table


def seats_in_table(table: Table, event: str, section: str) -> list[SeatStatus]:
    """Read every seat of a section. Consistency: the index's, behind the table by moments.

    Cost: one index query of up to 2,500 seats.
    """
    seats = table.query(SeatInIndex, section_index(event, section), index=True)
    return [seat_status(seat) for seat in seats]


def shards_in_table(table: Table, event: str, area: str, shards: int) -> list[ShardStatus]:
    """Read every counter of an area. Consistency: strong for each. Cost: one batch of reads."""
    keys = [area_key(event, area, shard) for shard in range(shards)]
    return [shard_status(shard) for shard in table.find_many(AreaShard, keys)]
