"""``fairgate watch``: a sale as it goes on, refreshed every two seconds."""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

from fairgate.domain.shared.ids import EVENT_ID
from fairgate.domain.shared.labels import harmless
from fairgate.errors import DependencyUnavailableError, NotFoundError
from fairgate.service.shared.keys import event_key
from fairgate.service.shared.records.catalog import Event
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.report import Report
from fairgate_ops.operate.cli.streams import answering
from fairgate_ops.operate.cli.watch_lines import text_lines
from fairgate_ops.operate.doctor.site import fetch
from fairgate_ops.operate.target import Target
from fairgate_ops.operate.watch.screen import EVERY_S, ONCE_S, Watched
from fairgate_ops.shared.json_text import json_text


@at_target
def run_watch(options: argparse.Namespace, target: Target) -> Report:
    watched = Watched(target, fetch, options.stage, options.event)
    watched.wait(ONCE_S)
    _refuse_unheard_of(watched.document(), target)
    if not options.once:
        with answering():
            _go_on(options, watched)
    document = watched.document()
    unknown = [one["event"] for one in document["events"] if one["figures"]["at"] is None]
    failed = bool(unknown or document["catalog"]["error"])
    if options.json or not sys.stdout.isatty():
        return Report(document, [] if options.json else text_lines(document, options), failed)
    from fairgate_ops.operate.cli.watch_live import show_once

    with answering():
        show_once(document, options)
    return Report(document, failed=failed)


def _refuse_unheard_of(document: dict[str, Any], target: Target) -> None:
    """Raise NotFoundError for a name that is no event's; what cannot be asked is shown as ?."""
    for event in (one["event"] for one in document["events"] if one["figures"]["at"] is None):
        try:
            there = EVENT_ID.fullmatch(event) and target.world.table.find(Event, event_key(event))
        except DependencyUnavailableError:
            return
        if not there:
            raise NotFoundError(f"There is no event {event}. `event list` shows what there is.")


def _go_on(options: argparse.Namespace, watched: Watched) -> None:
    """Show it until the operator ends it: in place, or a block every two seconds."""
    if sys.stdout.isatty() and not options.json:
        from fairgate_ops.operate.cli.watch_live import go_on

        go_on(watched, options)

    while True:
        document = watched.document()
        if options.json:
            print(json_text(document), flush=True)
        else:
            print(*map(harmless, text_lines(document, options)), "", sep="\n", flush=True)
        time.sleep(EVERY_S)
        watched.ask()
