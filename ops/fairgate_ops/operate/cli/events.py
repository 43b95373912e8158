"""``fairgate event …``: create a sale, see it, and move it through its life."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from fairgate_ops.operate.cli import event_create, event_state
from fairgate_ops.operate.cli.command import Verbs, add_reason, at_target
from fairgate_ops.operate.cli.report import Listing, Report

if TYPE_CHECKING:
    from fairgate.service.gate.operator_log import LogEntry
    from fairgate_ops.operate.target import Target


def add_arguments(group: argparse.ArgumentParser) -> None:
    verbs = Verbs(group)
    event_create.add_arguments(verbs)
    verbs.add("list", "List all events, with their state.", run_list)
    event_state.add_arguments(verbs)
    target = verbs.add("target", "Say how many may shop at once.", run_target)
    target.add_argument("event")
    target.add_argument("live_max", type=int, metavar="SESSIONS")
    target.add_argument(
        "--control", choices=("manual", "auto"), help="who sets the pace from now on; else as it is"
    )
    add_reason(target)
    log = verbs.add("log", "Show what operators did, checked against its signatures.", run_log)
    log.add_argument("event")


@at_target
def run_list(_options: argparse.Namespace, target: Target) -> Report:
    catalog = target.world.catalog.all()
    events = [
        {
            "event": sale.id,
            "name": sale.name,
            "state": sale.state,
            "saleOpensAt": sale.sale_opens_at,
            "venueName": sale.venue_name,
        }
        for sale in catalog.events
    ]
    data = {"events": events, "damaged": catalog.damaged}
    damaged = [f"{event} is damaged: no reader understands it." for event in catalog.damaged]
    if not events:
        none = ["There is no event yet: `fairgate event create`."]
        return Report(data, damaged or none, failed=bool(damaged))
    listing = Listing(
        ("Event", "State", "Doors", "Name", "Venue"),
        [(e["event"], e["state"], e["saleOpensAt"], e["name"], e["venueName"]) for e in events],
        [f"{e['event']:<24} {e['state']:<8} doors {e['saleOpensAt']}  {e['name']}" for e in events],
    )
    return Report(data, [listing, *damaged], failed=bool(damaged))


@at_target
def run_target(options: argparse.Namespace, target: Target) -> Report:
    from dataclasses import asdict

    from fairgate.service.catalog.set_target import set_target
    from fairgate_ops.operate.cli.gate_report import reasoned

    change = target.acts(dry_run=options.dry_run).do(
        options.event,
        "target set",
        reasoned(options, live_max=options.live_max, control=options.control),
        lambda: set_target(
            target.world.table,
            options.event,
            options.live_max,
            control=options.control,
            dry_run=options.dry_run,
        ),
    )
    data: dict[str, Any] = {
        "event": options.event,
        "changed": change.before != change.after and not options.dry_run,
        "dry_run": options.dry_run,
        "before": asdict(change.before),
        "after": asdict(change.after),
    }
    lines = ["Dry run, nothing written."] if options.dry_run else []
    lines.append(f"{options.event}: at most {change.after.live_max:,} shop at once.")
    if change.after.control == "manual":
        lines.append("Its pace is manual: the target is a cap, and τ decides how fast it fills.")
    elif target.control().read(options.event).sample_queue <= 0:
        lines.append("Nothing is sampled at its queue, so the controller cannot plan: set τ.")
    return Report(data, lines)


@at_target
def run_log(options: argparse.Namespace, target: Target) -> Report:
    log = target.acts().log_of(options.event)
    entries = log.read()
    wrong = log.check(entries)
    data = {
        "event": options.event,
        "entries": [entry.as_json() for entry in entries],
        "wrong": wrong,
    }
    verdict = "Every entry is as it was signed." if not wrong else "THE LOG WAS TAMPERED WITH:"
    listing = Listing(
        ("At", "Phase", "Act", "Who", "Detail"),
        [(entry.at, entry.phase, entry.act, entry.who, _detail(entry)) for entry in entries],
        [f"{e.at}  {e.phase:<10}  {e.act:<14}  {e.who}  {_detail(e)}".rstrip() for e in entries]
        or ["Nothing has been done yet."],
    )
    return Report(data, [listing, verdict, *wrong], failed=bool(wrong))


def _detail(entry: LogEntry) -> str:
    return ", ".join(f"{name} {value}" for name, value in entry.detail.items())
