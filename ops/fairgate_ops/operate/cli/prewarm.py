"""``fairgate prewarm …``: ready ahead of the sale start, and given back afterwards."""

from __future__ import annotations

import argparse
import json
from typing import Any

from fairgate.domain.shared.times import epoch_ms
from fairgate.errors import DependencyUnavailableError, WrongStateError
from fairgate.service.shared.records.catalog import Event
from fairgate_ops.operate.capacity.inputs import read_inputs
from fairgate_ops.operate.capacity.plan import needs
from fairgate_ops.operate.cli.act import Act
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.report import Report
from fairgate_ops.operate.cli.words.system import AT_ONCE
from fairgate_ops.operate.prewarm import Deployment, Step, giving_back, run_steps, warming
from fairgate_ops.operate.prewarm_schedule import Hours, scheduling
from fairgate_ops.operate.rebuild_cache import filler, places_of, rebuild_cache
from fairgate_ops.operate.target import Target

Steps = Act[list[Step]]


@at_target
def run_start(options: argparse.Namespace, target: Target) -> Steps:
    return _start(options, target, target.world.catalog.event(options.event))


@at_target
def run_back(options: argparse.Namespace, target: Target) -> Steps:
    """What stands ready is the deployment's: one event's end must not take it from the next."""
    sale = target.world.catalog.event(options.event)
    if target.aws is not None and not options.force and (needy := _needy(options, target, sale)):
        raise WrongStateError(
            f"{', '.join(needy)} stands on it: on sale, or about to be. Nothing was given back."
            " --force takes it back all the same."
        )
    return _back(options, target)


@at_target
def run_due(options: argparse.Namespace, target: Target) -> Steps | Report:
    """Between the two nothing is due; a run that is repeated does no harm."""
    sale = target.world.catalog.event(options.event)
    if _is_over(options, target, sale):
        if needy := _needy(options, target, sale):
            text = f"it is over, but {', '.join(needy)} stands on it; nothing is given back yet."
            return _nothing_due(options, text)
        return _back(options, target)
    to_sale_start_s = _to_sale_start_s(target, sale)
    if to_sale_start_s <= options.before_min * 60:
        return _start(options, target, sale)
    return _nothing_due(
        options, f"sale start in {to_sale_start_s / 60:,.0f} minutes; nothing is due yet."
    )


def _nothing_due(options: argparse.Namespace, text: str) -> Report:
    data = {"event": options.event, "act": "none", "steps": []}
    return Report(data, [f"{options.event}: {text}"])


def _to_sale_start_s(target: Target, sale: Event) -> float:
    return (epoch_ms(sale.sale_starts_at) - target.world.clock.now_ms()) / 1000


def _is_over(options: argparse.Namespace, target: Target, sale: Event) -> bool:
    return sale.state == "closed" or _to_sale_start_s(target, sale) < -options.after_h * 3600


def _needy(options: argparse.Namespace, target: Target, over: Event) -> list[str]:
    """Name the other events that need what stands ready: on sale, or soon to be."""
    return [
        sale.id
        for sale in target.world.catalog.all().events
        if sale.id != over.id
        and not _is_over(options, target, sale)
        and _to_sale_start_s(target, sale) <= options.before_min * 60
    ]


@at_target
def run_schedule(options: argparse.Namespace, target: Target) -> Steps:
    if (at := _deployment(options, target)) is None:
        raise WrongStateError("Schedules are AWS's: on this machine there are none.")
    sale = target.world.catalog.event(options.event)
    sale_start_s = epoch_ms(sale.sale_starts_at) / 1000
    hours = Hours(sale_start_s - options.before_min * 60, _back_s(options, target, sale_start_s))
    if sale.state == "closed" or hours.ready_s <= target.world.clock.now_ms() / 1000:
        raise WrongStateError(
            f"{options.event} is closed, or it is less than {options.before_min:g} minutes to its"
            " sale start. Nothing was scheduled: that moment has passed. Run"
            " `fairgate prewarm start` now, or name fewer minutes with --before-min."
        )
    need = needs(read_inputs().for_crowd(options.crowd))
    steps = scheduling(at, options.event, need, hours)
    return _act(options, target, "prewarm schedule", steps)


def _back_s(options: argparse.Namespace, target: Target, sale_start_s: float) -> float:
    """Return when to give back: not while the hours of an event that comes after go on."""
    back_s: float = sale_start_s + options.after_h * 3600
    others = (one for one in target.world.catalog.all().events if one.state != "closed")
    for other_s in sorted(epoch_ms(one.sale_starts_at) / 1000 for one in others):
        if other_s - options.before_min * 60 <= back_s:
            back_s = max(back_s, other_s + options.after_h * 3600)
    return back_s


def _start(options: argparse.Namespace, target: Target, sale: Event) -> Steps:
    steps = [_filled(target, sale)]
    if (at := _deployment(options, target)) is not None:
        need = needs(read_inputs().for_crowd(options.crowd))
        steps += warming(at, need, freeze=not options.no_freeze)
    return _act(options, target, "prewarm start", steps)


def _back(options: argparse.Namespace, target: Target) -> Steps:
    at = _deployment(options, target)
    return _act(options, target, "prewarm give-back", giving_back(at) if at else [])


def _deployment(options: argparse.Namespace, target: Target) -> Deployment | None:
    if (aws := target.aws) is None:
        return None

    def client(service: str) -> Any:
        return aws(service, None)

    parameter = client("ssm").get_parameter(Name=f"/fairgate/{options.stage}/deployed")
    told = json.loads(parameter["Parameter"]["Value"])
    # Deployments from before the option have no least of their own.
    least = told.get("cache_ecpu_min", 0)
    return Deployment(target, options.stage, client, told["cache"], least)


def _filled(target: Target, sale: Event) -> Step:
    """The cache, from the table; the layout is checked to be where the catalogue says it is."""
    places = places_of(sale, None)

    def fill() -> None:
        target.world.layouts.read(sale.layout, "venue.json")
        failed = rebuild_cache(sale.id, places, filler(target), at_once=AT_ONCE).failed
        if failed:
            some = ", ".join(f"{place}: {why}" for place, why in list(failed.items())[:5])
            raise DependencyUnavailableError(f"{len(failed)} places were not filled. {some}")

    return Step("layout and cache", f"fill the cache with {len(places)} sections and areas", fill)


def _act(options: argparse.Namespace, target: Target, act: str, steps: list[Step]) -> Steps:
    def report(ran: list[Step]) -> Report:
        failed = [] if options.dry_run else [step for step in ran if not step.done]
        data = {"event": options.event, "act": act, "steps": [step.as_json() for step in ran]}
        lines = [_line(step, dry_run=options.dry_run) for step in ran]
        if target.aws is None:
            lines.append("Tables, cache, functions and stacks are warmed and frozen in AWS alone.")
        if failed:
            names = ", ".join(step.name for step in failed)
            lines.append(f"{len(failed)} of {len(ran)} were not done: {names}. Run it again.")
        return Report(data, lines, failed=bool(failed))

    return Act(
        name=act,
        events=[options.event],
        detail={"steps": [step.name for step in steps]},
        do=lambda: run_steps(steps),
        would=lambda: report(steps),
        report=report,
        not_done=lambda ran: {step.name: step.why for step in ran if not step.done},
    )


def _line(step: Step, *, dry_run: bool) -> str:
    if dry_run:
        return f"  {step.name}: would {step.text}."
    return f"  {step.name}: done." if step.done else f"  {step.name}: NOT DONE, {step.why}"
