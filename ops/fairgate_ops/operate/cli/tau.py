"""``fairgate tau …``: the pace of admission, now and as planned."""

from __future__ import annotations

import argparse

from fairgate.domain.gate.admission import operational_time
from fairgate.domain.gate.gate_config import ADMITTING, gate_at, gate_key
from fairgate.domain.gate.pace import last_slope, slope_at, to_come
from fairgate.domain.shared.times import rfc3339
from fairgate.service.catalog.set_target import set_session_mean
from fairgate.service.gate.control_gate import GateChange, parsed, redacted
from fairgate.service.gate.must_be_listed import must_be_listed
from fairgate.service.gate.plan_pace import cancel_plans, plan_tau
from fairgate.service.gate.set_sample import set_sample_violations
from fairgate.service.shared.keys import event_key
from fairgate.service.shared.readable import find_readable
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.seen_version import version_of
from fairgate_ops.operate.cli.act import Act, reasoned
from fairgate_ops.operate.cli.command import at_target, moment_ms
from fairgate_ops.operate.cli.gate_report import (
    at_edges,
    changed_gate,
    epoch_listing,
    gate_act,
    gate_report,
    given_up,
    lead_s,
    tau_text,
)
from fairgate_ops.operate.cli.live_terms import LARGE_PACE
from fairgate_ops.operate.cli.report import Report, Spoken
from fairgate_ops.operate.cli.room import phase_data, phase_now
from fairgate_ops.operate.cli.tau_preview import preview_data, preview_lines, preview_of
from fairgate_ops.operate.cli.times import phase_text, shown
from fairgate_ops.operate.target import Target

AUTOMATIC = "Its pace is automatic: the controller will change it again within two minutes."


@at_target
def run_get(options: argparse.Namespace, target: Target) -> Report:
    must_be_listed(target.world.table, options.event)
    value = target.world.gate_values.read(gate_key(options.event))[0]
    now_s = target.world.clock.now_ms() / 1000
    gate = gate_at(parsed(options.event, value), now_s)
    slope = slope_at(gate, now_s)
    sale = find_readable(target.world.table, Event, event_key(options.event))
    same, notes = at_edges(target, options.event, value)
    phase = phase_now(target, options.event, gate)
    data = {
        "event": options.event,
        "state": gate.state,
        **phase_data(phase),
        "tau_s": 1 / slope if slope else None,
        "h": operational_time(gate.epochs, now_s),
        "at_edges": same,
        "version": version_of(sale, parsed(options.event, value)),
        "gate": redacted(gate),
    }
    line = f"{options.event}: {phase_text(phase, options)} · {tau_text(slope)}"
    return Report(data, [line, epoch_listing(gate, now_s, options), *notes])


def run_set(options: argparse.Namespace) -> Spoken:
    if not _asked(options):
        options.usage_error("say what to set: TAU, --sample-violations or --session-mean-s")
    if options.if_tau is not None and options.seconds is None:
        options.usage_error("--if-tau is for a TAU to set")
    return _set_all(options)


def _asked(options: argparse.Namespace) -> list[float]:
    every = (options.seconds, options.sample_violations, options.session_mean_s)
    return [value for value in every if value is not None]


Changed = tuple[bool, GateChange]  # whether the mean is another, and the gate's change


@at_target
def _set_all(options: argparse.Namespace, target: Target) -> Act[Changed]:
    def do() -> Changed:
        if len(_asked(options)) > 1:  # all is set, or nothing
            _set(options, target, dry_run=True)
        return _set(options, target)

    return Act(
        ends=_large_change(options, target),
        do=do,
        would=lambda: _set_report(options, target, _set(options, target, dry_run=True)),
        report=lambda changed: _set_report(options, target, changed),
    )


def _large_change(options: argparse.Namespace, target: Target) -> list[str]:
    """Return what is asked about: a live sale that becomes LARGE_PACE times as fast or slow."""
    event, seconds = options.event, options.seconds
    now_s = target.world.clock.now_ms() / 1000
    if seconds is None:
        return []
    gate = target.control().read(event)
    before = last_slope(gate)
    if gate.state not in ADMITTING or now_s < gate.sale_start_s or not before:
        return []
    before_s = 1 / before
    times, word = max((before_s / seconds, "fast"), (seconds / before_s, "slow"))
    if times < LARGE_PACE:
        return []
    return [f"{event} is on sale. τ {before_s:g} s → {seconds:g} s: {times:.3g} times as {word}."]


def _set_report(options: argparse.Namespace, target: Target, changed: Changed) -> Report:
    mean_changes, change = changed
    report = gate_report(options, target, change, f"{options.event}: {_in_words(options)}.")
    changes = not options.dry_run and (mean_changes or report.data["changed"])
    data, lines = report.data | {"changed": changes}, list(report.lines)
    sale = find_readable(target.world.table, Event, event_key(options.event))
    if options.seconds is not None and sale is not None:
        ahead = preview_of(target, sale, change.after)
        lines += preview_lines(ahead, sale)
        data |= {"preview": preview_data(ahead)}
        if sale.control == "auto":
            data |= {"note": AUTOMATIC}
            lines.append(AUTOMATIC)
    return Report(data, lines)


def _set(options: argparse.Namespace, target: Target, *, dry_run: bool = False) -> Changed:
    """Change the mean, the pace, then the sample, each in the log; the others stay."""
    event, share, made = options.event, options.sample_violations, []
    mean_changes = options.session_mean_s is not None and _set_mean(options, target, dry_run)
    if options.seconds is not None:
        ahead_s = lead_s(options, target)
        made.append(
            changed_gate(
                options,
                target,
                "tau set",
                lambda gate: gate.set_tau(
                    event, options.seconds, starts_in_s=ahead_s, if_tau_s=options.if_tau
                ),
                {"tau_s": options.seconds},
                dry_run=dry_run,
            )
        )
    if share is not None:
        made.append(
            changed_gate(
                options,
                target,
                "sample set",
                lambda gate: set_sample_violations(gate, event, share),
                {"sample_violations": share},
                dry_run=dry_run,
            )
        )
    if not made:
        gate = target.control().read(event)
        return mean_changes, GateChange(gate, gate)
    whole = GateChange(made[0].before, made[-1].after, all(change.spread for change in made))
    return mean_changes, whole


def _set_mean(options: argparse.Namespace, target: Target, dry_run: bool) -> bool:
    """Return whether how long sessions are expected to last changes."""
    mean_s, world = options.session_mean_s, target.world
    change = target.acts(dry_run=dry_run).do(
        options.event,
        "mean set",
        reasoned(options, session_mean_s=mean_s),
        lambda: set_session_mean(world.table, world.clock, options.event, mean_s, dry_run=dry_run),
    )
    return change.before != change.after


def _in_words(options: argparse.Namespace) -> str:
    said = []
    if options.seconds is not None:
        said.append(f"τ {options.seconds:g} s")
    if options.sample_violations is not None:
        said.append(f"{options.sample_violations:.2%} of refused attempts are reported to the desk")
    if options.session_mean_s is not None:
        said.append(f"sessions are expected to last {options.session_mean_s or 'the longest'} s")
    return ", ".join(said).replace("the longest s", "as long as they may")


@at_target
def run_plan(options: argparse.Namespace, target: Target) -> Act[GateChange]:
    at_s, event, tau_s = moment_ms(options.at, options) / 1000, options.event, options.seconds
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
            text += " The change that is marked “next” stays: edges may know it already."
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
