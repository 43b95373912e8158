"""Plan an event's next epoch so that its live sessions meet their target.

Epochs begin on whole minutes. Each is planned once, 60 to 80 s ahead: late, so that the estimate is
recent, and early enough that two runs may fail. Further runs in the same minute change nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from fairgate.domain.gate.admission import operational_time
from fairgate.domain.gate.controller import (
    Cohort,
    Lengths,
    Outlook,
    Turnout,
    expected_admissions,
    fastest_slope,
    plan_epoch,
    wave_width_s,
)
from fairgate.domain.gate.gate_config import ADMITTING
from fairgate.domain.gate.gate_value import WAVED
from fairgate.domain.gate.pace import last_slope, slope_at
from fairgate.domain.shared.session import live_from
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.record import DamagedItemError
from fairgate.ports.table import Update
from fairgate.service.gate.control_gate import LEAD_S
from fairgate.service.gate.count_crowd import sampled_cohorts
from fairgate.service.shared.keys import controller_memory_key
from fairgate.service.shared.live_count import count_sessions
from fairgate.service.shared.records.gate import ControllerMemory

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.gate.control_gate import GateControl
    from fairgate.service.shared.live_count import SessionCounts
    from fairgate.service.shared.records.catalog import Event

PLAN_S = 60
_PLANNED_WITHIN_S = 20.0  # before the last moment: two of the runs, one in ten seconds, may fail
_SPAN_LEAST_S, _SPAN_MOST_S = 30.0, 300.0  # between two looks that can be compared
_STATE_KEPT_S = 30 * 86_400  # whose the pace of a sale start is must be known for weeks
_SLOPE_DIGITS = 6  # significant; more digits change nobody's admission and cost bytes
_SAME = 0.02  # a smaller change of the pace at the sale start is not worth a write
_WAVE_SAME = 0.05  # of its width
_FULL = 0.98  # of the target: from here on the origin may have refused some


class Planned(Struct, frozen=True):
    """What the controller did for an event, or why it did nothing.

    Attributes:
        slope, slope_before: from ``starts_at`` on, with and without the plan; None: no change.
    """

    event: str
    outcome: str
    slope: float | None = None
    slope_before: float | None = None
    starts_at: str = ""
    live: int = 0
    expected_live: float = 0.0
    session_s: float = 0.0
    places_left: int | None = None


class _Look(Struct, frozen=True):
    """What the controller saw at a plan, to learn from it at the next plan.

    Attributes:
        threshold: E while capacity was reached; None: nobody was held back.
        opened: sessions that were to end in the minute ``opened_from`` or later.
        lengths_before: the statistics of session lengths ``span_s`` before.
    """

    at_s: float
    live: float
    h: float
    opened_from: str
    opened: int
    threshold: float | None = None
    factor: float = 1.0
    turnout: Turnout = field(default_factory=Turnout)
    lengths: Lengths = field(default_factory=Lengths)
    lengths_before: Lengths | None = None
    span_s: float = float(PLAN_S)
    operator_slope: float = 0.0


class AdmissionPlanner(Struct, frozen=True):
    """Plans epochs.

    Attributes:
        level_of: returns an event's admission threshold at H and a time in epoch seconds, while
            capacity is reached; None: unknown.
        admissions_per_s: that the stage carries for one event; 0: any number.

    Cost: six queries, one read and one write of the gate's value, one UpdateItem; only the read if
    nothing is due. The size of the crowd does not matter.
    """

    table: Table
    clock: Clock
    control: GateControl
    threshold_of: Callable[[str, float, float], float | None] = lambda *_look: None
    admissions_per_s: int = 0

    def plan(self, sale: Event, places_left: int | None = None) -> Planned:
        """Plan the next epoch of an event, if the controller sets its pace.

        Args:
            places_left: places that are not sold, held ones included; None: unknown.

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
        opening = start_s == gate.sale_start_s
        if not opening and self._is_planned(event, gate, start_s):
            return Planned(event, "planned before")
        if gate.sample_queue <= 0:
            return Planned(event, "no estimate: nothing is sampled at the queue")
        if not opening and start_s - now_s > LEAD_S + _PLANNED_WITHIN_S:
            return Planned(event, "planned soon")
        return self._plan(sale, gate, (now_s, start_s, end_s), places_left)

    def _plan(
        self,
        sale: Event,
        gate: GateConfig,
        times_s: tuple[float, float, float],
        places_left: int | None,
    ) -> Planned:
        now_s, start_s, end_s = times_s
        counts = count_sessions(self.table, sale.id, rfc3339(round(now_s * 1000)))
        crowd = crowd_cohorts(self.table, sale.id, gate)
        look = self._look(sale, gate, crowd, counts, now_s)
        h_start = operational_time(gate.epochs, start_s)
        sampled = [Cohort(c.h, c.count * gate.sample_queue) for c in crowd]
        spans = (start_s - now_s + (end_s - start_s) / 2) / look.span_s
        session_s = look.lengths.mean_ahead_s(
            look.lengths_before or look.lengths, _expected_s(sale), spans
        )
        outlook = Outlook(
            cohorts=[Cohort(c.h, c.count * look.factor) for c in crowd],
            curve=gate.curve,
            live=look.live,
            live_max=sale.live_max,
            session_s=session_s,
            h_now=look.h,
            h_start=h_start,
            slope=0.0 if start_s <= gate.sale_start_s else slope_at(gate, start_s),
            lead_s=start_s - now_s,
            plan_s=end_s - start_s,
            fastest=fastest_slope(look.operator_slope, sampled, gate.curve, h_start),
            threshold=look.threshold,
            places_left=places_left,
            admissions_per_s=self.admissions_per_s or math.inf,
        )
        plan = plan_epoch(outlook)
        slope = min(float(f"{plan.slope:.{_SLOPE_DIGITS}g}"), outlook.fastest)
        done = Planned(
            sale.id,
            "planned",
            slope,
            starts_at=rfc3339(round(start_s * 1000)),
            live=counts.live,
            session_s=session_s,
            places_left=places_left,
        )
        wave_s = None
        if start_s == gate.sale_start_s:
            wave_s = _wave_s(sale, gate, sum(c.count for c in crowd))
            if abs(slope - gate.epochs[-1].slope) <= _SAME * slope and wave_s == gate.wave_s:
                return done
        self.control.bend(sale.id, start_s, slope, wave_s)
        self._remember(sale.id, look, (start_s, slope, slope or last_slope(gate)))
        before = slope_at(gate, start_s)
        return replace(done, slope_before=before, expected_live=plan.live_at_end)

    def _is_planned(self, event: str, gate: GateConfig, start_s: float) -> bool:
        """Say whether an epoch that begins then is planned, or must not be.

        A later pace that an operator has dated gives way to the plan. But if nobody is admitted
        until then, it is a dated resume, and stays.
        """
        starts = [epoch.start_s for epoch in gate.epochs]
        if start_s in starts:
            return True
        if max(starts) < start_s or slope_at(gate, start_s) > 0.0:
            return False
        last = self._memory(event)
        stands_from_s = max((start for start in starts if start < start_s), default=0.0)
        return last is None or [*last.planned[:2]] != [stands_from_s, 0.0]

    def _memory(self, event: str) -> ControllerMemory | None:
        """Load the last plan's inputs; None if there are none, or they are damaged."""
        try:
            memories = self.table.query(ControllerMemory, *controller_memory_key(event))
        except DamagedItemError:
            return None
        return memories[0] if memories else None

    def _look(
        self,
        sale: Event,
        gate: GateConfig,
        crowd: Sequence[Cohort],
        counts: SessionCounts,
        now_s: float,
    ) -> _Look:
        """Look at the sale, and learn from the change since the last plan."""
        minute = live_from(rfc3339(round((now_s + sale.session_s) * 1000)))
        h = operational_time(gate.epochs, now_s)
        threshold = self.threshold_of(sale.id, h, now_s)
        look = _Look(
            at_s=now_s,
            live=counts.live,
            h=h,
            opened_from=minute,
            opened=counts.opened_from(minute),
            threshold=None if threshold is None else min(threshold, h),
            operator_slope=last_slope(gate),
        )
        last = self._memory(sale.id)
        if last is None:
            return look
        lengths = Lengths(last.spent_s, last.ended)
        turnout = Turnout(last.expected, last.observed)
        look = replace(look, factor=last.factor, turnout=turnout, lengths=lengths)
        if gate.epochs[-1].slope in last.planned[1:]:  # the pace is our own
            look = replace(look, operator_slope=last.operator_slope)
        span_s = now_s - last.at_s
        if not _SPAN_LEAST_S <= span_s <= min(_SPAN_MOST_S, sale.session_s):
            return look
        opened = counts.opened_from(last.opened_from) - last.opened
        expected, is_hidden = _expected_since(last, look, crowd, gate.curve)
        # Admitted buyers who are refused for lack of capacity open no session. If the threshold
        # does not tell how many they are, too few sessions are no sign of a small crowd.
        is_full = max(last.live, look.live) >= _FULL * sale.live_max
        if not (is_full and is_hidden and opened < last.factor * expected):
            turnout = turnout.after(expected=expected, observed=opened)
        return replace(
            look,
            lengths_before=lengths,
            span_s=span_s,
            turnout=turnout,
            factor=turnout.factor(last.factor),
            lengths=lengths.after(
                live_before=last.live, live=look.live, opened=opened, span_s=span_s
            ),
        )

    def _remember(self, event: str, look: _Look, planned: tuple[float, ...]) -> None:
        if self.control.dry_run:
            return
        state = {
            "atS": look.at_s,
            "live": look.live,
            "h": look.h,
            "factor": look.factor,
            "expected": look.turnout.expected,
            "observed": look.turnout.observed,
            "level": look.threshold,
            "planned": list(planned),
            "operatorSlope": look.operator_slope,
            "spentS": look.lengths.spent_s,
            "ended": look.lengths.ended,
            "openedFrom": look.opened_from,
            "opened": look.opened,
            "ttl": int(look.at_s) + _STATE_KEPT_S,
        }
        self.table.update(Update("reservations", *controller_memory_key(event), set=state))


def _expected_s(sale: Event) -> float:
    """Return how long the operator expects a session to last."""
    return float(sale.session_mean_s or sale.session_s)


def _wave_s(sale: Event, gate: GateConfig, crowd: float) -> int:
    """Return the width of the wave at the sale start; the present one if it is about right."""
    wanted_s = wave_width_s(crowd, sale.requests_per_s) if gate.version >= WAVED else 0
    return gate.wave_s if abs(wanted_s - gate.wave_s) <= _WAVE_SAME * wanted_s else wanted_s


def _expected_since(
    last: ControllerMemory, look: _Look, crowd: Sequence[Cohort], curve: float
) -> tuple[float, bool]:
    """Return how many of the crowd were to be admitted since, and whether E is unknown for it."""
    if last.threshold is None or look.threshold is None:
        return expected_admissions(crowd, curve, last.h, look.h), True
    return expected_admissions(crowd, curve, last.threshold, look.threshold), False


def crowd_cohorts(table: Table, event: str, gate: GateConfig) -> list[Cohort]:
    """Read how many have joined in each minute, from the desk's sample."""
    if gate.sample_queue <= 0:
        return []
    sampled = sampled_cohorts(table, event)
    return [Cohort(cohort.h, cohort.count / gate.sample_queue) for cohort in sampled]


def _slot(gate: GateConfig, now_s: float) -> tuple[float, float]:
    """Return the next epoch to plan: the sale start, or a whole minute at least LEAD_S away."""
    start_s = float(-(-(now_s + LEAD_S) // PLAN_S) * PLAN_S)
    if gate.sale_start_s < start_s or gate.sale_start_s <= now_s + LEAD_S:
        return start_s, start_s + PLAN_S
    end_s = float(-(-(gate.sale_start_s + PLAN_S / 2) // PLAN_S) * PLAN_S)
    return float(gate.sale_start_s), end_s
