"""Commands that move an event's gate: ``fairgate event open``, ``pause``, ``resume`` and so on."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING

from fairgate_ops.operate.cli.command import (
    Verbs,
    add_pace,
    add_reason,
    add_start,
    at_target,
    moment_s,
)
from fairgate_ops.operate.cli.confirm import add_yes, confirm, confirm_possible

if TYPE_CHECKING:
    from fairgate_ops.operate.cli.report import Report
    from fairgate_ops.operate.target import Target

MINUTES_MAX = 1_440.0


def add_arguments(verbs: Verbs) -> None:
    opening = verbs.add("open", "Set when the doors open: now, or at a time.", run_open)
    opening.add_argument("event")
    opening.add_argument("--at", metavar="TIME", help="RFC 3339; else as soon as edges know")
    add_yes(opening)
    add_pace(opening)
    pausing = verbs.add("pause", "Admit nobody for a while; everyone keeps their place.", run_pause)
    pausing.add_argument("event")
    add_start(pausing)
    resuming = verbs.add("resume", "Go on after a pause, or when seats have come back.", run_resume)
    resuming.add_argument("event")
    add_pace(resuming)
    draining = verbs.add(
        "drain", "Let nobody new join the queue; those who wait are still let in.", run_drain
    )
    draining.add_argument("event")
    add_reason(draining)
    _add_open_until(
        verbs.add("open-until", "Let everyone in who waits, until a time.", run_open_until)
    )
    upgrading = verbs.add(
        "upgrade", "Store the gate's value in the deployment's newest format.", run_upgrade
    )
    upgrading.add_argument("event")
    upgrading.add_argument(
        "--back", action="store_true", help="in the one before, to go back to an older version"
    )
    add_reason(upgrading)
    closing = verbs.add("close", "End the sale, for good unless --sold-out.", run_close)
    closing.add_argument("event")
    closing.add_argument("--sold-out", action="store_true", help="say so; can be resumed")
    add_yes(closing)
    add_start(closing)


def _add_open_until(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("event")
    when = verb.add_mutually_exclusive_group(required=True)
    when.add_argument("--at", metavar="TIME", help="RFC 3339 with its zone, at most a day ahead")
    when.add_argument("--minutes", type=_minutes, help="for so long from now")
    when.add_argument("--off", action="store_true", help="back to the draw at once")
    add_start(verb)


@at_target
def run_open(options: argparse.Namespace, target: Target) -> Report:
    from fairgate_ops.operate.cli.gate_report import changed_gate, gate_report, lead_s
    from fairgate_ops.operate.cli.times import shown

    doors_s = None if options.at is None else moment_s(options.at)
    control = target.control(dry_run=options.dry_run)
    if doors_s is None:
        _confirm_now(options, target)
    change = changed_gate(
        options,
        target,
        "open",
        {"at": options.at, "tau_s": options.tau},
        lambda: control.open(
            options.event, doors_s=doors_s, tau_s=options.tau, starts_in_s=lead_s(options, target)
        ),
    )
    text = f"{options.event}: doors open at {shown(change.after.doors_s, options)}."
    if change.before is not None and change.before.state == "paused":
        text += " It is no longer paused."
    return gate_report(options, target, change, text)


def _confirm_now(options: argparse.Namespace, target: Target) -> None:
    """Ask before the sale begins: who comes at the time that was published is late then."""
    from fairgate.service.gate.must_be_listed import must_be_listed
    from fairgate_ops.operate.cli.gate_report import lead_s
    from fairgate_ops.operate.cli.times import shown

    control, event, ahead_s = target.control(dry_run=True), options.event, lead_s(options, target)
    must_be_listed(target.world.table, event)
    doors = shown(control.read(event).doors_s, options)
    confirm_possible(
        options,
        lambda: control.open(event, tau_s=options.tau, starts_in_s=ahead_s),
        f"Opens the doors of {event} in {ahead_s:g} s and not at {doors}, for good.",
    )


@at_target
def run_pause(options: argparse.Namespace, target: Target) -> Report:
    from fairgate_ops.operate.cli.gate_report import changed_gate, gate_report, lead_s

    control = target.control(dry_run=options.dry_run)
    change = changed_gate(
        options,
        target,
        "pause",
        {},
        lambda: control.pause(options.event, starts_in_s=lead_s(options, target)),
    )
    text = "paused. Nobody is admitted; everyone keeps their place."
    return gate_report(options, target, change, f"{options.event}: {text}")


@at_target
def run_resume(options: argparse.Namespace, target: Target) -> Report:
    from fairgate_ops.operate.cli.gate_report import changed_gate, gate_report, lead_s

    control = target.control(dry_run=options.dry_run)
    change = changed_gate(
        options,
        target,
        "resume",
        {"tau_s": options.tau},
        lambda: control.resume(
            options.event, tau_s=options.tau, starts_in_s=lead_s(options, target)
        ),
    )
    return gate_report(options, target, change, f"{options.event}: goes on.")


@at_target
def run_drain(options: argparse.Namespace, target: Target) -> Report:
    from fairgate_ops.operate.cli.gate_report import changed_gate, gate_report

    control = target.control(dry_run=options.dry_run)
    change = changed_gate(options, target, "drain", {}, lambda: control.drain(options.event))
    text = "draining. Nobody new comes in; those who wait are let in at the pace there is."
    return gate_report(options, target, change, f"{options.event}: {text}")


@at_target
def run_upgrade(options: argparse.Namespace, target: Target) -> Report:
    from fairgate.domain.gate.gate_config import VERSION, VERSION_BEFORE
    from fairgate.service.gate.upgrade_gate import upgrade_gate
    from fairgate_ops.operate.cli.gate_report import changed_gate, gate_report

    control = target.control(dry_run=options.dry_run)
    version = VERSION_BEFORE if options.back else VERSION
    change = changed_gate(
        options,
        target,
        "upgrade",
        {"format": version},
        lambda: upgrade_gate(control, options.event, version, deployed=target.gate_format()),
    )
    text = f"{options.event}: its gate's value has format {change.after.version}."
    return gate_report(options, target, change, text)


@at_target
def run_open_until(options: argparse.Namespace, target: Target) -> Report:
    from fairgate.domain.shared.times import rfc3339
    from fairgate_ops.operate.cli.gate_report import changed_gate, gate_report, lead_s
    from fairgate_ops.operate.cli.times import shown

    control = target.control(dry_run=options.dry_run)
    until_s = _until_s(options, target.world.clock.now_ms())
    detail = "now on the draw decides again" if until_s is None else rfc3339(until_s * 1000)
    change = changed_gate(
        options,
        target,
        "open-until",
        {"until": detail},
        lambda: control.open_until(options.event, until_s, starts_in_s=lead_s(options, target)),
    )
    text = f"from {detail}."
    if until_s is not None:
        until = shown(until_s, options)
        text = f"everyone who waits is let in until {until}, up to the target at a time."
    return gate_report(options, target, change, f"{options.event}: {text}")


@at_target
def run_close(options: argparse.Namespace, target: Target) -> Report:
    from fairgate.service.gate.must_be_listed import must_be_listed
    from fairgate_ops.operate.cli.gate_report import changed_gate, gate_report, lead_s
    from fairgate_ops.operate.cli.room import closing_ends

    control = target.control(dry_run=options.dry_run)
    must_be_listed(target.world.table, options.event)
    ends = ""
    if not options.sold_out and control.read(options.event).state != "closed":
        ends = closing_ends(target, options.event)
        confirm(options, [ends])
    stop = control.sold_out if options.sold_out else control.close
    word = "sold out" if options.sold_out else "closed"
    change = changed_gate(
        options,
        target,
        "close",
        {"as": word},
        lambda: stop(options.event, starts_in_s=lead_s(options, target)),
    )
    text = ends if ends and options.dry_run else f"{options.event}: {word}."
    return gate_report(options, target, change, text)


def _until_s(options: argparse.Namespace, now_ms: int) -> int | None:
    if options.off:
        return None
    return moment_s(options.at) if options.at else math.ceil(now_ms / 1000 + 60 * options.minutes)


def _minutes(text: str) -> float:
    """Raises ArgumentTypeError outside of a day; a day is the most that the gate stands open."""
    try:
        minutes = float(text)
    except ValueError:
        minutes = 0.0
    if not 0.0 < minutes <= MINUTES_MAX:
        raise argparse.ArgumentTypeError(f"{text!r} is not up to {MINUTES_MAX:,.0f} minutes")
    return minutes
