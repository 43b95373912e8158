"""``fairgate tau …``: the pace at which those who wait are let in."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from fairgate_ops.operate.cli.command import Verbs, add_start, at_target

if TYPE_CHECKING:
    from fairgate_ops.operate.cli.report import Report
    from fairgate_ops.operate.target import Target


def add_arguments(group: argparse.ArgumentParser) -> None:
    verbs = Verbs(group)
    getting = verbs.add("get", "Show the pace now, and every epoch that is planned.", run_get)
    getting.add_argument("event")
    setting = verbs.add("set", "Change the pace from a dated epoch on; nobody jumps.", run_set)
    setting.add_argument("event")
    setting.add_argument("seconds", type=float, metavar="TAU", help="seconds, 1 to 10,000,000")
    add_start(setting)


@at_target
def run_get(options: argparse.Namespace, target: Target) -> Report:
    from fairgate.domain.gate.admission import operational_time
    from fairgate.domain.gate.pace import slope_at
    from fairgate.service.gate.control_gate import redacted
    from fairgate_ops.operate.cli.gate_report import at_edges, epoch_listing, tau_text
    from fairgate_ops.operate.cli.report import Report

    gate = target.control().read(options.event)
    now_s = target.world.clock.now_ms() / 1000
    slope = slope_at(gate, now_s)
    same, notes = at_edges(target, options.event)
    data = {
        "event": options.event,
        "state": gate.state,
        "tau_s": 1 / slope if slope else None,
        "h": operational_time(gate.epochs, now_s),
        "at_edges": same,
        "gate": redacted(gate),
    }
    line = f"{options.event}: {gate.state}, {tau_text(slope)}"
    return Report(data, [line, epoch_listing(gate, now_s), *notes])


@at_target
def run_set(options: argparse.Namespace, target: Target) -> Report:
    from fairgate.service.shared.keys import event_key
    from fairgate.service.shared.records.catalog import Event
    from fairgate_ops.operate.cli.gate_report import changed_gate, gate_report, lead_s
    from fairgate_ops.operate.cli.report import Report

    control = target.control(dry_run=options.dry_run)
    change = changed_gate(
        options,
        target,
        "tau set",
        {"tau_s": options.seconds},
        lambda: control.set_tau(
            options.event, options.seconds, starts_in_s=lead_s(options, target)
        ),
    )
    summary = f"{options.event}: τ {options.seconds:g} s."
    report = gate_report(options, target, change, summary)
    sale = target.world.table.find(Event, event_key(options.event))
    if sale is not None and sale.control == "auto":
        note = "Its pace is automatic: the controller will change it again within two minutes."
        return Report(report.data | {"note": note}, [*report.lines, note])
    return report
