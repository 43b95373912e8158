"""Commands that change an event's gate: ``fairgate event open``, ``pause``, ``resume`` …"""

from __future__ import annotations

import argparse
import math

from fairgate.domain.gate.gate_config import VERSION, VERSION_BEFORE
from fairgate.domain.shared.times import rfc3339
from fairgate.service.gate.control_gate import GateChange
from fairgate.service.gate.must_be_listed import must_be_listed
from fairgate.service.gate.publish_event import publish_event
from fairgate.service.gate.upgrade_gate import upgrade_gate
from fairgate_ops.operate.cli.act import Act
from fairgate_ops.operate.cli.command import at_target, moment_s
from fairgate_ops.operate.cli.gate_report import gate_act, lead_s
from fairgate_ops.operate.cli.room import closing_ends
from fairgate_ops.operate.cli.times import shown
from fairgate_ops.operate.target import Target

Gate = Act[GateChange]


@at_target
def run_publish(options: argparse.Namespace, target: Target) -> Gate:
    event, ahead_s = options.event, lead_s(options, target)
    at_s = None if options.at is None else moment_s(options.at, options)
    page = f"{target.world.settings.public_url}/e/{event}"

    def say(change: GateChange) -> str:
        when = shown(change.after.open_until_s, options)
        if target.world.catalog.event(event).hidden:
            return (
                f"{event}: published at {when}, at {page}, in no list: `fairgate event show-again"
                f" {event}` lists it."
            )
        return f"{event}: published at {when}, in the list and at {page}"

    return gate_act(
        options,
        target,
        "publish",
        lambda gate: publish_event(gate, event, at_s, starts_in_s=ahead_s),
        say,
        detail={"at": options.at},
    )


@at_target
def run_open(options: argparse.Namespace, target: Target) -> Gate:
    """Ask before the sale begins at once: who comes at the time that was published is late then."""
    event, ahead_s, ends = options.event, lead_s(options, target), []
    sale_start_s = None if options.at is None else moment_s(options.at, options)
    must_be_listed(target.world.table, event)
    if sale_start_s is None:
        sale_start = shown(target.control().read(event).sale_start_s, options)
        ends = [f"Starts the sale of {event} in {ahead_s:g} s and not at {sale_start}, for good."]

    def say(change: GateChange) -> str:
        text = f"{event}: the sale starts at {shown(change.after.sale_start_s, options)}."
        was_paused = change.before is not None and change.before.state == "paused"
        return f"{text} It is no longer paused." if was_paused else text

    return gate_act(
        options,
        target,
        "open",
        lambda gate: gate.open(
            event, sale_start_s=sale_start_s, tau_s=options.tau, starts_in_s=lead_s(options, target)
        ),
        say,
        ends=ends,
        detail={"at": options.at, "tau_s": options.tau},
    )


@at_target
def run_pause(options: argparse.Namespace, target: Target) -> Gate:
    event, ahead_s = options.event, lead_s(options, target)
    text = f"{event}: paused. Nobody is admitted; everyone keeps their place."
    return gate_act(
        options,
        target,
        "pause",
        lambda gate: gate.pause(event, starts_in_s=ahead_s),
        lambda _: text,
    )


@at_target
def run_resume(options: argparse.Namespace, target: Target) -> Gate:
    event, ahead_s, tau_s = options.event, lead_s(options, target), options.tau
    return gate_act(
        options,
        target,
        "resume",
        lambda gate: gate.resume(event, tau_s=tau_s, starts_in_s=ahead_s),
        lambda _: f"{event}: goes on.",
        detail={"tau_s": tau_s},
    )


@at_target
def run_drain(options: argparse.Namespace, target: Target) -> Gate:
    event = options.event
    text = "draining. Nobody new may join; waiting buyers are admitted at the present pace."
    return gate_act(
        options, target, "drain", lambda gate: gate.drain(event), lambda _: f"{event}: {text}"
    )


@at_target
def run_upgrade(options: argparse.Namespace, target: Target) -> Gate:
    event, version = options.event, VERSION_BEFORE if options.back else VERSION
    return gate_act(
        options,
        target,
        "upgrade",
        lambda gate: upgrade_gate(gate, event, version, deployed=target.gate_format()),
        lambda change: f"{event}: its gate's value has format {change.after.version}.",
        detail={"format": version},
    )


@at_target
def run_open_until(options: argparse.Namespace, target: Target) -> Gate:
    event, ahead_s = options.event, lead_s(options, target)
    until_s = _until_s(options, target.world.clock.now_ms())
    detail = "now on the draw decides again" if until_s is None else rfc3339(until_s * 1000)
    text = f"from {detail}."
    if until_s is not None:
        until = shown(until_s, options)
        text = f"every waiting buyer is admitted until {until}, up to the target at a time."
    return gate_act(
        options,
        target,
        "open-until",
        lambda gate: gate.open_until(event, until_s, starts_in_s=ahead_s),
        lambda _: f"{event}: {text}",
        detail={"until": detail},
    )


@at_target
def run_close(options: argparse.Namespace, target: Target) -> Gate:
    event, ahead_s = options.event, lead_s(options, target)
    must_be_listed(target.world.table, event)
    ends = []
    if not options.sold_out and target.control().read(event).state != "closed":
        ends = [closing_ends(target, event)]
    word = "sold out" if options.sold_out else "closed"
    return gate_act(
        options,
        target,
        "close",
        lambda gate: (gate.sold_out if options.sold_out else gate.close)(
            event, starts_in_s=ahead_s
        ),
        lambda _: ends[0] if ends and options.dry_run else f"{event}: {word}.",
        ends=ends,
        detail={"as": word},
    )


def _until_s(options: argparse.Namespace, now_ms: int) -> int | None:
    if options.off:
        return None
    until_s: float
    if options.at is None:
        until_s = now_ms / 1000 + 60 * options.minutes
    else:
        until_s = moment_s(options.at, options)
    return math.ceil(until_s)
