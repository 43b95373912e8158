"""Read a section's seats and an area's counters from the table, in the cache's form.

A damaged item does not hide others. A damaged seat is missing, so nobody sees it as available. A
damaged counter has no places left at version 0, so any change of it replaces that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from msgspec import Struct

from fairgate.ports.availability import SeatStatus, ShardStatus
from fairgate.service.availability.apply_seat_changes import seat_status, shard_status
from fairgate.service.shared.keys import area_key, section_index
from fairgate.service.shared.readable import find_many_readable, read_readable
from fairgate.service.shared.records.seats import AreaShard, SeatInIndex

if TYPE_CHECKING:
    from fairgate.ports.table import Table

S = TypeVar("S", SeatStatus, ShardStatus)


class InTable(Struct, Generic[S], frozen=True):
    """Units of the table, and the partition keys of damaged ones."""

    units: list[S]
    damaged: list[str]


def seats_in_table(table: Table, event: str, section: str) -> InTable[SeatStatus]:
    """Read every seat of a section. Consistency: the index's, a moment behind the table.

    Cost: one index query of up to 2,500 seats; two where one is damaged.
    """
    read = read_readable(table, SeatInIndex, section_index(event, section), index=True)
    units, damaged = [], [key.pk for key in read.damaged]
    for seat in read.records:
        try:
            units.append(seat_status(seat))
        except ValueError:
            damaged.append(seat.pk)
    return InTable(units, damaged)


def shards_in_table(table: Table, event: str, area: str, shards: int) -> InTable[ShardStatus]:
    """Read every counter of an area. Consistency: strong for each.

    Cost: one batch of reads; two where one is damaged.
    """
    keys = {area_key(event, area, number): number for number in range(shards)}
    read = find_many_readable(table, AreaShard, list(keys))
    units, damaged = [], list(read.damaged)
    for shard in read.records:
        try:
            units.append(shard_status(shard))
        except ValueError:
            damaged.append(shard.key)
    units += [ShardStatus(area, keys[key], 0, 0) for key in damaged]
    return InTable(units, [key.pk for key in damaged])
