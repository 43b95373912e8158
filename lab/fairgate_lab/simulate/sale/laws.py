"""What must hold during a simulated sale and after it, apart from the workload.

The laws of ``fairgate_ops.run.laws.check`` over the simulated tables, and those that only a whole
view of time allows: tables are read at one moment, and in the end nothing is under way.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from fairgate.domain.shared.session import LIVE_STATES, live_from
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.record import PK, SK, decode
from fairgate.service.sessions.hall_rooms import HallRooms
from fairgate.service.shared.keys import user_of
from fairgate.service.shared.live_count import counters_from
from fairgate.service.shared.records.orders import Order
from fairgate.service.tickets.issue_tickets import faces_of
from fairgate_lab.simulate.sale import money_laws, venue
from fairgate_lab.simulate.sale.history import Operation
from fairgate_lab.simulate.sale.linearize import Sold, concerning, explain
from fairgate_lab.simulate.sale.sale import NAMES, Sale
from fairgate_ops.run.laws import check, document_laws, listing_laws, refund_laws
from fairgate_ops.run.laws.check import SOLD
from fairgate_ops.run.laws.snapshot import Snapshot, of_tables
from fairgate_ops.run.laws.violation import Found, Violation

Law = Callable[[Snapshot], Found]
_NOT_MEANWHILE = (  # of the end, or too dear between any two calls
    check.money,
    refund_laws.amounts,
    check.settled,
    check.cache_equals_table,
    check.items_load,
    listing_laws.found_by_address,
)


def snapshot(sale: Sale) -> Snapshot:
    """All tables at this moment. ``now`` is later than every process's clock."""
    now_ms = sale.scheduler.now_ms + sale.faults.plan.skew_ms
    return replace(
        of_tables(sale.engine, {str(name): table for name, table in NAMES.items()}),
        now=rfc3339(now_ms),
    )


def meanwhile(sale: Sale) -> list[Violation]:
    """What is wrong at this very moment, between any two calls."""
    seen = snapshot(sale)
    laws: list[Law] = [law for law in check.LAWS if law not in _NOT_MEANWHILE]
    laws += [one_session_a_token, orders_match_reservations, standing_points_at_it]
    laws += [void_admits_nobody]
    return [*(found for law in laws for found in law(seen)), *live_counters(sale, seen)]


def finally_(sale: Sale) -> list[Violation]:
    """What is wrong once every hold has expired and every message is delivered."""
    seen = snapshot(sale)
    seen = replace(seen, cache=_cached(sale))
    found = [v for law in check.LAWS if law is not check.settled for v in law(seen)]
    found += money_laws.violations(sale, seen)
    found += live_counters(sale, seen)
    found += places_are_back(sale)
    ended = (
        one_session_a_token,
        orders_match_reservations,
        void_admits_nobody,
        nothing_is_left,
        document_laws.complete,
    )
    for law in ended:
        found += law(seen)
    found += cache_figures(sale, seen)
    found += answers(sale, seen)
    found += dead_letters(sale)
    found += linearizable(sale, seen)
    found += [Violation("defect", "500", text) for text in sale.fleet.defects]
    return found


def live_counters(sale: Sale, seen: Snapshot) -> Found:
    """In every minute to come, as many sessions are counted as will end in it."""
    this_minute = live_from(seen.now)
    for event in sale.events:
        counters = counters_from(sale.table(), event)
        said = {c.sk: c.live for c in counters if live_from(c.sk) > this_minute}
        live = Counter(
            s["liveBucket"]
            for s in seen.sessions
            if s["state"] in LIVE_STATES and s["eventId"] == event
        )
        for bucket, count in said.items():
            if count < 0 or count != live[bucket]:
                what = f"{count} counted, {live[bucket]} live"
                yield Violation("live-counter", f"{event} {bucket}", what)


def places_are_back(sale: Sale) -> Found:
    """At rest, once whoever comes has dealt what a broken-off dealing left, all of a cap is there.

    No place is lost with a session, however it ended.
    """
    rooms = HallRooms(sale.table())
    for event in (event for event in sale.events.values() if event.live_max):
        left = sum(room.left for room in rooms.dealt(event, sale.scheduler.now_ms))
        if left != event.live_max:
            yield Violation("hall-places", event.id, f"{left} of {event.live_max} are left")


def standing_points_at_it(seen: Snapshot) -> Found:
    """Whoever is inside is known to be: their standing names their live session."""
    named = {(user_of(item[PK]), item[SK]): item.get("liveSession") for item in seen.standings}
    for session in seen.sessions:
        live = session["state"] in LIVE_STATES and session["expiresAt"] > seen.now
        if live and named.get((session["userId"], session["eventId"])) != session[PK]:
            yield Violation("standing", session[PK], f"{session['userId']} is inside unnoticed")


def one_session_a_token(seen: Snapshot) -> Found:
    """A waiting token opens one session; nobody opens more than the sale allows."""
    tokens = Counter(session["tokenId"] for session in seen.sessions)
    for token, count in tokens.items():
        if count > 1:
            yield Violation("token-redeemed-twice", token, f"{count} sessions")
    limits = {event[SK]: event["sessionsLimit"] for event in seen.events}
    opened = Counter((session["userId"], session["eventId"]) for session in seen.sessions)
    said = {(user_of(item[PK]), item[SK]): item.get("sessionsUsed", 0) for item in seen.standings}
    for key, count in opened.items():
        if count > limits[key[1]]:
            yield Violation("sessions-limit", key[0], f"{count} sessions")
        if count != said.get(key, 0):
            yield Violation("sessions-used", key[0], f"{count} sessions, {said.get(key)} counted")


def void_admits_nobody(seen: Snapshot) -> Found:
    """No ticket that was made void or given back is among those that a buyer can show."""
    for item in seen.orders:
        order = decode(Order, item)
        gone = {one["ticket"] for one in item.get("voided", ())}
        gone |= {ticket for one in item.get("returned", ()) for ticket in one["tickets"]}
        users = {order.holder_of(entry) for entry in order.tickets}
        faces = [face for user in users for face in faces_of(order, None, user)]
        for face in faces if order.state == "ticketed" else ():
            if face.ticket in gone:
                yield Violation("void-ticket", order.order_id, f"{face.ticket} still admits")


def orders_match_reservations(seen: Snapshot) -> Found:
    """What a sold order lists and priced is what its session's sold reservations say."""
    for order in seen.orders:
        if order["state"] not in SOLD:
            continue
        listed: Counter[str] = Counter()
        for unit in order["units"]:
            listed[unit[unit["kind"]]] += unit.get("quantity", 1)
        sold: Counter[str] = Counter()
        for reservation in seen.reservations:
            if reservation[PK] == order[PK] and reservation["state"] == "sold":
                sold[reservation["place"]] += reservation["quantity"]
        if listed != sold:
            what = f"lists {dict(listed)}, sold {dict(sold)}"
            yield Violation("order-units", order["orderId"], what)
        priced = sum(line["quantity"] for line in order["lines"] if line["tier"])
        had = listed.total() + sum(len(one["tickets"]) for one in order.get("returned", ()))
        if priced != had:
            yield Violation("order-price", order["orderId"], f"{priced} priced of {had}")


def nothing_is_left(seen: Snapshot) -> Found:
    """Everything that expired has come back; no session, order or lock is still open."""
    for seat in seen.seats:
        if seat["availability"] == "locked":
            yield Violation("never-returned", seat["seatId"], f"locked by {seat['sessionId']}")
    for session in seen.sessions:
        if session["state"] in LIVE_STATES:
            yield Violation("never-ended", session[PK], session["state"])
    for order in seen.orders:
        if order["state"] == "pending":
            yield Violation("never-settled", order["orderId"], "pending")


def dead_letters(sale: Sale) -> Found:
    """What a consumer could have taken is taken at last, whatever stood beside it."""
    for function, queue in sale.queues.items():
        for name, message in queue.dead.items():
            if not message.poison:
                yield Violation("dead-letter", f"{function} {name}", message.body[:200])


def answers(sale: Sale, seen: Snapshot) -> Found:
    """A key has one effect and one answer, which is what was asked; nobody acts for another."""
    told: dict[tuple[str, str], set[str]] = defaultdict(set)
    keys: dict[str, set[str]] = defaultdict(set)
    for operation in sale.history.operations:
        if operation.kind == "hold":
            keys[operation.session].add(operation.key)
            if operation.outcome == "ok":
                told[operation.session, operation.key].add(operation.hold)
        if operation.wrong:
            yield Violation("answer", operation.session, f"{operation}: {operation.wrong}")
    for (session, key), holds in told.items():
        if len(holds) > 1:
            yield Violation("two-answers", session, f"{key}: {', '.join(sorted(holds))}")
    made: dict[str, set[str]] = defaultdict(set)
    for reservation in seen.reservations:
        made[reservation[PK]].add(reservation["holdId"])
    for session, holds in made.items():
        if len(holds) > len(keys[session]):
            what = f"{len(holds)} holds made by {len(keys[session])} requests"
            yield Violation("two-effects", session, what)


def cache_figures(sale: Sale, seen: Snapshot) -> Found:
    """The counts and the area's counters in the cache are those of the table."""
    if sale.cache is None:
        return
    now_ms = sale.scheduler.now_ms
    for event in sale.events:
        ours = [seat for seat in seen.seats if seat["eventId"] == event]
        free = sum(1 for seat in ours if seat["availability"] == "available")
        for section, count in sale.cache.counts(event, [venue.SECTION], now_ms).items():
            if count != free:
                yield Violation("cache-count", f"{event} {section}", f"cache {count}, table {free}")
        table = {
            (s["areaId"], s["shard"]): (s["remaining"], s["version"])
            for s in seen.shards
            if s["eventId"] == event
        }
        for shard in sale.cache.shards(event):
            kept = (shard.remaining, shard.version)
            if kept != table[shard.area, shard.shard]:
                what = f"cache {kept}, table {table[shard.area, shard.shard]}"
                yield Violation("cache-shard", f"{event} {shard.area}#{shard.shard}", what)


def linearizable(sale: Sale, seen: Snapshot) -> Found:
    """Judge the recorded history of each seat, which ends in the table's state.

    Every verdict is counted in the sale; an undecided history is neither proved nor a violation.
    """
    orders = {order["orderId"]: Sold(order[PK], tuple(_seats_of(order))) for order in seen.orders}
    states = {"available": "free", "locked": "locked", "reserved": "sold"}
    histories = _by_event(sale, seen, orders)
    late = "late" in sale.fault_plan.writes
    for seat in seen.seats:
        if seat["eventId"] not in sale.events:
            continue
        operations = concerning(histories[seat["eventId"]], seat["seatId"], orders, late=late)
        end = sale.history.clock + 1
        final = Operation(
            "read", seat["sessionId"], end, 0, end, outcome="ok", said=states[seat["availability"]]
        )
        verdict = explain([*operations, final], sale.faults.plan.skew_ms)
        sale.verdicts[verdict] += 1
        if verdict == "impossible":
            told = "\n    ".join(map(str, [*operations, final]))
            yield Violation("not-linearizable", seat["seatId"], f"\n    {told}")


def _seats_of(order: Mapping[str, Any]) -> Iterator[str]:
    """Every seat that it was for, those among them that went back alone."""
    yield from (unit["seat"] for unit in order["units"] if unit["kind"] == "seat")
    yield from (one["place"] for one in order.get("returned", ()) if one["kind"] == "seat")


def _by_event(
    sale: Sale, seen: Snapshot, orders: Mapping[str, Sold]
) -> Mapping[str, list[Operation]]:
    """Sort the calls by the event of their session; a sweeper's may be about any."""
    event_of = {session[PK]: session["eventId"] for session in seen.sessions}
    histories: dict[str, list[Operation]] = {event: [] for event in sale.events}
    for operation in sale.history.operations:
        order = orders.get(operation.order)
        about = event_of.get(operation.session if order is None else order.session)
        for event in sale.events if about is None else [about]:
            histories[event].append(operation)
    return histories


def _cached(sale: Sale) -> dict[tuple[str, str], Any]:
    if sale.cache is None:
        return {}
    sections = {
        (event, venue.SECTION): sale.cache.section(event, venue.SECTION) for event in sale.events
    }
    return {name: statuses for name, statuses in sections.items() if statuses is not None}
