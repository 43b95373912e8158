"""``fairgate desk …``: show what the risk desk decided about a user, lift it or keep it longer."""

from __future__ import annotations

import argparse
from typing import Any

from fairgate.domain.shared.times import rfc3339
from fairgate.service.gate.appeals import Appeals
from fairgate.service.gate.desk import RiskDesk
from fairgate.service.gate.desk_by_hand import PersonAtDesk
from fairgate.service.gate.operator_log import DESK_EXTEND, DESK_PARDON
from fairgate_ops.operate.cli.act import Act
from fairgate_ops.operate.cli.command import at_target, moment_s
from fairgate_ops.operate.cli.report import Report, count_text, one_line
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
def run_appeals(options: argparse.Namespace, target: Target) -> Report:
    target.world.catalog.event(options.event)
    found = Appeals(target.world.table, target.world.clock).open(options.event)
    appeals = [
        {
            "user": one.user,
            "asked_at": one.asked_at,
            "until": one.until,
            "rule": one.rule,
            "noticed": one.noticed,
            "text": one.text,
        }
        for one in found.appeals
    ]
    more = " or more" if found.more else ""
    lines = [f"{count_text(found.count, 'open appeal')}{more} at {options.event}."]
    for one in appeals:
        lines.append(
            f"  {one_line(one['user'])}, asked {one['asked_at']}, locked out until {one['until']},"
            f" rule {one['rule']}: {one_line(one['noticed'])}"
        )
        if one["text"]:
            lines.append(f"    “{one_line(one['text'])}”")
    data = {"event": options.event, "count": found.count, "more": found.more, "appeals": appeals}
    return Report(data, lines)


@at_target
def run_pardon(options: argparse.Namespace, target: Target) -> Act[None]:
    event, user = options.event, options.user
    target.world.catalog.event(event)
    desk, person = _desk(target), _person(target)
    data = {"event": event, "user": user}

    def would() -> Report:
        person.must_know(event, user)
        level = desk.show(event, user)["level"]
        return Report(data | {"level": level}, [f"{user} would be pardoned: {_LEVELS[level]} now."])

    return Act(
        name=DESK_PARDON,
        events=[event],
        detail={"user": user},
        do=lambda: person.pardon(event, user, options.reason),
        would=would,
        report=lambda _: Report(data, [f"{user} is pardoned, and left alone for twenty minutes."]),
    )


@at_target
def run_extend(options: argparse.Namespace, target: Target) -> Act[None]:
    sale, user = target.world.catalog.event(options.event), options.user
    gate, person = target.control().read(sale.id), _person(target)
    until = rfc3339(_until_ms(options, target))
    data = {"event": sale.id, "user": user, "until": until}

    def would() -> Report:
        person.must_be_extensible(sale, user, until)
        level = _desk(target).show(sale.id, user)["level"]
        text = f"{user} would be locked out until {until}: {_LEVELS[level]} now."
        return Report(data | {"level": level}, [text])

    return Act(
        name=DESK_EXTEND,
        events=[sale.id],
        detail={"user": user, "until": until},
        do=lambda: person.extend(sale, gate, user, until, options.reason),
        would=would,
        report=lambda _: Report(
            data, [f"{user} is locked out until {until}; the buyer reads the reason."]
        ),
    )


def _until_ms(options: argparse.Namespace, target: Target) -> int:
    if options.until:
        return moment_s(options.until, options) * 1000
    minutes: float = options.minutes
    return target.world.clock.now_ms() + round(minutes * 60_000)


def _decision(decision: dict[str, Any]) -> str:
    by = "" if decision["by"] == "rules" else f" by {decision['by']}"
    return (
        f"  {decision['at']}  level {decision['level']} until {decision['until']}, rule"
        f" {decision['rule']}{by}: {decision['noticed']}"
    )


def _person(target: Target) -> PersonAtDesk:
    return PersonAtDesk(target.world.table, target.world.clock, target.who())


def _desk(target: Target) -> RiskDesk:
    return RiskDesk(target.world.table, target.world.clock)
