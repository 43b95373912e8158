"""Records of what the desk counts, what the controller remembers, and the gate's history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from fairgate.domain.gate.risk import Tally
from fairgate.ports.record import Record, TableName, attribute
from fairgate.service.shared.keys import DESK_COUNT, DESK_DECISION


def _as_spelt(field: str) -> str:
    """Keep the spelling of verdicts: only keys are named otherwise in the table."""
    return attribute(field) if field in ("pk", "sk") else field


class DeskCount(Record, frozen=True, kw_only=True, rename=_as_spelt):
    """What the desk counted of a user, address or network in ten minutes: a count a verdict.

    A case that was chosen for a share of its kind counts as the 1/share that it stands for.

    Attributes:
        sampled: how many such cases there were. Each other count is of what was seen.
        labelled: how many of those came from an address that the firewall named.
        no_auth, bad_auth, expired_token: counted before the edge answered these itself.
    """

    table: ClassVar[TableName] = "reservations"

    ttl: int
    sampled: int = 0
    labelled: int = 0
    admit: int = 0
    sample_queue: int = 0
    sample_admit: int = 0
    no_auth: int = 0
    bad_auth: int = 0
    bad_token: float = 0
    other_user: float = 0
    other_event: float = 0
    expired_token: int = 0
    early: float = 0
    no_solution: float = 0
    bad_solution: float = 0
    redeemed: int = 0
    inside: int = 0

    @property
    def window_s(self) -> int:
        """Return when the ten minutes began, in epoch seconds."""
        return int(self.sk.removeprefix(DESK_COUNT))

    @property
    def cases(self) -> dict[str, float]:
        """Return the verdicts that were counted, by the names that the edge gives them."""
        verdicts = (field for field in self.__struct_fields__ if field not in _BESIDES_VERDICTS)
        counts = {verdict.replace("_", "-"): getattr(self, verdict) for verdict in verdicts}
        return {verdict: float(count) for verdict, count in counts.items() if count}

    @property
    def tally(self) -> Tally:
        return Tally(self.cases, self.sampled, self.labelled)


_BESIDES_VERDICTS = frozenset({"pk", "sk", "ttl", "sampled", "labelled"})


class DeskDecision(Record, frozen=True, kw_only=True):
    table: ClassVar[TableName] = "reservations"

    level: int
    rule: str
    points: float = 0
    cases: Mapping[str, float] = {}
    seen: float = 0  # how many cases were really seen
    noticed: str
    until: str
    by: str = "rules"
    ttl: int

    @property
    def at(self) -> str:
        return self.sk.removeprefix(DESK_DECISION)


class SampledMinute(Record, frozen=True, kw_only=True):
    """Accounts of the sample that first joined in a minute, in one of its counters."""

    table: ClassVar[TableName] = "reservations"

    count: int
    h: float
    ttl: int

    @property
    def minute(self) -> str:
        return self.sk.partition("#")[0]


class SampledAccount(Record, frozen=True, kw_only=True):
    """An account of the sample: in which minute it is counted, so that it is counted once.

    Attributes:
        minute: "" while it is in none.
        left_out_until: RFC 3339, while the desk has flagged it.
    """

    table: ClassVar[TableName] = "reservations"

    minute: str = ""
    left_out_until: str = ""
    ttl: int


class ControllerMemory(Record, frozen=True, kw_only=True):
    """What the controller saw when it planned last."""

    table: ClassVar[TableName] = "reservations"

    at_s: float
    live: float
    h: float
    factor: float
    expected: float = 0
    observed: float = 0
    threshold: float | None = None
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

    section: str = ""
    left: Mapping[str, int] = {}
    sold_out: bool = False  # the controller said so: it opens again for what comes back
    ttl: int


class FiguresRecord(Record, frozen=True, kw_only=True):
    """An event's figures as operators watch them, made every ten seconds: one JSON document."""

    table: ClassVar[TableName] = "reservations"

    at_ms: int
    document: str
    ttl: int


class FiguresMemory(Record, frozen=True, kw_only=True):
    """What whoever makes the figures remembers: one JSON document."""

    table: ClassVar[TableName] = "reservations"

    document: str
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


class Creation(Record, frozen=True, kw_only=True):
    """A creation that began: it broke off where the catalogue has no event of this id.

    Attributes:
        nonce: names the run that may write for it; "" once the event is on sale.
    """

    table: ClassVar[TableName] = "catalog"

    at_ms: int
    who: str
    nonce: str = ""


class StoreComparison(Record, frozen=True, kw_only=True):
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
    sale_start_s: int
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
