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
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairgate import bootstrap
from fairgate.http import paths
from fairgate.service.shared.keys import section_index
from fairgate.service.shared.records.seats import SeatInIndex
from fairgate_lab.bench.availability.changes import changes, scripts, valkey_us
from fairgate_lab.bench.availability.world import EVENT
from fairgate_lab.bench.kit.connections import ask
from fairgate_lab.bench.kit.measure import BenchError, by_turns, cpu_ns
from fairgate_lab.bench.kit.world import get_event
from fairgate_ops.run.local.api_events import LambdaContext
from fairgate_ops.run.local.api_host import load_handlers
from fairgate_ops.run.local.environment import python_module
from fairgate_ops.run.local.processes import StartError, die_with_parent
from fairgate_ops.shared.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fairgate_lab.bench.availability.world import ObservedSystem

ROUNDS = 9
READS = 30  # of each way, each round
HITS = 1_000
FOLLOW = "handler, `changes?section=`"
# CPU of one read in µs: of the reader's own process, of Valkey and of the database behind it; and
# ms elapsed, on a machine as busy as it was.
COLUMNS = ("own_us", "valkey_us", "database_us", "ms")


def speed(system: ObservedSystem, section: str) -> dict[str, Any]:
    """Measure in a process of its own, in the environment of the functions.

    Returns:
        ``reads``, ``changes`` and ``scripts`` as their functions make them, ``section_seats`` and
        ``venue_seats``.

    Raises:
        StartError: that process failed.
    """
    out = system.run_dir / "speed.json"
    pids = system.pids
    command = python_module(
        "fairgate_lab.bench.availability.speed",
        *("--out", str(out), "--section", section, "--port", str(system.ports.public)),
        *("--nginx", str(pids["nginx"]), "--database", str(pids["ministack"])),
    )
    # What the handlers print are their metrics.
    done = subprocess.run(command, env=system.env, cwd=ROOT, stdout=subprocess.DEVNULL, check=False)
    if done.returncode:
        raise StartError(f"the measurement of speed ended with {done.returncode}")
    seats = {one.id: sum(1 for _ in one.seats()) for one in system.venue.sections}
    figures: dict[str, Any] = json.loads(out.read_text("utf-8"))
    return figures | {"section_seats": seats[section], "venue_seats": sum(seats.values())}


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
        for name, rounds in by_turns(measures, ROUNDS).items()
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


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--section", required=True)
    parser.add_argument("--port", type=int, required=True, help="of the edge")
    parser.add_argument("--nginx", type=int, required=True, help="its process")
    parser.add_argument("--database", type=int, required=True, help="its process")
    options = parser.parse_args(arguments)
    die_with_parent()
    figures = {
        "reads": reads(options.section, options.port, options.nginx, options.database),
        "changes": changes(),
        "scripts": scripts(),
    }
    options.out.write_text(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
