"""Records of what the desk counts, what the controller remembers, and the gate's history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from fairgate.domain.gate.risk import Tally
from fairgate.ports.record import attribute
from fairgate.service.shared.keys import DESK_COUNT, DESK_DECISION
from fairgate.service.shared.records import CatalogRecord, ReservationsRecord


def _as_spelt(field: str) -> str:
    """Keep the spelling of verdicts: only keys are named otherwise in the table."""
    return attribute(field) if field in ("pk", "sk") else field


class DeskCount(ReservationsRecord, frozen=True, kw_only=True, rename=_as_spelt):
    """What the desk counted of a user, address or network in ten minutes, for each verdict.

    A case that was sampled at a share counts as 1/share cases.

    Attributes:
        sampled: how many sampled cases were really seen.
        labelled: how many of them came from an address that the firewall labelled.
        no_auth, bad_auth, expired_token: only in old items; the edge answers these itself now.
    """

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
        """Return the counted verdicts by the names that the edge uses."""
        verdicts = (field for field in self.__struct_fields__ if field not in _BESIDES_VERDICTS)
        counts = {verdict.replace("_", "-"): getattr(self, verdict) for verdict in verdicts}
        return {verdict: float(count) for verdict, count in counts.items() if count}

    @property
    def tally(self) -> Tally:
        return Tally(self.cases, self.sampled, self.labelled)


_BESIDES_VERDICTS = frozenset({"pk", "sk", "ttl", "sampled", "labelled"})


class DeskDecision(ReservationsRecord, frozen=True, kw_only=True):
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


class DeskAppeal(ReservationsRecord, frozen=True, kw_only=True):
    """A locked-out buyer asks that a person looks: one appeal against one lock-out.

    Attributes:
        text: the buyer's, "" if none or erased. rule, noticed: of the lock-out.
        answered_at: RFC 3339; "" while it is open. answer: what the person did.
    """

    asked_at: str
    text: str = ""
    rule: str
    noticed: str
    answered_at: str = ""
    answer: Literal["", "lifted", "kept"] = ""
    by: str = ""  # who answered
    ttl: int

    @property
    def until(self) -> str:
        """Return the end of the lock-out."""
        return self.sk.partition("#")[0]

    @property
    def event(self) -> str:
        return self.pk.partition("#")[2]

    @property
    def user(self) -> str:
        return self.sk.partition("#")[2]


class SampledMinute(ReservationsRecord, frozen=True, kw_only=True):
    """How many sampled accounts joined first in a minute: one of several counters."""

    count: int
    h: float
    ttl: int

    @property
    def minute(self) -> str:
        return self.sk.partition("#")[0]


class SampledAccount(ReservationsRecord, frozen=True, kw_only=True):
    """A sampled account, with the minute in which it is counted.

    Attributes:
        minute: "" while it is not counted.
        left_out_until: RFC 3339, while the desk has flagged it.
    """

    minute: str = ""
    left_out_until: str = ""
    ttl: int


class ControllerMemory(ReservationsRecord, frozen=True, kw_only=True):
    """What the controller saw at its last plan."""

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


class SeatsMemory(ReservationsRecord, frozen=True, kw_only=True):
    """The section that had a free seat last, and the free seats of each at its last reading."""

    section: str = ""
    left: Mapping[str, int] = {}
    sold_out: bool = False  # set by the controller, which may also open the sale again
    ttl: int


class FiguresRecord(ReservationsRecord, frozen=True, kw_only=True):
    """An event's live figures for operators as one JSON document, made every ten seconds."""

    at_ms: int
    document: str
    ttl: int


class HistoryRecord(ReservationsRecord, frozen=True, kw_only=True):
    """An event's figures since the sale start as one JSON document, at most 600 points."""

    version: int
    document: str
    ttl: int


class ForecastRecord(ReservationsRecord, frozen=True, kw_only=True):
    """What was forecast of an event's sale, as one JSON document; a curve of at most 200 points."""

    document: str
    ttl: int


class FiguresMemory(ReservationsRecord, frozen=True, kw_only=True):
    """What the maker of the figures remembers, as one JSON document."""

    document: str
    ttl: int


class GateValueRecord(CatalogRecord, frozen=True, kw_only=True):
    """An event's gate as the edges read it, with its keys. Only writers and verifiers read it."""

    value: str
    at_ms: int
    version: int
    heard: int = 0  # the newest version that is known to be in the edges' store
    late_ms: int = 0  # when that store last got a version late

    def __repr__(self) -> str:
        """Leave the value out: it contains keys, and this text may go to a log."""
        return f"GateValueRecord(pk={self.pk!r}, version={self.version})"


class Creation(CatalogRecord, frozen=True, kw_only=True):
    """A creation that began. It is incomplete if the catalogue has no event of this id.

    Attributes:
        nonce: names the run that may write; "" once the event is on sale.
        layout: of the chart whose rows a creation writes.
        rows: so many of them are written, in their order.
        alone: there are no rows but those of that chart.
        rows_by: the run that says so. With another nonce, rows may have been removed since.
    """

    at_ms: int
    who: str
    nonce: str = ""
    layout: str = ""
    rows: int = 0
    alone: bool = False
    rows_by: str = ""


class StoreComparison(CatalogRecord, frozen=True, kw_only=True):
    """The last comparison of the edges' store; etag "": compare again."""

    etag: str
    at_ms: int


class GateVersionRecord(CatalogRecord, frozen=True, kw_only=True):
    """A version of an event's gate rules, without keys."""

    at_ms: int
    state: str
    open_until: int
    sale_start_s: int
    epochs: Sequence[Sequence[float]]


class LogRecord(CatalogRecord, frozen=True, kw_only=True):
    """An entry of the operators' log. Every field may be damaged and must still be readable."""

    at: Any = ""
    who: Any = ""
    act: Any = ""
    phase: Any = ""
    detail: Any = ""
    gate: Any = ""
    mac: Any = ""
