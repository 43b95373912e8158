"""``fairgate orders …``: the payment provider's books against the orders, now."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from fairgate_ops.operate.cli.command import Verbs, at_target
from fairgate_ops.operate.cli.report import LISTED_MAX, Listing, Report

if TYPE_CHECKING:
    from fairgate_ops.operate.target import Target


def add_arguments(group: argparse.ArgumentParser) -> None:
    comparing = Verbs(group).add(
        "reconcile",
        "Compare the payment provider's books with the orders; repair what differs.",
        run_reconcile,
    )
    comparing.add_argument(
        "--since", metavar="TIME", help="RFC 3339; else since the last complete run, less an hour"
    )


@at_target
def run_reconcile(options: argparse.Namespace, target: Target) -> Report:
    """As the hourly function does it. With --dry-run everything is said and nothing is done."""
    from dataclasses import asdict

    from fairgate.service.orders.reconcile_payments import Reconciler
    from fairgate.service.orders.refunds import Refunder
    from fairgate.service.orders.settle_payment import PaymentSettler

    world = target.world
    reconciler = Reconciler(
        world.table,
        world.clock,
        PaymentSettler(world.table, world.clock, world.payments),
        Refunder(world.table, world.clock, world.payments),
    )
    events = [sale.id for sale in world.catalog.events()]
    books = reconciler.run(events, since_ms=_since(options.since), dry_run=options.dry_run)
    data = {
        "since": books.since,
        "until": books.until,
        "captures": books.captures,
        "dry_run": options.dry_run,
        "differences": [asdict(difference) for difference in books.differences],
    }
    shown = books.differences[:LISTED_MAX]
    listing = Listing(
        ("What", "Order", "Payment", "Why"),
        [(d.kind, d.order, d.payment, d.what) for d in shown],
        [f"  {d.kind:<12} {d.order}  {d.payment}  {d.what}" for d in shown],
    )
    more = len(books.differences) - len(shown)
    repaired = "would be repaired" if options.dry_run else "repaired"
    return Report(
        data,
        [
            f"{books.captures} captures from {books.since} to {books.until}.",
            listing,
            *([f"  … and {more} more; --json lists all."] if more else []),
            f"{books.repaired} {repaired}, {books.count('raised', 'failed')} to look at.",
        ],
    )


def _since(text: str | None) -> int | None:
    if text is None:
        return None
    from fairgate.domain.shared.times import epoch_ms
    from fairgate.errors import MalformedInputError

    try:
        return epoch_ms(text)
    except ValueError as error:
        raise MalformedInputError(
            f"--since {text!r} is no time with its zone, like 2030-06-01T18:00:00Z."
        ) from error
