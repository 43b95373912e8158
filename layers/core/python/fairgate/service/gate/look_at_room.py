"""Estimate how many wait for an event, and how long who joins now waits: for people who watch."""

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
    waiting: about so many have joined and had no turn yet, by the sample; None: none is taken.
    wait_s: so long waits in the mean who joins now, if the pace stays as it is; None where nobody
        is let in just now, or nobody waits.
    live: sessions, of which there may be ``live_max``; 0: no limit.
    """

    live: int
    live_max: int
    waiting: float | None = None
    wait_s: float | None = None


def look_at_room(
    table: Table, sale: Event, gate: GateConfig, now_s: float, live: int
) -> RoomFigures:
    """Count those who left without a word as well. Cost: a query for each partition of counters."""
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
    """Return how long who joins now waits in the mean; None where nobody is let in, or waits."""
    slope = slope_at(gate, now_s)
    if gate.state not in ADMITTING or slope <= 0 or waiting is None or waiting < 1:
        return None
    # The mean of the draw's distribution in H, 1 − exp(−H^k), is Γ(1 + 1/k).
    return math.gamma(1 + 1 / gate.curve) / slope
