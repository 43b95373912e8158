"""``fairgate draw …``: commit, announce a beacon, mix it in, reveal, verify."""

from __future__ import annotations

import argparse
from typing import Any

from fairgate.domain.shared.times import rfc3339
from fairgate.service.gate.prove_draw import DrawProofs
from fairgate.service.shared.records.catalog import Beacon
from fairgate_ops.operate.cli.act import Act
from fairgate_ops.operate.cli.command import at_target, moment_ms
from fairgate_ops.operate.cli.report import Report
from fairgate_ops.operate.target import Target


@at_target
def run_show(options: argparse.Namespace, target: Target) -> Report:
    """What everyone may know of an event's draw."""
    sale = _proofs(target).event(options.event)
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
def run_announce(options: argparse.Namespace, target: Target) -> Act[Beacon]:
    at_ms, event, source = moment_ms(options.at, options), options.event, options.source
    what = (
        f"Binds the draw of {event} to “{source}” of {rfc3339(at_ms)} for good:"
        " nobody comes in before its value is mixed in."
    )
    announced = _proofs(target).event(event).beacon

    def say(beacon: Beacon) -> Report:
        lines = [
            f"{event}: its numbers will be drawn with {_beacon_text(beacon)}.",
            f"As soon as it exists: fairgate draw beacon {event} --value VALUE.",
            "Nobody is drawn before.",
        ]
        return Report({"event": event, "draw_beacon": beacon.as_map()}, lines)

    def announce(proofs: DrawProofs) -> Beacon:
        return proofs.announce(event, source, at_ms, lead_s=target.lead_s)

    return Act(
        name="draw announce",
        events=[event],
        detail={"source": source, "at": rfc3339(at_ms)},
        ends=[what] if announced is None else [],
        do=lambda: announce(_proofs(target)),
        would=lambda: say(announce(_proofs(target, dry_run=True))),
        report=say,
    )


@at_target
def run_beacon(options: argparse.Namespace, target: Target) -> Act[Beacon]:
    event, value, ends = options.event, options.value, []
    announced = _proofs(target).event(event).beacon
    if announced is not None and not announced.value:
        source = announced.source
        ends = [
            f"Draws every number of {event} with “{value}” for good: compare it with “{source}”."
        ]

    def say(beacon: Beacon) -> Report:
        data = {"event": event, "draw_beacon": beacon.as_map()}
        return Report(data, [f"{event}: every number is drawn with this value."])

    return Act(
        name="draw beacon",
        events=[event],
        detail={"value": value},
        ends=ends,
        do=lambda: _proofs(target).mix_in(event, value),
        would=lambda: say(_proofs(target, dry_run=True).mix_in(event, value)),
        report=say,
    )


@at_target
def run_reveal(options: argparse.Namespace, target: Target) -> Act[str]:
    event, ends = options.event, []
    state = target.control().read(event).state
    if state in ("soldout", "closed") and not _proofs(target).event(event).draw_key_revealed:
        ends = [f"Publishes the draw key of {event} for good: everyone can compute every number."]
        if state == "soldout":
            ends.append("Closes the sale for good: seats that come back are not sold again.")

    def would() -> Report:
        _proofs(target, dry_run=True).reveal(event)
        return Report({"event": event}, ["The draw key can be revealed."])

    def report(key: str) -> Report:
        lines = [
            f"{event}: the draw key is published: {key}",
            "Everyone can recompute the draw now: `fairgate audit` and docs/fairness.md.",
        ]
        return Report({"event": event, "draw_key_revealed": key}, lines)

    return Act(
        name="draw reveal",
        events=[event],
        ends=ends,
        do=lambda: _proofs(target).reveal(event),
        would=would,
        report=report,
    )


def _proofs(target: Target, *, dry_run: bool = False) -> DrawProofs:
    control = target.control(dry_run=dry_run)
    return DrawProofs(target.world.table, target.world.clock, control)


def _beacon_text(beacon: Beacon | None) -> str:
    if beacon is None:
        return "none"
    value = f": {beacon.value}" if beacon.value else ", still to come"
    return f"“{beacon.source}” of {beacon.at}{value}"
