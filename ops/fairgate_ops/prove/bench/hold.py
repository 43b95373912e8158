"""What a hold costs: ``python -m fairgate_ops.prove.bench.hold`` (``make bench-hold``).

CPU of the function over the bare call, trips and write units, holds a second beside what a shop
would use instead. Each ratio is taken in one run, by turns. What a machine lacks is said and left
out.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

from fairgate_ops.prove.bench import hold_cold, hold_cpu, hold_postgres, hold_rates, hold_units
from fairgate_ops.prove.bench.gate import machine
from fairgate_ops.prove.bench.hold_cpu import HoldBenchError
from fairgate_ops.prove.bench.hold_rates import Rate
from fairgate_ops.prove.bench.hold_world import SEATS
from fairgate_ops.run.load.race import ENGINES, missing_engine
from fairgate_ops.run.local.processes import StartError
from fairgate_ops.run.local.valkey_server import valkey_server_binary

RATIO_TARGET = 1.5  # the function over the plain boto3 call
QUOTA_UNITS = 40_000  # write units a second of a table, AWS's default
PROMISES = {  # durable, all or none, checks the session and its limit, keeps reservations
    hold_rates.STACK: "in AWS in three zones; here no | yes | yes | yes",
    hold_rates.ENGINE: "here no | yes | yes | yes",
    hold_rates.POSTGRES: "on one disk | yes | yes | yes",
    hold_rates.VALKEY: "no | no | no | no",
}
WHY = {
    hold_rates.STACK: """\
The local stack's database is an emulator in Python on this machine, which shares the cores with
nginx, the functions, the change feed and the callers. It shows that the whole path works under
load. It says nothing of DynamoDB's speed, which is bought in write units.""",
    hold_rates.ENGINE: """\
An engine alone takes the same transaction, with its nine conditions and two indexes, from the
service itself: what nginx, HTTP, the cache and the change feed cost is the difference.""",
    hold_rates.POSTGRES: """\
PostgreSQL gives a hold the same guarantees, with its log on one machine's disk, in seven trips
under row locks instead of one without: who wants the same seat stands in line for it, instead of
being told at once. It grows with its machine, and the sale ends with that machine.""",
    hold_rates.VALKEY: """\
Valkey is one process in memory: nothing is on a disk when it answers, and nothing is asked but
whether the key is there. Four seats are four answers: who gets three must give them back, a lost
answer leaves seats taken until they expire, and there is no session, limit or reservation.""",
}


def cpu_table(report: hold_cpu.CpuReport) -> Iterator[str]:
    yield (
        f"One hold of {SEATS} seats is one TransactWriteItems of {report.actions} actions. CPU of "
        f"this process against a stub that answers at once, {report.rounds} rounds of "
        f"{report.calls} calls by turns, medians. Target: the function at most {RATIO_TARGET} "
        f"times the plain boto3 call."
    )
    yield ""
    yield "| | CPU, µs | times boto3 (range) | trips to the database |"
    yield "|---|---|---|---|"
    for cost in report.costs:
        yield (
            f"| {cost.name} | {cost.cpu_us:,.0f} | {cost.times:.2f} "
            f"({cost.low:.2f}–{cost.high:.2f}) | {cost.trips:.0f} |"
        )
    if report.left_out:
        yield f"\nLeft out: claiming in the cache: {report.left_out}"


def cold_table(figures: dict[str, tuple[float, float]], runs: int) -> Iterator[str]:
    yield (
        f"First call of a cold function, beyond what it imports (`make bench-imports`): median of "
        f"{runs} fresh processes."
    )
    yield ""
    yield "| client | ms | MB |"
    yield "|---|---|---|"
    for name, (ms, mb) in figures.items():
        yield f"| {name} | {ms:.0f} | {mb:.0f} |"


def units_table(figures: Sequence[hold_units.Units], left_out: Sequence[str]) -> Iterator[str]:
    yield f"Write units of a hold of {SEATS} seats."
    yield ""
    yield "| source | seats | session and reservations | of which indexes | total | a seat |"
    yield "|---|---|---|---|---|---|"
    for each in figures:
        indexes = "?" if each.of_which_indexes is None else f"{each.of_which_indexes:.0f}"
        yield (
            f"| {each.source} | {each.tables['seats']:.0f} | {each.tables['reservations']:.0f} "
            f"| {indexes} | {each.total:.0f} | {each.a_seat:.2f} |"
        )
    yield from (f"\nLeft out: {reason}" for reason in left_out)
    busiest = max(max(each.tables.values()) for each in figures)
    yield (
        f"\nModelled: a table's default quota of {QUOTA_UNITS:,} units a second carries "
        f"{QUOTA_UNITS / busiest:,.0f} such holds a second, by the reservations' {busiest:.0f}."
    )


def rates_table(rates: Sequence[Rate], left_out: Sequence[str], processes: int) -> Iterator[str]:
    yield (
        f"Holds of {SEATS} free seats a second, {processes} processes at once, all on this machine."
    )
    yield ""
    yield "| | holds/s | holds | durable | all or none | checks the session | keeps reservations |"
    yield "|---|---|---|---|---|---|---|"
    for rate in rates:
        yield f"| {rate.name} | {rate.per_s:,.0f} | {rate.holds:,} | {PROMISES[rate.kind]} |"
    yield from (f"\nLeft out: {reason}" for reason in left_out)
    yield from ("", _compared(rates), "")
    for kind in dict.fromkeys(rate.kind for rate in rates):
        yield f"- {WHY[kind]}".replace("\n", "\n  ")


def _compared(rates: Sequence[Rate]) -> str:
    """Who is slower and faster, in this run's own figures."""
    ordered = sorted(rates, key=lambda rate: -rate.per_s)
    first = next((rate for rate in rates if rate.kind == hold_rates.STACK), ordered[-1])
    times = (f"{rate.name} {rate.per_s / first.per_s:,.1f}" for rate in ordered)
    return f"Fastest first, in times of “{first.name}”: {'; '.join(times)}."


def versions() -> str:
    packages = [f"{name} {version(name)}" for name in ("boto3", "botocore", "valkey")]
    return f"Python {platform.python_version()}, {', '.join(packages)}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m fairgate_ops.prove.bench.hold", description="What a hold costs."
    )
    parser.add_argument("--rounds", type=int, default=15, help="of CPU")
    parser.add_argument("--calls", type=int, default=100, help="of each kind, each round")
    parser.add_argument("--cold-runs", type=int, default=5)
    parser.add_argument("--processes", type=int, default=8, help="that hold at once")
    parser.add_argument("--seconds", type=float, default=5.0, help="of each rate")
    parser.add_argument("--seats", type=int, default=6_000, help="of the venue on the engines")
    parser.add_argument("--no-rates", action="store_true", help="CPU, trips and units alone")
    chosen = parser.parse_args(arguments)
    load = os.getloadavg()[0]
    print(f"{machine()}, {versions()}; load when it began {load:.1f}\n", flush=True)
    try:
        for part in (_cpu, _cold, _units) if chosen.no_rates else (_cpu, _cold, _units, _rates):
            print("\n".join(part(chosen)), "\n", flush=True)
    except (HoldBenchError, StartError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _cpu(chosen: argparse.Namespace) -> Iterator[str]:
    _say("CPU")
    with _folder() as folder:
        report = hold_cpu.measure(Path(folder), rounds=chosen.rounds, calls=chosen.calls)
    return cpu_table(report)


def _cold(chosen: argparse.Namespace) -> Iterator[str]:
    _say("first calls")
    return cold_table(hold_cold.first_calls(chosen.cold_runs), chosen.cold_runs)


def _units(_chosen: argparse.Namespace) -> Iterator[str]:
    _say("write units")
    figures, left_out = [], []
    for name in ENGINES:
        if reason := missing_engine(name):
            left_out.append(reason)
            continue
        with _folder() as folder:
            figures.append(hold_units.counted(name, Path(folder)))
    return units_table([*figures, hold_units.computed()], left_out)


def _rates(chosen: argparse.Namespace) -> Iterator[str]:
    at_once = {"processes": chosen.processes, "seconds": chosen.seconds}
    valkey = "" if valkey_server_binary() else "no Valkey server is installed: make setup"
    ministack = missing_engine("ministack") or ""
    works: list[tuple[str, str, Callable[[Path], Rate]]] = [
        (
            "the local stack",
            ministack or valkey,
            lambda f: hold_rates.through_the_stack(f, **at_once, seats=chosen.seats),
        ),
        *(
            (
                name,
                missing_engine(name) or "",
                lambda f, name=name: hold_rates.on_an_engine(
                    name, f, **at_once, seats=chosen.seats
                ),
            )
            for name in ENGINES
        ),
        (
            "PostgreSQL",
            hold_postgres.missing_postgres() or "",
            lambda _f: hold_rates.in_postgres(**at_once),
        ),
        ("Valkey", valkey, lambda f: hold_rates.in_valkey(f, **at_once)),
    ]
    rates, left_out = [], []
    for name, reason, work in works:
        if reason:
            left_out.append(f"{name}: {reason}")
            continue
        _say(name)
        with _folder() as folder:
            rates.append(work(Path(folder)))
    return rates_table(rates, left_out, chosen.processes)


def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="fairgate-bench-")


def _say(what: str) -> None:
    print(f"{what} …", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
