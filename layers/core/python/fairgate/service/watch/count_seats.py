"""Count an event's seats by their state, a few sections at a time, the oldest reading first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.domain.shared.times import rfc3339
from fairgate.service.shared.keys import area_key, section_index
from fairgate.service.shared.readable import batches, find_many_readable, read_readable
from fairgate.service.shared.records.seats import AreaShard, SeatInIndex
from fairgate.service.watch.figures import SeatFigures
from fairgate.service.watch.sections import AreaCounts, SeatCounts, SectionCounts

if TYPE_CHECKING:
    from fairgate.service.watch.look import Look

SEATS_A_LOOK = 5_000  # but at least a section; each is at most a page of the index


def count_seats(look: Look, counts: SeatCounts) -> SeatFigures:
    """Count sold, held, free and blocked places; None until every section was read once.

    A damaged seat is not counted. A seat whose lock has run out is free.

    Args:
        counts: earlier ones, updated here.

    Consistency: seats as the index has them, a second or so late; as old as ``at`` says in a venue
        of more than SEATS_A_LOOK seats.
    """
    sale, sections = look.sale, counts.sections
    names = [section.id for section in sale.sections]
    for gone in sections.keys() - set(names):
        del sections[gone]
    oldest = sorted(names, key=lambda name: sections[name].at_ms if name in sections else 0)
    seats, read = {section.id: section.seats for section in sale.sections}, 0
    for name in oldest:
        if read and read + seats[name] > SEATS_A_LOOK:
            break
        sections[name] = _section(look, name)
        read += seats[name]
    total = sum(section.seats for section in sale.sections)
    total += sum(area.capacity for area in sale.areas.values())
    known = [sections[name] for name in names if name in sections]
    if len(known) < len(names):
        return SeatFigures(at=look.now, total=total)
    sold, held = sum(s.sold for s in known), sum(s.held for s in known)
    free, blocked = sum(s.free for s in known), sum(s.blocked for s in known)
    at = rfc3339(min((s.at_ms for s in known), default=look.now_ms))
    counts.areas = _areas(look)
    if sale.areas:
        # A counter has the number of free places, and not how many of the others are sold.
        areas = counts.areas.values()
        taken, left = sum(a.taken for a in areas), sum(a.free for a in areas)
        kept = sum(a.blocked for a in areas)
        free, blocked = free + left, blocked + kept
        if not sale.counted:
            return SeatFigures(at=at, total=total, free=free, blocked=blocked)
        sold_there = min(look.tally().places, taken)  # read a moment before, or after
        sold, held = sold + sold_there, held + taken - sold_there
    return SeatFigures(at=at, total=total, sold=sold, held=held, free=free, blocked=blocked)


def _section(look: Look, name: str) -> SectionCounts:
    counts = SectionCounts(look.now_ms, 0, 0, 0, 0)
    index = section_index(look.sale.id, name)
    for seat in read_readable(look.table, SeatInIndex, index, index=True).records:
        match seat.availability:
            case "reserved":
                counts.sold += 1
            case "blocked":
                counts.blocked += 1
            case "locked" if seat.expires_at > look.now:
                counts.held += 1
            case _:
                counts.free += 1
    return counts


def _areas(look: Look) -> dict[str, AreaCounts]:
    """Count taken, free and blocked places of the counters that can be read."""
    keys = [
        area_key(look.sale.id, a, n) for a, f in look.sale.areas.items() for n in range(f.shards)
    ]
    areas = {area: AreaCounts(look.now_ms) for area in look.sale.areas}
    for batch in batches(keys):
        for counter in find_many_readable(look.table, AreaShard, batch).records:
            remaining, area = max(0, counter.remaining), areas[counter.area_id]
            area.taken += max(0, counter.capacity - remaining - counter.blocked)
            area.free += remaining
            area.blocked += counter.blocked
    return areas
