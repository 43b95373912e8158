"""Check the laws of stored items, and report which are broken.

A running system is read up to three times, a second apart, and only what is found each time
counts: a scan is no transaction and may see half of one.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from fairgate.service.audit.all_laws import LAWS
from fairgate.service.audit.law import Violation, violations
from fairgate.service.audit.snapshot import Snapshot

CHECKED = tuple(law for law in LAWS if law.holds != "rest")
READS = 3
SETTLE_S = 120.0  # of a stage in AWS
SHOWN_MAX = 40


def checked(read: Callable[[], Snapshot], *, within_s: float) -> Report:
    """Check until nothing is wrong, or ``within_s`` has passed and the same things still are."""
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
