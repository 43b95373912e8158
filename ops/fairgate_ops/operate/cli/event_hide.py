"""``fairgate event hide`` and ``show-again``: out of the list of events, and back into it."""

from __future__ import annotations

import argparse

from fairgate.service.catalog.hide_event import set_hidden
from fairgate.service.shared.records.catalog import Event
from fairgate_ops.operate.cli.act import Act
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.report import Report
from fairgate_ops.operate.target import Target


@at_target
def run_hide(options: argparse.Namespace, target: Target) -> Act[Event]:
    page = f"{target.world.settings.public_url}/e/{options.event}"
    text = f"{options.event} is in no list; its page still works: {page}"
    return _act(options, target, "hide", text, hidden=True)


@at_target
def run_show_again(options: argparse.Namespace, target: Target) -> Act[Event]:
    text = f"{options.event} is in the list again."
    return _act(options, target, "show again", text, hidden=False)


def _act(
    options: argparse.Namespace, target: Target, name: str, text: str, *, hidden: bool
) -> Act[Event]:
    event, world = options.event, target.world

    def change(*, dry_run: bool) -> Event:
        return set_hidden(world.table, world.clock, event, hidden=hidden, dry_run=dry_run)

    def report(sale: Event) -> Report:
        return Report({"event": event, "hidden": sale.hidden}, [text])

    return Act(
        name=name,
        events=[event],
        do=lambda: change(dry_run=False),
        would=lambda: report(change(dry_run=True)),
        report=report,
    )
