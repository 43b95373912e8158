"""What must hold during a simulated sale and after it, apart from the workload.

The laws of ``fairgate.service.audit`` over the simulated tables, read at one moment; and those that
only a whole view of the simulated world allows: answers, histories, queues and the cache's figures.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from fairgate.domain.shared.times import rfc3339
from fairgate.ports.record import PK, SK
from fairgate.service.audit.all_laws import LAWS
from fairgate.service.audit.law import Violation, violations
from fairgate.service.audit.snapshot import Snapshot
from fairgate.service.sessions.capacity_shards import CapacityShards
from fairgate_lab.simulate.sale import money_laws, venue
from fairgate_lab.simulate.sale.history import Operation
from fairgate_lab.simulate.sale.linearize import Sold, concerning, explain
from fairgate_lab.simulate.sale.sale import NAMES, Sale
from fairgate_ops.operate.laws.read_tables import of_tables

ALWAYS = tuple(law for law in LAWS if law.holds == "always")


def snapshot(sale: Sale) -> Snapshot:
    """Read all tables at this moment. ``now`` is later than every process's clock."""
    now_ms = sale.scheduler.now_ms + sale.faults.plan.skew_ms
    tables = {str(name): table for name, table in NAMES.items()}
    return replace(of_tables(sale.engine, tables), now=rfc3339(now_ms))


def meanwhile(sale: Sale) -> list[Violation]:
    """What is wrong at this very moment, between any two calls."""
    return violations(snapshot(sale), ALWAYS)


def finally_(sale: Sale) -> list[Violation]:
    """What is wrong once every hold has expired and every message is delivered."""
    books = sale.provider.books
    seen = replace(snapshot(sale), cache=_cached(sale), payments=money_laws.lines_of(books))
    return [
        *violations(seen, LAWS),
        *money_laws.violations(books, seen, sale.raised),
        *places_are_back(sale),
        *cache_figures(sale, seen),
        *answers(sale, seen),
        *dead_letters(sale),
        *linearizable(sale, seen),
        *(Violation("defect", "500", text) for text in sale.fleet.defects),
    ]


def places_are_back(sale: Sale) -> Iterator[Violation]:
    """At rest all slots of a cap are allocated, after an interrupted allocation was completed.

    No place is lost with a session, however it ended.
    """
    rooms = CapacityShards(sale.table())
    for event in (event for event in sale.events.values() if event.live_max):
        left = sum(room.left for room in rooms.dealt(event, sale.scheduler.now_ms))
        if left != event.live_max:
            yield Violation("capacity-slots", event.id, f"{left} of {event.live_max} are left")


def dead_letters(sale: Sale) -> Iterator[Violation]:
    """What a consumer could have taken is taken at last, whatever stood beside it."""
    for function, queue in sale.queues.items():
        for name, message in queue.dead.items():
            if not message.poison:
                yield Violation("dead-letter", f"{function} {name}", message.body[:200])


def answers(sale: Sale, seen: Snapshot) -> Iterator[Violation]:
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


def cache_figures(sale: Sale, seen: Snapshot) -> Iterator[Violation]:
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
            for s in seen.of("area shard")
            if s["eventId"] == event
        }
        for shard in sale.cache.shards(event):
            kept = (shard.remaining, shard.version)
            if kept != table[shard.area, shard.shard]:
                what = f"cache {kept}, table {table[shard.area, shard.shard]}"
                yield Violation("cache-shard", f"{event} {shard.area}#{shard.shard}", what)


def linearizable(sale: Sale, seen: Snapshot) -> Iterator[Violation]:
    """Judge the recorded history of each seat, which ends in the table's state.

    Every verdict is counted in the sale; an undecided history is neither proved nor a violation.
    """
    orders = {order["orderId"]: Sold(order[PK], tuple(_seats_of(order))) for order in seen.orders}
    states = {"available": "free", "locked": "locked", "reserved": "sold", "blocked": "blocked"}
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
    """Sort the calls by the event of their session or block; a sweeper's may be about any."""
    event_of = {session[PK]: session["eventId"] for session in seen.sessions}
    event_of |= {block[SK]: block["eventId"] for block in seen.of("house block")}
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
