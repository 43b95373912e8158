"""What a change of a seat costs the invalidator and Valkey, and how long Valkey's scripts take."""

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
from fairgate.adapters.valkey.availability import SEATS_A_CALL, SECTIONS_A_CALL
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.availability import SeatStatus
from fairgate.ports.record import PK, SK
from fairgate.service.shared.keys import seat_key
from fairgate_lab.bench.kit.measure import Range, by_turns, cpu_us
from fairgate_ops.run.local.api_events import LambdaContext
from fairgate_ops.run.local.api_host import load_handlers
from fairgate_ops.shared.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BATCHES = (1, 10, 100)
ROUNDS = 9
CHANGES = 300  # of a round
EVENT = "bench-changes"  # in the cache alone
SECTION_SEATS, SECTIONS = 500, 4
LARGE_SEATS, LARGE_SECTIONS = 2_500, 40
CALLS = 15


def changes() -> list[dict[str, float]]:
    """Change seats of a few sections through the handler; the batch sizes take turns.

    Returns:
        Of each ``batch`` the CPU of one change: ``handler_us`` and ``valkey_us``.
    """
    availability = bootstrap.container().cache
    handler = load_handlers(ROOT / "functions", ["invalidator"])["invalidator"]
    for section in range(SECTIONS):
        availability.fill(EVENT, f"s{section}", _seats(SECTION_SEATS))
    numbers = count()

    def measure(batch: int) -> tuple[float, float]:
        events = iter([_event(numbers, batch) for _ in range(CHANGES // batch)])
        before_us = valkey_us()
        own_us = cpu_us(
            lambda: handler(next(events), LambdaContext("invalidator", "bench", 30)),
            CHANGES // batch,
        )
        return own_us / batch, (valkey_us() - before_us) / (CHANGES // batch * batch)

    seen = by_turns({str(batch): partial(measure, batch) for batch in BATCHES}, ROUNDS)
    return [
        {
            "batch": int(batch),
            "handler_us": statistics.median(own for own, _ in rounds),
            "valkey_us": statistics.median(behind for _, behind in rounds),
        }
        for batch, rounds in seen.items()
    ]


def scripts() -> list[dict[str, Any]]:
    """Time the calls that hold Valkey's thread longest, at the bounds of ``adapters/valkey``.

    Returns:
        ``what`` was called, ``median_us`` and ``most_us`` on Valkey's one thread.
    """
    availability = bootstrap.container().cache
    now_ms = time.time_ns() // 1_000_000
    large = [f"large-{number}" for number in range(LARGE_SECTIONS)]
    small = [f"small-{number}" for number in range(SECTIONS_A_CALL)]
    for section in large:
        availability.fill(EVENT, section, _seats(LARGE_SEATS))
    for section in small:
        availability.fill(EVENT, section, _seats(SECTION_SEATS))
    versions = count(1)
    calls: dict[str, Callable[[], object]] = {
        f"vectors of {LARGE_SECTIONS} sections of {LARGE_SEATS:,} seats": lambda: (
            availability.codes(EVENT, large, now_ms)
        ),
        f"vectors of {SECTIONS_A_CALL} sections of {SECTION_SEATS} seats": lambda: (
            availability.codes(EVENT, small, now_ms)
        ),
        f"counts of {SECTIONS_A_CALL} sections": lambda: availability.counts(EVENT, small, now_ms),
        f"apply {SEATS_A_CALL} changes": lambda: availability.apply(
            EVENT, small[0], _seats(SEATS_A_CALL, next(versions))
        ),
        f"fill a section of {LARGE_SEATS:,} seats, its longest": lambda: availability.fill(
            EVENT, large[0], _seats(LARGE_SEATS)
        ),
    }
    figures = {what: Range.of(_longest_us(call)) for what, call in calls.items()}
    return [
        {"what": what, "median_us": us.median, "most_us": us.most} for what, us in figures.items()
    ]


def valkey_us() -> float:
    """Read the microseconds of CPU that Valkey has used."""
    cpu = _client().info("cpu")
    return 1e6 * (float(cpu["used_cpu_sys"]) + float(cpu["used_cpu_user"]))


def _longest_us(call: Callable[[], object]) -> Iterator[float]:
    """Read the longest script of each of some calls from Valkey's slow log, which has them all."""
    client = _client()
    before = client.config_get("slowlog-log-slower-than")
    client.config_set("slowlog-log-slower-than", 0)
    call()
    try:
        for _ in range(CALLS):
            client.slowlog_reset()
            call()
            yield float(
                max(
                    entry["duration"]
                    for entry in client.slowlog_get(128)
                    if entry["command"].upper().startswith(b"EVALSHA")
                )
            )
    finally:
        client.config_set("slowlog-log-slower-than", before["slowlog-log-slower-than"])


@cache
def _client() -> Any:
    """Sign in as the user who may do everything: the functions' may not ask what was used."""
    from valkey import Valkey

    server = urlsplit(bootstrap.container().settings.valkey_url)
    return Valkey(server.hostname or "", server.port or 0)


def _seats(seats: int, version: int = 0) -> list[SeatStatus]:
    return [SeatStatus(index, "available", 0, version) for index in range(seats)]


def _event(numbers: Iterator[int], batch: int) -> dict[str, Any]:
    """Make what Lambda hands the invalidator for a batch of the queue."""
    records = [_record(next(numbers)) for _ in range(batch)]
    return {
        "Records": [
            {"messageId": str(number), "body": json.dumps(record)}
            for number, record in enumerate(records)
        ]
    }


def _record(number: int) -> dict[str, Any]:
    """Make the hold of one seat after another, each newer than all before it."""
    now_ms = time.time_ns() // 1_000_000
    seat = seat_key(EVENT, f"seat-{number % SECTION_SEATS}")
    image = {
        PK: seat.pk,
        SK: seat.sk,
        "eventId": EVENT,
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
