"""Describe the effect of a pace on waiting buyers. Modelled: nobody else comes or leaves."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

from fairgate.domain.gate.gate_config import GateConfig
from fairgate.service.gate.plan_admission import crowd_cohorts
from fairgate.service.gate.preview_pace import MOMENTS_S, PacePreview, preview_pace
from fairgate.service.shared.records.catalog import Event
from fairgate_ops.operate.cli.event_page import span
from fairgate_ops.operate.target import Target

_SOMEBODY = 0.5


def preview_of(target: Target, sale: Event, gate: GateConfig) -> PacePreview | None:
    """Look ahead from the last change in force, or from the sale start. None: nobody counted."""
    if gate.sample_queue <= 0:
        return None
    crowd = crowd_cohorts(target.world.table, sale.id, gate)
    now_s = target.world.clock.now_ms() / 1000
    return preview_pace(gate, sale, crowd, max(now_s, gate.epochs[-1].start_s))


def preview_data(ahead: PacePreview | None) -> dict[str, Any] | None:
    return None if ahead is None else asdict(ahead)


def preview_lines(ahead: PacePreview | None, sale: Event) -> list[str]:
    """Return the figures of ``preview_of``, a line each."""
    if ahead is None:
        return ["Waiting buyers are not counted (--sample 0), so there is no preview."]
    if ahead.waiting < _SOMEBODY:
        return ["  nobody who is counted waits, so there is nothing to look ahead to"]
    after = [f"{rate:,.1f}" for rate in ahead.per_s]
    names = ["at once", *(f"after {span(moment)}" for moment in MOMENTS_S[1:])]
    rates = ", ".join(f"{rate} {name}" for rate, name in zip(after, names, strict=True))
    last = "not within a week" if ahead.last_in_s is None else f"after {span(ahead.last_in_s)}"
    live = f"  asks for {ahead.live:,.0f} sessions at once"
    if sale.live_max:
        live += f" (target {sale.live_max:,})"
        if ahead.live > sale.live_max:
            live += ": more than may shop, so the target decides"
    return [
        f"  admits a second, of about {ahead.waiting:,.0f} who wait: {rates}",
        f"  the last of them is in {last}",
        f"{live}, and for {ahead.holds_per_s:,.1f} holds a second",
    ]
