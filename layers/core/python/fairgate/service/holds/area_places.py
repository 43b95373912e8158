"""Choose the counters that places of general admission are taken from.

Each session prefers a shard by its id, so that thousands do not meet at one counter. If that has
too few places, all counters are read once, and the next one with enough is tried. If none has
enough, several give what they have, so that the last places can be sold. A full area costs one
transaction and one read. A damaged counter refuses, and counts as empty.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from fairgate.domain.orders.order import Unit
from fairgate.ports.record import DamagedItemError, Key
from fairgate.ports.table import Refusal, Table
from fairgate.service.shared.keys import area_key
from fairgate.service.shared.readable import find_many_readable
from fairgate.service.shared.records.seats import AreaShard

ATTEMPTS_MAX = 6  # transactions, as others take what was read; ``change`` would pause in between


class _Area(Struct):
    unit: Unit
    order: Sequence[int]  # every shard, the session's own first
    known: dict[int, int] = field(default_factory=dict)  # shard → places left when it was seen

    def parts(self) -> list[tuple[int, int]]:
        """Return (shard, quantity) to try next; empty: the area does not have that many."""
        wanted = self.unit.quantity
        for shard in self.order:
            if self.known.get(shard, wanted) >= wanted:
                return [(shard, wanted)]
        parts = []
        for shard in sorted(self.order, key=lambda s: -self.known[s]):  # stable: own shard first
            taken = min(wanted, self.known[shard])
            if taken > 0:
                parts.append((shard, taken))
                wanted -= taken
        return parts if not wanted else []


class AreaPlaces:
    """The units of one hold, with the shards for the places of areas."""

    def __init__(self, units: Sequence[Unit], shards: Mapping[str, int], session: str) -> None:
        """Start with ``shards``: area id → number of its shards, for every area among the units."""
        preferred = int(hashlib.sha256(session.encode()).hexdigest()[:8], 16)
        self._units = units
        self._refused: set[str] = set()  # areas of which a counter has refused
        self._read: set[str] = set()  # and of which all have been read since
        self._areas = {
            unit.place: _Area(
                unit,
                [(preferred + step) % shards[unit.place] for step in range(shards[unit.place])],
            )
            for unit in units
            if unit.kind == "area"
        }

    def attempts(self) -> Iterator[list[Unit]]:
        """Yield the units to try, at most ATTEMPTS_MAX times, until an area is full."""
        for _ in range(ATTEMPTS_MAX):
            if self.full():
                return
            yield self._placed()

    def learn(self, placed: Sequence[Unit], reasons: Sequence[Refusal]) -> None:
        """Note what refusing counters had left; a damaged one has nothing."""
        for unit, reason in zip(placed, reasons, strict=True):
            if unit.kind != "area" or not reason.failed or reason.item is None:
                continue
            self._areas[unit.place].known[unit.shard] = _left(reason)
            self._refused.add(unit.place)

    def read(self, table: Table, event: str) -> Sequence[Key]:
        """Read all counters, once for each area of which a counter has refused.

        Returns the keys of damaged counters, which count as empty.

        Cost: a batch of reads, or nothing; two if a counter is damaged.
        """
        damaged: list[Key] = []
        for place in sorted(self._refused - self._read):
            area = self._areas[place]
            shards = {area_key(event, place, shard): shard for shard in area.order}
            read = find_many_readable(table, AreaShard, list(shards))
            area.known |= {shards[counter.key]: counter.remaining for counter in read.records}
            area.known |= {shards[key]: 0 for key in read.damaged}
            damaged += read.damaged
        self._read |= self._refused
        return damaged

    def full(self) -> list[str]:
        """Return the areas that do not have as many places as are asked for."""
        return [place for place, area in self._areas.items() if not area.parts()]

    def _placed(self) -> list[Unit]:
        placed: list[Unit] = []
        for unit in self._units:
            if unit.kind == "area":
                parts = self._areas[unit.place].parts()
                placed += [replace(unit, shard=shard, quantity=n) for shard, n in parts]
            else:
                placed.append(unit)
        return placed


def _left(refused: Refusal) -> int:
    try:
        counter = refused.old(AreaShard)
    except DamagedItemError:
        return 0
    return 0 if counter is None else counter.remaining
