"""What a change of a seat costs the invalidator and Valkey, and how long Valkey's scripts take."""

from __future__ import annotations

import json
import statistics
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fairgate import bootstrap
from fairgate.adapters.dynamodb.codec import to_item
from fairgate.adapters.valkey.availability import SEATS_A_CALL, SECTIONS_A_CALL
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.availability import SeatStatus
from fairgate_ops.run.local.api_events import LambdaContext
from fairgate_ops.run.local.api_host import load_handlers
from fairgate_ops.shared.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

BATCHES = (1, 10, 100)
ROUNDS = 9
CHANGES = 300  # of a round
EVENT = "bench-changes"  # in the cache alone
SECTION_SEATS, SECTIONS = 500, 4
LARGE_SEATS, LARGE_SECTIONS = 2_500, 40
CALLS = 15


@dataclass(frozen=True)
class Applied:
    """CPU of one change among ``batch`` that came together, in µs."""

    batch: int
    handler_us: float
    valkey_us: float


@dataclass(frozen=True)
class Script:
    """Time on Valkey's one thread, in µs: the median of some calls, and the longest."""

    what: str
    median_us: float
    most_us: float


def changes() -> list[Applied]:
    """Changes of seats of a few sections through the handler; the batch sizes take turns."""
    cache = bootstrap.container().cache
    handler = load_handlers(ROOT / "functions", ["invalidator"])["invalidator"]
    for section in range(SECTIONS):
        cache.fill(EVENT, f"s{section}", _seats(SECTION_SEATS))
    version = 0
    seen: dict[int, list[tuple[float, float]]] = {batch: [] for batch in BATCHES}
    for round_no in range(-1, ROUNDS):
        for batch in BATCHES:
            events = []
            for _ in range(CHANGES // batch):
                events.append(_event(version, batch))
                version += batch
            valkey, own_ns = valkey_us(), time.process_time_ns()
            for event in events:
                handler(event, LambdaContext("invalidator", "bench", 30))
            own_us = (time.process_time_ns() - own_ns) / 1000
            if round_no >= 0:
                done = len(events) * batch
                seen[batch].append((own_us / done, (valkey_us() - valkey) / done))
    return [
        Applied(batch, *(statistics.median(column) for column in zip(*some, strict=True)))
        for batch, some in seen.items()
    ]


def scripts() -> list[Script]:
    """The calls that hold Valkey's thread longest, at the bounds of ``adapters/valkey``."""
    cache = bootstrap.container().cache
    now_ms = time.time_ns() // 1_000_000
    sections = [f"large-{number}" for number in range(LARGE_SECTIONS)]
    for section in sections:
        cache.fill(EVENT, section, _seats(LARGE_SEATS))
    small = [f"small-{number}" for number in range(SECTIONS_A_CALL)]
    for section in small:
        cache.fill(EVENT, section, _seats(SECTION_SEATS))
    version = iter(range(1, 1_000))
    return [
        _timed(
            f"vectors of {LARGE_SECTIONS} sections of {LARGE_SEATS:,} seats",
            lambda: cache.codes(EVENT, sections, now_ms),
        ),
        _timed(
            f"vectors of {SECTIONS_A_CALL} sections of {SECTION_SEATS} seats",
            lambda: cache.codes(EVENT, small, now_ms),
        ),
        _timed(f"counts of {SECTIONS_A_CALL} sections", lambda: cache.counts(EVENT, small, now_ms)),
        _timed(
            f"apply {SEATS_A_CALL} changes",
            lambda: cache.apply(EVENT, small[0], _seats(SEATS_A_CALL, next(version))),
        ),
        _timed(
            f"fill a section of {LARGE_SEATS:,} seats, its longest",
            lambda: cache.fill(EVENT, sections[0], _seats(LARGE_SEATS)),
        ),
    ]


def valkey_us() -> float:
    """Microseconds of CPU that Valkey has used."""
    told = _client().info("cpu")
    return 1e6 * (float(told["used_cpu_sys"]) + float(told["used_cpu_user"]))


def _timed(what: str, call: Callable[[], object]) -> Script:
    """The longest of a call's scripts, as Valkey's slow log has every one of them."""
    client = _client()
    call()
    longest = []
    before = client.config_get("slowlog-log-slower-than")
    client.config_set("slowlog-log-slower-than", 0)
    try:
        for _ in range(CALLS):
            client.slowlog_reset()
            call()
            told = client.slowlog_get(128)
            scripts = [one for one in told if one["command"].upper().startswith(b"EVALSHA")]
            longest.append(float(max(one["duration"] for one in scripts)))
    finally:
        client.config_set("slowlog-log-slower-than", before["slowlog-log-slower-than"])
    return Script(what, statistics.median(longest), max(longest))


def _client() -> Any:
    from valkey import Valkey

    global _made  # noqa: PLW0603 one connection, made at the first question
    if _made is None:
        _made = Valkey.from_url(bootstrap.container().settings.valkey_url)
    return _made


_made: Any = None


def _seats(count: int, version: int = 0) -> list[SeatStatus]:
    return [SeatStatus(index, "available", 0, version) for index in range(count)]


def _event(first: int, batch: int) -> dict[str, Any]:
    """As Lambda hands a batch of the queue to the invalidator."""
    return {
        "Records": [
            {"messageId": str(number), "body": json.dumps(_record(first + number))}
            for number in range(batch)
        ]
    }


def _record(number: int) -> dict[str, Any]:
    """A hold of one seat after another, each newer than all before it."""
    now_ms = time.time_ns() // 1_000_000
    image = {
        "PK": f"{EVENT}#seat-{number % SECTION_SEATS}",
        "SK": "META",
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
