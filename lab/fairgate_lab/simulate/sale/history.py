"""What was asked and what was answered, in order: the evidence that the checkers judge.

Recorded where a client stands, beside the workload and knowing nothing of the code under test.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal[
    "hold",
    "release",
    "end",
    "expire",
    "checkout",
    "settle",
    "cancel",
    "read",
    "block",
    "free",
]
Outcome = Literal["ok", "refused", "unknown"]
NEVER = 1 << 60


@dataclass
class Operation:
    """One call: between ``begin`` and ``end`` it took effect, if it did."""

    kind: Kind
    session: str
    begin: int
    begin_ms: int
    end: int = NEVER
    end_ms: int = NEVER  # until when it may have taken effect
    heard_ms: int = NEVER  # when its caller went on, whatever was known then
    outcome: Outcome = "unknown"
    seats: tuple[str, ...] | None = None  # None: not known to the caller
    key: str = ""  # which hold, for holds and releases
    until_ms: int = 0  # the end of the lock that a hold or checkout made
    due_ms: int = 0  # the end of the time to pay, where that comes before; of a house block
    gone: tuple[str, ...] = ()  # seats that a refusal named as taken
    hold: str = ""  # the API's id of what a hold made
    order: str = ""
    said: str = ""
    wrong: str = ""  # what is wrong with the answer in itself

    def __str__(self) -> str:
        end = "never" if self.end == NEVER else self.end
        known = (f"{self.session[-4:]}", self.key, " ".join(self.seats or ()), self.order[-8:])
        what = " ".join(part for part in known if part)
        return f"{self.begin}-{end} {self.kind} {what}: {self.outcome} {self.said}".rstrip()


@dataclass
class History:
    operations: list[Operation] = field(default_factory=list)
    clock: int = 0

    def begin(self, kind: Kind, session: str, now_ms: int, **known: Any) -> Operation:
        self.clock += 1
        operation = Operation(kind, session, self.clock, now_ms, **known)
        self.operations.append(operation)
        return operation

    def end(self, operation: Operation, outcome: Outcome, now_ms: int, **learned: Any) -> None:
        """``unknown``: the caller heard nothing, so the effect may still come."""
        self.clock += 1
        operation.outcome, operation.heard_ms = outcome, now_ms
        if outcome != "unknown":
            operation.end, operation.end_ms = self.clock, now_ms
        for name, value in learned.items():
            setattr(operation, name, value)
