"""Records of what the desk counts, what the controller remembers, and the gate's history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from fairgate.domain.gate.edge_header import VERDICTS
from fairgate.ports.record import Record, TableName, attribute
from fairgate.service.shared.keys import DESK_COUNT, DESK_DECISION


def _as_spelt(field: str) -> str:
    """Keep the spelling of verdicts: only keys are named otherwise in the table."""
    return attribute(field) if field in ("pk", "sk") else field


class DeskCount(Record, frozen=True, kw_only=True, rename=_as_spelt):
    """What the desk counted of a user, address or network in ten minutes: a count a verdict."""

    table: ClassVar[TableName] = "reservations"

    ttl: int
    admit: int = 0
    sample_queue: int = 0
    sample_admit: int = 0
    no_auth: int = 0
    bad_auth: int = 0
    bad_token: int = 0
    other_user: int = 0
    other_event: int = 0
    expired_token: int = 0
    early: int = 0
    no_solution: int = 0
    bad_solution: int = 0

    @property
    def window_s(self) -> int:
        """Return when the ten minutes began, in epoch seconds."""
        return int(self.sk.removeprefix(DESK_COUNT))

    @property
    def cases(self) -> dict[str, float]:
        """Return the verdicts that were counted, by the names that the edge gives them."""
        counts = {verdict: getattr(self, verdict.replace("-", "_")) for verdict in VERDICTS}
        return {verdict: float(count) for verdict, count in counts.items() if count}


class DeskDecision(Record, frozen=True, kw_only=True):
    table: ClassVar[TableName] = "reservations"

    level: int
    rule: str
    points: float = 0
    cases: Mapping[str, float] = {}
    noticed: str
    until: str
    by: str = "rules"
    ttl: int

    @property
    def at(self) -> str:
        return self.sk.removeprefix(DESK_DECISION)


class SampledMinute(Record, frozen=True, kw_only=True):
    """Tokens that were sampled in a minute, for the estimate of the crowd."""

    table: ClassVar[TableName] = "reservations"

    count: int
    h: float
    ttl: int


class ControllerMemory(Record, frozen=True, kw_only=True):
    """What the controller saw when it planned last."""

    table: ClassVar[TableName] = "reservations"

    at_s: float
    live: float
    h: float
    factor: float
    level: float | None = None
    planned: Sequence[float] = ()  # start, slope, last slope above 0
    operator_slope: float = 0
    spent_s: float = 0
    ended: float = 0
    opened_from: str = ""  # the counters' minute from which ``opened`` counts
    opened: int = 0
    ttl: int


class SeatsMemory(Record, frozen=True, kw_only=True):
    """In which section a seat was last free, and how many each had left when it was read."""

    table: ClassVar[TableName] = "reservations"

    section: str
    left: Mapping[str, int] = {}
    ttl: int


class GateValueRecord(Record, frozen=True, kw_only=True):
    """An event's gate as the edges read it, with its keys. For writers and those who verify."""

    table: ClassVar[TableName] = "catalog"

    value: str
    at_ms: int
    version: int
    heard: int = 0  # the newest version that the edges' store is known to have
    late_ms: int = 0  # when that store last got one late

    def __repr__(self) -> str:
        """Leave the value out: it has keys in it, and this text may go to a log."""
        return f"GateValueRecord(pk={self.pk!r}, version={self.version})"


class StoreMark(Record, frozen=True, kw_only=True):
    """The edges' store as it was when it was last compared; etag "" where it must be again."""

    table: ClassVar[TableName] = "catalog"

    etag: str
    at_ms: int


class GateVersionRecord(Record, frozen=True, kw_only=True):
    """A version of an event's gate rules, without keys."""

    table: ClassVar[TableName] = "catalog"

    at_ms: int
    state: str
    open_until: int
    doors_s: int
    epochs: Sequence[Sequence[float]]


class LogRecord(Record, frozen=True, kw_only=True):
    """An entry of the operators' log. What somebody spoilt must still be read: no field is sure."""

    table: ClassVar[TableName] = "catalog"

    at: Any = ""
    who: Any = ""
    act: Any = ""
    phase: Any = ""
    detail: Any = ""
    gate: Any = ""
    mac: Any = ""
