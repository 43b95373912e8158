"""``fairgate desk …``: show what the risk desk decided about a user, and lift it."""

from __future__ import annotations

import argparse
from typing import Any

from fairgate.service.gate.desk import RiskDesk
from fairgate.service.gate.operator_log import DESK_PARDON
from fairgate_ops.operate.cli.act import Act
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.report import Report
from fairgate_ops.operate.target import Target

_LEVELS = ("nothing against them", "flagged: a harder challenge", "locked out")


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
def run_pardon(options: argparse.Namespace, target: Target) -> Act[None]:
    event, user = options.event, options.user
    target.world.catalog.event(event)
    desk, who = _desk(target), target.who()
    data = {"event": event, "user": user}

    def would() -> Report:
        desk.must_know(event, user)
        level = desk.show(event, user)["level"]
        return Report(data | {"level": level}, [f"{user} would be pardoned: {_LEVELS[level]} now."])

    return Act(
        name=DESK_PARDON,
        events=[event],
        detail={"user": user},
        do=lambda: desk.pardon(event, user, by=who, reason=options.reason),
        would=would,
        report=lambda _: Report(data, [f"{user} is pardoned, and left alone for twenty minutes."]),
    )


def _decision(decision: dict[str, Any]) -> str:
    by = "" if decision["by"] == "rules" else f" by {decision['by']}"
    return (
        f"  {decision['at']}  level {decision['level']} until {decision['until']}, rule"
        f" {decision['rule']}{by}: {decision['noticed']}"
    )


def _desk(target: Target) -> RiskDesk:
    return RiskDesk(target.world.table, target.world.clock)
