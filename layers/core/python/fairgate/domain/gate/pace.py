"""Plan a gate's pace: the slope of H, now and from a given time.

H is always continuous, and stays constant until the sale starts.
"""

from __future__ import annotations

import math
from typing import Literal

from msgspec.structs import replace

from fairgate.domain.gate.gate_config import Epoch, GateConfig, with_epoch
from fairgate.errors import LimitExceededError, MalformedInputError

# Start of H in a waiting room with a steep curve and a manual pace. The estimate of a wait assumes
# that the slope falls as H grows, as the controller's does. This far up H hardly grows, so the
# estimate assumes a constant slope. Everything else depends only on the gain of H.
STEADY_H = 1000.0
# A waiting room that is stopped before its sale starts keeps its pace in an epoch in the year 3000.
KEPT_FROM_S = 32_503_680_000.0
TAU_MIN_S, TAU_MAX_S = 1.0, 10_000_000.0  # ten million people, ten let in a second: 10^6


def first_h(curve: float, control: Literal["manual", "auto"]) -> float:
    """Return H before the sale starts. It tells the gate whether the pace is constant."""
    return STEADY_H if control == "manual" and curve > 1.0 else 0.0


def takes_pace_to_stay(gate: GateConfig) -> bool:
    """Return whether estimates of waits assume a constant slope (see ``first_h``)."""
    return gate.curve > 1.0 and gate.epochs[0].h >= STEADY_H


def last_slope(gate: GateConfig) -> float:
    """Return the pace before a pause, or the planned one."""
    return next((e.slope for e in reversed(gate.epochs) if e.slope > 0), 0.0)


def slope_at(gate: GateConfig, at_s: float) -> float:
    """Return 1/τ in force at ``at_s``; 0 before the first epoch."""
    return next((e.slope for e in reversed(gate.epochs) if e.start_s <= at_s), 0.0)


def slope_of(tau_s: float) -> float:
    """Return 1/τ. Raises MalformedInputError for a τ that no sale has."""
    if not (math.isfinite(tau_s) and TAU_MIN_S <= tau_s <= TAU_MAX_S):
        raise MalformedInputError(f"τ is {TAU_MIN_S:.0f} to {TAU_MAX_S:,.0f} seconds.")
    return 1 / tau_s


def paced(gate: GateConfig, start_s: float, slope: float, now_s: float) -> GateConfig:
    """Change to ``slope`` at ``start_s``, but not before the sale starts and H begins to grow.

    Raises:
        LimitExceededError: too many changes are still to come.
    """
    if start_s < gate.sale_start_s:
        return with_sale_start(gate, gate.sale_start_s, slope, now_s)
    return bent(gate, start_s, slope, now_s)


def stopped(gate: GateConfig, start_s: float, now_s: float) -> GateConfig:
    """Stop H from ``start_s`` on, and keep the pace for a later resumption.

    If it is stopped before the sale starts, it stays stopped afterwards.

    Raises:
        LimitExceededError: too many changes are still to come.
    """
    halted, slope = paced(gate, start_s, 0.0, now_s), last_slope(gate)
    if last_slope(halted) or not slope:
        return halted
    return with_epoch(halted, KEPT_FROM_S, slope, now_s=now_s)


def planned(gate: GateConfig, start_s: float, slope: float, now_s: float) -> GateConfig:
    """Change to ``slope`` at ``start_s``, and keep the later planned changes.

    Raises:
        LimitExceededError: too many changes are still to come.
        MalformedInputError: ``start_s`` is before the sale starts, while H is constant.
    """
    if start_s < gate.sale_start_s:
        raise MalformedInputError(
            "Before the sale starts nobody is admitted at any pace: plan it for later."
        )
    later = [e for e in gate.epochs if e.start_s > start_s]
    for epoch in (Epoch(start_s, 0.0, slope), *later):
        gate = bent(gate, epoch.start_s, epoch.slope, now_s)
    return gate


def unplanned(gate: GateConfig, known_s: float, now_s: float) -> GateConfig:
    """Drop the changes after ``known_s``, when every edge will know. Keep the sale start's own."""
    staying = tuple(e for e in gate.epochs if e.start_s <= max(known_s, now_s, gate.sale_start_s))
    return replace(gate, epochs=staying or gate.epochs[:1])


def to_come(gate: GateConfig, now_s: float) -> list[Epoch]:
    """List the planned changes that an operator made; the sale start's own is not one."""
    return [e for e in gate.epochs if max(now_s, gate.sale_start_s) < e.start_s < KEPT_FROM_S]


def bent(gate: GateConfig, start_s: float, slope: float, now_s: float) -> GateConfig:
    """Bend the line as ``with_epoch`` does; on too many changes, say when to try again."""
    try:
        return with_epoch(gate, start_s, slope, now_s=now_s)
    except LimitExceededError as error:
        next_s = min(e.start_s for e in gate.epochs if e.start_s > now_s)
        raise LimitExceededError(
            "Too many changes are still to come. Please try again in"
            f" {math.ceil(next_s - now_s)} seconds.",
            limit=error.fields["limit"],
        ) from error


def with_sale_start(gate: GateConfig, sale_start_s: int, slope: float, now_s: float) -> GateConfig:
    """Replace all later changes: H is constant until the sale starts."""
    past = [e for e in gate.epochs if e.start_s <= now_s] or [Epoch(now_s, gate.epochs[0].h, 0.0)]
    return with_epoch(replace(gate, epochs=(past[-1],)), sale_start_s, slope, now_s=now_s)
