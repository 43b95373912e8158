"""Laws about seats and areas: holds, locks and sales."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from fairgate.ports.record import PK, SK
from fairgate.service.audit.law import law
from fairgate.service.audit.order_states import SOLD_OR_BANKED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairgate.service.audit.law import Found
    from fairgate.service.audit.snapshot import Item, Snapshot

KEEPING = ("live", "sold")  # of reservations that take places
_READ_SEAT = "Pause the event, and read the seat's item, its session and its order."


@law("Pause the event; the first payment keeps the seat, and the other order is refunded.")
def two_live_holds(seen: Snapshot) -> Found:
    """No seat is in two live holds."""
    holders: defaultdict[str, list[str]] = defaultdict(list)
    for seat, session in _held(seen):
        holders[seat].append(session)
    for seat, sessions in holders.items():
        if len(sessions) > 1:
            yield seat, f"held by {', '.join(sorted(sessions))}"


@law("Pause the event, find both orders with `fairgate orders list`, and refund the later one.")
def sold_twice(seen: Snapshot) -> Found:
    """No seat is sold twice, neither by reservations nor by orders."""
    by_reservation = Counter(
        _seat_of(item)
        for item in seen.reservations
        if item["kind"] == "seat" and item["state"] == "sold"
    )
    by_order = Counter(seat for order in _sold(seen) for seat in _seats_in(order))
    for source, counts in (("reservations", by_reservation), ("orders", by_order)):
        yield from ((seat, f"{count} {source}") for seat, count in counts.items() if count > 1)


@law(_READ_SEAT)
def reserved_without_order(seen: Snapshot) -> Found:
    """A reserved seat has exactly one sold order that names it, of its session."""
    owner = {seat: order[PK] for order in _sold(seen) for seat in _seats_in(order)}
    for seat in seen.seats:
        name = _name_of(seat)
        if seat["availability"] != "reserved":
            continue
        if name not in owner:
            yield name, "no paid order names it"
        elif owner[name] != seat["sessionId"]:
            yield name, f"reserved by {seat['sessionId']}, sold to {owner[name]}"


@law("Pause the event, and refund the order unless its seat can still be reserved for it.")
def order_without_seat(seen: Snapshot) -> Found:
    """Every seat of a sold order is reserved by its session."""
    status = {_name_of(seat): (seat["availability"], seat["sessionId"]) for seat in seen.seats}
    for order in _sold(seen):
        for name in _seats_in(order):
            availability, session = status.get(name, ("unknown", ""))
            if (availability, session) != ("reserved", order[PK]):
                by = f" by {session}" if session else ""
                yield order["orderId"], f"{order['state']}, but {name} is {availability}{by}"


@law("Wait until the lock ends; if the seat does not become free then, read its item.")
def locked_without_hold(seen: Snapshot) -> Found:
    """A seat whose lock runs belongs to a live session that has a hold on it."""
    for seat, session in _locked(seen) - _held(seen):
        yield seat, f"locked by {session} without a live hold"


@law(_READ_SEAT)
def hold_without_lock(seen: Snapshot) -> Found:
    """A live hold of a seat has the seat's lock."""
    for seat, session in _held(seen) - _locked(seen):
        yield seat, f"held by {session}, which has no lock on it"


@law("Pause the event, and count the area's reservations against its capacity.")
def area_bounds(seen: Snapshot) -> Found:
    """Each counter of an area has from 0 places to its capacity left, and blocked."""
    for shard in seen.of("area shard"):
        blocked = shard.get("blocked", 0)
        if not (0 <= shard["remaining"] <= shard["capacity"] and blocked >= 0):
            left = f"{shard['remaining']} of {shard['capacity']} remain"
            yield shard[PK], f"{left}, {blocked} are blocked"


@law("Pause the event, and count the area's reservations against its capacity.")
def area_balance(seen: Snapshot) -> Found:
    """The free, held, sold and blocked places of a counter add up to its capacity."""
    taken: Counter[tuple[str, str, int]] = Counter()
    for item in seen.reservations:
        if item["kind"] == "area" and item["state"] in KEEPING:
            taken[item["eventId"], item["place"], item["shard"]] += item["quantity"]
    for shard in seen.of("area shard"):
        count = taken[shard["eventId"], shard["areaId"], shard["shard"]]
        blocked = shard.get("blocked", 0)
        if abs(shard["remaining"] + count + blocked - shard["capacity"]) > shard.get("moved", 0):
            parts = f"{shard['remaining']} remain + {count} held or sold + {blocked} blocked"
            yield shard[PK], f"{parts} ≠ {shard['capacity']}"


@law("Pause the event, and compare the area's shards with the event's chart.")
def area_capacity(seen: Snapshot) -> Found:
    """The counters of an area add up to the capacity that its event says."""
    capacities: Counter[tuple[str, str]] = Counter()
    for shard in seen.of("area shard"):
        capacities[shard["eventId"], shard["areaId"]] += shard["capacity"]
    for event in seen.events:
        for area, figures in event["areas"].items():
            total = capacities[event[SK], area]
            if total != figures["capacity"]:
                what = f"shards hold {total}, the event {figures['capacity']}"
                yield f"{event[SK]}#{area}", what


@law("Read the block: `fairgate seats list EVENT`; then free it, and block its seats again.")
def house_blocks(seen: Snapshot) -> Found:
    """The blocks of an event name exactly the seats and places that are blocked by them."""
    events = {event[SK] for event in seen.events}
    named: set[tuple[str, str]] = set()
    kept: Counter[tuple[str, str, str]] = Counter()
    for block in seen.of("house block"):
        if block["eventId"] not in events:
            continue  # its draft is being deleted
        named |= {(f"{block['eventId']}#{seat}", block[SK]) for seat in block["seats"]}
        for area, shards in block["areas"].items():
            for shard, count in shards.items():
                kept[block["eventId"], area, shard] += count
    blocked = {
        (_name_of(seat), seat["sessionId"])
        for seat in seen.seats
        if seat["availability"] == "blocked" and seat["eventId"] in events
    }
    yield from ((seat, f"named by {by}, which does not block it") for seat, by in named - blocked)
    yield from ((seat, f"blocked by {by}, which does not name it") for seat, by in blocked - named)
    for shard in seen.of("area shard"):
        count = kept[shard["eventId"], shard["areaId"], str(shard["shard"])]
        if shard["eventId"] in events and shard.get("blocked", 0) != count:
            yield shard[PK], f"{shard.get('blocked', 0)} places are blocked, blocks name {count}"


@law("Wait for the sweeper's next minute; then look for the alarm `BackstopFailures`.", "rest")
def block_overdue(seen: Snapshot) -> Found:
    """At rest no house block of an open sale keeps anything after its time."""
    closed = {event[SK] for event in seen.events if event["state"] == "closed"}
    for block in seen.of("house block"):
        if block["eventId"] in closed or not (block["seats"] or block["areas"]):
            continue
        if "" < block["until"] <= seen.now:
            yield f"{block['eventId']}#{block[SK]}", f"was to be freed at {block['until']}"


@law("Wait for the sweeper's next minute; then look for the alarm `SweeperSilent`.", "rest")
def seat_never_returned(seen: Snapshot) -> Found:
    """No seat is locked once everything has expired."""
    for seat in seen.seats:
        if seat["availability"] == "locked":
            yield seat["seatId"], f"locked by {seat['sessionId']}"


@law("Fill the cache from the table: `fairgate cache rebuild EVENT`.", "delivered")
def cache(seen: Snapshot) -> Found:
    """The cache has each seat as the table has it."""
    table: defaultdict[tuple[str, str], dict[int, tuple[str, int, str]]] = defaultdict(dict)
    for seat in seen.seats:
        entry = (seat["availability"], seat["version"], seat["seatId"])
        table[seat["eventId"], seat["sectionId"]][seat["seatIndex"]] = entry
    for (event, section), statuses in seen.cache.items():
        cached = {s.index: (s.availability, s.version) for s in statuses}
        for index, (availability, version, name) in table[event, section].items():
            if cached.get(index) != (availability, version):
                what = f"table {availability} v{version}, cache {cached.get(index)}"
                yield f"{event}#{name}", what


def _held(seen: Snapshot) -> set[tuple[str, str]]:
    return {
        (_seat_of(item), item[PK])
        for item in seen.reservations
        if item["kind"] == "seat" and item["state"] == "live" and item[PK] in seen.live_sessions
    }


def _locked(seen: Snapshot) -> set[tuple[str, str]]:
    return {
        (_name_of(seat), seat["sessionId"])
        for seat in seen.seats
        if seat["availability"] == "locked" and seat["expiresAt"] > seen.now
    }


def _sold(seen: Snapshot) -> Iterator[Item]:
    return (order for order in seen.orders if order["state"] in SOLD_OR_BANKED)


def _name_of(seat: Item) -> str:
    return f"{seat['eventId']}#{seat['seatId']}"


def _seat_of(reservation: Item) -> str:
    return f"{reservation['eventId']}#{reservation['place']}"


def _seats_in(order: Item) -> list[str]:
    return [f"{order['eventId']}#{u['seat']}" for u in order["units"] if u["kind"] == "seat"]
