"""Simulate the shop: sessions open and end while the product's planner sets the slope.

Planner, gate control and the value's format are the ones that ship; tables, clock and
KeyValueStore are stand-ins in memory. Buyers of one cohort differ only in their lottery number, so
counts drawn from binomials are exactly what simulating each of them would give.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, cast

from fairgate.domain.gate.gate_config import Epoch, GateConfig, dump_gate, gate_key, parse_gate
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import VersionConflictError
from fairgate.ports.record import PK, SK, Record, decode
from fairgate.ports.table import Table, Update
from fairgate.service.catalog.create_event import BACKOFF_S
from fairgate.service.gate.control_gate import GateControl
from fairgate.service.gate.plan_admission import AdmissionPlanner
from fairgate.service.shared.due import minute_of
from fairgate.service.shared.keys import event_key, live_key, sampled_key
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.gate import ControllerMemory, SampledMinute
from fairgate.service.shared.records.sessions import LiveCounter
from fairgate_ops.operate.forecast.crowd import SALE_START_S
from fairgate_ops.operate.forecast.timeline import Version

EVENT = "sale"
PLANNED_EVERY_S = 10  # infra/constructs/ten_second_schedule.py


@dataclass
class ForecastClock:
    """Stands still until the forecast moves it."""

    ms: int

    def now_ms(self) -> int:
        return self.ms

    def back_off(self, attempt: int) -> None:
        """Wait for nobody: a forecast has one writer."""


@dataclass
class PublishedGates:
    """A KeyValueStore that keeps every version of the gate, because edges learn of them later."""

    clock: ForecastClock
    values: dict[str, str]
    versions: list[Version] = field(default_factory=list)

    def spread(self, key: str, *, late: bool) -> bool:  # noqa: ARG002 the port's parameters
        return True

    def spread_from_ms(self, key: str) -> int:  # noqa: ARG002 the port's parameter
        return 0

    def read(self, key: str) -> tuple[str | None, str]:
        return self.values.get(key), str(len(self.versions))

    def write(self, key: str, value: str, etag: str) -> str:
        if etag != str(len(self.versions)):
            raise VersionConflictError("The store has changed meanwhile.")
        self.versions.append(Version(self.clock.ms / 1000, parse_gate(value).epochs))
        self.values[key] = value
        return str(len(self.versions))


@dataclass
class PlannerTable:
    """What the planner reads of the tables: live sessions, sampled issues, its own last look.

    ``remembers`` off loses that look, so that nothing corrects the estimate of the crowd.
    """

    remembers: bool = True
    live: int = 0
    opened: int = 0
    threshold: float | None = None  # E of a sale at capacity
    sampled: dict[str, SampledMinute] = field(default_factory=dict)
    look: ControllerMemory | None = None

    def query(self, kind: type[Record], pk: str, _prefix: str = "", **_range: str) -> list[Record]:
        if kind is LiveCounter:
            key = live_key(EVENT, "9999-01-01T00:00#0")
            counter = LiveCounter(*key, live=self.live, opened=self.opened)
            return [counter] if counter.pk == pk else []
        if kind is ControllerMemory:
            return [self.look] if self.look is not None and self.remembers else []
        return [minute for minute in self.sampled.values() if minute.pk == pk]

    def update(self, action: Update) -> None:
        item = {**(self.look.item() if self.look else {}), **action.set}
        self.look = decode(ControllerMemory, {PK: action.pk, SK: action.sk, **item})

    def sample(self, now_s: float, h: float, count: int) -> None:
        """As the desk counts accounts, in one counter a minute, with the last one's H."""
        if count:
            minute = minute_of(rfc3339(round(now_s * 1000)))
            before = self.sampled[minute].count if minute in self.sampled else 0
            key = sampled_key(EVENT, minute, "")
            self.sampled[minute] = SampledMinute(*key, count=before + count, h=h, ttl=0)


@dataclass(frozen=True)
class Operator:
    """Run the planner as the scheduled function does."""

    clock: ForecastClock
    store: PublishedGates
    table: PlannerTable
    planner: AdmissionPlanner
    event: Event

    def plan(self, places_left: int | None = None) -> None:
        self.planner.plan(self.event, places_left)

    def wave_s(self) -> int:
        """Return over how many seconds first attempts are spread, as it was planned last."""
        return parse_gate(self.store.values[gate_key(EVENT)]).wave_s


def first_gate(
    *,
    curve: float,
    sample: float,
    tau_s: float,
    sale_start_s: int = SALE_START_S,
    backoff_s: tuple[int, int] = BACKOFF_S,
    epochs: tuple[Epoch, ...] = (),
    wave_s: int = 0,
) -> GateConfig:
    """A gate before its sale start; its keys open nothing. ``epochs``: else τ from the start on."""
    paced = (Epoch(sale_start_s - 7200.0, 0.0, 0.0), Epoch(float(sale_start_s), 0.0, 1 / tau_s))
    return GateConfig(
        state="open",
        mode="a",
        curve=curve,
        draw_key=bytes(32),
        token_keys={"w": bytes(32)},
        token_kid="w",  # noqa: S106 a name
        auth_keys={"a": bytes(32)},
        edge_key=bytes(32),
        pow_bits=0,
        epochs=epochs or paced,
        backoff_min_s=backoff_s[0],
        backoff_max_s=backoff_s[1],
        token_ttl_s=600,
        sample_queue=sample,
        sample_admission=0.0,
        open_until_s=0,
        sale_start_s=sale_start_s,
        wave_s=wave_s,
    )


def operator(
    gate: GateConfig,
    *,
    start_s: float,
    live_max: int,
    session_s: float,
    corrects: bool,
    control: Literal["auto", "manual"] = "auto",
    admissions_per_s: int = 0,
) -> Operator:
    clock = ForecastClock(round(start_s * 1000))
    store = PublishedGates(
        clock,
        {gate_key(EVENT): dump_gate(gate)},
        versions=[Version(start_s, gate.epochs)],
    )
    table = PlannerTable(remembers=corrects)
    gates = GateControl(store, clock, wait=lambda _attempt: None)
    # The planner makes two of the table's calls; the stand-in has no more.
    planner = AdmissionPlanner(
        cast("Table", table), clock, gates, lambda *_look: table.threshold, admissions_per_s
    )
    event = Event(
        *event_key(EVENT),
        name="Sale",
        venue_name="Hall",
        state="open",
        sale_starts_at=rfc3339(gate.sale_start_s * 1000),
        currency="EUR",
        layout="",
        hold_limit=10,
        user_limit=10,
        sessions_limit=1,
        live_max=live_max,
        session_s=600,
        checkout_s=420,
        tiers=[],
        areas={},
        sections=[],
        draw_commitment="",
        epochs_log=[],
        control=control,
        session_mean_s=session_s,
        created_at=rfc3339(clock.ms),
        version=0,
    )
    return Operator(clock, store, table, planner, event)
