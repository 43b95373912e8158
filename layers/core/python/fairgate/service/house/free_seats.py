"""Read house blocks, and free what they keep to the sale: at once, or at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct, structs

from fairgate.domain.seating.area_shards import spread
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import MalformedInputError, NotFoundError, WrongStateError
from fairgate.service.house.house_writes import block_changed, places_freed, seat_freed
from fairgate.service.shared.change import Write, change
from fairgate.service.shared.keys import house_block_key
from fairgate.service.shared.readable import Readable, read_readable
from fairgate.service.shared.records.house import HouseBlock

if TYPE_CHECKING:
    from fairgate.ports.table import Refusal, Table
    from fairgate.ports.world import Clock

Done = TypeVar("Done")

# Buyers' holds meet a transaction of that many seats for some ten milliseconds.
CHUNK = 50


class Places(Struct, frozen=True):
    """Seats by their ids, and numbers of places by area."""

    seats: Sequence[str] = ()
    areas: Mapping[str, int] = {}


def _always(_block: HouseBlock) -> bool:
    return True


class SeatFreer(Struct, frozen=True):
    """Frees seats that blocks keep. Each method raises DependencyUnavailableError.

    Attributes:
        still: says before each write whether to go on, by the block as it is then.
    """

    table: Table
    clock: Clock
    still: Callable[[HouseBlock], bool] = _always

    def blocks(self, event: str) -> Readable[HouseBlock]:
        """Read all blocks of an event, also empty ones, strongly consistent."""
        return read_readable(self.table, HouseBlock, house_block_key(event, "").pk)

    def find(self, event: str, block: str) -> HouseBlock:
        """Read a block. Raises NotFoundError."""
        found = self.table.find(HouseBlock, house_block_key(event, block))
        if found is None:
            raise NotFoundError(f"{event} has no block {block}: `seats list {event}` shows all.")
        return found

    def set_until(self, event: str, block: str, until: str) -> HouseBlock:
        """Set when a block is freed to the sale; "": somebody frees it. Raises NotFoundError."""

        def decide(seen: HouseBlock) -> Write[HouseBlock]:
            if seen.until == until:
                return Write(seen)
            return Write(structs.replace(seen, until=until), [block_changed(seen, until=until)])

        return change(self.table, self.clock, partial(self.find, event, block), decide)

    def free(self, event: str, block: str, wanted: Places | None = None) -> Places:
        """Free a block, or of it what ``wanted`` names; return what was freed.

        Raises NotFoundError; WrongStateError: a seat is not as its block says.

        Cost: two write units a seat and one for its index, and a write of the block for each CHUNK.
        """
        before = self.find(event, block)
        wanted = Places(before.seats, before.places) if wanted is None else wanted
        chosen = set(wanted.seats)
        for seats in chunks([seat for seat in before.seats if seat in chosen]):
            self._free_seats(before, seats)
        for area, places in wanted.areas.items():
            keeps = max(0, before.places.get(area, 0) - places)
            while self._free_places(before, area, keeps):
                pass
        after = self.find(event, block)
        left, gone = set(after.seats), before.places
        gone = {area: count - after.places.get(area, 0) for area, count in gone.items()}
        return Places(
            [seat for seat in before.seats if seat not in left],
            {area: places for area, places in gone.items() if places > 0},
        )

    def _free_seats(self, block: HouseBlock, seats: Sequence[str]) -> None:
        """Free seats in one transaction."""

        def decide(seen: HouseBlock) -> Write[None]:
            gone = set(seats) & set(seen.seats)
            if not gone or not self.still(seen):
                return Write(None)
            record = block_changed(seen, seats=[seat for seat in seen.seats if seat not in gone])
            freed = partial(seat_freed, seen.event_id, seen.id, self._now())
            return Write(None, [record, *map(freed, sorted(gone))], partial(_must_be, seen))

        self._change(block, decide)

    def _free_places(self, block: HouseBlock, area: str, keeps: int) -> bool:
        """Free places of an area in one transaction, down to ``keeps``; say whether it wrote."""

        def decide(seen: HouseBlock) -> Write[bool]:
            mine = {int(shard): count for shard, count in seen.areas.get(area, {}).items()}
            parts = list(spread(sum(mine.values()) - keeps, mine).items())[:CHUNK]
            if not parts or not self.still(seen):
                return Write(done=False)
            for shard, count in parts:
                mine[shard] -= count
            rest = {str(shard): count for shard, count in mine.items() if count}
            areas = {name: kept for name, kept in seen.areas.items() if name != area}
            record = block_changed(seen, areas=areas | ({area: rest} if rest else {}))
            freed = [places_freed(seen.event_id, area, *part, self._now()) for part in parts]
            return Write(done=True, actions=[record, *freed], refused=partial(_must_be, seen))

        return self._change(block, decide)

    def _change(self, block: HouseBlock, decide: Callable[[HouseBlock], Write[Done]]) -> Done:
        return change(self.table, self.clock, partial(self.find, block.event_id, block.id), decide)

    def _now(self) -> str:
        return rfc3339(self.clock.now_ms())


def shares_of(
    blocks: Sequence[HouseBlock], wanted: Places, among: Sequence[str] = ()
) -> dict[str, Places]:
    """Say what of ``wanted`` each block keeps; seats that none keeps are left out.

    Args:
        among: ids of the only blocks that are meant; (): all.

    Raises MalformedInputError: not clear of which block places are meant, or it has fewer.
    """
    meant = [block for block in blocks if not among or block.id in among]
    chosen = set(wanted.seats)
    seats = {block.id: [seat for seat in block.seats if seat in chosen] for block in meant}
    areas: dict[str, dict[str, int]] = {block.id: {} for block in meant}
    for area, places in wanted.areas.items():
        keepers = [block for block in meant if block.places.get(area)]
        if len(keepers) != 1:
            which = f"of {', '.join(block.id for block in keepers)}" if keepers else "of no block"
            raise MalformedInputError(f"{area} has blocked places {which}: name one block.")
        if places > (kept := keepers[0].places[area]):
            raise MalformedInputError(f"{keepers[0].id} keeps {kept:,} places of {area}.")
        areas[keepers[0].id][area] = places
    found = {block.id: Places(seats[block.id], areas[block.id]) for block in meant}
    return {id_: some for id_, some in found.items() if some.seats or some.areas}


def chunks(seats: Sequence[str]) -> Iterator[Sequence[str]]:
    """Split seats into those of one transaction each."""
    return (seats[start : start + CHUNK] for start in range(0, len(seats), CHUNK))


def _must_be(block: HouseBlock, reasons: Sequence[Refusal]) -> None:
    """Raise WrongStateError unless only the block itself was changed meanwhile."""
    if not reasons[0].failed:
        raise WrongStateError(
            f"A seat or counter is not as block {block.id} says, so this part of it is not freed:"
            " look with `fairgate audit items`."
        )
