"""``fairgate queue …``: what was tried too often, looked at and sent again."""

from __future__ import annotations

import argparse

from fairgate.errors import NotFoundError
from fairgate_ops.operate.cli.act import Act, every_log
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.report import Listing, Report
from fairgate_ops.operate.queues import count_messages, redrive
from fairgate_ops.operate.target import Target


@at_target
def run_list(_options: argparse.Namespace, target: Target) -> Report:
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
def run_redrive(options: argparse.Namespace, target: Target) -> Act[int]:
    name, urls = options.queue, target.queues().get(options.queue)
    if urls is None:
        raise NotFoundError(f"There is no queue {name} here.")

    def would() -> Report:
        count = count_messages(target.sqs(), {name: urls})[name].given_up
        data = {"queue": name, "moved": 0, "given_up": count}
        return Report(data, [f"{count} messages of {name} would be sent again."])

    return Act(
        name="queue redrive",
        events=every_log(target),
        detail={"queue": name},
        do=lambda: redrive(target.sqs(), urls, options.max),
        would=would,
        report=lambda moved: Report(
            {"queue": name, "moved": moved}, [f"{moved} messages of {name} sent again."]
        ),
    )
