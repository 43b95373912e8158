"""``fairgate tau …``: the pace at which those who wait are let in."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from fairgate_ops.operate.cli import tau_plan
from fairgate_ops.operate.cli.command import Verbs, add_start, at_target, tau_s

if TYPE_CHECKING:
    from fairgate.service.gate.control_gate import GateChange
    from fairgate_ops.operate.cli.report import Report
    from fairgate_ops.operate.target import Target


AUTOMATIC = "Its pace is automatic: the controller will change it again within two minutes."


def add_arguments(group: argparse.ArgumentParser) -> None:
    verbs = Verbs(group)
    getting = verbs.add("get", "Show the pace now, and every epoch that is planned.", run_get)
    getting.add_argument("event")
    setting = verbs.add("set", "Change the pace from a dated epoch on; nobody jumps.", run_set)
    setting.add_argument("event")
    tau = "seconds, 1 to 10,000,000; without it the pace stays"
    setting.add_argument("seconds", type=tau_s, nargs="?", metavar="TAU", help=tau)
    refused = "of attempts that the gate refuses, heard of by the risk desk"
    setting.add_argument("--sample-violations", type=float, metavar="SHARE", help=refused)
    mean = "how long a session lasts in the mean, until some have ended; 0: like the longest"
    setting.add_argument("--session-mean-s", type=int, metavar="SECONDS", help=mean)
    if_tau = "only if this is the last pace that was set: for scripts"
    setting.add_argument("--if-tau", type=tau_s, metavar="SECONDS", help=if_tau)
    setting.set_defaults(usage_error=setting.error)
    add_start(setting)
    tau_plan.add_arguments(verbs)


@at_target
def run_get(options: argparse.Namespace, target: Target) -> Report:
    from fairgate.domain.gate.admission import operational_time
    from fairgate.domain.gate.gate_config import gate_key
    from fairgate.domain.gate.pace import slope_at
    from fairgate.service.gate.control_gate import parsed, redacted
    from fairgate.service.gate.must_be_listed import must_be_listed
    from fairgate_ops.operate.cli.gate_report import at_edges, epoch_listing, tau_text
    from fairgate_ops.operate.cli.report import Report
    from fairgate_ops.operate.cli.room import phase_data, phase_now
    from fairgate_ops.operate.cli.times import phase_text

    must_be_listed(target.world.table, options.event)
    value = target.world.gate_values.read(gate_key(options.event))[0]
    gate = parsed(options.event, value)
    now_s = target.world.clock.now_ms() / 1000
    slope = slope_at(gate, now_s)
    same, notes = at_edges(target, options.event, value)
    phase = phase_now(target, options.event, gate)
    data = {
        "event": options.event,
        "state": gate.state,
        **phase_data(phase),
        "tau_s": 1 / slope if slope else None,
        "h": operational_time(gate.epochs, now_s),
        "at_edges": same,
        "gate": redacted(gate),
    }
    line = f"{options.event}: {phase_text(phase, options)} · {tau_text(slope)}"
    return Report(data, [line, epoch_listing(gate, now_s, options), *notes])


def run_set(options: argparse.Namespace) -> Report:
    if not _asked(options):
        options.usage_error("say what to set: TAU, --sample-violations or --session-mean-s")
    if options.if_tau is not None and options.seconds is None:
        options.usage_error("--if-tau is for a TAU to set")
    return _set_all(options)


def _asked(options: argparse.Namespace) -> list[float]:
    every = (options.seconds, options.sample_violations, options.session_mean_s)
    return [value for value in every if value is not None]


@at_target
def _set_all(options: argparse.Namespace, target: Target) -> Report:
    from fairgate.service.shared.keys import event_key
    from fairgate.service.shared.records.catalog import Event
    from fairgate_ops.operate.cli.gate_report import gate_report
    from fairgate_ops.operate.cli.report import Report
    from fairgate_ops.operate.cli.tau_preview import preview_data, preview_lines, preview_of

    if not options.dry_run and len(_asked(options)) > 1:  # all is set, or nothing
        tried = argparse.Namespace(**(vars(options) | {"dry_run": True}))
        _set_mean(tried, target)
        _set_gate(tried, target)
    mean_changes = _set_mean(options, target)
    change = _set_gate(options, target)
    report = gate_report(options, target, change, f"{options.event}: {_in_words(options)}.")
    changed = mean_changes and not options.dry_run
    data = report.data | {"changed": report.data["changed"] or changed}
    sale = target.world.table.find(Event, event_key(options.event))
    lines = list(report.lines)
    if options.seconds is not None and sale is not None:
        ahead = preview_of(target, sale, change.after)
        lines += preview_lines(ahead, sale)
        data |= {"preview": preview_data(ahead)}
        if sale.control == "auto":
            data |= {"note": AUTOMATIC}
            lines.append(AUTOMATIC)
    return Report(data, lines)


def _set_gate(options: argparse.Namespace, target: Target) -> GateChange:
    """Change the pace, then the sample, each in the log; without either the gate stays."""
    from fairgate.service.gate.control_gate import GateChange
    from fairgate.service.gate.set_sample import set_sample_violations
    from fairgate_ops.operate.cli.gate_report import changed_gate, lead_s

    control = target.control(dry_run=options.dry_run)
    event, share = options.event, options.sample_violations
    made = []
    if options.seconds is not None:
        detail = {"tau_s": options.seconds}
        starts_in_s = lead_s(options, target)
        made.append(
            changed_gate(
                options,
                target,
                "tau set",
                detail,
                lambda: control.set_tau(
                    event, options.seconds, starts_in_s=starts_in_s, if_tau_s=options.if_tau
                ),
            )
        )
    if share is not None:
        made.append(
            changed_gate(
                options,
                target,
                "sample set",
                {"sample_violations": share},
                lambda: set_sample_violations(control, event, share),
            )
        )
    if not made:
        gate = control.read(event)
        return GateChange(gate, gate)
    return GateChange(made[0].before, made[-1].after, all(change.spread for change in made))


def _set_mean(options: argparse.Namespace, target: Target) -> bool:
    """Return whether how long sessions are expected to last changes."""
    from fairgate.service.catalog.set_target import set_session_mean
    from fairgate_ops.operate.cli.gate_report import reasoned

    mean_s = options.session_mean_s
    if mean_s is None:
        return False
    change = target.acts(dry_run=options.dry_run).do(
        options.event,
        "mean set",
        reasoned(options, session_mean_s=mean_s),
        lambda: set_session_mean(
            target.world.table, options.event, mean_s, dry_run=options.dry_run
        ),
    )
    return change.before != change.after


def _in_words(options: argparse.Namespace) -> str:
    said = []
    if options.seconds is not None:
        said.append(f"τ {options.seconds:g} s")
    if options.sample_violations is not None:
        said.append(f"the desk hears of {options.sample_violations:.2%} of refused attempts")
    if options.session_mean_s is not None:
        said.append(f"sessions are expected to last {options.session_mean_s or 'the longest'} s")
    return ", ".join(said).replace("the longest s", "as long as they may")
