"""Keep seats and places of areas from the sale.

A block is a record that names what it keeps. Each transaction writes it with up to CHUNK seats or
counters: a seat only if it is available at that moment, so a held or sold one is left. A command
that was interrupted has blocked what its record says, and the same command completes it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal, TypeVar

from msgspec import Struct

from fairgate.domain.seating.area_shards import spread
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import MalformedInputError
from fairgate.ports.record import DamagedItemError
from fairgate.ports.table import Put
from fairgate.service.house.free_seats import CHUNK, Places, SeatFreer, chunks
from fairgate.service.house.house_writes import block_changed, places_blocked, seat_blocked
from fairgate.service.shared.change import Write, change
from fairgate.service.shared.keys import area_key, house_block_key, seat_key
from fairgate.service.shared.readable import batches, find_many_readable
from fairgate.service.shared.records.house import HouseBlock
from fairgate.service.shared.records.seats import AreaShard, SeatRecord

if TYPE_CHECKING:
    from fairgate.ports.table import Action, Refusal, Table
    from fairgate.ports.world import Clock
    from fairgate.service.shared.records.catalog import Event

Done = TypeVar("Done")

# The record names them, and an item has at most 400 KB: ids of 64 characters fit.
BLOCK_SEATS_MAX = 5_000
# Why a seat is not blocked. "blocked": by another block. A seat whose lock has run out is held
# until it is returned.
Why = Literal["held", "sold", "blocked", "unknown", "damaged"]


class Terms(Struct, frozen=True):
    """Why, by whom and until when seats are blocked; ``until`` "": until somebody frees them."""

    reason: str
    by: str
    until: str = ""


class Blocked(Struct, frozen=True):
    """What a block keeps now, and what of it could not be had.

    Attributes:
        block: None: all of it is held or sold.
        left: seats that it does not keep.
        missing: places by area that were not free.
    """

    id: str
    block: HouseBlock | None
    left: Mapping[str, Why]
    missing: Mapping[str, int]


class _Asked(Struct, frozen=True):
    event: Event
    block: str
    terms: Terms

    def record(
        self,
        seen: HouseBlock | None,
        now: str,
        seats: Sequence[str],
        areas: Mapping[str, Mapping[str, int]],
    ) -> Action:
        """Return the write of the block that goes with what it keeps from now on."""
        if seen is not None:
            return block_changed(seen, seats=seats, areas=areas)
        return Put.of(
            HouseBlock(
                *house_block_key(self.event.id, self.block),
                event_id=self.event.id,
                reason=self.terms.reason,
                by=self.terms.by,
                at=now,
                until=self.terms.until,
                seats=seats,
                areas=areas,
                version=1,
            )
        )


def block_id(event: str, reason: str, wanted: Places) -> str:
    """Name a block by what is asked for and why, so that the same command goes on with it."""
    asked = [event, reason, sorted(wanted.seats), sorted(wanted.areas.items())]
    return "blk_" + hashlib.sha256(json.dumps(asked).encode()).hexdigest()[:12]


class SeatBlocker(Struct, frozen=True):
    """Blocks seats of events. Each method raises DependencyUnavailableError.

    Raises MalformedInputError: these are no places, or too many seats.
    """

    table: Table
    clock: Clock

    def would_block(self, event: Event, wanted: Places, terms: Terms) -> Blocked:
        """Say what ``block`` could not have now, and the block as it is. Cost: a read a seat."""
        block = _checked(event, wanted, terms)
        found = self._find(event, block)
        have = found.places if found is not None else {}
        missing = {
            area: short
            for area, places in wanted.areas.items()
            if (short := places - have.get(area, 0) - sum(self._free_in(event, area).values())) > 0
        }
        return Blocked(block, found, self._taken(event, wanted.seats, block), missing)

    def block(self, event: Event, wanted: Places, terms: Terms) -> Blocked:
        """Block what is free of ``wanted``; a repeated call completes or repeats it.

        Cost: a read a seat; two write units a seat and one for its index, and for each CHUNK of
        them two writes of the record, which names all of them.
        """
        block = _checked(event, wanted, terms)
        left = self._taken(event, wanted.seats, block)
        asked = _Asked(event, block, terms)
        for seats in chunks(sorted(set(wanted.seats) - left.keys())):
            self._block_seats(asked, seats, left)
        missing = {}
        for area, places in wanted.areas.items():
            while (short := self._block_places(asked, area, places)) is None:
                pass
            if short:
                missing[area] = short
        made = self._find(event, block)
        if made is not None:
            made = SeatFreer(self.table, self.clock).set_until(event.id, block, terms.until)
        return Blocked(block, made, left, missing)

    def _taken(self, event: Event, seats: Sequence[str], block: str) -> dict[str, Why]:
        """Return the seats that a block cannot have now."""
        why: dict[str, Why] = dict.fromkeys(seats, "unknown")
        for keys in batches([seat_key(event.id, seat) for seat in seats]):
            read = find_many_readable(self.table, SeatRecord, keys)
            for seat in read.records:
                if seat.availability == "available" or seat.session_id == block:
                    del why[seat.seat_id]
                else:
                    why[seat.seat_id] = _why_not(seat)
            why |= {key.pk.partition("#")[2]: "damaged" for key in read.damaged}
        return why

    def _block_seats(self, asked: _Asked, seats: Sequence[str], left: dict[str, Why]) -> None:
        """Block seats in one transaction; one that is taken meanwhile goes to ``left``."""
        event, block = asked.event.id, asked.block

        def decide(seen: HouseBlock | None) -> Write[None]:
            have = seen.seats if seen is not None else ()
            gone = {*left, *have}
            todo = [seat for seat in seats if seat not in gone]
            if not todo:
                return Write(None)

            def refused(reasons: Sequence[Refusal]) -> None:
                if reasons[0].failed:
                    return  # written meanwhile, perhaps by this very call: read again
                for seat, reason in zip(todo, reasons[1:], strict=True):
                    if reason.failed:
                        left[seat] = _why_refused(reason)

            now = self._now()
            areas = seen.areas if seen is not None else {}
            record = asked.record(seen, now, [*have, *todo], areas)
            blocked = map(partial(seat_blocked, event, block, now), todo)
            return Write(None, [record, *blocked], refused)

        self._change(asked, decide)

    def _block_places(self, asked: _Asked, area: str, places: int) -> int | None:
        """Block places of an area in one transaction.

        Returns how many of them are not free; None: there is more to write.
        """
        event = asked.event.id

        def decide(seen: HouseBlock | None) -> Write[int | None]:
            areas = dict(seen.areas) if seen is not None else {}
            mine = dict(areas.get(area, {}))
            more = places - sum(mine.values())
            parts = list(spread(more, self._free_in(asked.event, area)).items())[:CHUNK]
            if not parts:
                return Write(max(0, more))
            for shard, count in parts:
                mine[str(shard)] = mine.get(str(shard), 0) + count
            now = self._now()
            seats = seen.seats if seen is not None else ()
            record = asked.record(seen, now, seats, areas | {area: mine})
            blocked = [places_blocked(event, area, *part, now) for part in parts]
            return Write(None, [record, *blocked])

        return self._change(asked, decide)

    def _change(self, asked: _Asked, decide: Callable[[HouseBlock | None], Write[Done]]) -> Done:
        find = partial(self._find, asked.event, asked.block)
        return change(self.table, self.clock, find, decide)

    def _find(self, event: Event, block: str) -> HouseBlock | None:
        return self.table.find(HouseBlock, house_block_key(event.id, block))

    def _free_in(self, event: Event, area: str) -> dict[int, int]:
        """Return the free places of each counter of an area; a damaged one has none."""
        keys = [area_key(event.id, area, shard) for shard in range(event.areas[area].shards)]
        read = find_many_readable(self.table, AreaShard, keys)
        return {one.shard: one.remaining for one in read.records if one.remaining > 0}

    def _now(self) -> str:
        return rfc3339(self.clock.now_ms())


def _checked(event: Event, wanted: Places, terms: Terms) -> str:
    """Return the block's id. Raises MalformedInputError."""
    if not (wanted.seats or any(wanted.areas.values())):
        raise MalformedInputError("Name seats, rows, sections or places of areas.")
    if len(wanted.seats) > BLOCK_SEATS_MAX:
        raise MalformedInputError(
            f"These are {len(wanted.seats):,} seats, and a block has at most {BLOCK_SEATS_MAX:,}:"
            " block them in parts."
        )
    return block_id(event.id, terms.reason, wanted)


def _why_refused(refusal: Refusal) -> Why:
    """Say why a seat could not be blocked, by the item that refused."""
    try:
        seat = refusal.old(SeatRecord)
    except DamagedItemError:
        return "damaged"
    return "unknown" if seat is None else _why_not(seat)


def _why_not(seat: SeatRecord) -> Why:
    if seat.availability == "blocked":
        return "blocked"
    return "sold" if seat.availability == "reserved" else "held"
