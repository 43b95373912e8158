"""``fairgate event …``: create a sale, see it, and move it through its life."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from functools import partial

from msgspec import structs, to_builtins

from fairgate.domain.gate.gate_config import ADMITTING, GateConfig, gate_at, gate_key
from fairgate.domain.gate.gate_phase import phase_of
from fairgate.domain.gate.pace import takes_pace_to_stay
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import WrongStateError
from fairgate.service.catalog.create_event import broken_creations
from fairgate.service.catalog.set_target import TargetChange, set_target
from fairgate.service.gate.control_gate import parsed, redacted
from fairgate.service.gate.operator_log import LogEntry, without_buyer
from fairgate.service.shared.seen_version import version_of
from fairgate_ops.operate.cli.act import Act
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.event_page import page, page_data
from fairgate_ops.operate.cli.event_rehearse import rehearsal_data, rehearsals_of
from fairgate_ops.operate.cli.event_say import message_shown
from fairgate_ops.operate.cli.event_toml import TomlText, toml_of
from fairgate_ops.operate.cli.gate_report import at_edges, epoch_listing
from fairgate_ops.operate.cli.live_terms import live_target
from fairgate_ops.operate.cli.report import Listing, Report, detail_text, one_line
from fairgate_ops.operate.cli.room import is_full, phase_data, phase_with, room_now, room_text
from fairgate_ops.operate.cli.times import phase_text, shown
from fairgate_ops.operate.target import Target

# Of entries in an answer over HTTP, which has them twice. Lambda answers at most 6 MB.
LOG_CHARS_MAX = 2_000_000


@at_target
def run_list(options: argparse.Namespace, target: Target) -> Report:
    catalog, only = target.world.catalog.all(), getattr(options, "only", None)
    broken = broken_creations(target.world.table, catalog.ids)
    damaged_ids = list(catalog.damaged)
    if only is not None:  # the caller has a role at these alone
        broken = [begun for begun in broken if begun.sk in only]
        damaged_ids = [event for event in damaged_ids if event in only]
    now_s = target.world.clock.now_ms() / 1000
    events, rows, rehearsals = [], [], rehearsals_of(target)
    for sale in catalog.events:
        if only is not None and sale.id not in only:
            continue
        sale_start_s = epoch_ms(sale.sale_starts_at) // 1000
        full = sale.state in ADMITTING and sale_start_s <= now_s and is_full(target, sale)
        phase = phase_of(sale.state, sale_start_s, sale.open_until, now_s, is_full=full)
        events.append(
            {
                "event": sale.id,
                "name": sale.name,
                "state": sale.state,
                "cancelled_at": sale.cancelled_at or None,
                "ended": sale.ended(round(now_s * 1000)),
                "hidden": sale.hidden,
                "rehearsal": rehearsal_data(rehearsals.get(sale.id)),
                **phase_data(phase),
                "sale_starts_at": sale.sale_starts_at,
                "venue_name": sale.venue_name,
            }
        )
        sale_start = shown(sale_start_s, options, sale.time_zone)
        if sale.cancelled_at:
            rows.append((sale.id, "cancelled", sale_start, sale.name, sale.venue_name))
            continue
        if sale.ended(round(now_s * 1000)):
            rows.append((sale.id, "ended", sale_start, sale.name, sale.venue_name))
            continue
        state = phase.name if phase.name == "before the sale" else phase_text(phase, options)
        state += ", hidden" if sale.hidden else ""
        state += ", rehearsal" if sale.id in rehearsals else ""
        rows.append((sale.id, state, sale_start, sale.name, sale.venue_name))
    data = {
        "events": events,
        "damaged": damaged_ids,
        "broken_off": [begun.sk for begun in broken],
    }
    damaged = [f"{event} is damaged: no reader understands it." for event in damaged_ids]
    unfinished = [
        f"{begun.sk}: its creation by {begun.who} at {rfc3339(begun.at_ms)} was interrupted, and"
        f" buyers do not see it. `fairgate event create {begun.sk} …` completes it."
        for begun in broken
    ]
    if not events:
        none = ["There is no event yet: `fairgate event create`."]
        return Report(data, [*damaged, *unfinished] or none, failed=bool(damaged))
    wide = max(len(row[1]) for row in rows)
    listing = Listing(
        ("Event", "State", "Sale starts", "Name", "Venue"),
        rows,
        [f"{row[0]:<24} {row[1]:<{wide}}  sale {row[2]}  {row[3]}" for row in rows],
    )
    return Report(data, [listing, *damaged, *unfinished], failed=bool(damaged))


@at_target
def run_show(options: argparse.Namespace, target: Target) -> Report | TomlText:
    sale = target.world.catalog.event(options.event)
    value = target.world.gate_values.read(gate_key(options.event))[0]
    if options.toml:
        return TomlText(toml_of(sale, parsed(options.event, value)))
    now_s = target.world.clock.now_ms() / 1000
    gate = gate_at(parsed(options.event, value), now_s)
    room = room_now(target, sale, gate)
    phase = phase_with(gate, room, now_s)
    same, notes = at_edges(target, options.event, value)
    message, told = message_shown(sale, round(now_s * 1000), options)
    data = {
        **page_data(sale),
        "message": message,
        "cancelled_at": sale.cancelled_at or None,
        "hidden": sale.hidden,
        "rehearsal": rehearsal_data(rehearsals_of(target).get(options.event)),
        **phase_data(phase),
        **structs.asdict(room),
        "at_edges": same,
        "version": version_of(sale, parsed(options.event, value)),
        "gate": redacted(gate),
    }
    state = "cancelled" if sale.cancelled_at else phase_text(phase, options)
    state += ", hidden" if sale.hidden else ""
    head = f"{options.event}: {state} · {room_text(room)}"
    changes = epoch_listing(gate, now_s, options)
    return Report(data, [head, *told, *page(sale, gate, now_s, options), changes, *notes])


@at_target
def run_target(options: argparse.Namespace, target: Target) -> Act[TargetChange]:
    event, world, control = options.event, target.world, options.control
    if control == "auto":
        _must_be_sampled(target.control().read(event))
    change = partial(set_target, world.table, world.clock, event, options.live_max, control=control)
    sale, now_ms = world.catalog.event(event), world.clock.now_ms()

    def report(change: TargetChange) -> Report:
        data = {
            "event": event,
            "changed": change.before != change.after and not options.dry_run,
            "before": to_builtins(change.before),
            "after": to_builtins(change.after),
        }
        now, was = change.after.live_max, change.before.live_max
        before = "" if now == was else f" It was {was:,}."
        lines = [f"{event}: at most {now:,} shop at once.{before}"]
        if change.after.control == "manual":
            lines.append(
                "Its pace is manual: the target is a cap, and τ decides how fast it fills."
            )
        else:
            lines += _cautions(target.control().read(event), change.before.control)
        return Report(data, lines)

    return Act(
        name="target set",
        events=[event],
        detail={"live_max": options.live_max, "control": control},
        ends=live_target(sale, options.live_max, control, now_ms),
        do=change,
        would=lambda: report(change(dry_run=True)),
        report=report,
    )


def _must_be_sampled(gate: GateConfig) -> None:
    """Raises WrongStateError where the controller would be blind, as a creation does."""
    if gate.sample_queue <= 0:
        raise WrongStateError(
            "Its queue is not sampled, so the controller cannot estimate the crowd, and the pace"
            " stays manual. For --control auto, create the event with a --sample above 0."
        )


def _cautions(gate: GateConfig, control_before: str) -> list[str]:
    """Say what a controller that is to steer lacks, and what buyers are then told wrongly."""
    lines = []
    if gate.sample_queue <= 0:
        lines.append("Its queue is not sampled, so the controller cannot plan: set τ.")
    if control_before == "manual" and takes_pace_to_stay(gate):
        lines.append(
            f"Its curve is {gate.curve:g} and it was created for a pace set by hand: under the"
            " controller the shown waits are too short. No moment of admission changes."
        )
    return lines


@at_target
def run_log(options: argparse.Namespace, target: Target) -> Report:
    log = target.acts().log_of(options.event)
    entries = log.read()
    wrong = log.check(entries)
    if not getattr(options, "sees_buyers", True):
        entries = list(map(without_buyer, entries))
    left_out = 0 if target.parts_max is None else _too_many(entries)
    entries = entries[left_out:]
    data = {
        "event": options.event,
        "entries": [entry.as_json() for entry in entries],
        "wrong": wrong,
        "left_out": left_out,
    }
    verdict = "Every entry is as it was signed." if not wrong else "THE LOG WAS TAMPERED WITH:"
    rows = [
        tuple(one_line(text) for text in (e.at, e.phase, e.act, e.who, detail_text(e.detail)))
        for e in entries
    ]
    plain = [
        f"{at}  {phase:<10}  {act:<14}  {who}  {detail}".rstrip()
        for at, phase, act, who, detail in rows
    ]
    columns = ("At", "Phase", "Act", "Who", "Detail")
    listing = Listing(columns, rows, plain or ["Nothing has been done yet."])
    older = "older entries are left out here: the command `fairgate event log` shows all."
    lines = [f"{left_out:,} {older}"] if left_out else []
    return Report(data, [*lines, listing, verdict, *wrong], failed=bool(wrong))


def _too_many(entries: Sequence[LogEntry]) -> int:
    """Count the oldest entries for which an answer over HTTP has no room."""
    chars = 0
    for number, entry in enumerate(reversed(entries)):
        chars += len(json.dumps(entry.as_json()))
        if chars > LOG_CHARS_MAX:
            return len(entries) - number
    return 0
