"""What a command says: lines for people, or one JSON document with --json."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fairgate.domain.shared.times import rfc3339
from fairgate.service.gate.control_gate import redacted

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.errors import FairgateError
    from fairgate.service.gate.control_gate import GateChange

LISTED_MAX = 20


@dataclass(frozen=True)
class Report:
    """A command's answer in both forms; ``failed`` when what it found is not as it must be."""

    data: dict[str, Any]
    lines: list[str] = field(default_factory=list)
    failed: bool = False

    def say(self, *, as_json: bool) -> None:
        if as_json:
            print(json.dumps(self.data, ensure_ascii=False, indent=2))
            return
        for line in self.lines:
            print(line)


def say_refusal(error: FairgateError, *, as_json: bool) -> None:
    """Why not, and what to do. In JSON on standard output, as an answer; else on standard error."""
    if as_json:
        document = {"code": error.code, "detail": error.detail, **error.fields}
        print(json.dumps({"error": document}, ensure_ascii=False, indent=2, default=str))
        return
    print(f"Not done: {error.detail}", file=sys.stderr)
    listed = error.fields.get("errors")
    entries = listed if isinstance(listed, list) else []
    for entry in entries[:LISTED_MAX]:
        text = f"{entry['where']}: {entry['what']}" if isinstance(entry, dict) else str(entry)
        print(f"  - {text}", file=sys.stderr)
    if len(entries) > LISTED_MAX:
        print(f"  … and {len(entries) - LISTED_MAX} more; --json lists all.", file=sys.stderr)


def change_report(event: str, change: GateChange, summary: str, *, dry_run: bool) -> Report:
    """What a change of the gate wrote, or would have written, without its keys."""
    changed = change.after != change.before
    data = {
        "event": event,
        "changed": changed and not dry_run,
        "dry_run": dry_run,
        "gate": redacted(change.after),
    }
    if dry_run:
        lines = [f"Dry run, nothing written. {summary}", json.dumps(data["gate"])]
    else:
        lines = [summary if changed else f"{event}: nothing to change."]
    return Report(data, lines)


def tau_text(slope: float) -> str:
    return f"τ {1 / slope:g} s" if slope else "standing still"


def epoch_lines(gate: GateConfig, now_s: float) -> list[str]:
    """One line an epoch, the one in force marked."""
    current = max((e.start_s for e in gate.epochs if e.start_s <= now_s), default=None)
    lines = []
    for e in gate.epochs:
        mark = "now" if e.start_s == current else "past" if e.start_s <= now_s else "next"
        lines.append(f"  {mark:>4}  from {rfc3339(round(e.start_s * 1000))}  {tau_text(e.slope)}")
    return lines
