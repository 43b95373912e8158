"""``fairgate tau plan``, ``cancel`` and ``preview``: changes of the pace that are still to come."""

from __future__ import annotations

import argparse

from fairgate.domain.gate.pace import to_come
from fairgate.domain.shared.times import rfc3339
from fairgate.service.gate.control_gate import GateChange
from fairgate.service.gate.plan_pace import cancel_plans, plan_tau
from fairgate_ops.operate.cli.act import Act
from fairgate_ops.operate.cli.command import at_target, moment_ms
from fairgate_ops.operate.cli.gate_report import gate_act, given_up, lead_s, tau_text
from fairgate_ops.operate.cli.report import Report
from fairgate_ops.operate.cli.tau_preview import preview_data, preview_lines, preview_of
from fairgate_ops.operate.cli.times import shown
from fairgate_ops.operate.target import Target


@at_target
def run_plan(options: argparse.Namespace, target: Target) -> Act[GateChange]:
    at_s, event, tau_s = moment_ms(options.at) / 1000, options.event, options.seconds
    return gate_act(
        options,
        target,
        "tau plan",
        lambda gate: plan_tau(gate, event, tau_s, at_s, lead_s=target.lead_s),
        lambda _: f"{event}: τ {tau_s:g} s from {shown(at_s, options)}.",
        detail={"tau_s": tau_s, "at": rfc3339(round(at_s * 1000))},
    )


@at_target
def run_cancel(options: argparse.Namespace, target: Target) -> Act[GateChange]:
    event = options.event

    def say(change: GateChange) -> str:
        text = f"{event}: nothing is planned any more."
        if to_come(change.after, target.world.clock.now_ms() / 1000):
            text += " Too late for the change that is marked “next”: edges may have heard of it."
        return text

    return gate_act(
        options,
        target,
        "tau cancel",
        lambda gate: cancel_plans(gate, event, lead_s=target.lead_s),
        say,
    )


@at_target
def run_preview(options: argparse.Namespace, target: Target) -> Report:
    options.starts_in = None
    sale = target.world.catalog.event(options.event)
    control = target.control(dry_run=True)
    change = control.set_tau(options.event, options.seconds, starts_in_s=lead_s(options, target))
    ahead = preview_of(target, sale, change.after)
    lines = [
        f"{options.event} with τ {options.seconds:g} s, nothing is changed:",
        *preview_lines(ahead, sale),
    ]
    now_s = target.world.clock.now_ms() / 1000
    lost = given_up(change, now_s)
    if lost:
        plans = ", ".join(f"{tau_text(e.slope)} from {shown(e.start_s, options)}" for e in lost)
        lines.append(f"It would replace what is planned: {plans}.")
    data = {
        "event": options.event,
        "tau_s": options.seconds,
        "preview": preview_data(ahead),
        "would_replace": len(lost),
    }
    return Report(data, lines)
