"""What must hold after a sale, checked from the tables, the provider's books and the cache.

Every law is a function from a snapshot to the violations it finds, each of which names the law
and the thing. A running system is read up to three times, a second apart, and only what is found
each time counts: a scan is no transaction and may see half of one.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fairgate.ports.record import PK, SK
from fairgate.service.shared.keys import user_of
from fairgate_ops.run.laws import (
    document_laws,
    erasure_laws,
    hall_laws,
    ledger_laws,
    listing_laws,
    movement_laws,
    passing_laws,
    refund_laws,
    tally_laws,
)
from fairgate_ops.run.laws.snapshot import Item, Snapshot, take
from fairgate_ops.run.laws.violation import Found, Violation
from fairgate_ops.run.local.local_config import LocalConfig

LIVE_SESSION = ("reservation", "checkout")
SOLD = ("paid", "ticketed")
BANKED = ("disputed", "charged_back")  # sold, and the buyer's bank asks or has the money back
TAKING = ("pending", *SOLD, *BANKED)  # an order whose places count for its user's limit
KEEPING = ("live", "sold")  # a reservation that keeps its places from others
# Duties that the world made; those that a defect of ours would make excuse nothing.
OTHERS_DOING = ("refund-refused", "refund-failed", "refunded-elsewhere", "refunded-in-part")
MOVING = ("paid", "refund_due")  # an order that a delivery is still due for
READS = 3
SHOWN_MAX = 40


def violations(snapshot: Snapshot) -> list[Violation]:
    """Everything that is wrong, in a stable order; an empty list when all laws hold."""
    return sorted({found for law in LAWS for found in law(snapshot)})


# --- seats


def two_live_holds(snapshot: Snapshot) -> Found:
    """No seat is in two live holds."""
    live = _live_sessions(snapshot)
    holders: defaultdict[str, list[str]] = defaultdict(list)
    for item in snapshot.reservations:
        if item["kind"] == "seat" and item["state"] == "live" and item[PK] in live:
            holders[_seat_of(item)].append(item[PK])
    for seat, sessions in holders.items():
        if len(sessions) > 1:
            yield Violation("two-live-holds", seat, f"held by {', '.join(sorted(sessions))}")


def sold_twice(snapshot: Snapshot) -> Found:
    """No seat is sold twice, neither by reservations nor by orders."""
    by_reservation = Counter(
        _seat_of(item)
        for item in snapshot.reservations
        if item["kind"] == "seat" and item["state"] == "sold"
    )
    by_order = Counter(seat for order in _sold(snapshot) for seat in _seats_in(order))
    for source, counts in (("reservations", by_reservation), ("orders", by_order)):
        for seat, count in counts.items():
            if count > 1:
                yield Violation("sold-twice", seat, f"{count} {source}")


def reserved_without_order(snapshot: Snapshot) -> Found:
    """A reserved seat has exactly one paid or ticketed order that names it, of its session."""
    owner = {seat: order[PK] for order in _sold(snapshot) for seat in _seats_in(order)}
    for seat in snapshot.seats:
        name = f"{seat['eventId']}#{seat['seatId']}"
        if seat["availability"] == "reserved" and name not in owner:
            yield Violation("reserved-without-order", name, "no paid order names it")
        elif seat["availability"] == "reserved" and owner[name] != seat["sessionId"]:
            what = f"reserved by {seat['sessionId']}, sold to {owner[name]}"
            yield Violation("reserved-without-order", name, what)


def order_without_seat(snapshot: Snapshot) -> Found:
    """Every seat in a paid or ticketed order is reserved."""
    status = {f"{s['eventId']}#{s['seatId']}": s["availability"] for s in snapshot.seats}
    for order in _sold(snapshot):
        for name in _seats_in(order):
            if status.get(name) != "reserved":
                what = f"{order['state']}, but {name} is {status.get(name, 'unknown')}"
                yield Violation("order-without-seat", order["orderId"], what)


def locked_without_hold(snapshot: Snapshot) -> Found:
    """A seat whose lock runs belongs to a live session that has a hold on it, and the reverse."""
    live = _live_sessions(snapshot)
    held = {
        (_seat_of(item), item[PK])
        for item in snapshot.reservations
        if item["kind"] == "seat" and item["state"] == "live" and item[PK] in live
    }
    locked = {
        (f"{seat['eventId']}#{seat['seatId']}", seat["sessionId"])
        for seat in snapshot.seats
        if seat["availability"] == "locked" and seat["expiresAt"] > snapshot.now
    }
    for seat, session in locked - held:
        yield Violation("locked-without-hold", seat, f"locked by {session} without a live hold")
    for seat, session in held - locked:
        yield Violation("hold-without-lock", seat, f"held by {session}, which has no lock on it")


# --- general admission


def area_counters(snapshot: Snapshot) -> Found:
    """Per shard: nothing negative, and what remains, is held and is sold make the capacity."""
    taken: Counter[tuple[str, str, int]] = Counter()
    for item in snapshot.reservations:
        if item["kind"] == "area" and item["state"] in KEEPING:
            taken[item["eventId"], item["place"], item["shard"]] += item["quantity"]
    capacities: Counter[tuple[str, str]] = Counter()
    for shard in snapshot.shards:
        key = (shard["eventId"], shard["areaId"], shard["shard"])
        name, capacity, remaining = shard[PK], shard["capacity"], shard["remaining"]
        capacities[key[:2]] += capacity
        if not 0 <= remaining <= capacity:
            yield Violation("area-bounds", name, f"{remaining} of {capacity} remain")
        if remaining + taken[key] != capacity:
            what = f"{remaining} remain + {taken[key]} held or sold ≠ {capacity}"
            yield Violation("area-balance", name, what)
    for event in snapshot.events:
        for area, figures in event["areas"].items():
            total = capacities[event[SK], area]
            if total != figures["capacity"]:
                what = f"shards hold {total}, the event {figures['capacity']}"
                yield Violation("area-capacity", f"{event[SK]}#{area}", what)


# --- sessions and users


def session_limits(snapshot: Snapshot) -> Found:
    """A session holds no more than its event allows; a live one as much as it says."""
    limits = {event[SK]: event["holdLimit"] for event in snapshot.events}
    counts: Counter[str] = Counter()
    for item in snapshot.reservations:
        if item["state"] in KEEPING:
            counts[item[PK]] += item["quantity"]
    for session in snapshot.sessions:
        held, limit = counts[session[PK]], limits.get(session["eventId"], 0)
        if held > limit:
            yield Violation("session-limit", session[PK], f"{held} units, limit {limit}")
        said = session["resCount"]
        if said != held and session["state"] in LIVE_SESSION:
            yield Violation("session-count", session[PK], f"counts {said}, has {held} units")


def one_live_session(snapshot: Snapshot) -> Found:
    """A user has at most one live session in an event."""
    live: Counter[tuple[str, str]] = Counter()
    for session in snapshot.sessions:
        if session["state"] in LIVE_SESSION and session["expiresAt"] > snapshot.now:
            live[session["userId"], session["eventId"]] += 1
    for (user, event), count in live.items():
        if count > 1:
            yield Violation("one-live-session", f"{user} in {event}", f"{count} live sessions")


def user_limits(snapshot: Snapshot) -> Found:
    """Nobody has more places than the event allows, bought or ordered; their status counts them."""
    limits = {event[SK]: event["userLimit"] for event in snapshot.events}
    taken: Counter[tuple[str, str]] = Counter()
    for order in (one for one in snapshot.orders if one["state"] in TAKING):
        taken[order["userId"], order["eventId"]] += _units_in(order)
    for order in snapshot.orders:  # what was taken over counts for good
        for one in order.get("passed", ()):
            if one.get("holder"):
                taken[one["holder"], order["eventId"]] += 1
    counted = {
        (user_of(item[PK]), item[SK]): item.get("placesTaken", 0) for item in snapshot.standings
    }
    for key in taken.keys() | counted.keys():
        count, event = taken[key], key[1]
        if count > limits.get(event, 0):
            yield Violation("user-limit", f"{key[0]} in {event}", f"has taken {count}")
        if count != counted.get(key, 0):
            what = f"has taken {count}, the status says {counted.get(key, 0)}"
            yield Violation("user-count", f"{key[0]} in {event}", what)


# --- money


def ticket_sets(snapshot: Snapshot) -> Found:
    """A ticketed order has one ticket a unit; others have void ones at most; no code is twice."""
    codes: Counter[str] = Counter()
    for order in snapshot.orders:
        tickets = order.get("tickets") or []
        codes.update(ticket["ticket"] for ticket in tickets)
        expected = _units_in(order) if order["state"] == "ticketed" else 0
        void = (*BANKED, "cancelled", "refunded") if "cancelledAt" in order else BANKED
        if len(tickets) != expected and order["state"] not in void:
            what = f"{order['state']} with {len(tickets)} tickets for {_units_in(order)} units"
            yield Violation("ticket-set", order["orderId"], what)
    for code, count in codes.items():
        if count > 1:
            yield Violation("ticket-code", code, f"on {count} tickets")


def money(snapshot: Snapshot) -> Found:
    """A captured payment ends in exactly one ticket set, exactly one refund or a duty."""
    if snapshot.payments is None:
        return
    known = {str(d.get("orderId", "")) for d in snapshot.duties if d["kind"] in OTHERS_DOING}
    states = {order["orderId"]: str(order["state"]) for order in snapshot.orders}
    kept: Counter[str] = Counter(dict.fromkeys(states, 0))
    kept.update(payment["order"] for payment in refund_laws.kept(snapshot.payments))
    for order, count in ((o, n) for o, n in kept.items() if o not in known):
        state = states.get(order, "unknown")
        wanted = 1 if state in SOLD else 0
        if count < wanted:
            yield Violation("ticket-without-money", order, f"{state}, and no capture is kept")
        elif count > wanted and state not in (*MOVING, *BANKED):  # the disputes say whose it is
            yield Violation("money-without-ticket", order, f"{state}, and {count} captures kept")


def settled(snapshot: Snapshot) -> Found:
    """After every message is delivered no order waits for tickets or for its refund."""
    for order in snapshot.orders:
        if order["state"] in MOVING:
            yield Violation("unsettled", order["orderId"], f"still {order['state']}")


# --- the cache


def cache_equals_table(snapshot: Snapshot) -> Found:
    """After every message is delivered the cache says what the table says."""
    table: defaultdict[tuple[str, str], dict[int, tuple[str, int, str]]] = defaultdict(dict)
    for seat in snapshot.seats:
        key = (seat["eventId"], seat["sectionId"])
        entry = (seat["availability"], seat["version"], seat["seatId"])
        table[key][seat["seatIndex"]] = entry
    for (event, section), statuses in snapshot.cache.items():
        cached = {s.index: (s.availability, s.version) for s in statuses}
        for index, (availability, version, name) in table[event, section].items():
            if cached.get(index) != (availability, version):
                what = f"table {availability} v{version}, cache {cached.get(index)}"
                yield Violation("cache", f"{event}#{name}", what)


# --- the data


def items_load(snapshot: Snapshot) -> Found:
    """Every item is of a known kind and has its attributes, of their types, and no other."""
    from fairgate.adapters.dynamodb.models import problems_of

    for table, items in snapshot.raw.items():
        for problem in problems_of(table, items):
            yield Violation("data", table, problem)


LAWS: tuple[Callable[[Snapshot], Found], ...] = (
    two_live_holds,
    sold_twice,
    reserved_without_order,
    order_without_seat,
    locked_without_hold,
    area_counters,
    session_limits,
    one_live_session,
    hall_laws.cap_is_kept,
    hall_laws.rooms_balance,
    tally_laws.tally_is_exact,
    listing_laws.listed,
    erasure_laws.erased,
    listing_laws.found_by_address,
    user_limits,
    ticket_sets,
    passing_laws.one_good_code,
    money,
    ledger_laws.adds_up,
    movement_laws.fees_and_payouts,
    document_laws.numbered,
    refund_laws.amounts,
    settled,
    cache_equals_table,
    items_load,
)


def _live_sessions(snapshot: Snapshot) -> set[str]:
    return {
        session[PK]
        for session in snapshot.sessions
        if session["state"] in LIVE_SESSION and session["expiresAt"] > snapshot.now
    }


def _sold(snapshot: Snapshot) -> Iterator[Item]:
    return (order for order in snapshot.orders if order["state"] in (*SOLD, *BANKED))


def _seat_of(reservation: Item) -> str:
    return f"{reservation['eventId']}#{reservation['place']}"


def _seats_in(order: Item) -> list[str]:
    return [f"{order['eventId']}#{u['seat']}" for u in order["units"] if u["kind"] == "seat"]


def _units_in(order: Item) -> int:
    return sum(unit.get("quantity", 1) for unit in order["units"])


# --- the command


def check(config: LocalConfig, *, within_s: float = 30.0, with_cache: bool = True) -> Report:
    """Check until nothing is wrong, or ``within_s`` has passed and the same things still are."""
    return checked(lambda: take(config, with_cache=with_cache), within_s=within_s)


def checked(read: Callable[[], Snapshot], *, within_s: float) -> Report:
    """The same of whatever ``read`` takes."""
    pause, deadline, reads = threading.Event(), time.monotonic() + within_s, 0
    kept: set[Violation] | None = None
    while True:
        snapshot = read()
        found = set(violations(snapshot))
        kept = found if kept is None else kept & found
        reads += 1
        if not found or (reads >= READS and time.monotonic() > deadline):
            return Report(snapshot, sorted(kept & found))
        if time.monotonic() < deadline:
            kept = None  # what is still under way may finish; the last reads decide
            reads = 0
        pause.wait(1.0)


@dataclass(frozen=True)
class Report:
    snapshot: Snapshot
    violations: Sequence[Violation]

    def lines(self) -> Iterator[str]:
        seats = Counter(str(seat["availability"]) for seat in self.snapshot.seats)
        orders = Counter(str(order["state"]) for order in self.snapshot.orders)
        yield "seats   " + _counted(seats)
        yield "orders  " + _counted(orders)
        yield from (f"BROKEN  {violation}" for violation in self.violations[:SHOWN_MAX])
        if len(self.violations) > SHOWN_MAX:
            yield f"… and {len(self.violations) - SHOWN_MAX} more"
        if not self.violations:
            yield f"All {len(LAWS)} laws hold."


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.most_common()) or "none"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m fairgate_ops.run.laws.check", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--run-dir", type=Path, default=Path(".run"))
    parser.add_argument("--within", type=float, default=30.0, help="seconds until all is settled")
    parser.add_argument("--no-cache", action="store_true", help="leave the cache out")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    try:
        config = LocalConfig.read(options.run_dir)
    except FileNotFoundError:
        print(f"No system runs from {options.run_dir}: start one with `make up`.", file=sys.stderr)
        return 2
    report = check(config, within_s=options.within, with_cache=not options.no_cache)
    as_json = json.dumps([vars(violation) for violation in report.violations])
    print(as_json if options.json else "\n".join(report.lines()))
    return 1 if report.violations else 0


if __name__ == "__main__":
    sys.exit(main())
