"""``fairgate desk …``: what the risk desk has decided about somebody, and a pardon."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate_ops.operate.cli.acts import logged
from fairgate_ops.operate.cli.report import Report

if TYPE_CHECKING:
    import argparse

    from fairgate.service.gate.desk import RiskDesk
    from fairgate_ops.operate.target import Target

_LEVELS = ("nothing against them", "flagged: a harder challenge", "locked out")


def run_show(options: argparse.Namespace, target: Target) -> Report:
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


def run_pardon(options: argparse.Namespace, target: Target) -> Report:
    desk, who = _desk(target), target.who()
    data = {"event": options.event, "user": options.user, "dry_run": options.dry_run}
    if options.dry_run:
        shown = desk.show(options.event, options.user)
        return Report(data | {"level": shown["level"]}, ["Dry run, nothing written."])
    logged(
        options,
        target,
        "desk pardon",
        {"user": options.user},
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
