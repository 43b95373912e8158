"""Plan an event's next epoch so that its live sessions meet their target.

Epochs begin on whole minutes, each planned once, a minute or two ahead: a schedule that fires
twice, or every few seconds, changes nothing more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairgate.domain.gate.admission import operational_time
from fairgate.domain.gate.controller import (
    Cohort,
    Outlook,
    corrected,
    expected_admissions,
    observed_admissions,
    plan_epoch,
)
from fairgate.domain.gate.gate_config import ADMITTING
from fairgate.domain.gate.pace import slope_at
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.table import Update
from fairgate.service.gate.control_gate import LEAD_S
from fairgate.service.gate.count_crowd import sampled_cohorts
from fairgate.service.shared.keys import controller_memory_key
from fairgate.service.shared.live_count import live_now
from fairgate.service.shared.records.gate import ControllerMemory

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.gate.control_gate import GateControl
    from fairgate.service.shared.records.catalog import Event

PLAN_S = 60
_SPAN_LEAST_S, _SPAN_MOST_S = 30.0, 300.0  # between two looks that can be compared
_STATE_KEPT_S = 86_400
_SLOPE_DIGITS = 6  # significant; what is less changes nobody's turn and costs bytes
_SAME = 0.02  # a pace for doors that differs by less is not worth a write


@dataclass(frozen=True, slots=True)
class Planned:
    """What the controller did for an event, or why nothing was done."""

    event: str
    outcome: str
    slope: float | None = None
    starts_at: str = ""
    live: int = 0
    expected_live: float = 0.0


@dataclass(frozen=True, slots=True)
class _Look:
    """What the controller saw when it planned the last epoch, for the correction of the crowd."""

    at_s: float
    live: float
    h: float
    factor: float


@dataclass(frozen=True)
class AdmissionPlanner:
    """Plans epochs.

    Cost: three queries, one read and one write of the KeyValueStore, one UpdateItem.
    """

    table: Table
    clock: Clock
    control: GateControl

    def plan(self, sale: Event) -> Planned:
        """Plan the next epoch of one event of the catalogue, if it is the controller's to plan.

        Raises NotFoundError (no gate), VersionConflictError, DependencyUnavailableError.
        """
        event = sale.id
        if sale.control != "auto" or not sale.live_max:
            return Planned(event, "manual")
        gate = self.control.read(event)
        if gate.state not in ADMITTING:
            return Planned(event, gate.state)
        now_s = self.clock.now_ms() / 1000
        start_s, end_s = _slot(gate, now_s)
        opening = start_s == gate.doors_s
        if not opening and any(e.start_s >= start_s for e in gate.epochs):
            return Planned(event, "planned before")
        if gate.sample_queue <= 0:
            return Planned(event, "no estimate: nothing is sampled at the queue")
        return self._plan(sale, gate, now_s, start_s, end_s)

    def _plan(
        self, sale: Event, gate: GateConfig, now_s: float, start_s: float, end_s: float
    ) -> Planned:
        event = sale.id
        session_s = float(sale.session_mean_s or sale.session_s)
        live = live_now(self.table, event, rfc3339(round(now_s * 1000)))
        crowd = crowd_cohorts(self.table, event, gate)
        h_now = operational_time(gate.epochs, now_s)
        factor = self._factor(event, crowd, gate, now_s, live, session_s)
        outlook = Outlook(
            cohorts=[Cohort(c.h, c.count * factor) for c in crowd],
            curve=gate.curve,
            live=live,
            live_max=sale.live_max,
            session_s=session_s,
            h_now=h_now,
            h_start=operational_time(gate.epochs, start_s),
            slope=0.0 if start_s <= gate.doors_s else slope_at(gate, start_s),
            lead_s=start_s - now_s,
            plan_s=end_s - start_s,
        )
        plan = plan_epoch(outlook)
        slope = float(f"{plan.slope:.{_SLOPE_DIGITS}g}")
        done = Planned(event, "planned", slope, rfc3339(round(start_s * 1000)), live)
        if start_s == gate.doors_s and abs(slope - gate.epochs[-1].slope) <= _SAME * slope:
            return done
        self.control.bend(event, start_s, slope)
        self._remember(event, _Look(now_s, live, h_now, factor))
        return Planned(event, "planned", slope, done.starts_at, live, plan.live_at_end)

    def _factor(
        self,
        event: str,
        crowd: Sequence[Cohort],
        gate: GateConfig,
        now_s: float,
        live: float,
        session_s: float,
    ) -> float:
        """Return what to multiply the sampled crowd by, from what was admitted of it."""
        memories = self.table.query(ControllerMemory, *controller_memory_key(event))
        if not memories:
            return 1.0
        look = memories[0]
        span_s = now_s - look.at_s
        if not _SPAN_LEAST_S <= span_s <= _SPAN_MOST_S:
            return look.factor
        h_now = operational_time(gate.epochs, now_s)
        expected = look.factor * expected_admissions(crowd, gate.curve, look.h, h_now)
        observed = observed_admissions(look.live, live, span_s=span_s, session_s=session_s)
        return corrected(look.factor, expected=expected, observed=observed)

    def _remember(self, event: str, look: _Look) -> None:
        state = {"atS": look.at_s, "live": look.live, "h": look.h, "factor": look.factor}
        ttl = int(look.at_s) + _STATE_KEPT_S
        if not self.control.dry_run:
            update = Update("reservations", *controller_memory_key(event), set=state | {"ttl": ttl})
            self.table.update(update)


def crowd_cohorts(table: Table, event: str, gate: GateConfig) -> list[Cohort]:
    """Read who has joined the room since it was made, from the desk's sample; a cohort a minute."""
    if gate.sample_queue <= 0:
        return []
    sampled = sampled_cohorts(table, event)
    return [Cohort(cohort.h, cohort.count / gate.sample_queue) for cohort in sampled]


def _slot(gate: GateConfig, now_s: float) -> tuple[float, float]:
    """Return the next epoch to plan: the doors' own, or the next whole minute at least
    LEAD_S away.
    """
    start_s = float(-(-(now_s + LEAD_S) // PLAN_S) * PLAN_S)
    if gate.doors_s < start_s or gate.doors_s <= now_s + LEAD_S:
        return start_s, start_s + PLAN_S
    end_s = float(-(-(gate.doors_s + PLAN_S / 2) // PLAN_S) * PLAN_S)
    return float(gate.doors_s), end_s
