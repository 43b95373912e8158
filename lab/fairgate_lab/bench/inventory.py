"""What a round of the auditor costs for one event, all of it sold (``make bench-inventory``).

The real comparison over the simulator's table: calls and read units are counted by AWS's rule, and
their time at ``--trip-ms`` each is modelled. The event has one double sale, which must be found.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.adapters.dynamodb.schema import TABLES as SCHEMAS
from fairgate.domain.shared.ids import EventId
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.record import Record
from fairgate.ports.table import Put, Update
from fairgate.service.audit.compare_inventory import compare_inventory
from fairgate.service.catalog.create_event import GateRules
from fairgate.service.catalog.event_request import NewEvent
from fairgate.service.catalog.read_catalog import CatalogReader
from fairgate.service.shared.keys import seat_key
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.orders import Order
from fairgate.service.shared.records.seats import SeatRecord
from fairgate_lab.bench.kit.benchmark import Benchmark, Option, Options, Part
from fairgate_lab.bench.kit.measure import BenchError
from fairgate_lab.bench.kit.orders import PENDING_EVERY, records
from fairgate_lab.bench.orders.units import MeteredClient
from fairgate_lab.engine.clock import MemoryClock
from fairgate_lab.engine.dynamodb import MemoryDynamo
from fairgate_lab.engine.layouts import MemoryLayouts
from fairgate_lab.worlds.event_creator import event_creator
from fairgate_lab.worlds.open_sale import NAMES
from fairgate_ops.operate.importers.demo import demo_venue
from fairgate_ops.run.local.demo_event import prices

EVENT = EventId("sale")
DOLLARS_PER_MILLION = 0.1525  # read units on demand, eu-central-1


def measure(options: Options, _folder: Path) -> Iterator[Part]:
    """Compare an event of so many sold seats once."""
    clock = MemoryClock()
    engine = MemoryDynamo({NAMES[s.name]: s for s in SCHEMAS}, clock.now_ms)
    event = _sell(engine, clock, options.seats)
    metered = MeteredClient(engine)
    began_s, before_kb = time.process_time(), _peak_kb()
    found = compare_inventory(DynamoTable(lambda: metered, NAMES), clock, event)
    cpu_s = time.process_time() - began_s
    if [one.law for one in found.broken] != ["order-without-seat", "reserved-without-order"]:
        raise BenchError(f"not the one double sale: {found.broken[:3]}")
    yield Part(
        f"One event of {options.seats:,} seats, all sold",
        (
            "calls",
            "read units by AWS's rule",
            f"dollars, at {DOLLARS_PER_MILLION} a million",
            f"time of the calls at {options.trip_ms:g} ms each, s (modelled)",
            "CPU, s",
            "memory, MB",
        ),
        [
            (
                f"{metered.calls:,}",
                f"{metered.by_rule:,.0f}",
                f"{metered.by_rule * DOLLARS_PER_MILLION / 1e6:.4f}",
                f"{metered.calls * options.trip_ms / 1000:.1f}",
                f"{cpu_s:.1f}",
                f"{(_peak_kb() - before_kb) / 1024:.0f}",
            )
        ],
    )


def _sell(engine: MemoryDynamo, clock: MemoryClock, seats: int) -> Event:
    """Create an event and sell its seats two at a time; the first seat is then another's."""
    venue, start_s = demo_venue(seats), clock.now_ms() // 1000
    request = NewEvent(
        EVENT, rfc3339(start_s * 1000), "EUR", prices(venue), draw_commitment="", name="Sale"
    )
    creator = event_creator(lambda: engine, NAMES, MemoryLayouts(), clock=clock)
    creator.create(request, venue, GateRules(start_s))
    event = CatalogReader(creator.table, clock).event(EVENT)
    names = [seat.id for section in venue.sections for seat in section.seats()]
    free = iter(names)
    orders = seats * PENDING_EVERY // (2 * (PENDING_EVERY - 1))

    def rows() -> Iterator[Record]:
        for record in records(EVENT, orders):
            if isinstance(record, Order) and record.paid_at:
                units = [replace(unit, seat=next(free)) for unit in record.units]
                yield replace(record, units=units)
                for unit in units:
                    (seat,) = creator.table.find_many(SeatRecord, [seat_key(EVENT, unit.seat)])
                    yield replace(seat, availability="reserved", session_id=record.session)
            else:
                yield record

    for row in rows():
        creator.table.transact([Put.of(row, condition="")])
    theirs = {"sessionId": "ses_" + "f" * 32}
    creator.table.update(Update("seats", *seat_key(EVENT, names[0]), set=theirs))
    return event


def _peak_kb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


BENCHMARK = Benchmark(
    about="What a round of the auditor costs for one event, all of it sold.",
    measure=measure,
    options={
        "seats": Option(100_000),
        "trip_ms": Option(5.0, "of one call (modelled)"),
    },
)
