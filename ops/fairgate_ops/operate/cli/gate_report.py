"""Change an event's gate as an operator asks, and say what its gate says then."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from fairgate.domain.gate.gate_config import gate_key
from fairgate.domain.gate.pace import KEPT_FROM_S, to_come
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import DependencyUnavailableError
from fairgate.service.gate.control_gate import redacted
from fairgate.service.gate.log_plans import CONTROLLER
from fairgate_ops.operate.cli.event_page import span
from fairgate_ops.operate.cli.report import Listing, Report, detail_text, one_line
from fairgate_ops.operate.cli.times import shown

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from fairgate.domain.gate.gate_config import Epoch, GateConfig
    from fairgate.service.gate.control_gate import GateChange
    from fairgate.service.gate.operator_log import LogEntry
    from fairgate_ops.operate.target import Target

_LATELY_MS = 15 * 60_000
_KEPT = "kept"

NOT_AT_EDGES = (
    "It is written and the origin heeds it, but the KeyValueStore does not take it just now: edges"
    " go on as before. The controller tries again every ten seconds; `fairgate tau get` shows it."
)


DIFFERENT_AT_EDGES = (
    "The KeyValueStore has another value than the Catalog, which decides. The controller brings it"
    " there within a minute or two; if not, see its log."
)


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
        "at_edges": change.spread,
        "gate": redacted(change.after),
    }
    if options.dry_run:
        lines = [f"Dry run, nothing written. {summary}", json.dumps(data["gate"])]
    else:
        lines = [summary if changed else f"{event}: nothing to change."]
    if not change.spread:
        lines.append(NOT_AT_EDGES)
    now_s = target.world.clock.now_ms() / 1000
    lost = given_up(change, now_s)
    data["replaced"] = [
        {"starts_at": rfc3339(round(e.start_s * 1000)), "tau_s": 1 / e.slope} for e in lost
    ]
    if lost:
        planned = ", ".join(f"{tau_text(e.slope)} from {shown(e.start_s, options)}" for e in lost)
        lines.append(f"This replaces what was planned: {planned}.")
    other = others_act(options, target)
    data["other"] = other and other.as_json()
    if other:
        ago = span(max(0.0, now_s - epoch_ms(other.at) / 1000))
        text = f"Somebody else is at it, too: {other.who}, {act_text(other)}, {ago} ago."
        lines.append(one_line(text))
    return Report(data, [*lines, epoch_listing(change.after, now_s, options)])


def given_up(change: GateChange, now_s: float) -> list[Epoch]:
    """List the planned paces that are no longer to come; a standstill is no pace."""
    if change.before is None:
        return []
    kept = {(e.start_s, e.slope) for e in change.after.epochs}
    lost = [e for e in to_come(change.before, now_s) if (e.start_s, e.slope) not in kept]
    return [e for e in lost if e.slope > 0]


def others_act(options: argparse.Namespace, target: Target) -> LogEntry | None:
    """Return what somebody else last did to the event, if that is not long ago."""
    acts = target.acts(dry_run=options.dry_run)
    me, since = acts.who(), rfc3339(target.world.clock.now_ms() - _LATELY_MS)
    entries = acts.log_of(options.event).read()
    lately = [
        e for e in entries if e.at >= since and e.phase == "done" and e.who not in (me, CONTROLLER)
    ]
    return lately[-1] if lately else None


def act_text(entry: LogEntry) -> str:
    """Return ``tau set (tau_s 22)``."""
    detail = detail_text(entry.detail)
    return f"{entry.act} ({detail})" if detail else entry.act


def at_edges(target: Target, event: str, written: str | None) -> tuple[bool | None, list[str]]:
    """Say whether edges have what is written, None where nobody knows, and what there is to say.

    Args:
        written: the value as it was read just now.
    """
    values, key = target.world.gate_values, gate_key(event)
    try:
        same = values.at_edge(key)[0] == written
    except DependencyUnavailableError:
        return None, ["The KeyValueStore does not answer: what edges have is not known."]
    if same:
        return True, []
    return False, [DIFFERENT_AT_EDGES]


def tau_text(slope: float) -> str:
    return f"τ {1 / slope:g} s" if slope else "standing still"


def epoch_listing(gate: GateConfig, now_s: float, options: argparse.Namespace) -> Listing:
    """One row an epoch, the one in force marked."""
    current = max((e.start_s for e in gate.epochs if e.start_s <= now_s), default=None)
    rows = []
    for e in gate.epochs:
        if e.start_s >= KEPT_FROM_S:
            rows.append((_KEPT, "for who resumes", tau_text(e.slope)))
            continue
        mark = "now" if e.start_s == current else "past" if e.start_s <= now_s else "next"
        rows.append((mark, shown(e.start_s, options), tau_text(e.slope)))
    plain = [
        f"  {mark:>4}  {at if mark == _KEPT else f'from {at}'}  {pace}" for mark, at, pace in rows
    ]
    return Listing(("", "From", "Pace"), rows, plain)
