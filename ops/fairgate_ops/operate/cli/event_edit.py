"""``fairgate event edit``: change what an event tells, and its terms for what is not yet sold."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from fairgate_ops.operate.cli.command import Verbs, add_reason, at_target
from fairgate_ops.operate.cli.event_create import add_facts
from fairgate_ops.operate.cli.money import minor_units

if TYPE_CHECKING:
    from fairgate.service.catalog.edit_event import EventChange
    from fairgate_ops.operate.cli.report import Report
    from fairgate_ops.operate.target import Target

_NEVER = "never"


def add_arguments(verbs: Verbs) -> None:
    verb = verbs.add("edit", "Change what an event tells, and what is not yet sold.", run_edit)
    verb.add_argument("event")
    verb.add_argument("--name", default=argparse.SUPPRESS)
    add_facts(verb)
    verb.add_argument(
        "--cancel-until",
        metavar="TIME",
        help="until when buyers may cancel, RFC 3339 with its zone; or never",
    )
    verb.add_argument(
        "--cancel-fee",
        dest="cancel_fee_minor",
        type=minor_units,
        metavar="MINOR",
        help="kept of a cancelled place",
    )
    add_reason(verb)


@at_target
def run_edit(options: argparse.Namespace, target: Target) -> Report:
    """Orders keep what they were bought with."""
    from fairgate.errors import MalformedInputError
    from fairgate.service.catalog.edit_event import edit_event
    from fairgate_ops.operate.cli.gate_report import reasoned
    from fairgate_ops.operate.cli.report import Report

    wanted = _wanted(options)
    if not wanted:
        raise MalformedInputError("Say what is to change: --name, --starts-at, --cancel-until, …")
    sale = target.world.catalog.event(options.event)
    was = {f"{name}_was": getattr(sale, name) for name in wanted}
    change = target.acts(dry_run=options.dry_run).do(
        options.event,
        "event edited",
        reasoned(options, **wanted, **was),
        lambda: edit_event(target.world.table, options.event, wanted, dry_run=options.dry_run),
    )
    lines = ["Dry run, nothing written."] if options.dry_run else []
    lines += _lines(options, change, sale.currency)
    data = {
        "event": options.event,
        "changed": change.before != change.after and not options.dry_run,
        "dry_run": options.dry_run,
        "before": dict(change.before),
        "after": dict(change.after),
    }
    return Report(data, lines)


def _wanted(options: argparse.Namespace) -> dict[str, Any]:
    from fairgate.service.catalog.edit_event import EDITABLE

    typed = vars(options)
    wanted = {name: typed[name] for name in EDITABLE if typed.get(name) is not None}
    if wanted.get("cancel_until") == _NEVER:
        wanted["cancel_until"] = ""
    return wanted


def _lines(options: argparse.Namespace, change: EventChange, currency: str) -> list[str]:
    """Say each field's value before and after; the terms of cancelling in a sentence."""
    from fairgate_ops.operate.cli.event_page import cancelling

    before, after = change.before, change.after
    if before == after:
        return [f"{options.event} is as it was: nothing to change."]
    lines = [f"{options.event}:"]
    for name, value in after.items():
        if value != before[name]:
            old, new = (str(side) if side != "" else "nothing" for side in (before[name], value))
            lines.append(f"  {name.replace('_', ' ')}: {old} → {new}")
    if "cancel_until" in after:
        terms = cancelling(after["cancel_until"], after["cancel_fee_minor"], currency, options)
        lines.append(f"From now on {terms}. Orders keep what they were made with.")
    return lines
