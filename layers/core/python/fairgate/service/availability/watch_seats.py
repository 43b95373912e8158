"""Count what an event has left to sell, so that no more buyers are admitted than that allows."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct, field

from fairgate.domain.shared.times import rfc3339
from fairgate.ports.record import DamagedItemError
from fairgate.ports.table import Update
from fairgate.service.shared.keys import area_key, seats_memory_key, section_index
from fairgate.service.shared.live_count import live_now
from fairgate.service.shared.readable import batches, find_many_readable, read_readable
from fairgate.service.shared.records.gate import SeatsMemory
from fairgate.service.shared.records.seats import AreaShard, SeatInIndex

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.shared.records.catalog import AreaFacts, Event

GONE = ("reserved", "blocked")  # a locked seat may come back
_KEPT_S = 86_400
_SOLD_OUT_S = 400 * 86_400  # places may come back until the day of the event
SECTIONS_A_LOOK = 4  # each a page of the index at most: 24 sections a minute
LOOK_MS = 10_000  # infra/constructs/ten_second_schedule.py


class SeatWatch(Struct, frozen=True):
    """Watches events for one process.

    Cost: one index query while seats are left, because the section that had one last is read
    first. The others are read, once each, only if it has none.

    Attributes:
        damaged: damaged seats and counters that were met, by event.
    """

    table: Table
    clock: Clock
    damaged: Counter[str] = field(default_factory=Counter)

    def all_gone(self, event: Event) -> bool:
        """Say whether every seat and place of this event is sold for good.

        Held places of an area may come back, so with areas all sessions must have ended as well.
        Consistency: seats as the index has them, a second or so late.
        """
        sections = {section.id: section.seats for section in event.sections}
        if not sections and not event.areas:
            return False
        memory = self._memory(event.id)
        first = memory.section if memory is not None else ""
        if memory is not None and memory.sold_out and event.state != "soldout":
            self.said_sold_out(event, still=False)  # somebody has opened it again
        for section in sorted(sections, key=lambda name: name != first):
            if self._left_in(event.id, section, sections[section]):
                if section != first:
                    self._remember(event.id, section, memory.left if memory is not None else {})
                return False
        if not event.areas:
            return True
        if any(self._remaining(event.id, event.areas)):
            return False
        return live_now(self.table, event.id, rfc3339(self.clock.now_ms())) == 0

    def said_sold_out(self, event: Event, *, still: bool = True) -> None:
        """Remember that the watch, and not an operator, has called the event sold out."""
        ttl = self.clock.now_ms() // 1000 + _SOLD_OUT_S
        body = {"soldOut": still, "ttl": ttl}
        update = Update("reservations", *seats_memory_key(event.id), set=body)
        self.table.update(update)

    def came_back(self, event: Event) -> bool:
        """Say whether this watch called the event sold out, and places have come back."""
        memory = self._memory(event.id)
        return memory is not None and memory.sold_out and not self.all_gone(event)

    def places_left(self, event: Event) -> int:
        """Count the seats that are not sold for good, and the free places of areas.

        Each run reads a few sections, and takes the others as they were read last. A section that
        was never read counts with all seats.

        Consistency: as late as it takes to read all sections, SECTIONS_A_LOOK every ten seconds.
        Cost: a read, SECTIONS_A_LOOK queries of the index, a batch for each hundred counters of
        areas, and one write if anything has changed.
        """
        seats = {section.id: section.seats for section in event.sections}
        memory = self._memory(event.id)
        known = memory.left if memory is not None else {}
        left = {section: known.get(section, count) for section, count in seats.items()}
        for section in self._next_sections(list(seats)):
            left[section] = self._left_in(event.id, section, seats[section])
        if left != known:
            self._remember(event.id, memory.section if memory is not None else "", left)
        return sum(left.values()) + sum(self._remaining(event.id, event.areas))

    def _next_sections(self, sections: list[str]) -> list[str]:
        """Return the sections to read now. They follow from the clock, not from a memory."""
        first = self.clock.now_ms() // LOOK_MS * SECTIONS_A_LOOK
        count = min(SECTIONS_A_LOOK, len(sections))
        return [sections[(first + n) % len(sections)] for n in range(count)]

    def _left_in(self, event: str, section: str, count: int) -> int:
        """Count the seats that are left.

        Missing and damaged seats count as left, so that no sale ends because of them.
        """
        pk = section_index(event, section)
        seats = read_readable(self.table, SeatInIndex, pk, index=True)
        self.damaged[event] += len(seats.damaged)
        gone = sum(seat.availability in GONE for seat in seats.records)
        return max(0, count - gone)

    def _remaining(self, event: str, areas: Mapping[str, AreaFacts]) -> Iterator[int]:
        """Yield the free places of each counter; a damaged counter counts as one place."""
        keys = [area_key(event, a, n) for a, facts in areas.items() for n in range(facts.shards)]
        for batch in batches(keys):
            counters = find_many_readable(self.table, AreaShard, batch)
            self.damaged[event] += len(counters.damaged)
            yield from (max(0, counter.remaining) for counter in counters.records)
            yield from (1 for _ in range(len(batch) - len(counters.records)))

    def _memory(self, event: str) -> SeatsMemory | None:
        """Read the memory of earlier runs. A damaged memory is replaced by an empty one.

        An event that was called sold out then stays so until an operator opens it.
        """
        try:
            return self.table.find(SeatsMemory, seats_memory_key(event))
        except DamagedItemError:
            self._remember(event, "", {}, soldOut=False)
            return None

    def _remember(self, event: str, section: str, left: Mapping[str, int], **more: bool) -> None:
        ttl = self.clock.now_ms() // 1000 + _KEPT_S
        body = {"section": section, "left": left, "ttl": ttl, **more}
        self.table.update(Update("reservations", *seats_memory_key(event), set=body))
