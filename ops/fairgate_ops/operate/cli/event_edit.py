"""``fairgate event edit``: change the terms of an event for what is not yet sold."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from fairgate_ops.operate.cli.command import Verbs, add_reason, at_target
from fairgate_ops.operate.cli.money import minor_units

if TYPE_CHECKING:
    from fairgate_ops.operate.cli.report import Report
    from fairgate_ops.operate.target import Target

_NEVER = "never"


def add_arguments(verbs: Verbs) -> None:
    verb = verbs.add("edit", "Change the terms of cancelling for what is not yet sold.", run_edit)
    verb.add_argument("event")
    verb.add_argument(
        "--cancel-until",
        metavar="TIME",
        help="until when buyers may cancel, RFC 3339 with its zone; or never",
    )
    verb.add_argument(
        "--cancel-fee", type=minor_units, metavar="MINOR", help="kept of a cancelled place"
    )
    add_reason(verb)


@at_target
def run_edit(options: argparse.Namespace, target: Target) -> Report:
    """Orders keep what they were bought with."""
    from dataclasses import asdict

    from fairgate.errors import MalformedInputError
    from fairgate.service.catalog.edit_event import edit_cancelling
    from fairgate_ops.operate.cli.event_page import cancelling
    from fairgate_ops.operate.cli.gate_report import reasoned
    from fairgate_ops.operate.cli.report import Report

    if options.cancel_until is None and options.cancel_fee is None:
        raise MalformedInputError("Say what is to change: --cancel-until TIME, --cancel-fee MINOR.")
    until = "" if options.cancel_until == _NEVER else options.cancel_until
    change = target.acts(dry_run=options.dry_run).do(
        options.event,
        "event edited",
        reasoned(options, cancel_until=options.cancel_until, cancel_fee_minor=options.cancel_fee),
        lambda: edit_cancelling(
            target.world.table,
            options.event,
            until=until,
            fee_minor=options.cancel_fee,
            dry_run=options.dry_run,
        ),
    )
    sale = target.world.catalog.event(options.event)
    after = change.after
    text = cancelling(after.cancel_until, after.cancel_fee_minor, sale.currency, options)
    lines = ["Dry run, nothing written."] if options.dry_run else []
    same = "as it was" if change.before == after else "for what is ordered from now on"
    lines.append(f"{options.event}: {text}; {same}. Orders keep what they were made with.")
    data = {
        "event": options.event,
        "changed": change.before != after and not options.dry_run,
        "dry_run": options.dry_run,
        "before": asdict(change.before),
        "after": asdict(after),
    }
    return Report(data, lines)
