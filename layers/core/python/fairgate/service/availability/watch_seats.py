"""Find out whether an event still has anything to sell, so that its room can say when not."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fairgate.domain.shared.times import rfc3339
from fairgate.ports.table import Update
from fairgate.service.shared.keys import area_key, seats_memory_key, section_index
from fairgate.service.shared.live_count import live_now
from fairgate.service.shared.readable import find_many_readable, read_readable
from fairgate.service.shared.records.gate import SeatsMemory
from fairgate.service.shared.records.seats import AreaShard, SeatInIndex

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from fairgate.ports.record import Key
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.shared.records.catalog import AreaFacts, Event

GONE = ("reserved", "blocked")  # a lock may still come back, a sale or a house seat does not
_KEPT_S = 86_400
_BATCH = 100  # BatchGetItem's most


@dataclass(frozen=True)
class SeatWatch:
    """Watches one process's events. Cost: one index query while seats are left,
    as it looks first where it found one before.

    Only when that section has none does it read the others, once each.

    Attributes:
        damaged: counts, by event, the seats and counters that it met and could not read.
    """

    table: Table
    clock: Clock
    damaged: Counter[str] = field(default_factory=Counter)

    def all_gone(self, event: Event) -> bool:
        """Say whether every seat and place of this event is sold for good.

        Places of an area that are held may come back, so with areas it also waits until the last
        session has ended. Consistency: seats as the index has them, a second or so late.
        """
        sections = {section.id: section.seats for section in event.sections}
        if not sections and not event.areas:
            return False
        memory = self.table.find(SeatsMemory, seats_memory_key(event.id))
        first = memory.section if memory is not None else ""
        for section in sorted(sections, key=lambda name: name != first):
            if self._any_left(event.id, section, sections[section]):
                if section != first:
                    self._remember(event.id, section)
                return False
        if not event.areas:
            return True
        if self._places_left(event.id, event.areas):
            return False
        return live_now(self.table, event.id, rfc3339(self.clock.now_ms())) == 0

    def _any_left(self, event: str, section: str, count: int) -> bool:
        """Say whether seats are left.

        One that the index lacks counts, and so does a damaged one: nothing ends on a gap.
        """
        pk = section_index(event, section)
        seats = read_readable(self.table, SeatInIndex, pk, index=True)
        self.damaged[event] += len(seats.damaged)
        gone = sum(seat.availability in GONE for seat in seats.records)
        return gone < count

    def _places_left(self, event: str, areas: Mapping[str, AreaFacts]) -> bool:
        keys = [area_key(event, a, n) for a, facts in areas.items() for n in range(facts.shards)]
        empty = 0
        for batch in _batches(keys):
            counters = find_many_readable(self.table, AreaShard, batch)
            self.damaged[event] += len(counters.damaged)
            empty += sum(counter.remaining <= 0 for counter in counters.records)
        return empty < len(keys)

    def _remember(self, event: str, section: str) -> None:
        ttl = self.clock.now_ms() // 1000 + _KEPT_S
        body = {"section": section, "ttl": ttl}
        self.table.update(Update("reservations", *seats_memory_key(event), set=body))


def _batches(keys: Sequence[Key]) -> Iterator[Sequence[Key]]:
    for start in range(0, len(keys), _BATCH):
        yield keys[start : start + _BATCH]
