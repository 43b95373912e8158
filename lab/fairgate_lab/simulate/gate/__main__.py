"""Modelled: what a strategist gains, whether estimates hold, how near sessions stay to the target.

`python -m fairgate_lab.simulate.gate`, or `make simulate-gate BUYERS=1000000 SEED=1`.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any

from fairgate_lab.simulate.gate.defences import defence_lines, defences, points, table
from fairgate_lab.simulate.gate.options import option_lines
from fairgate_lab.simulate.gate.strategies import STRATEGIES
from fairgate_lab.simulate.gate.study import Plan, options_of, sessions, study

BUYERS_LEAST = 20_000  # fewer, and a capacity of a hundred sessions is all noise
CURVES = (1.0, 3.0)
_WHO = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
_ROOMS = ("account", "token", "fifo", "per request")


def main() -> None:
    options = _options()
    begun_s = perf_counter()
    plan = Plan(
        buyers=options.buyers,
        adversaries=options.adversaries or min(options.buyers, Plan.adversaries),
        crowd=options.crowd or 10 * options.buyers,
        curves=tuple(options.curve or CURVES),
        seed=options.seed,
    )
    found, text = _PARTS[options.part](plan)
    found["cost"] = spent = cost(perf_counter() - begun_s)
    if options.json:
        print(json.dumps(found, indent=2))
        return
    print("\n".join(text))
    print(
        f"\nIt took {spent['took_s']:.0f} s on {spent['cores']} cores ({spent['cpu_s']:.0f} s of"
        f" them busy), and at most {spent['memory_gb']:.1f} GB."
    )


def _say(text: str) -> None:
    print(text, file=sys.stderr)


def _all(plan: Plan) -> tuple[dict[str, Any], list[str]]:
    found = study(plan, say=_say)
    return found, lines(found)


def _sessions_alone(plan: Plan) -> tuple[dict[str, Any], list[str]]:
    found: dict[str, Any] = {"sessions": sessions(plan.crowd, plan.curves, plan.seed)}
    return found, _sessions(found)


def _defences_alone(plan: Plan) -> tuple[dict[str, Any], list[str]]:
    found = defences(plan.buyers, plan.crowd, plan.curves, plan.seed, _say)
    return found, defence_lines(found)


def _options_alone(plan: Plan) -> tuple[dict[str, Any], list[str]]:
    found = options_of(plan)
    return {"options": found}, option_lines(found)


_PARTS: Mapping[str, Callable[[Plan], tuple[dict[str, Any], list[str]]]] = {
    "all": _all,
    "sessions": _sessions_alone,
    "defences": _defences_alone,
    "options": _options_alone,
}


def cost(took_s: float) -> dict[str, float]:
    """What the run took so far, its finished processes among it.

    The memory is the most that it can have been: each core's process at its largest, and this one.
    """
    own, others = (resource.getrusage(who) for who in _WHO)
    cores = os.cpu_count() or 1
    kibibytes = own.ru_maxrss + cores * others.ru_maxrss
    return {
        "took_s": took_s,
        "cores": cores,
        "cpu_s": sum(used.ru_utime + used.ru_stime for used in (own, others)),
        "memory_gb": kibibytes * 1024 / 1e9,
    }


def lines(found: dict[str, Any]) -> list[str]:
    """The document as tables in Markdown."""
    head = (
        f"Modelled: {found['buyers']:,} honest buyers, {found['adversaries']:,} strategists each"
        f" beside an honest twin, seed {found['seed']}. 95 % confidence intervals."
    )
    text = [head]
    for one in found["curves"]:
        text += ["", f"## Curve {one['curve']:g}", "", *_gains(one)]
        text += ["", *_sooner(one), "", *_bounds(one), "", *_estimates(one)]
    text += ["", *defence_lines(found["defences"])] if "defences" in found else []
    if "options" in found:
        text += ["", "## Options against many accounts", "", *option_lines(found["options"])]
    return [*text, "", f"## Sessions, a crowd of {found['crowd']:,}", "", *_sessions(found)]


def _gains(one: dict[str, Any]) -> list[str]:
    honest = one["gains"]["account"]["100 tokens"]["honest_seat_probability"]
    early = one["asked_early"]["refused_per_admitted"]
    rows = [
        (title, *(_points(one["gains"][room].get(title)) for room in _ROOMS))
        for title in STRATEGIES
    ]
    return [
        f"Gain in the probability of a seat, in percentage points, on top of {honest:.2%}.",
        f"A buyer who asks before boff is refused {early:,.0f} times a seat.",
        "",
        *table(("strategy", "account", "token", "FIFO", "per request"), rows),
    ]


def _points(gain: dict[str, Any] | None) -> str:
    return "–" if gain is None else points(gain)


def _sooner(one: dict[str, Any]) -> list[str]:
    seconds = {title: gain["sooner_s"] for title, gain in one["gains"]["account"].items()}
    rows = [
        (title, f"{s['mean']:+.3f} [{s['low']:+.3f}, {s['high']:+.3f}]")
        for title, s in seconds.items()
    ]
    title = "Seconds sooner, mode account, where both got a seat."
    return [title, "", *table(("strategy", "sooner"), rows)]


def _bounds(one: dict[str, Any]) -> list[str]:
    rows = []
    for title, bound in one["bounds"].items():
        measured = one["gains"]["account"][title]["seat_probability_gain"]["mean"]
        gains = (f"{100 * bound['seat_probability']:.3f}", f"{100 * measured:+.3f}")
        rows.append((title, f"{bound['x']:.2e}", *gains))
    title = "Bounds beside what was measured, mode account, in percentage points."
    return [title, "", *table(("choice", "x at most", "gain at most", "measured"), rows)]


def _estimates(one: dict[str, Any]) -> list[str]:
    rows = [
        (f"{mode}, {room}", when, f"{c['buyers']:,}", *(f"{c[name]:.1%}" for name in _PROMISES))
        for mode, rooms in one["estimates"].items()
        for room, moments in rooms.items()
        for when, c in moments.items()
    ]
    return [
        "What is promised at the first poll, and at a moment drawn from the wait, beside the wait.",
        "The page says the gate's bucket, and that it is rarely more than the next step.",
        "",
        *table(("mode, room", "when", "buyers", *_PROMISES.values()), rows),
    ]


_PROMISES = {
    "said": "in by the page's words",
    "in_or_below": "in or below the gate's bucket",
    "within": "in the bucket",
    "longer": "longer than the bucket",
}
_SESSIONS: Mapping[str, Callable[[dict[str, Any]], str]] = {
    "curve": lambda s: f"{s['curve']:g}",
    "edges hear after": lambda s: "15–120 s" if s["lag_s"] is None else f"{s['lag_s']:.0f} s",
    "crowd judged": lambda s: f"{s['misjudged']:.0%}",
    "corrected": lambda s: _yes(s["corrected"]),
    "origin refuses": lambda s: _yes(s["capped"]),
    "ramp": lambda s: f"{s['ramp_s']} s",
    "mean error": lambda s: f"{s['mean_error']:+.1%}",
    "within 3 %": lambda s: f"{s['within_3_percent']:.0%}",
    "within 5 %": lambda s: f"{s['within_5_percent']:.1%}",
    "lowest": lambda s: f"{s['lowest']:.1%}",
    "highest": lambda s: f"{s['highest']:.1%}",
    "refused per admitted": lambda s: f"{s['refused_per_admitted']:.2f}",
    "settled": lambda s: f"{s['refused_per_admitted_settled']:.2f}",
}


def _sessions(found: dict[str, Any]) -> list[str]:
    rows = [[shown(s) for shown in _SESSIONS.values()] for s in found["sessions"]]
    return [
        "The ramp ends when sessions first come within 5 % of the target; all but the highest is",
        "of every second after that.",
        "",
        *table([*_SESSIONS], rows),
    ]


def _yes(value: object) -> str:
    return "yes" if value else "no"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--buyers", type=int, default=Plan.buyers)
    parser.add_argument("--adversaries", type=int, default=0, help="default: up to 200,000")
    parser.add_argument("--crowd", type=int, default=0, help="the controller's; default: 10 x")
    parser.add_argument("--curve", type=float, action="append", help="again for each; 1 and 3")
    parser.add_argument("--part", choices=_PARTS, default="all", help="only this one")
    parser.add_argument("--seed", type=int, default=Plan.seed)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.buyers < BUYERS_LEAST:
        parser.error(f"--buyers: at least {BUYERS_LEAST:,}")
    if options.adversaries < 0 or options.crowd < 0 or options.seed < 0:
        parser.error("--adversaries, --crowd and --seed are not negative")
    if any(not 1.0 <= curve <= 100.0 for curve in options.curve or ()):  # noqa: PLR2004 the format's
        parser.error("--curve: from 1 to 100")
    return options


if __name__ == "__main__":
    main()
