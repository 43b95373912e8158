"""Measure the gain of asking again and again at capacity, with and without the threshold E.

A robot is its honest twin until its first refusal: the same arrival, lottery number and H. One
robot among honest buyers takes a free slot and displaces nobody.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairgate.domain.gate.admission import EARLY_GRACE_S
from fairgate_lab.simulate.gate.capacity_reached import HAMMER_S, SETTLED_S, Course, Setting, run
from fairgate_lab.simulate.gate.gain import compare, mean_interval
from fairgate_ops.operate.forecast.crowd import SALE_START_S
from fairgate_ops.operate.forecast.maths import Floats, Ints

ROBOTS_IN_CROWD = 0.05
MIXED_BUYERS_MAX = 50_000  # every attempt of every robot is an event of its own
_PAIRS_MAX = 20_000


@dataclass(frozen=True)
class Robot:
    """How a robot asks.

    Attributes:
        every_s: between two attempts; 0 is as soon as the refusal has arrived.
        newest: with the token of the last refusal. Otherwise with the first one, whose ``boff`` is
            past: the gate lets it through, and the origin has only the level to go by.
    """

    every_s: float
    newest: bool = True


ROBOTS: Mapping[str, Robot] = {
    "asks at capacity every 0.2 s": Robot(HAMMER_S),
    "asks again at once after every refusal": Robot(0.0),
    "the first, with the token of before the refusal": Robot(HAMMER_S, newest=False),
}


def admitted_s(course: Course, who: int, robot: Robot) -> float:
    """When a robot comes in that was refused as its twin was; infinite: never.

    Before there was a level a refusal carried no token, and every attempt was let through.
    """
    sale, due = course.sale, course.due
    key, tail = float(due.key[who]), int(due.tail[who])
    step_s = robot.every_s or 2.0 * float(due.line_s[who])
    at_s, boff_s = float(due.first_s[who]), 0.0
    dated = robot.newest and course.setting.ordered
    if course.setting.ordered and not robot.newest:
        at_s = _stepped(at_s, step_s, sale.look_before(key))
    while at_s < course.setting.end_s:
        if at_s < boff_s and sale.stands(at_s):
            at_s = _stepped(at_s, step_s, boff_s)
        elif (free_s := sale.free_from(at_s)) == at_s and sale.reached(at_s, key):
            return at_s
        elif dated:
            boff_s = sale.back(at_s, key, tail)
            at_s = _stepped(at_s, step_s, max(at_s + step_s, boff_s - EARLY_GRACE_S))
        else:
            at_s = _stepped(at_s, step_s, max(at_s + step_s, free_s))
    return math.inf


def _stepped(at_s: float, step_s: float, since_s: float) -> float:
    """The first attempt from ``since_s`` on."""
    steps = max(0, math.ceil((since_s - at_s) / step_s)) if since_s > at_s else 0
    later_s = at_s + steps * step_s
    return later_s if later_s >= since_s else later_s + step_s


def hammering(buyers: int, curve: float, seed: int) -> dict[str, Any]:
    """Gains and waits of each strategy, by the threshold and by the rule before."""
    return {
        "by the threshold": by_rule(buyers, curve, seed, ordered=True),
        "before": by_rule(buyers, curve, seed, ordered=False),
    }


def by_rule(buyers: int, curve: float, seed: int, *, ordered: bool) -> dict[str, Any]:
    course = run(Setting(buyers, curve=curve, seed=seed, ordered=ordered))
    who = _compared(course)
    honest_s = course.admitted_s[who]
    found: dict[str, Any] = {
        "filled": course.filled(),
        "asked_per_admitted": course.sale.asked / int(np.isfinite(course.admitted_s).sum()),
        "strategies": {},
    }
    for title, robot in ROBOTS.items():
        robot_s = np.array([admitted_s(course, n, robot) for n in who.tolist()])
        gain = compare(honest_s, robot_s, course.setting.end_s)
        found["strategies"][title] = {
            **gain.as_json(),
            "waited_s": _mean_wait(course, who, robot_s),
            "honest_waited_s": _mean_wait(course, who, honest_s),
        }
    found["in one sale"] = in_one_sale(min(buyers, MIXED_BUYERS_MAX), curve, seed, ordered=ordered)
    return found


def in_one_sale(buyers: int, curve: float, seed: int, *, ordered: bool) -> dict[str, Any]:
    """One in twenty asks every 0.2 s with the first token: waits of both, side by side."""
    setting = Setting(buyers, curve=curve, seed=seed, ordered=ordered, robots=ROBOTS_IN_CROWD)
    course = run(setting)
    late = course.due.first_s > SALE_START_S + SETTLED_S
    honest, robots = late & ~course.due.robot, late & course.due.robot
    order = np.argsort(course.due.key[honest])
    waited_s = course.waited_s(honest)[order]
    # For each robot the honest buyers who are due just before and just after.
    beside_s = np.interp(course.due.key[robots], course.due.key[honest][order], waited_s)
    return {
        "honest_waited_s": float(waited_s.mean()),
        "waited_s": float(course.waited_s(robots).mean()),
        "sooner_s": mean_interval(beside_s - course.waited_s(robots)).as_json(),
    }


def _compared(course: Course) -> Ints:
    """Return buyers who become due minutes after capacity is reached; a sample of very many."""
    late = np.flatnonzero(course.due.first_s > SALE_START_S + SETTLED_S)
    if late.size <= _PAIRS_MAX:
        return late
    picked = np.random.default_rng([course.setting.seed, 6]).choice(late, _PAIRS_MAX, replace=False)
    return np.sort(picked)


def _mean_wait(course: Course, who: Ints, came_s: Floats) -> float:
    """From the first attempt that the gate let through, or until the end."""
    in_s = np.minimum(came_s, course.setting.end_s)
    return float((in_s - course.due.first_s[who]).mean())
