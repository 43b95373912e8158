"""Everything that `make simulate-gate` shows, as one document of modelled figures."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from typing import Any

import numpy as np

from fairgate.domain.gate.gate_config import Mode
from fairgate.service.gate.control_gate import LEAD_S
from fairgate.service.sessions.judge_admission import CLOCK_SKEW_S
from fairgate_lab.simulate.gate import estimates
from fairgate_lab.simulate.gate.bounds import clock_bound_x, seat_bound, widest_lag_bound_x
from fairgate_lab.simulate.gate.capacity_shards import (
    Fifo,
    PerRequest,
    fifo_moves,
    per_request_moves,
)
from fairgate_lab.simulate.gate.defences import defences
from fairgate_lab.simulate.gate.gain import Gain, compare
from fairgate_lab.simulate.gate.options import options
from fairgate_lab.simulate.gate.sale import (
    LIVE_SHARE,
    Sale,
    hold_sale,
    planned_epochs,
    steady_epochs,
)
from fairgate_lab.simulate.gate.strategies import (
    CLOCK_S,
    LAGS_S,
    STRATEGIES,
    WRONG_CLOCKS,
    asking_early,
    lag_name,
)
from fairgate_ops.operate.forecast.crowd import SALE_START_S
from fairgate_ops.operate.forecast.maths import Floats, Ints
from fairgate_ops.operate.forecast.sessions import EDGES, Edge, Setting, run
from fairgate_ops.operate.forecast.timeline import seen

MODES: tuple[tuple[Mode, str], ...] = (("a", "account"), ("t", "token"))
STEADY_TAU_S = 600.0
_SESSIONS_MINUTES = 60
_JUDGED = (1.0, 0.6, 1.4)  # the sampled crowd as a share of the truth
# How late every edge hears (None: some more, some less), and whether the crowd is corrected by what
# is seen and the hall held to its target.
_MANNERS: tuple[tuple[float | None, bool, bool], ...] = (
    (60.0, True, True),
    (120.0, True, True),
    (None, True, False),
    (None, False, False),
)
Say = Callable[[str], None]


@dataclass(frozen=True)
class Plan:
    """How large the study is. ``crowd`` is the controller's, counted and not simulated singly."""

    buyers: int = 1_000_000
    adversaries: int = 200_000
    crowd: int = 10_000_000
    curves: tuple[float, ...] = (1.0, 3.0)
    seed: int = 1


def study(plan: Plan, say: Say = lambda _text: None) -> dict[str, Any]:
    """Run all of it. Deterministic by the plan.

    Cost: minutes for the default plan on one core.
    """
    found: dict[str, Any] = {"modelled": True, "seed": plan.seed, "buyers": plan.buyers}
    found["adversaries"] = min(plan.buyers, plan.adversaries)
    found["crowd"] = plan.crowd
    with processes() as pool:
        for curve in plan.curves:
            say(f"curve {curve:g}: strategies and estimates")
        found["curves"] = list(pool.map(partial(adversaries, plan), plan.curves))
    found["defences"] = defences(plan.buyers, plan.crowd, plan.curves, plan.seed, say)
    say("options against many accounts")
    found["options"] = options_of(plan)
    say(f"sessions of {plan.crowd:,} buyers")
    found["sessions"] = sessions(plan.crowd, plan.curves, plan.seed)
    return found


def options_of(plan: Plan) -> list[dict[str, Any]]:
    """Farms against each option: curve 1, mode account, one pace.

    It is four times as quick as a sale to everybody needs: members alone are a third of the crowd,
    and buy all seats.
    """
    versions = steady_epochs(1.0, times=4.0)
    return options(
        hold_sale(plan.buyers, curve=1.0, mode="a", seed=plan.seed + 1, versions=versions)
    )


def adversaries(plan: Plan, curve: float, say: Say = lambda _text: None) -> dict[str, Any]:
    """Gains, bounds and the estimates' coverage for one curve."""
    say(f"curve {curve:g}: epochs")
    versions = planned_epochs(plan.buyers, curve, plan.seed)
    found: dict[str, Any] = {"curve": curve, "gains": {}, "estimates": {}}
    for mode, name in MODES:
        say(f"curve {curve:g}: mode {name}")
        sale = hold_sale(plan.buyers, curve=curve, mode=mode, seed=plan.seed + 1, versions=versions)
        who = chosen(sale, plan.adversaries)
        honest = sale.outcome.admitted_s[who]
        found["gains"][name] = {
            title: _gain(honest, strategy(sale, who), sale).as_json()
            for title, strategy in STRATEGIES.items()
        }
        found["estimates"][name] = {
            "controlled": estimates.controlled(
                plan.buyers, mode=mode, curve=curve, seed=plan.seed
            ).as_json(),
            "by hand": estimates.by_hand(
                plan.buyers, mode=mode, curve=curve, tau_s=STEADY_TAU_S, seed=plan.seed
            ).as_json(),
        }
        if mode == "a":
            found["sold_out_s"] = sale.sold_out_s - SALE_START_S
            found["bounds"] = bounds(sale)
            found["asked_early"] = asked_early(sale, who)
            found["gains"] |= other_rooms(sale, who)
    return found


def chosen(sale: Sale, adversaries: int) -> Ints:
    """Whose twins the strategists are: everybody, or a sample drawn without replacement."""
    buyers = sale.tokens.h.size
    if adversaries >= buyers:
        return np.arange(buyers)
    picked = np.random.default_rng([sale.seed, 4]).choice(buyers, adversaries, replace=False)
    return np.sort(picked)


def other_rooms(sale: Sale, who: Ints) -> dict[str, dict[str, Any]]:
    """The same strategies where the first come are first, and where every request is a draw."""
    fifo, per_request = Fifo(sale), PerRequest(sale)
    moves = {
        "fifo": (fifo.honest(who), fifo_moves(fifo)),
        "per request": (per_request.honest(who), per_request_moves(per_request)),
    }
    return {
        room: {title: _gain(honest, move(who), sale).as_json() for title, move in by_name.items()}
        for room, (honest, by_name) in moves.items()
    }


def bounds(sale: Sale) -> dict[str, dict[str, float]]:
    """What each choice of an edge can give at most: in x, and in the probability of a seat.

    A token may be credited what its edge was behind, and an attempt what the origin tolerates. An
    edge that gives nothing in x decides as every other, so its polls give nothing either.
    """
    line = seen(sale.versions)
    span = {"since_s": float(SALE_START_S), "until_s": sale.sold_out_s}
    most = {
        lag_name(lag_s): widest_lag_bound_x(sale.versions, lag_s, LEAD_S, **span)
        for lag_s in LAGS_S
    }
    tolerated = clock_bound_x(line, issuer_s=0.0, edge_s=CLOCK_SKEW_S, until_s=sale.sold_out_s)
    most = {title: x + tolerated if x else 0.0 for title, x in most.items()}
    most[WRONG_CLOCKS] = clock_bound_x(
        line, issuer_s=CLOCK_S, edge_s=CLOCK_S, until_s=sale.sold_out_s
    )
    return {
        title: {
            "x": x,
            "seat_probability": seat_bound(sale.rules, line, x, sale.sold_out_s) if x else 0.0,
        }
        for title, x in most.items()
    }


def asked_early(sale: Sale, who: Ints) -> dict[str, float]:
    """Return the refusals with 429 for each admission, of buyers who ask every second."""
    outcome = asking_early(sale, who)
    admitted = int((outcome.admitted_s < sale.sold_out_s).sum())
    return {
        "refused": outcome.refused_early,
        "refused_per_admitted": outcome.refused_early / max(1, admitted),
    }


def sessions(crowd: int, curves: Sequence[float], seed: int) -> list[dict[str, Any]]:
    """The shop's sessions with the crowd known and misjudged, and edges that hear late.

    ``capped`` is how it runs: the threshold E rises as there is room, and the origin refuses
    beyond the target. Without it the planner is alone with what it planned.
    """
    cases = [
        (manner, misjudged, curve)
        for curve in curves
        for manner in _MANNERS
        for misjudged in (_JUDGED if manner[1] else _JUDGED[1:])
    ]
    with processes() as pool:
        return list(pool.map(partial(_one_sale, crowd, seed), cases))


def processes() -> ProcessPoolExecutor:
    """Start a process for each core by spawn, because threads and fork do not mix."""
    return ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn"))


def _one_sale(
    crowd: int, seed: int, case: tuple[tuple[float | None, bool, bool], float, float]
) -> dict[str, Any]:
    (lag_s, corrects, capped), misjudged, curve = case
    target = max(1, round(crowd * LIVE_SHARE))
    setting = Setting(
        crowd,
        target,
        curve=curve,
        minutes=_SESSIONS_MINUTES,
        seed=seed,
        misjudged=misjudged,
        corrects=corrects,
        capped=capped,
        edges=EDGES if lag_s is None else (Edge(1.0, lag_s),),
    )
    said = {"curve": curve, "target": target, "lag_s": lag_s, "misjudged": misjudged}
    return said | {"corrected": corrects, "capped": capped} | run(setting).figures()


def _gain(honest: Floats, strategist: Floats, sale: Sale) -> Gain:
    return compare(honest, strategist, sale.sold_out_s)
