"""``fairgate event delete``: remove a draft, asked for by its id."""

from __future__ import annotations

import argparse

from fairgate.domain.gate.gate_config import gate_key
from fairgate.service.catalog.delete_event import delete_event
from fairgate.service.gate.control_gate import parsed
from fairgate_ops.operate.cli.act import Act
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.report import Report
from fairgate_ops.operate.target import Target


@at_target
def run_delete(options: argparse.Namespace, target: Target) -> Act[int]:
    event = options.event
    parsed(event, target.world.gate_values.read(gate_key(event))[0])  # else there is no such event

    def delete(*, dry_run: bool) -> int:
        creator, control = target.creator(dry_run=dry_run), target.control(dry_run=dry_run)
        return delete_event(creator, control, event, starts_in_s=target.lead_s)

    def report(removed: int) -> Report:
        data = {"event": event, "removed": removed}
        if options.dry_run:
            return Report(data, [f"{event} can be deleted."])
        gone = f"{event} is deleted with {removed:,} seats and counters. Its chart file stays."
        return Report(data, [gone])

    return Act(
        name="delete",
        events=[event],
        ends=[f"Deletes the draft {event} with all of its seats, for good."],
        word=event,
        do=lambda: delete(dry_run=False),
        would=lambda: report(delete(dry_run=True)),
        report=report,
    )
