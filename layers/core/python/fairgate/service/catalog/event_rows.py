"""Write an event's layout, and one row for each seat and each counter of an area."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from itertools import islice
from typing import TYPE_CHECKING, Protocol

from fairgate import deadline
from fairgate.domain.seating.area_shards import shard_count
from fairgate.domain.shared.ids import EventId
from fairgate.errors import WrongStateError
from fairgate.service.shared.keys import area_key, seat_key, section_index
from fairgate.service.shared.records.catalog import AreaFacts, BlockFacts, SectionFacts
from fairgate.service.shared.records.seats import AreaShard, SeatRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from fairgate.domain.seating.layout import Layout
    from fairgate.domain.seating.venue import Area, Section, Venue
    from fairgate.ports.outside import Layouts
    from fairgate.ports.record import Key, Record


ROWS_NOTED = 990  # ten transactions
REST_S = 6.0  # for what follows the rows: the event itself, its gate and its log
FILES_AT_ONCE = 8


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


def write_rows(
    records: Iterable[Record],
    *,
    writer: RowWriter,
    written: int = 0,
    note: Callable[[int], None] = lambda _rows: None,
) -> None:
    """Write every seat and counter but those that are ``written``, and ``note`` how many are.

    Raises WrongStateError: the request has not the time for all; what is written is noted.
    """
    left = islice(records, written, None)
    while some := list(islice(left, ROWS_NOTED)):
        began_s = deadline.monotonic()
        writer.put_many(some)
        written += len(some)
        note(written)
        if deadline.left_s() < REST_S + 2 * (deadline.monotonic() - began_s):
            raise WrongStateError(
                f"{written:,} of its seats and counters are written, and there is no time left for"
                " the others. Ask for the same again: it goes on there.",
                reason="unfinished",
                written=written,
            )


def write_layout(layout: Layout, layouts: Layouts) -> None:
    """Write the layout's files, some at once."""
    with ThreadPoolExecutor(FILES_AT_ONCE) as pool:
        for done in [
            pool.submit(copy_context().run, layouts.write, layout.hash, name, body)
            for name, body in layout.files.items()
        ]:
            done.result()


def rows_of(event: str, venue: Venue, now: str) -> Iterator[Record]:
    """Make the seats' records and then the counters', always in the same order."""
    yield from seat_records(event, venue, now)
    yield from shard_records(event, venue, now)


def row_keys(event: str, venue: Venue) -> set[Key]:
    """Return the keys of all seats and counters of the chart."""
    return {record.key for record in rows_of(event, venue, "")}


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
