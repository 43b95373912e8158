"""``fairgate tau plan``, ``cancel`` and ``preview``: changes of the pace that are still to come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate_ops.operate.cli.command import Verbs, add_reason, at_target, moment_ms, tau_s

if TYPE_CHECKING:
    import argparse

    from fairgate_ops.operate.cli.report import Report
    from fairgate_ops.operate.target import Target


def add_arguments(verbs: Verbs) -> None:
    planning = verbs.add(
        "plan", "Change the pace at a time; what is planned for later stays.", run_plan
    )
    planning.add_argument("event")
    planning.add_argument("seconds", type=tau_s, metavar="TAU")
    planning.add_argument(
        "--at", required=True, metavar="TIME", help="RFC 3339 with its zone, at most a week ahead"
    )
    add_reason(planning)
    cancelling = verbs.add(
        "cancel", "Give up every planned change; the pace goes on as it is.", run_cancel
    )
    cancelling.add_argument("event")
    add_reason(cancelling)
    looking = verbs.add(
        "preview", "Show what a pace would do to those who wait, and change nothing.", run_preview
    )
    looking.add_argument("event")
    looking.add_argument("seconds", type=tau_s, metavar="TAU")


@at_target
def run_plan(options: argparse.Namespace, target: Target) -> Report:
    from fairgate.domain.shared.times import rfc3339
    from fairgate.service.gate.plan_pace import plan_tau
    from fairgate_ops.operate.cli.gate_report import changed_gate, gate_report
    from fairgate_ops.operate.cli.times import shown

    at_s = moment_ms(options.at) / 1000
    control = target.control(dry_run=options.dry_run)
    change = changed_gate(
        options,
        target,
        "tau plan",
        {"tau_s": options.seconds, "at": rfc3339(round(at_s * 1000))},
        lambda: plan_tau(control, options.event, options.seconds, at_s, lead_s=target.lead_s),
    )
    text = f"{options.event}: τ {options.seconds:g} s from {shown(at_s, options)}."
    return gate_report(options, target, change, text)


@at_target
def run_cancel(options: argparse.Namespace, target: Target) -> Report:
    from fairgate.domain.gate.pace import to_come
    from fairgate.service.gate.plan_pace import cancel_plans
    from fairgate_ops.operate.cli.gate_report import changed_gate, gate_report
    from fairgate_ops.operate.cli.report import Report

    control = target.control(dry_run=options.dry_run)
    change = changed_gate(
        options,
        target,
        "tau cancel",
        {},
        lambda: cancel_plans(control, options.event, lead_s=target.lead_s),
    )
    report = gate_report(options, target, change, f"{options.event}: nothing is planned any more.")
    left = to_come(change.after, target.world.clock.now_ms() / 1000)
    if not left:
        return report
    note = "Too late for the change that is marked “next”: edges may have heard of it."
    return Report(report.data | {"left": len(left)}, [*report.lines, note])


@at_target
def run_preview(options: argparse.Namespace, target: Target) -> Report:
    from fairgate_ops.operate.cli.gate_report import given_up, lead_s, tau_text
    from fairgate_ops.operate.cli.report import Report
    from fairgate_ops.operate.cli.tau_preview import preview_data, preview_lines, preview_of
    from fairgate_ops.operate.cli.times import shown

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
