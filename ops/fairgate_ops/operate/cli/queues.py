"""``fairgate queue …``: what was tried too often, looked at and sent again."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from fairgate_ops.operate.cli.command import Verbs, add_reason, at_target
from fairgate_ops.operate.cli.report import Listing, Report

if TYPE_CHECKING:
    from fairgate_ops.operate.target import Target

MESSAGES_MAX = 1_000_000
QUEUES = ("expiry", "invalidations", "mails", "tickets")


def add_arguments(group: argparse.ArgumentParser) -> None:
    verbs = Verbs(group)
    verbs.add(
        "list", "List each queue: how many messages wait, and how many were given up.", run_list
    )
    again = verbs.add("redrive", "Send the messages that were given up once more.", run_redrive)
    again.add_argument("queue", choices=QUEUES)
    again.add_argument("--max", type=_messages, default=1_000, metavar="MESSAGES")
    add_reason(again)


def _messages(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= MESSAGES_MAX:
        raise argparse.ArgumentTypeError(f"{text!r} is not 1 to {MESSAGES_MAX:,} messages")
    return int(text)


@at_target
def run_list(_options: argparse.Namespace, target: Target) -> Report:
    from fairgate_ops.operate.queues import count_messages

    counts = count_messages(target.sqs(), target.queues())
    listing = Listing(
        ("Queue", "Waiting", "Given up"),
        [(name, f"{waiting:,}", f"{dead:,}") for name, (waiting, dead) in counts.items()],
        [
            f"{name:<14} {waiting:>6} waiting {dead:>6} given up"
            for name, (waiting, dead) in counts.items()
        ],
    )
    return Report({"queues": {name: c._asdict() for name, c in counts.items()}}, [listing])


@at_target
def run_redrive(options: argparse.Namespace, target: Target) -> Report:
    from fairgate.errors import NotFoundError
    from fairgate_ops.operate.cli.every_log import logged_in
    from fairgate_ops.operate.cli.gate_report import reasoned
    from fairgate_ops.operate.queues import count_messages, redrive

    name, urls = options.queue, target.queues().get(options.queue)
    if urls is None:
        raise NotFoundError(f"There is no queue {name} here.")
    if options.dry_run:
        count = count_messages(target.sqs(), {name: urls})[name].given_up
        data = {"queue": name, "moved": 0, "given_up": count, "dry_run": True}
        return Report(data, [f"Dry run, nothing sent: {count} messages of {name}."])
    moved = target.acts().do_in_each(
        logged_in(target, target.world.catalog.all().ids),
        "queue redrive",
        reasoned(options, queue=name),
        lambda: redrive(target.sqs(), urls, options.max),
    )
    data = {"queue": name, "moved": moved, "dry_run": False}
    return Report(data, [f"{moved} messages of {name} sent again."])
