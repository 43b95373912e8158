"""Processor time of a read and of a change, of Valkey and the database behind them.

Every figure is CPU as the kernel or Valkey counts it, so the load of other processes is not in it.
The ways to read take turns, and so do the sizes of a batch of changes; their medians are compared.
"""

from __future__ import annotations

import json
import statistics
import time
from functools import cache, partial
from itertools import count
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from fairgate import bootstrap
from fairgate.adapters.dynamodb.codec import to_item
from fairgate.domain.shared.times import rfc3339
from fairgate.http import paths
from fairgate.ports.availability import SeatStatus
from fairgate.ports.record import PK, SK
from fairgate.service.shared.keys import seat_key, section_index
from fairgate.service.shared.records.seats import SeatInIndex
from fairgate_lab.bench.availability.world import EVENT
from fairgate_lab.bench.kit.benchmark import Part
from fairgate_lab.bench.kit.child import answer_of, start
from fairgate_lab.bench.kit.connections import ask
from fairgate_lab.bench.kit.measure import BenchError, alternating, cpu_ns, cpu_us
from fairgate_lab.bench.kit.world import get_event
from fairgate_ops.run.local.api_events import LambdaContext
from fairgate_ops.run.local.api_host import load_handlers
from fairgate_ops.shared.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from fairgate_lab.bench.availability.world import ObservedSystem

ROUNDS = 9
READS = 30  # of each way, each round
HITS = 1_000
BATCHES = (1, 10, 100)
CHANGES = 300  # of a round
CHANGED = "bench-changes"  # an event in the cache alone
SECTION_SEATS, SECTIONS = 500, 4
FOLLOW = "handler, `changes?section=`"
# CPU of one read in µs: of the reader's own process, of Valkey and of the database behind it; and
# ms elapsed, on a machine as busy as it was.
COLUMNS = ("own_us", "valkey_us", "database_us", "ms")


def speed(system: ObservedSystem, section: str) -> dict[str, Any]:
    """Measure in a process of its own, in the environment of the functions.

    Returns:
        ``reads`` and ``changes`` as their functions make them.

    Raises:
        StartError: that process failed.
    """
    pids = {name: system.pids[process] for name, process in _PROCESSES.items()}
    return answer_of(start(measured, system.env, section=section, port=system.ports.public, **pids))


_PROCESSES = {"nginx": "nginx", "database": "ministack"}


def measured(section: str, port: int, nginx: int, database: int) -> dict[str, Any]:
    """Measure in this process; ``nginx`` and ``database`` are theirs."""
    return {"reads": reads(section, port, nginx, database), "changes": changes()}


def reads(section: str, port: int, nginx: int, database: int) -> list[dict[str, Any]]:
    """Read in each way by turns; ``way`` and COLUMNS of each, medians of the rounds."""
    container = bootstrap.container()
    seats = paths.SECTION_SEATS.format(event=EVENT, section=section)
    targets = {
        "handler, `seats`": seats,
        FOLLOW: f"{paths.CHANGES.format(event=EVENT)}?section={section}",
        "handler, `availability`": paths.AVAILABILITY.format(event=EVENT),
        "handler, `status.bin`": paths.STATUS_VECTOR.format(event=EVENT),
    }
    handler = load_handlers(ROOT / "functions", ["seatmap"])["seatmap"]
    ways: dict[str, Callable[[], object]] = {
        name: partial(_answered, handler, get_event(target, **{"accept-encoding": "gzip"}))
        for name, target in targets.items()
    }
    key = section_index(EVENT, section)
    ways["the table's index, plainly"] = lambda: container.table.query(SeatInIndex, key, index=True)
    measures = {name: partial(_read, call, database) for name, call in ways.items()}
    for name, encoding in (("nginx, cached `seats`", ""), ("nginx, the same as gzip", "gzip")):
        measures[name] = partial(_hit, port, nginx, seats, encoding)
    return [
        {"way": name}
        | {
            column: statistics.median(values)
            for column, values in zip(COLUMNS, zip(*rounds, strict=True), strict=True)
        }
        for name, rounds in alternating(measures, ROUNDS).items()
    ]


def _answered(handler: Callable[[dict[str, Any], Any], Any], event: dict[str, Any]) -> None:
    answer = handler(event, LambdaContext("seatmap", "bench", 30))
    if answer["statusCode"] != 200:  # noqa: PLR2004 HTTP's own number
        raise BenchError(f"{event['rawPath']} answered {answer['statusCode']}")


def _read(call: Callable[[], object], database: int) -> tuple[float, ...]:
    before_valkey_us, before_database_ns = valkey_us(), cpu_ns(database)
    before_ns, began_s = time.process_time_ns(), time.monotonic()
    for _ in range(READS):
        call()
    took_s, own_ns = time.monotonic() - began_s, time.process_time_ns() - before_ns
    database_ns = cpu_ns(database) - before_database_ns
    used = (own_ns / 1000, valkey_us() - before_valkey_us, database_ns / 1000, took_s * 1000)
    return tuple(amount / READS for amount in used)


def _hit(port: int, nginx: int, path: str, encoding: str) -> tuple[float, ...]:
    head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: {encoding}\r\n\r\n"
    used_us, took_ms = ask(port, nginx, head.encode(), HITS, b"HTTP/1.1 200 ")
    return used_us, 0.0, 0.0, took_ms


def changes() -> list[dict[str, float]]:
    """Change seats of a few sections through the handler; the batch sizes take turns.

    Returns:
        Of each ``batch`` the CPU of one change: ``handler_us`` and ``valkey_us``.
    """
    availability = bootstrap.container().cache
    handler = load_handlers(ROOT / "functions", ["invalidator"])["invalidator"]
    seats = [SeatStatus(index, "available", 0, 0) for index in range(SECTION_SEATS)]
    for section in range(SECTIONS):
        availability.fill(CHANGED, f"s{section}", seats)
    numbers = count()

    def measure(batch: int) -> tuple[float, float]:
        events = iter([_event(numbers, batch) for _ in range(CHANGES // batch)])
        before_us = valkey_us()
        own_us = cpu_us(
            lambda: handler(next(events), LambdaContext("invalidator", "bench", 30)),
            CHANGES // batch,
        )
        return own_us / batch, (valkey_us() - before_us) / (CHANGES // batch * batch)

    seen = alternating({batch: partial(measure, batch) for batch in BATCHES}, ROUNDS)
    return [
        {
            "batch": batch,
            "handler_us": statistics.median(own for own, _ in rounds),
            "valkey_us": statistics.median(behind for _, behind in rounds),
        }
        for batch, rounds in seen.items()
    ]


def valkey_us() -> float:
    """Read the microseconds of CPU that Valkey has used."""
    cpu = _client().info("cpu")
    return 1e6 * (float(cpu["used_cpu_sys"]) + float(cpu["used_cpu_user"]))


@cache
def _client() -> Any:
    """Sign in as the user who may do everything: the functions' may not ask what was used."""
    from valkey import Valkey

    server = urlsplit(bootstrap.container().settings.valkey_url)
    return Valkey(server.hostname or "", server.port or 0)


def _event(numbers: Iterator[int], batch: int) -> dict[str, Any]:
    """Make what Lambda hands the invalidator for a batch of the queue."""
    bodies = [json.dumps(_record(next(numbers))) for _ in range(batch)]
    return {"Records": [{"messageId": str(n), "body": body} for n, body in enumerate(bodies)]}


def _record(number: int) -> dict[str, Any]:
    """Make the hold of one seat after another, each newer than all before it."""
    now_ms = time.time_ns() // 1_000_000
    seat = seat_key(CHANGED, f"seat-{number % SECTION_SEATS}")
    image = {
        PK: seat.pk,
        SK: seat.sk,
        "eventId": CHANGED,
        "sectionId": f"s{number % SECTIONS}",
        "seatId": f"seat-{number % SECTION_SEATS}",
        "seatIndex": number % SECTION_SEATS,
        "availability": "locked" if number % 2 else "reserved",
        "expiresAt": rfc3339(now_ms + 600_000),
        "version": number + 1,
        "updatedAt": rfc3339(now_ms),
    }
    stream = {"NewImage": to_item(image), "ApproximateCreationDateTime": now_ms / 1000}
    return {"eventName": "MODIFY", "eventSource": "aws:dynamodb", "dynamodb": stream}


def shown(figures: Mapping[str, Any], sizes: Mapping[str, int], section: str) -> Iterator[Part]:
    """Show the ways to read, then the batches; ``sizes`` are the seats of each section."""
    head = ("read by", "own CPU, µs", "requests/s of a core", "Valkey, µs", "database, µs")
    yield Part(
        f"CPU of a read: a section of {sizes[section]} seats, a venue of "
        f"{sum(sizes.values()):,}. The database is ministack, a Python program.",
        (*head, "elapsed, ms"),
        [
            (
                read["way"],
                f"{read['own_us']:,.0f}",
                f"{1e6 / read['own_us']:,.0f}",
                f"{read['valkey_us']:,.0f}",
                f"{read['database_us']:,.0f}",
                f"{read['ms']:.2f}",
            )
            for read in figures["reads"]
        ],
    )
    yield Part(
        "CPU of applying one change, by how many come together.",
        ("batch", "invalidator, µs", "Valkey, µs"),
        [
            (one["batch"], f"{one['handler_us']:,.0f}", f"{one['valkey_us']:,.1f}")
            for one in figures["changes"]
        ],
    )
