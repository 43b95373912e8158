"""``fairgate books import``: enter what moved on the balance at the payment provider."""

from __future__ import annotations

import argparse
import functools

from msgspec import to_builtins

from fairgate.domain.shared.times import epoch_ms
from fairgate.service.books.import_movements import Imported, MovementImporter, first_of
from fairgate_ops.operate.cli.act import Act, every_log
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.orders import since_ms_of
from fairgate_ops.operate.cli.report import LISTED_MAX, Report, count_text
from fairgate_ops.operate.target import Target
from fairgate_ops.shared.progress import notice, pause

_PAUSES_S = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0)  # while the provider refuses for now


@at_target
def run_import(options: argparse.Namespace, target: Target) -> Act[Imported]:
    """Not well while a list was not read to its end, or an entry could not be."""
    world, since_ms = target.world, since_ms_of(options.since)
    catalog = world.catalog.all()
    wait = functools.partial(pause, 1 / options.rate)
    importer = MovementImporter(world.table, world.clock, world.payments, wait)
    first_ms = first_of(catalog.events, world.clock.now_ms())
    run = functools.partial(_imported, importer, first_ms, since_ms)
    return Act(
        name="books import",
        events=every_log(target, catalog.ids),
        detail={"since": options.since},
        do=functools.partial(run, dry_run=False),
        would=lambda: _entered(run(dry_run=True), "would be entered"),
        report=lambda done: _entered(done, "entered"),
    )


def _entered(done: Imported, entered: str) -> Report:
    failures = [f"Not entered: {f.what}: {f.error} {f.detail}".rstrip() for f in done.failures]
    others = f"{done.of_others:,} of them of no order of ours; {done.known:,} were known."
    parts = count_text(done.parts, "part")
    lines = [
        f"{count_text(done.new, 'movement')} from {done.since} to {done.until} {entered}, {others}",
        f"{done.payouts:,} news of payouts and {parts} of them {entered}.",
        *failures[:LISTED_MAX],
        *([] if done.complete else ["Not all of it: run the same again."]),
    ]
    return Report(to_builtins(done), lines, failed=bool(done.failures))


def _imported(
    importer: MovementImporter, first_ms: int, since_ms: int | None, *, dry_run: bool
) -> Imported:
    """Go on after a pause as often as the provider refuses for now; what is entered stays."""
    done = importer.run(first_ms, since_ms=since_ms, dry_run=dry_run)
    for pause_s in _PAUSES_S:
        if done.complete or not any(failure.temporary for failure in done.failures):
            break
        notice(f"The payment provider refuses for now. Pausing for {pause_s:.0f} s.")
        pause(pause_s)
        by_mark = since_ms is None and not dry_run  # which a dry run leaves where it is
        begin_ms = None if by_mark else epoch_ms(done.until)
        done.count(importer.run(first_ms, since_ms=begin_ms, dry_run=dry_run))
    if since_ms is None and not done.complete:
        pause(0.0)  # where the time is over, the next run of a job goes on from the mark
    return done
