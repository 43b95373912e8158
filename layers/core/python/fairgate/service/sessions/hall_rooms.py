"""Deal an event's cap to its rooms, and say which rooms an admission is to ask for a place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.gate.hall_rooms import (
    ROOMS_MAX,
    Room,
    first_room,
    new_deal,
    with_place,
)
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.record import DamagedItemError
from fairgate.ports.table import Action, Put, TransactionRefusedError, Update
from fairgate.service.shared.conditions import HALL_CAP_AS_READ
from fairgate.service.shared.keys import hall_cap_key, hall_room_key
from fairgate.service.shared.live_count import live_now
from fairgate.service.shared.records.sessions import HallCap, HallRoom

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.service.shared.records.catalog import Event
    from fairgate.service.shared.records.sessions import HallLevelRecord

_TRIES_MAX = 4  # rooms that had a place when they were read
_DEALS_MAX = 32  # steps that one caller makes; the next one goes on
# Rooms dealt to in one transaction: it fails while an admission holds one of them.
_DEALT_AT_ONCE = 4
_KNOWN_MS = 5_000  # a level as old as this says nothing about room
_MUCH_ROOM = 0.75  # of the cap: up to there nearly every room has a place
_OTHERS_S = 3_600  # a checkout that is being settled outlives its time


class HallRooms(Struct, frozen=True):
    """Knows the rooms of events. Consistency: rooms are read strongly, one after the other.

    Cost: what ``dealt`` reads is a GetItem and a BatchGetItem of ROOMS_MAX small items.
    """

    table: Table

    def to_ask(
        self, event: Event, session: str, level: HallLevelRecord | None, now_ms: int
    ) -> Iterator[int | None]:
        """Name rooms one after the other, each once the one before had no place; None: no cap.

        While there is much room the session's own is named unread; it costs no read then.
        """
        if not event.live_max:
            yield None
            return
        first, unread = first_room(session, event.live_max), has_much_room(event, level, now_ms)
        if unread:
            yield first
        try:
            rooms = self.dealt(event, now_ms)
        except (DependencyUnavailableError, DamagedItemError):
            if not unread:
                yield first
            return
        yield from with_place(rooms, first)[:_TRIES_MAX]

    def dealt(self, event: Event, now_ms: int) -> Sequence[Room]:
        """Read the rooms, and deal what is to be dealt: at first, and when the cap has changed.

        Only who has the newest version of the cap's record deals, a few rooms at a time, and only
        by rooms that were read as that record says: reads of several items may see a dealing in
        part. Whoever breaks off leaves too little dealt, and the next caller goes on.
        """
        rooms: Sequence[Room] = ()
        for _ in range(_DEALS_MAX):
            cap = self.table.find(HallCap, hall_cap_key(event.id))
            rooms = self._read(event)
            if cap is None or _is_older(cap, event):
                step: list[Action] = [self._announced(event, cap, now_ms)]
            else:
                if [room.dealt for room in rooms] != list(cap.dealt):
                    continue  # some were read before a dealing, and some after it
                deal = self._deal(event, cap, rooms, now_ms)
                if not deal:
                    break
                step = _dealing(event, cap, rooms, deal)
            try:
                self.table.transact(step)
            except TransactionRefusedError:
                continue  # somebody else deals
        return rooms

    def _read(self, event: Event) -> Sequence[Room]:
        keys = [hall_room_key(event.id, number) for number in range(ROOMS_MAX)]
        items = {item.key: item for item in self.table.find_many(HallRoom, keys)}
        return [Room(items[key].dealt, items[key].left) if key in items else Room() for key in keys]

    def _announced(self, event: Event, cap: HallCap | None, now_ms: int) -> Action:
        """Write whose cap is dealt from now on. Nobody deals by the former one any more."""
        if cap is not None:
            return Update(
                "reservations",
                *cap.key,
                condition=HALL_CAP_AS_READ,
                values={"version": cap.version},
                set={"cap": event.live_max, "eventVersion": event.version},
                add={"version": 1},
            )
        now = rfc3339(now_ms)
        until = rfc3339(now_ms + (event.session_s + event.checkout_s + _OTHERS_S) * 1000)
        record = HallCap(
            *hall_cap_key(event.id),
            cap=event.live_max,
            event_version=event.version,
            version=1,
            dealt=[0] * ROOMS_MAX,
            others_until=until if live_now(self.table, event.id, now) else "",
        )
        return Put.of(record)

    def _deal(
        self, event: Event, cap: HallCap, rooms: Sequence[Room], now_ms: int
    ) -> Mapping[int, int]:
        """Return what is to be dealt. Sessions older than rooms are counted as they always were."""
        now, others = rfc3339(now_ms), 0
        if cap.others_until > now and sum(room.dealt for room in rooms) < cap.cap:
            inside = sum(room.inside for room in rooms)
            others = max(0, live_now(self.table, event.id, now) - inside)
        return new_deal(cap.cap, rooms, others)


def has_much_room(event: Event, level: HallLevelRecord | None, now_ms: int) -> bool:
    """Tell whether the hall was seen far from full just now."""
    return (
        level is not None
        and level.follows
        and abs(now_ms - level.at_ms) <= _KNOWN_MS
        and level.live < _MUCH_ROOM * event.live_max
    )


def _is_older(cap: HallCap, event: Event) -> bool:
    return cap.cap != event.live_max and cap.event_version <= event.version


def _dealing(
    event: Event, cap: HallCap, rooms: Sequence[Room], deal: Mapping[int, int]
) -> list[Action]:
    """Build the transaction for the first few rooms of a deal."""
    now = dict(list(deal.items())[:_DEALT_AT_ONCE])
    mine = Update(
        "reservations",
        *cap.key,
        condition=HALL_CAP_AS_READ,
        values={"version": cap.version},
        set={"dealt": [now.get(number, room.dealt) for number, room in enumerate(rooms)]},
        add={"version": 1},
    )
    return [
        mine,
        *(
            Update(
                "reservations",
                *hall_room_key(event.id, number),
                set={"dealt": dealt},
                add={"left": dealt - rooms[number].dealt},
            )
            for number, dealt in now.items()
        ),
    ]
