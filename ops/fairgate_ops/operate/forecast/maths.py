"""The rule of ``fairgate.domain.gate.admission`` over arrays: a million buyers at once.

Constants come from there; test_gate_maths.py holds each function to its scalar.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairgate.domain.gate import admission
from fairgate.domain.gate.gate_config import Mode

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

# The scalar keeps these to itself; a test holds the two to each other.
_JITTER = admission._JITTER  # noqa: SLF001 written once
_FRACTION = admission._BACKOFF_FRACTION  # noqa: SLF001 written once
_LADDER = np.array(admission.ESTIMATE_LADDER_S, dtype=np.float64)


@dataclass(frozen=True)
class Rules:
    """The part of a gate's configuration that times a buyer's polls."""

    curve: float
    mode: Mode
    sale_start_s: int
    backoff_min_s: int
    backoff_max_s: int
    wave_s: int = 0


@dataclass(frozen=True)
class Pace:
    """H, its slope and the age of its epoch, each at the moments of as many polls."""

    level: Floats
    slope: Floats
    age_s: Floats


def admission_at(u: Floats, curve: float) -> Floats:
    """x* at which P reaches u."""
    moments: Floats = (-np.log(1.0 - u)) ** (1.0 / curve)
    return moments


def steepest(curve: float, x_max: float = math.inf) -> float:
    """The most that P = 1 − exp(−x^k) grows per unit of x anywhere up to ``x_max``."""
    if curve <= 1.0:
        return 1.0
    x = min(x_max, math.pow((curve - 1.0) / curve, 1.0 / curve))  # the density's mode
    return curve * math.pow(x, curve - 1.0) * math.exp(-math.pow(x, curve))


def remaining_s(rules: Rules, moment: Floats, x: Floats, slope: Floats) -> Floats:
    """Return seconds until the moment of admission at the present slope; in mode t at 1 for all."""
    goal = moment if rules.mode == "a" else np.ones_like(moment)
    missing = np.maximum(0.0, goal - x)
    return np.where(slope > 0.0, missing / np.where(slope > 0.0, slope, 1.0), np.inf)


def backoff(
    rules: Rules, tail: Ints, lot: Ints, moment: Floats, x: Floats, now_s: Floats, slope: Floats
) -> Floats:
    """Epoch second of the next attempt.

    Args:
        tail: the last 32 bits of the token's id.
        lot: the first 32 bits of the ticket.

    Renewals before the sale starts are left out: they change no number, no h and no later moment.
    """
    now = np.floor(now_s)
    second = now.astype(np.int64) % 65536
    jitter = _JITTER * (((tail + second * 2654435761) % 2**32) / 2**32)
    remaining = remaining_s(rules, moment, x, slope)
    wait = np.clip(_FRACTION * remaining, rules.backoff_min_s, rules.backoff_max_s)
    due = now + np.ceil(wait * (1.0 + jitter))
    if rules.mode == "a":
        near = min(admission.near_s(rules.backoff_min_s), rules.backoff_max_s)
        met = np.ceil(now_s + np.maximum(np.minimum(remaining, near), rules.backoff_min_s))
        due = np.where(remaining <= near, met, due)
    width_s = max(rules.wave_s, _JITTER * rules.backoff_max_s)
    first = rules.sale_start_s + np.ceil(width_s * (lot / 2**32))
    in_wave = np.where(now < rules.sale_start_s + width_s, np.maximum(due, first), due)
    return np.where(now < rules.sale_start_s, first, in_wave)


def on_grid(h: Floats) -> Floats:
    """``h`` as tokens carry it: in whole billionths."""
    grid: Floats = np.floor(h * 1e9 + 0.5) / 1e9
    return grid


def bucket(rules: Rules, moment: Floats, x: Floats, pace: Pace) -> Ints:
    """Index of the estimate's bucket in the ladder; −1 while operational time stands still."""
    moving = pace.slope > 0.0
    slope = np.where(moving, pace.slope, 1.0)
    wait = np.where(moving, remaining_s(rules, moment, x, pace.slope), 0.0)
    if rules.mode == "t":
        wait = wait + (math.pow(admission.NINE_IN_TEN, 1.0 / rules.curve) - 1.0) / slope
    ahead = pace.level + np.maximum(admission.EPOCH_S, pace.age_s) * slope
    growth = np.maximum(1.0, (pace.level + wait * slope) / ahead)
    promised = wait * growth ** (rules.curve - 1.0) + rules.backoff_min_s
    index = np.searchsorted(_LADDER, promised, side="right") - 1
    return np.where(moving, index, -1).astype(np.int64)


def polls_every_s(slope: Floats, backoff_s: tuple[int, int]) -> Floats:
    """Return the mean between two looks of one whose wait is τ; the longest while H stands."""
    tau = np.where(slope > 0.0, 1.0 / np.where(slope > 0.0, slope, 1.0), np.inf)
    every: Floats = np.clip(_FRACTION * tau, *backoff_s) * (1.0 + _JITTER / 2.0)
    return every
