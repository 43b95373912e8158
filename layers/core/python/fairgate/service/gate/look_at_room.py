"""Estimate how many buyers wait for an event, and how long a buyer who joins now waits."""

from __future__ import annotations

import math

from msgspec import Struct
from msgspec.structs import replace

from fairgate.domain.gate.admission import operational_time
from fairgate.domain.gate.controller import still_waiting
from fairgate.domain.gate.gate_config import ADMITTING, GateConfig
from fairgate.domain.gate.pace import slope_at
from fairgate.ports.table import Table
from fairgate.service.gate.plan_admission import crowd_cohorts
from fairgate.service.shared.records.catalog import Event


class RoomFigures(Struct, frozen=True):
    """Attributes:
    waiting: buyers who joined and are not admitted yet, by the sample; None: nothing is sampled.
    wait_s: the mean wait of a buyer who joins now, at the present pace; None: nobody is admitted
        now, or nobody waits.
    live, live_max: live sessions, and their limit; 0: no limit.
    """

    live: int
    live_max: int
    waiting: float | None = None
    wait_s: float | None = None


def look_at_room(
    table: Table, sale: Event, gate: GateConfig, now_s: float, live: int
) -> RoomFigures:
    """Estimate; buyers who left count as waiting. Cost: a query for each partition of counters."""
    room = RoomFigures(live, sale.live_max)
    if gate.sample_queue <= 0:
        return room
    h = operational_time(gate.epochs, now_s)
    waiting = sum(
        cohort.count * still_waiting(h - cohort.h, gate.curve)
        for cohort in crowd_cohorts(table, sale.id, gate)
    )
    return replace(room, waiting=waiting, wait_s=mean_wait_s(gate, waiting, now_s))


def mean_wait_s(gate: GateConfig, waiting: float | None, now_s: float) -> float | None:
    """Return the mean wait of a buyer who joins now; None: nobody is admitted, or waits."""
    slope = slope_at(gate, now_s)
    if gate.state not in ADMITTING or slope <= 0 or waiting is None or waiting < 1:
        return None
    # The mean of the draw's distribution in H, 1 − exp(−H^k), is Γ(1 + 1/k).
    return math.gamma(1 + 1 / gate.curve) / slope
