"""Audit a sale: read its log in several processes, decide everything again, list what is wrong."""

from __future__ import annotations

import multiprocessing
import os
from collections import Counter, deque
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import MalformedInputError
from fairgate_ops.operate.audit.check import Tolerances, broken_lines, decide_again, flagged
from fairgate_ops.operate.audit.columns import KEY_BYTES, ROW, Columns, DrawTask, columns_of
from fairgate_ops.operate.audit.log_file import read_blocks, read_head
from fairgate_ops.shared.progress import progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy.typing as npt

    from fairgate_ops.operate.audit.rules import SaleRules

ALONE_BYTES = 2_000_000  # a smaller file is read before other processes have started
LISTED_MAX = 1_000  # of each kind; the count is always whole


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong, and where: ``line`` 0 is about the whole sale."""

    kind: str
    line: int
    what: str
    user: str = ""
    session: str = ""
    at: str = ""

    def __str__(self) -> str:
        if not self.line:
            return f"{self.kind}: {self.what}"
        return f"{self.kind}: line {self.line}, {self.user} at {self.at}: {self.what}"


@dataclass
class Audit:
    """What was looked at and what was found."""

    event: str
    published: bool
    admissions: int = 0
    orders: int = 0
    free: int = 0  # admitted while the gate stood open for all
    counts: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)

    def add(self, finding: Finding) -> None:
        self.counts[finding.kind] += 1
        if self.counts[finding.kind] <= LISTED_MAX:
            self.findings.append(finding)

    def count_more(self, kind: str, more: int) -> None:
        """Of a kind whose list is full."""
        self.counts[kind] += max(0, more)


def audit_log(
    path: str, rules: SaleRules, tolerances: Tolerances, *, workers: int | None = None
) -> Audit:
    """Recompute every admission of a log by these rules.

    Raises MalformedInputError: the file is not a whole, readable log of this event; ``errors``
    lists damaged lines by number.
    """
    blocks = read_blocks(path)
    first = next(blocks, None)
    if first is None:
        raise MalformedInputError(f"{path} is empty.")
    head = read_head(path, first[1])
    if head["event"] != rules.event:
        raise MalformedInputError(
            f"{path} is the log of {head['event']}, the rules are those of {rules.event}."
        )
    task = DrawTask(
        rules.event, rules.mode, rules.draw_key, rules.number_key, bool(head["published"])
    )
    if workers is None:
        size = Path(path).stat().st_size
        workers = 1 if size < ALONE_BYTES else len(os.sched_getaffinity(0))
    parts: list[Columns] = []
    with progress("Drawing again (lines)") as step:
        for part in _mapped(partial(columns_of, task), chain([first], blocks), workers):
            parts.append(part)
            step(part.lines)
    _refuse_damaged(path, parts)
    return _checked(parts, head, rules, tolerances)


def _mapped(
    work: Callable[[int, bytes], Columns], blocks: Iterator[tuple[int, bytes]], workers: int
) -> Iterator[Columns]:
    """In the order of the blocks, with a bounded number of them in memory."""
    if workers == 1:
        for number, block in blocks:
            yield work(number, block)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        waiting: deque[Any] = deque()
        for number, block in blocks:
            waiting.append(pool.submit(work, number, block))
            if len(waiting) > 2 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _refuse_damaged(path: str, parts: list[Columns]) -> None:
    damaged = [
        {"where": f"line {number}", "what": what}
        for part in parts
        for number, what in part.rejected
    ]
    if damaged:
        raise MalformedInputError(
            f"{path} has damaged lines. Export it again, or ask where it was changed.",
            errors=damaged,
        )
    if parts[-1].end is None:
        raise MalformedInputError(f"{path} has no last line: it is cut off. Export it again.")


def _checked(
    parts: list[Columns], head: dict[str, Any], rules: SaleRules, tolerances: Tolerances
) -> Audit:
    rows: npt.NDArray[Any] = np.concatenate([part.rows for part in parts] or [np.empty(0, ROW)])
    orders = [order for part in parts for order in part.orders]
    audit = Audit(rules.event, bool(head["published"]), len(rows), len(orders))
    _check_sale(audit, rules, tolerances, drawn=len(rows) > 0)
    _check_counts(audit, parts[-1].end or {})
    keys = rows["session"].tobytes() if orders else b""
    sessions = {keys[start : start + KEY_BYTES] for start in range(0, len(keys), KEY_BYTES)}
    for line, order, session in orders:
        if session not in sessions:
            what = "its session is not in the log"
            audit.add(
                Finding("missing-admission", line, what, user=f"order {order}", at="any time")
            )
    names = [name for part in parts for name in part.names.decode().split("\n") if name]
    decided = decide_again(rows, rules, tolerances)
    audit.free = int(decided.free.sum())
    for kind in flagged(rows, decided, rules, tolerances):
        for index in kind.rows[:LISTED_MAX]:
            row = rows[index]
            what = kind.detail.format(u=row["u"], h=row["h"], p=decided.p[index])
            at, session = rfc3339(int(row["at_ms"])), row["session"].tobytes().hex()
            audit.add(Finding(kind.kind, int(row["line"]), what, names[index], session, at))
        audit.count_more(kind.kind, len(kind.rows) - LISTED_MAX)
    return audit


def _check_sale(audit: Audit, rules: SaleRules, tolerances: Tolerances, *, drawn: bool) -> None:
    """What is wrong with the sale as a whole."""
    if not rules.committed:
        what = "the draw key's SHA-256 is not the commitment: another key was committed to"
        audit.add(Finding("broken-commitment", 0, what))
    if rules.beacon_announced and not rules.beacon_value and drawn:
        what = f"“{rules.beacon_announced['source']}” was announced and never mixed in"
        audit.add(Finding("missing-beacon", 0, what))
    for what in broken_lines(rules, tolerances):
        audit.add(Finding("broken-line", 0, what))


def _check_counts(audit: Audit, end: dict[str, int]) -> None:
    """The log counts itself, and the users' own counters count the sessions they opened."""
    for name, seen in (("admissions", audit.admissions), ("orders", audit.orders)):
        if end.get(name) != seen:
            what = f"the log says that it has {end.get(name)} {name}, it has {seen}"
            audit.add(Finding("missing-lines", 0, what))
    if end.get("sessions_used") != audit.admissions:
        what = (
            f"the users' counters say that {end.get('sessions_used')} sessions were opened,"
            f" the log has {audit.admissions}"
        )
        audit.add(Finding("missing-admissions", 0, what))
