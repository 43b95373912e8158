"""``fairgate event say``: a message of the organiser's on the pages of an event."""

from __future__ import annotations

import argparse
from typing import Any

from fairgate.domain.shared.times import epoch_ms
from fairgate.service.catalog.say_to_buyers import (
    say_no_more,
    say_to_buyers,
    shown_message,
    template,
)
from fairgate.service.shared.records.catalog import Event
from fairgate_ops.operate.cli.act import Act
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.report import Report
from fairgate_ops.operate.cli.times import shown
from fairgate_ops.operate.target import Target

_READERS = {
    "all": "everybody on its pages",
    "waiting": "those who wait",
    "shopping": "those who choose and pay",
}


@at_target
def run_say(options: argparse.Namespace, target: Target) -> Act[Event]:
    event, world = options.event, target.world
    texts = _texts(options)
    if bool(texts) == options.off:
        options.usage_error("write the message, name a --template, or take it away by --off")

    def change(*, dry_run: bool) -> Event:
        if options.off:
            return say_no_more(world.table, world.clock, event, dry_run=dry_run)
        return say_to_buyers(
            world.table,
            world.clock,
            event,
            texts,
            to=options.to,
            shown_s=options.lasting_s,
            dry_run=dry_run,
        )

    return Act(
        name="say",
        events=[event],
        detail={"off": True} if options.off else {"texts": texts, "to": options.to},
        do=lambda: change(dry_run=False),
        would=lambda: _report(options, change(dry_run=True), world.clock.now_ms()),
        report=lambda sale: _report(options, sale, world.clock.now_ms()),
    )


def _texts(options: argparse.Namespace) -> dict[str, str]:
    """Return the message by language: the template's, and over it what was typed."""
    texts = template(options.template) if options.template else {}
    if options.text is not None:
        texts["en"] = options.text
    return texts | dict(options.translation)


def message_shown(
    sale: Event, now_ms: int, options: argparse.Namespace
) -> tuple[dict[str, Any] | None, list[str]]:
    """Return the message that buyers see now, for programs and in lines; None where none is."""
    message = shown_message(sale, now_ms)
    if message is None:
        return None, []
    until = shown(epoch_ms(message.until) // 1000, options)
    lines = [f"{sale.id} tells {_READERS[message.to]} until {until}:"]
    lines += [f"  {language}: {text}" for language, text in message.texts.items()]
    return message.as_map(), lines


def _report(options: argparse.Namespace, sale: Event, now_ms: int) -> Report:
    message, lines = message_shown(sale, now_ms, options)
    if message is None:
        lines = [f"{sale.id} shows no message any more."]
    return Report({"event": sale.id, "message": message}, lines)
