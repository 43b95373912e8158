"""Change an event's gate as an operator asks, and say what its gate says then."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fairgate.domain.gate.gate_config import Epoch, GateConfig, gate_key
from fairgate.domain.gate.pace import KEPT_FROM_S, to_come
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import DependencyUnavailableError
from fairgate.service.gate.control_gate import GateChange, GateControl, redacted
from fairgate.service.gate.log_plans import CONTROLLER
from fairgate.service.gate.must_be_listed import must_be_listed
from fairgate.service.gate.operator_log import LogEntry
from fairgate_ops.operate.cli.act import Act, reasoned
from fairgate_ops.operate.cli.event_page import span
from fairgate_ops.operate.cli.report import Listing, Report, detail_text, one_line
from fairgate_ops.operate.cli.times import shown
from fairgate_ops.operate.target import Target

_LATELY_MS = 15 * 60_000
_KEPT = "kept"

NOT_AT_EDGES = (
    "It is written and the origin uses it, but the KeyValueStore did not take it: edges use the"
    " former value. The controller tries again every ten seconds; `fairgate tau get` shows it."
)


DIFFERENT_AT_EDGES = (
    "The KeyValueStore has another value than the Catalog, which decides. The controller brings it"
    " there within a minute or two; if not, see its log."
)


def lead_s(options: argparse.Namespace, target: Target) -> float:
    """How far ahead a change is dated."""
    return target.lead_s if options.starts_in is None else float(options.starts_in)


def gate_act(
    options: argparse.Namespace,
    target: Target,
    name: str,
    change: Callable[[GateControl], GateChange],
    say: Callable[[GateChange], str],
    *,
    ends: Sequence[str] = (),
    detail: Mapping[str, Any] | None = None,
) -> Act[GateChange]:
    """Change the gate of an event that the catalogue has. Raises UnknownEventError.

    Args:
        change: asks it of the control, which writes nothing in a dry run.
        say: sums up what was changed.
    """
    must_be_listed(target.world.table, options.event)

    def would() -> Report:
        changed = change(target.control(dry_run=True))
        report = gate_report(options, target, changed, say(changed))
        return report._replace(data=report.data | {"changed": False})

    return Act(
        name=name,
        events=[options.event],
        detail=detail or {},
        ends=ends,
        do=lambda: change(target.control()),
        would=would,
        report=lambda changed: gate_report(options, target, changed, say(changed)),
    )


def changed_gate(
    options: argparse.Namespace,
    target: Target,
    name: str,
    change: Callable[[GateControl], GateChange],
    detail: Mapping[str, Any],
    *,
    dry_run: bool = False,
) -> GateChange:
    """Change the gate as one of several steps of a command, each of which the log has."""
    acts = target.acts(dry_run=dry_run)
    asked = reasoned(options, **detail)
    return acts.change_gate(options.event, name, asked, lambda: change(acts.gates))


def gate_report(
    options: argparse.Namespace, target: Target, change: GateChange, summary: str
) -> Report:
    """What a change of the gate wrote, or would have written, without its keys."""
    event, changed = options.event, change.after != change.before
    data = {
        "event": event,
        "changed": changed,
        "at_edges": change.spread,
        "gate": redacted(change.after),
    }
    lines = [summary if changed or options.dry_run else f"{event}: nothing to change."]
    if options.dry_run:
        lines.append(json.dumps(data["gate"]))
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
    data["left"] = len(to_come(change.after, now_s))
    other = others_act(options, target)
    data["other"] = other and other.as_json()
    if other:
        ago = span(max(0.0, now_s - epoch_ms(other.at) / 1000))
        text = f"Somebody else has changed it: {other.who}, {act_text(other)}, {ago} ago."
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
    acts = target.acts()
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
