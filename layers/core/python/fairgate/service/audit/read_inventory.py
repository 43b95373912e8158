"""Read the seats and areas of one event, and all that holds or bought them, for its laws.

Seats that are available and that nobody names are left out, and the reservations of a sold
order are read from the order itself: a sale of 100,000 seats fits into memory.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from fairgate.domain.shared.times import rfc3339
from fairgate.ports.record import PK, SK, DamagedItemError, Key, R
from fairgate.service.audit.order_states import SOLD_OR_BANKED
from fairgate.service.audit.read_sessions import read_sessions
from fairgate.service.audit.snapshot import Item, Snapshot
from fairgate.service.expiry.sweep_cursors import (
    MINUTE_MS,
    QUIET_MS,
    at_rest,
    created_ms,
    find_cursor,
    start_ms_of,
)
from fairgate.service.shared.due import due_entries, minute_of
from fairgate.service.shared.keys import (
    SEAT,
    area_key,
    event_orders_indexes,
    live_partitions,
    order_named_in,
    own_order_key,
    seat_key,
    section_index,
)
from fairgate.service.shared.readable import (
    Readable,
    batches,
    find_many_readable,
    read_readable,
)
from fairgate.service.shared.records.orders import Order, OrderOfEvent
from fairgate.service.shared.records.seats import AreaShard, SeatInIndex, SeatRecord
from fairgate.service.shared.records.sessions import LiveCounter, Reservation, Session

if TYPE_CHECKING:
    from fairgate.ports.record import Record
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.shared.records.catalog import Event

# Sessions that ended may still have their places for so long: the sweeper's grace and two runs.
ENDED_MS = 10 * MINUTE_MS


class Inventory(Struct, frozen=True):
    """What was read.

    Attributes:
        snapshot: for the laws; an area shard says in ``moved`` by how many places it may have
            changed meanwhile.
        claims: the sessions whose holds, orders or locks name a seat, by the seat's partition key.
        damaged: keys of items that cannot be read.
    """

    snapshot: Snapshot
    claims: Mapping[str, set[str]]
    damaged: set[Key]

    def seats_of(self, thing: str) -> set[str]:
        """Return the partition keys of the seats that a violation is about."""
        for order in self.snapshot.orders:
            if order["orderId"] == thing:
                return {seat_key(order["eventId"], unit["seat"]).pk for unit in _seats(order)}
        return {thing}


class InventoryReader:
    """Reads one event. Consistency: strong for each item, not across items; lists by the index."""

    def __init__(self, table: Table, clock: Clock, event: Event) -> None:
        self._table, self._clock, self._event = table, clock, event
        self._damaged: set[Key] = set()

    def whole(self) -> Inventory:
        """Read all that is held or sold.

        Cost for 100,000 sold seats: 158,000 read units in 1,700 calls (``make bench-inventory``).
        Raises DependencyUnavailableError.
        """
        shards = {shard.pk: shard for shard in self._shards()}
        orders = self._orders()
        due = self._due() | {o.session for o in orders.values() if o.state == "pending"}
        read = self._noted(read_sessions(self._table, due))
        orders |= {one.order_id: one for one in read if isinstance(one, Order)}
        items = _items(read, orders.values())
        named = set(_claims(items))
        seats = self._seats(named | self._taken())
        items["seat"] = list(map(_seat, seats.values()))
        items["event"] = [self._event.item()]
        items["area shard"] = [self._moved(shards, shard) for shard in self._shards()]
        return self._inventory(items)

    def near(self, seats: set[str], sessions: set[str]) -> tuple[Inventory, set[str]]:
        """Read some seats again, with these sessions and those that the seats themselves name.

        Returns it, and the partition keys of seats that changed meanwhile: of these nothing can be
        said. Each change of a hold or an order changes its seat's version in the same transaction.
        """
        first = self._seats(seats)
        sessions |= {seat.session_id for seat in first.values()} - {""}
        read = self._noted(read_sessions(self._table, sessions))
        again = self._seats(seats)
        items = _items(read, [one for one in read if isinstance(one, Order)])
        items["seat"] = list(map(_seat, again.values()))
        moved = {pk for pk in again if pk not in first or first[pk].version != again[pk].version}
        return self._inventory(items), moved | (first.keys() - again.keys())

    def _inventory(self, items: Mapping[str, list[Item]]) -> Inventory:
        now = rfc3339(self._clock.now_ms())
        return Inventory(Snapshot(now, items), _claims(items), self._damaged)

    def _shards(self) -> Iterator[AreaShard]:
        for area, facts in self._event.areas.items():
            keys = [area_key(self._event.id, area, shard) for shard in range(facts.shards)]
            for some in batches(keys):
                yield from self._noted(find_many_readable(self._table, AreaShard, some))

    def _moved(self, before: Mapping[str, AreaShard], shard: AreaShard) -> Item:
        """Say by how many places at most a counter has changed since ``before``."""
        event = self._event
        largest = max(event.user_limit, *(past.user_limit for past in event.past_terms), 0)
        changes = shard.version - before[shard.pk].version if shard.pk in before else 0
        return shard.item() | {"moved": changes * largest}

    def _orders(self) -> dict[str, Order]:
        listed = [
            own_order_key(order_named_in(one.gsi1_sk)[0])
            for pk in event_orders_indexes(self._event.id)
            for one in self._noted(read_readable(self._table, OrderOfEvent, pk, index=True))
        ]
        return {
            order.order_id: order
            for some in batches(listed)
            for order in self._noted(find_many_readable(self._table, Order, some))
        }

    def _due(self) -> set[str]:
        """Return the sessions that are live or have ended lately, by when they are due to end."""
        try:
            cursor = find_cursor(self._table, self._event.id)
        except DamagedItemError:
            cursor = None  # the sweeper reports it
        now_ms = self._clock.now_ms()
        swept_ms = created_ms(self._event, now_ms) or 0
        if cursor is not None:
            swept_ms = now_ms if at_rest(self._event, cursor) else start_ms_of(cursor.minute)
        from_ms = min(now_ms - ENDED_MS, max(swept_ms, now_ms - QUIET_MS))
        first = minute_of(rfc3339(from_ms))
        live = [
            counter.sk
            for pk in live_partitions(self._event.id)
            for counter in self._noted(read_readable(self._table, LiveCounter, pk, sk_from=first))
        ]
        until_ms = start_ms_of(minute_of(max(live))) if live else now_ms
        found: set[str] = set()
        for at_ms in range(from_ms, until_ms + MINUTE_MS, MINUTE_MS):
            due = due_entries(self._table, self._event.id, minute_of(rfc3339(at_ms)))
            found |= {entry.session_id for entry in self._noted(due)}
        return found

    def _taken(self) -> set[str]:
        """Return the partition keys of the seats that the index does not show as available."""
        return {
            seat.pk
            for section in self._event.sections
            for seat in self._noted(
                read_readable(
                    self._table, SeatInIndex, section_index(self._event.id, section.id), index=True
                )
            )
            if seat.availability != "available"
        }

    def _seats(self, names: Iterable[str]) -> dict[str, SeatRecord]:
        keys = [Key(pk, SEAT) for pk in names]
        return {
            seat.pk: seat
            for some in batches(keys)
            for seat in self._noted(find_many_readable(self._table, SeatRecord, some))
        }

    def _noted(self, read: Readable[R]) -> Sequence[R]:
        """Keep the keys of damaged items, and return the others."""
        self._damaged |= set(read.damaged)
        return read.records


def _items(read: Iterable[Record], orders: Iterable[Order]) -> dict[str, list[Item]]:
    """Sort what was read into the kinds that the laws read.

    The units of a sold order whose session was not read are its reservations.
    """
    items: dict[str, list[Item]] = defaultdict(list)
    for one in read:
        if isinstance(one, Session):
            items["session"].append({PK: one.pk, "state": one.state, "expiresAt": one.expires_at})
        elif isinstance(one, Reservation):
            items["reservation"].append(_reservation(one.pk, one.state, one.item()))
    partitions = {session[PK] for session in items["session"]}
    for order in orders:
        units = [unit.as_map() for unit in order.units]
        items["order"].append(
            {
                PK: order.pk,
                "orderId": order.order_id,
                "eventId": order.event_id,
                "state": order.state,
                "units": units,
            }
        )
        if order.state in SOLD_OR_BANKED and order.pk not in partitions:
            for unit in order.units:
                facts = {
                    "eventId": order.event_id,
                    "kind": unit.kind,
                    "place": unit.place,
                    "quantity": unit.places,
                    "shard": unit.shard or 0,
                }
                items["reservation"].append(_reservation(order.pk, "sold", facts))
    return items


def _reservation(session: str, state: str, facts: Mapping[str, Any]) -> Item:
    kept = {name: facts[name] for name in ("eventId", "kind", "place", "quantity", "shard")}
    return {PK: session, "state": state, **kept}


def _seat(seat: SeatRecord) -> Item:
    return {
        PK: seat.pk,
        SK: seat.sk,
        "eventId": seat.event_id,
        "seatId": seat.seat_id,
        "availability": seat.availability,
        "sessionId": seat.session_id,
        "expiresAt": seat.expires_at,
    }


def _seats(order: Item) -> Iterator[Item]:
    return (unit for unit in order["units"] if unit["kind"] == "seat")


def _claims(items: Mapping[str, list[Item]]) -> dict[str, set[str]]:
    claims: defaultdict[str, set[str]] = defaultdict(set)
    for order in items.get("order", ()):
        if order["state"] in SOLD_OR_BANKED:
            for unit in _seats(order):
                claims[seat_key(order["eventId"], unit["seat"]).pk].add(order[PK])
    for one in items.get("reservation", ()):
        if one["kind"] == "seat" and one["state"] == "live":
            claims[seat_key(one["eventId"], one["place"]).pk].add(one[PK])
    for seat in items.get("seat", ()):
        if seat["sessionId"]:
            claims[seat[PK]].add(seat["sessionId"])
    return dict(claims)
