"""Processor time of a read and of a change, of Valkey and the database behind them.

Every figure but the scripts' is CPU as the kernel or Valkey counts it, so the load of other
processes is not in it. The ways to read take turns, and their medians are compared.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairgate import bootstrap
from fairgate.http import paths
from fairgate_ops.prove.bench import availability_changes
from fairgate_ops.prove.bench.availability_figures import cpu_ns, workers_ns
from fairgate_ops.prove.bench.availability_hits import hits
from fairgate_ops.prove.bench.availability_world import EVENT
from fairgate_ops.run.local.api_events import LambdaContext
from fairgate_ops.run.local.api_host import load_handlers
from fairgate_ops.run.local.environment import python_module
from fairgate_ops.run.local.processes import StartError, die_with_parent
from fairgate_ops.shared.paths import ROOT

if TYPE_CHECKING:
    from fairgate_ops.prove.bench.availability_world import ObservedSystem
    from fairgate_ops.run.local.api_host import Handler

ROUNDS = 9
READS = 30  # of each way, each round
HITS = 1_000


@dataclass(frozen=True)
class Read:
    """CPU of one read, in µs; ``own`` of the reader's process, the rest behind it."""

    way: str
    own_us: float
    valkey_us: float
    database_us: float
    ms: float  # elapsed, on a machine as busy as it was

    @property
    def per_s(self) -> float:
        """Requests a second that one core of readers can answer."""
        return 1e6 / self.own_us


@dataclass(frozen=True)
class Speed:
    reads: Sequence[Read]
    changes: Sequence[availability_changes.Applied]
    scripts: Sequence[availability_changes.Script]
    section_seats: int
    venue_seats: int


def speed(system: ObservedSystem, section: str) -> Speed:
    """Measure in a process of its own, in the environment of the functions.

    Raises:
        StartError: that process failed.
    """
    out = system.run_dir / "speed.json"
    pids = system.pids
    command = python_module(
        "fairgate_ops.prove.bench.availability_speed",
        *("--out", str(out), "--section", section, "--port", str(system.ports.public)),
        *("--nginx", str(pids["nginx"]), "--database", str(pids["ministack"])),
    )
    # What the handlers print are their metrics.
    done = subprocess.run(command, env=system.env, cwd=ROOT, stdout=subprocess.DEVNULL, check=False)
    if done.returncode:
        raise StartError(f"the measurement of speed ended with {done.returncode}")
    told = json.loads(out.read_text("utf-8"))
    seats = {one.id: sum(1 for _ in one.seats()) for one in system.venue.sections}
    return Speed(
        [Read(**read) for read in told["reads"]],
        [availability_changes.Applied(**one) for one in told["changes"]],
        [availability_changes.Script(**one) for one in told["scripts"]],
        seats[section],
        sum(seats.values()),
    )


def reads(section: str, port: int, nginx: int, database: int) -> list[Read]:
    """Each way by turns; the first round warms up."""
    container = bootstrap.container()
    handler = load_handlers(ROOT / "functions", ["seatmap"])["seatmap"]
    seats = paths.SECTION_SEATS.format(event=EVENT, section=section)
    through = {
        "handler, `seats`": seats,
        "handler, `changes?section=`": f"{paths.CHANGES.format(event=EVENT)}?section={section}",
        "handler, `availability`": paths.AVAILABILITY.format(event=EVENT),
        "handler, `status.bin`": paths.STATUS_VECTOR.format(event=EVENT),
    }
    ways: dict[str, Callable[[], object]] = {
        name: _call(handler, path) for name, path in through.items()
    }
    pk = f"{EVENT}#{section}"
    ways["the table's index, plainly"] = lambda: container.table.query("seats", pk, index=True)
    seen: dict[str, list[Read]] = {name: [] for name in ways}
    for round_no in range(-1, ROUNDS):
        for name, ask in ways.items():
            read = _read(name, ask, database)
            if round_no >= 0:
                seen[name].append(read)
    found = [_median(name, some) for name, some in seen.items()]
    for name, encoding in (("nginx, cached `seats`", ""), ("nginx, the same as gzip", "gzip")):
        rounds = [
            hits(port, seats, encoding, HITS, lambda: workers_ns(nginx)) for _ in range(ROUNDS)
        ]
        us, ms = (statistics.median(column) for column in zip(*rounds, strict=True))
        found.append(Read(name, us, 0.0, 0.0, ms))
    return found


def _call(handler: Handler, path: str) -> Callable[[], object]:
    raw, _, query = path.partition("?")
    http = {"method": "GET", "path": raw, "protocol": "HTTP/1.1", "sourceIp": "127.0.0.1"}
    event: dict[str, Any] = {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": raw,
        "rawQueryString": query,
        "headers": {"accept-encoding": "gzip"},
        "requestContext": {"http": http, "requestId": "bench", "stage": "$default"},
        "isBase64Encoded": False,
    }
    if query:
        name, _, value = query.partition("=")
        event["queryStringParameters"] = {name: value}
    context = LambdaContext("seatmap", "bench", 30)

    def call() -> object:
        answer = handler(event, context)
        if answer["statusCode"] != 200:  # noqa: PLR2004 HTTP's own number
            raise StartError(f"{path} answered {answer['statusCode']}")
        return answer

    return call


def _read(name: str, ask: Callable[[], object], database: int) -> Read:
    valkey_us, database_ns = availability_changes.valkey_us(), cpu_ns(database)
    own_ns, start = time.process_time_ns(), time.monotonic()
    for _ in range(READS):
        ask()
    took_s, own_ns = time.monotonic() - start, time.process_time_ns() - own_ns
    return Read(
        name,
        own_ns / 1000 / READS,
        (availability_changes.valkey_us() - valkey_us) / READS,
        (cpu_ns(database) - database_ns) / 1000 / READS,
        took_s * 1000 / READS,
    )


def _median(name: str, some: Sequence[Read]) -> Read:
    def middle(column: Callable[[Read], float]) -> float:
        return statistics.median(map(column, some))

    return Read(
        name,
        middle(lambda r: r.own_us),
        middle(lambda r: r.valkey_us),
        middle(lambda r: r.database_us),
        middle(lambda r: r.ms),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--section", required=True)
    parser.add_argument("--port", type=int, required=True, help="of the edge")
    parser.add_argument("--nginx", type=int, required=True, help="its process")
    parser.add_argument("--database", type=int, required=True, help="its process")
    options = parser.parse_args(arguments)
    die_with_parent()
    found: Mapping[str, Sequence[Any]] = {
        "reads": reads(options.section, options.port, options.nginx, options.database),
        "changes": availability_changes.changes(),
        "scripts": availability_changes.scripts(),
    }
    options.out.write_text(json.dumps({k: [vars(one) for one in v] for k, v in found.items()}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
