"""``fairgate draw …``: commit, announce a beacon, mix it in, reveal, verify."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from fairgate_ops.operate.cli import draw_verify
from fairgate_ops.operate.cli.command import Verbs, at_target, moment_ms
from fairgate_ops.operate.cli.confirm import add_yes, confirm, confirm_possible
from fairgate_ops.operate.cli.report import Report

if TYPE_CHECKING:
    from fairgate.service.gate.prove_draw import DrawProofs
    from fairgate.service.shared.records.catalog import Beacon
    from fairgate_ops.operate.target import Target


def add_arguments(group: argparse.ArgumentParser) -> None:
    verbs = Verbs(group)
    showing = verbs.add("show", "Show what everyone may know of an event's draw.", run_show)
    showing.add_argument("event")
    announcing = verbs.add(
        "announce",
        "Name the public value that will decide the draw, before it exists.",
        run_announce,
    )
    announcing.add_argument("event")
    announcing.add_argument(
        "--source", required=True, metavar="TEXT", help='like "drand quicknet round 12345678"'
    )
    announcing.add_argument(
        "--at", required=True, metavar="TIME", help="when it comes into being, RFC 3339"
    )
    add_yes(announcing)
    mixing = verbs.add("beacon", "Mix in the value that was announced, once it exists.", run_beacon)
    mixing.add_argument("event")
    mixing.add_argument("--value", required=True, help="exactly as its source publishes it")
    add_yes(mixing)
    revealing = verbs.add("reveal", "Publish the draw key, after the end of the sale.", run_reveal)
    revealing.add_argument("event")
    add_yes(revealing)
    draw_verify.add_arguments(verbs)


@at_target
def run_show(options: argparse.Namespace, target: Target) -> Report:
    """What everyone may know of an event's draw."""
    sale = _proofs(options, target).event(options.event)
    beacon, key = sale.beacon, sale.draw_key_revealed or None
    data: dict[str, Any] = {
        "event": options.event,
        "draw_commitment": sale.draw_commitment,
        "draw_beacon": beacon and beacon.as_map(),
        "draw_key_revealed": key,
    }
    lines = [f"commitment  {sale.draw_commitment}", f"beacon      {_beacon_text(beacon)}"]
    lines.append(f"draw key    {key or 'not revealed; `draw reveal` after the end'}")
    return Report(data, lines)


@at_target
def run_announce(options: argparse.Namespace, target: Target) -> Report:
    from fairgate.domain.shared.times import rfc3339

    proofs = _proofs(options, target)
    at_ms, event = moment_ms(options.at), options.event
    if proofs.event(event).beacon is None:
        confirm_possible(
            options,
            lambda: _tried(target).announce(event, options.source, at_ms, lead_s=target.lead_s),
            f"Binds the draw of {event} to “{options.source}” of {rfc3339(at_ms)} for good:"
            " nobody comes in before its value is mixed in.",
        )
    beacon = target.acts(dry_run=options.dry_run).do(
        options.event,
        "draw announce",
        {"source": options.source, "at": rfc3339(at_ms)},
        lambda: proofs.announce(options.event, options.source, at_ms, lead_s=target.lead_s),
    )
    lines = [
        f"{options.event}: its numbers will be drawn with {_beacon_text(beacon)}.",
        f"As soon as it exists: fairgate draw beacon {options.event} --value VALUE.",
        "Nobody is drawn before.",
    ]
    return _report(options, beacon, lines)


@at_target
def run_beacon(options: argparse.Namespace, target: Target) -> Report:
    proofs = _proofs(options, target)
    announced = proofs.event(options.event).beacon
    if announced is not None and not announced.value:
        confirm_possible(
            options,
            lambda: _tried(target).mix_in(options.event, options.value),
            f"Draws every number of {options.event} with “{options.value}” for good: compare it"
            f" with “{announced.source}” once more.",
        )
    beacon = target.acts(dry_run=options.dry_run).do(
        options.event,
        "draw beacon",
        {"value": options.value},
        lambda: proofs.mix_in(options.event, options.value),
    )
    return _report(options, beacon, [f"{options.event}: every number is drawn with this value."])


@at_target
def run_reveal(options: argparse.Namespace, target: Target) -> Report:
    proofs = _proofs(options, target)
    state = target.control().read(options.event).state
    if state in ("soldout", "closed") and not proofs.event(options.event).draw_key_revealed:
        confirm(options, _reveal_ends(options.event, state))
    acts = target.acts(dry_run=options.dry_run)
    key = acts.do(options.event, "draw reveal", {}, lambda: proofs.reveal(options.event))
    data = {"event": options.event, "dry_run": options.dry_run}
    if options.dry_run:
        return Report(data, ["Dry run, nothing written: the draw key can be revealed."])
    lines = [
        f"{options.event}: the draw key is published: {key}",
        "Everyone can recompute the draw now: `fairgate audit` and docs/fairness.md.",
    ]
    return Report(data | {"draw_key_revealed": key}, lines)


def _reveal_ends(event: str, state: str) -> list[str]:
    ends = [f"Publishes the draw key of {event} for good: everyone can compute every number."]
    if state == "soldout":
        ends.append("Closes the sale for good: seats that come back are not sold again.")
    return ends


def _proofs(options: argparse.Namespace, target: Target) -> DrawProofs:
    return _tried(target, dry_run=options.dry_run)


def _tried(target: Target, *, dry_run: bool = True) -> DrawProofs:
    from fairgate.service.gate.prove_draw import DrawProofs

    control = target.control(dry_run=dry_run)
    return DrawProofs(target.world.table, target.world.clock, control)


def _report(options: argparse.Namespace, beacon: Beacon, lines: list[str]) -> Report:
    data = {"event": options.event, "dry_run": options.dry_run, "draw_beacon": beacon.as_map()}
    return Report(data, ["Dry run, nothing written.", *lines] if options.dry_run else lines)


def _beacon_text(beacon: Beacon | None) -> str:
    if beacon is None:
        return "none"
    value = f": {beacon.value}" if beacon.value else ", still to come"
    return f"“{beacon.source}” of {beacon.at}{value}"
