"""Read an event's live figures, as its operators see them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from fairgate.domain.gate.admission import operational_time
from fairgate.domain.gate.controller import still_waiting
from fairgate.domain.gate.gate_config import State
from fairgate.domain.gate.pace import slope_at
from fairgate.domain.shared.times import rfc3339
from fairgate.service.gate.plan_admission import crowd_cohorts
from fairgate.service.shared.live_count import live_now

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.catalog.read_catalog import CatalogReader
    from fairgate.service.gate.read_gate import GateReader


class EpochFigures(Struct, frozen=True):
    starts_at: str
    h: float
    tau_s: float | None


class Figures(Struct, frozen=True):
    """``joined`` and ``waiting`` are estimates from the sample, None when nothing is sampled."""

    event: str
    name: str
    now: str
    state: State
    doors_at: str
    tau_s: float | None
    curve: float
    epochs: list[EpochFigures]
    control: Literal["auto", "manual"]
    live: int
    live_max: int  # 0: no limit
    joined: int | None
    waiting: int | None


@dataclass(frozen=True)
class LiveFigures:
    """Reads the figures. Cost: two queries; catalogue and gate are up to five seconds stale."""

    table: Table
    clock: Clock
    catalog: CatalogReader
    gate: GateReader

    def read(self, event: str) -> Figures:
        """Read the event's figures. Raises NotFoundError."""
        sale = self.catalog.event(event)
        gate = self.gate.gate(event)
        now_ms = self.clock.now_ms()
        now_s = now_ms / 1000
        slope = slope_at(gate, now_s)
        h = operational_time(gate.epochs, now_s)
        cohorts = crowd_cohorts(self.table, event, gate)
        waiting = sum(c.count * still_waiting(h - c.h, gate.curve) for c in cohorts)
        sampled = gate.sample_queue > 0
        return Figures(
            event=event,
            name=sale.name,
            now=rfc3339(now_ms),
            state=gate.state,
            doors_at=rfc3339(gate.doors_s * 1000),
            tau_s=1 / slope if slope else None,
            curve=gate.curve,
            epochs=[
                EpochFigures(
                    rfc3339(round(e.start_s * 1000)), e.h, 1 / e.slope if e.slope else None
                )
                for e in gate.epochs
            ],
            control=sale.control,
            live=live_now(self.table, event, rfc3339(now_ms)),
            live_max=sale.live_max,
            joined=round(sum(c.count for c in cohorts)) if sampled else None,
            waiting=round(waiting) if sampled else None,
        )
