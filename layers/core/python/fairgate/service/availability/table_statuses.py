"""Read a section's seats and an area's counters from the table, in the cache's form.

A damaged item takes nothing from its neighbours. Its seat is missing, which nobody sees as
available; its counter has no place left, and gives way to any change of it.
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
    """What the table holds, and under which partition keys an item is damaged."""

    units: list[S]
    damaged: list[str]


def seats_in_table(table: Table, event: str, section: str) -> InTable[SeatStatus]:
    """Read every seat of a section. Consistency: the index's, behind the table by moments.

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
