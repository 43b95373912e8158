"""Write an event's layout, and one row for each seat and each counter of an area."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from fairgate.domain.seating.area_shards import shard_count
from fairgate.domain.seating.layout import split_layout
from fairgate.domain.shared.ids import EventId
from fairgate.service.shared.keys import area_key, seat_key, section_index
from fairgate.service.shared.records.catalog import AreaFacts, BlockFacts, SectionFacts
from fairgate.service.shared.records.seats import AreaShard, SeatRecord

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from fairgate.domain.seating.venue import Area, Section, Venue
    from fairgate.ports.outside import Layouts
    from fairgate.ports.record import Key, Record


class RowWriter(Protocol):
    """Writes rows for one run; ``adapters/dynamodb/guarded_writer.py`` implements it.

    Each call raises TransactionRefusedError if the run's check fails.
    """

    def put_many(self, records: Iterable[Record]) -> None:
        """Put every record, replacing what is there; all are of one table."""
        ...

    def remove_others(self, event: str, keep: Collection[Key]) -> int:
        """Remove the event's other seats and counters; return how many.

        Cost: a scan of the table of seats.
        """
        ...


def write_rows(event: str, venue: Venue, now: str, *, writer: RowWriter, layouts: Layouts) -> str:
    """Write the layout and every seat and counter; return the layout's hash."""
    layout = split_layout(venue)
    for name, body in layout.files.items():
        layouts.write(layout.hash, name, body)
    writer.put_many(seat_records(event, venue, now))
    writer.put_many(shard_records(event, venue, now))
    return layout.hash


def row_keys(event: str, venue: Venue) -> set[Key]:
    """Return the keys of all seats and counters of the chart."""
    records = (*seat_records(event, venue, ""), *shard_records(event, venue, ""))
    return {record.key for record in records}


def units_to_write(venue: Venue) -> int:
    """Count the seats and counters that a creation writes."""
    return venue.seat_count() + sum(shard_count(area.capacity) for area in venue.areas)


def seat_records(event: str, venue: Venue, now: str) -> Iterator[SeatRecord]:
    """Make a record for each seat, with its index in the layout order from 0."""
    for section in venue.sections:
        rows = ((block, row, seat) for block, row in section.rows() for seat in row.seats)
        for index, (block, row, seat) in enumerate(rows):
            yield SeatRecord(
                *seat_key(event, seat.id),
                gsi1_pk=section_index(event, section.id),
                gsi1_sk=f"{block.id}#{row.id}#{sort_number(seat.number)}",
                event_id=EventId(event),
                section_id=section.id,
                block_id=block.id,
                row_id=row.id,
                seat_number=seat.number,
                seat_id=seat.id,
                availability="available",
                expires_at="",
                session_id="",
                version=0,
                updated_at=now,
                price_tier=seat.tier,
                seat_index=index,
                kind=seat.kind,
            )


def shard_records(event: str, venue: Venue, now: str) -> Iterator[AreaShard]:
    """Make the counters of each area. Together they have exactly its capacity."""
    for area in venue.areas:
        shards = shard_count(area.capacity)
        for shard in range(shards):
            capacity = area.capacity // shards + (shard < area.capacity % shards)
            yield AreaShard(
                *area_key(event, area.id, shard),
                event_id=EventId(event),
                area_id=area.id,
                shard=shard,
                capacity=capacity,
                remaining=capacity,
                version=0,
                updated_at=now,
                price_tier=area.tier,
            )


def sort_number(number: str) -> str:
    """Pad a seat's number so that numbers sort naturally: ``7`` before ``12``."""
    return number.zfill(5) if number.isascii() and number.isdigit() else number


def area_facts(area: Area) -> AreaFacts:
    return AreaFacts(capacity=area.capacity, shards=shard_count(area.capacity), tier=area.tier)


def section_facts(section: Section) -> SectionFacts:
    seats = {block.id: sum(len(row.seats) for row in block.rows) for block in section.blocks}
    return SectionFacts(
        id=section.id,
        name=section.name,
        seats=sum(seats.values()),
        blocks=[BlockFacts(id=block, seats=count) for block, count in seats.items()],
    )
