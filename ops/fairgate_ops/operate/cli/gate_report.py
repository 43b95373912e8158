"""Change an event's gate as an operator asks, and say what its gate says then."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from fairgate.domain.shared.times import rfc3339
from fairgate.service.gate.control_gate import redacted
from fairgate_ops.operate.cli.report import Listing, Report

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.service.gate.control_gate import GateChange
    from fairgate_ops.operate.target import Target


def lead_s(options: argparse.Namespace, target: Target) -> float:
    """How far ahead a change is dated."""
    return target.lead_s if options.starts_in is None else float(options.starts_in)


def reasoned(options: argparse.Namespace, **detail: Any) -> dict[str, Any]:
    """What the log keeps of what was asked for, with the reason where one is given."""
    return detail | {"reason": options.reason or None}


def changed_gate(
    options: argparse.Namespace,
    target: Target,
    act: str,
    detail: dict[str, Any],
    change: Callable[[], GateChange],
) -> GateChange:
    """Change the gate of the event, with its log and its place in the catalogue."""
    acts = target.acts(dry_run=options.dry_run)
    return acts.change_gate(options.event, act, reasoned(options, **detail), change)


def gate_report(
    options: argparse.Namespace, target: Target, change: GateChange, summary: str
) -> Report:
    """What a change of the gate wrote, or would have written, without its keys."""
    event, changed = options.event, change.after != change.before
    data = {
        "event": event,
        "changed": changed and not options.dry_run,
        "dry_run": options.dry_run,
        "gate": redacted(change.after),
    }
    if options.dry_run:
        lines = [f"Dry run, nothing written. {summary}", json.dumps(data["gate"])]
    else:
        lines = [summary if changed else f"{event}: nothing to change."]
    now_s = target.world.clock.now_ms() / 1000
    return Report(data, [*lines, epoch_listing(change.after, now_s)])


def tau_text(slope: float) -> str:
    return f"τ {1 / slope:g} s" if slope else "standing still"


def epoch_listing(gate: GateConfig, now_s: float) -> Listing:
    """One row an epoch, the one in force marked."""
    current = max((e.start_s for e in gate.epochs if e.start_s <= now_s), default=None)
    rows = []
    for e in gate.epochs:
        mark = "now" if e.start_s == current else "past" if e.start_s <= now_s else "next"
        rows.append((mark, rfc3339(round(e.start_s * 1000)), tau_text(e.slope)))
    return Listing(
        ("", "From", "Pace"), rows, [f"  {mark:>4}  from {at}  {pace}" for mark, at, pace in rows]
    )
