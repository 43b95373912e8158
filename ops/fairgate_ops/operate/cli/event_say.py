"""``fairgate event say``: a message of the organiser's on the pages of an event."""

from __future__ import annotations

import argparse

from fairgate.domain.shared.times import epoch_ms
from fairgate.service.catalog.say_to_buyers import say_no_more, say_to_buyers, template
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
        would=lambda: _report(options, change(dry_run=True)),
        report=lambda sale: _report(options, sale),
    )


def _texts(options: argparse.Namespace) -> dict[str, str]:
    """Return the message by language: the template's, and over it what was typed."""
    texts = template(options.template) if options.template else {}
    if options.text is not None:
        texts["en"] = options.text
    return texts | dict(options.translation)


def _report(options: argparse.Namespace, sale: Event) -> Report:
    message = sale.message
    if message is None or options.off:
        return Report(
            {"event": sale.id, "message": None}, [f"{sale.id} shows no message any more."]
        )
    until = shown(epoch_ms(message.until) // 1000, options)
    lines = [f"{sale.id} tells {_READERS[message.to]} until {until}:"]
    lines += [f"  {language}: {text}" for language, text in message.texts.items()]
    return Report({"event": sale.id, "message": message.as_map()}, lines)
