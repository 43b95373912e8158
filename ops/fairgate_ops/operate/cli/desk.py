"""``fairgate desk …``: show what the risk desk decided about a user, and lift it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from fairgate_ops.operate.cli.command import Verbs, add_reason, at_target
from fairgate_ops.operate.cli.report import Report

if TYPE_CHECKING:
    from fairgate.service.gate.desk import RiskDesk
    from fairgate_ops.operate.target import Target

_LEVELS = ("nothing against them", "flagged: a harder challenge", "locked out")


def add_arguments(group: argparse.ArgumentParser) -> None:
    verbs = Verbs(group)
    showing = verbs.add("show", "Show what the risk desk decided about a user, and why.", run_show)
    pardoning = verbs.add("pardon", "Lift what the risk desk decided about a user.", run_pardon)
    for verb in (showing, pardoning):
        verb.add_argument("event")
        verb.add_argument("user")
    add_reason(pardoning, required=True)


@at_target
def run_show(options: argparse.Namespace, target: Target) -> Report:
    target.world.catalog.event(options.event)
    shown = _desk(target).show(options.event, options.user)
    until = f" until {shown['until']}" if shown["until"] else ""
    lines = [f"{options.user} at {options.event}: {_LEVELS[shown['level']]}{until}."]
    if shown["pardoned"]:
        lines.append("Pardoned: the rules leave them alone for now.")
    lines += [_decision(decision) for decision in shown["decisions"]]
    for window in shown["windows"]:
        cases = ", ".join(f"{name} {count:g}" for name, count in window["cases"].items())
        lines.append(f"  from {window['starts_at']}: {cases}")
    return Report({"event": options.event, "user": options.user, **shown}, lines)


@at_target
def run_pardon(options: argparse.Namespace, target: Target) -> Report:
    target.world.catalog.event(options.event)
    desk, who = _desk(target), target.who()
    data = {"event": options.event, "user": options.user, "dry_run": options.dry_run}
    if options.dry_run:
        desk.must_know(options.event, options.user)
        shown = desk.show(options.event, options.user)
        text = f"Dry run, nothing written. {options.user} would be pardoned:"
        return Report(data | {"level": shown["level"]}, [f"{text} {_LEVELS[shown['level']]} now."])
    target.acts().do(
        options.event,
        "desk pardon",
        {"user": options.user, "reason": options.reason or None},
        lambda: desk.pardon(options.event, options.user, by=who, reason=options.reason),
    )
    return Report(data, [f"{options.user} is pardoned, and left alone for twenty minutes."])


def _decision(decision: dict[str, Any]) -> str:
    by = "" if decision["by"] == "rules" else f" by {decision['by']}"
    return (
        f"  {decision['at']}  level {decision['level']} until {decision['until']}, rule"
        f" {decision['rule']}{by}: {decision['noticed']}"
    )


def _desk(target: Target) -> RiskDesk:
    from fairgate.service.gate.desk import RiskDesk

    return RiskDesk(target.world.table, target.world.clock)
