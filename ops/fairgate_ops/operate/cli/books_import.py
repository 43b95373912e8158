"""``fairgate books import``: enter what moved on the balance at the payment provider."""

from __future__ import annotations

import argparse
import functools
import sys
import time
from typing import TYPE_CHECKING

from fairgate_ops.operate.cli.command import Verbs, at_target, number
from fairgate_ops.operate.cli.report import LISTED_MAX, Report, count_text

if TYPE_CHECKING:
    from fairgate.service.orders.import_movements import Imported, MovementImporter
    from fairgate_ops.operate.target import Target

RATE_DEFAULT = 5.0  # lists of the provider a second, a hundred movements each
RATE_MAX = 25.0
_PAUSES_S = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0)  # while the provider refuses for now
_WHAT = "Enter the payment provider's fees and payouts, each once."
_MORE = (
    " Every hour the comparison with the provider does the same. Ended at any point, it goes on"
    " when it is begun again: nothing is entered twice, and nothing is changed."
)


def add_arguments(verbs: Verbs) -> None:
    verb = verbs.add("import", _WHAT, run_import)
    verb.description = _WHAT + _MORE
    verb.add_argument(
        "--since",
        metavar="TIME",
        help="RFC 3339; else since the last import, or since the first event was created",
    )
    verb.add_argument(
        "--rate",
        type=lambda text: number(text, 0.1, RATE_MAX),
        default=RATE_DEFAULT,
        metavar="LISTS",
        help=f"of the provider a second, at most (else {RATE_DEFAULT:g})",
    )


@at_target
def run_import(options: argparse.Namespace, target: Target) -> Report:
    """Not well while a list was not read to its end, or an entry could not be."""
    from msgspec import to_builtins

    from fairgate.service.orders.import_movements import MovementImporter, first_of
    from fairgate_ops.operate.cli.every_log import logged_in
    from fairgate_ops.operate.cli.orders import since_ms_of

    world, since_ms = target.world, since_ms_of(options.since)
    catalog = world.catalog.all()
    wait = functools.partial(time.sleep, 1 / options.rate)
    importer = MovementImporter(world.table, world.clock, world.payments, wait)
    first_ms = first_of(catalog.events, world.clock.now_ms())
    done = target.acts(dry_run=options.dry_run).do_in_each(
        logged_in(target, catalog.ids),
        "books import",
        {"since": options.since},
        lambda: _imported(importer, first_ms, since_ms, dry_run=options.dry_run),
    )
    data = to_builtins(done) | {"dry_run": options.dry_run}
    would = "would be entered" if options.dry_run else "entered"
    failures = [f"Not entered: {f.what}: {f.error} {f.detail}".rstrip() for f in done.failures]
    others = f"{done.of_others:,} of them of no order of ours; {done.known:,} were known."
    lines = [
        f"{count_text(done.new, 'movement')} from {done.since} to {done.until} {would}, {others}",
        f"{done.payouts:,} news of payouts and {count_text(done.parts, 'part')} of them {would}.",
        *failures[:LISTED_MAX],
        *([] if done.complete else ["Not all of it: run the same again."]),
    ]
    return Report(data, lines, failed=bool(done.failures))


def _imported(
    importer: MovementImporter, first_ms: int, since_ms: int | None, *, dry_run: bool
) -> Imported:
    """Go on after a pause as often as the provider refuses for now; what is entered stays."""
    from fairgate.domain.shared.times import epoch_ms

    done = importer.run(first_ms, since_ms=since_ms, dry_run=dry_run)
    for pause_s in _PAUSES_S:
        if done.complete or not any(failure.temporary for failure in done.failures):
            break
        print(
            f"The payment provider refuses for now. Pausing for {pause_s:.0f} s.",
            file=sys.stderr,
            flush=True,
        )
        time.sleep(pause_s)
        by_mark = since_ms is None and not dry_run  # which a dry run leaves where it is
        begin_ms = None if by_mark else epoch_ms(done.until)
        done.count(importer.run(first_ms, since_ms=begin_ms, dry_run=dry_run))
    return done
