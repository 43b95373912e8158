"""Check what must hold after a sale, from the tables, the provider's books and the cache.

A running system is read up to three times, a second apart, and only what is found each time
counts: a scan is no transaction and may see half of one.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import asdict

from fairgate.service.audit.all_laws import LAWS
from fairgate.service.audit.law import Violation, violations
from fairgate.service.audit.snapshot import Snapshot
from fairgate_ops.run.laws.snapshot import take
from fairgate_ops.run.local.local_config import LocalConfig

CHECKED = tuple(law for law in LAWS if law.holds != "rest")
READS = 3
SHOWN_MAX = 40


def check(config: LocalConfig, *, within_s: float = 30.0, with_cache: bool = True) -> Report:
    """Check until nothing is wrong, or ``within_s`` has passed and the same things still are."""
    return checked(lambda: take(config, with_cache=with_cache), within_s=within_s)


def checked(read: Callable[[], Snapshot], *, within_s: float) -> Report:
    """The same of whatever ``read`` takes."""
    pause, deadline, reads = threading.Event(), time.monotonic() + within_s, 0
    kept: set[Violation] | None = None
    while True:
        snapshot = read()
        found = set(violations(snapshot, CHECKED))
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
        broken = Counter(violation.law for violation in self.violations)
        for law in (law for law in CHECKED if law.name in broken):
            yield f"BROKEN  {law.name}, {broken[law.name]} times: {law.means}"
            yield f"        First step: {law.first_step}"
        yield from (f"  {violation}" for violation in self.violations[:SHOWN_MAX])
        if len(self.violations) > SHOWN_MAX:
            yield f"… and {len(self.violations) - SHOWN_MAX} more"
        if not self.violations:
            yield f"All {len(CHECKED)} laws hold."


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
    as_json = json.dumps([asdict(violation) for violation in report.violations])
    print(as_json if options.json else "\n".join(report.lines()))
    return 1 if report.violations else 0


if __name__ == "__main__":
    sys.exit(main())
