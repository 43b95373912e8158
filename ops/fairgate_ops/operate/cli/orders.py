"""``fairgate orders …``: the payment provider's books against the orders, now."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from fairgate.domain.shared.times import epoch_ms
from fairgate.errors import MalformedInputError
from fairgate_ops.operate.cli.report import LISTED_MAX, Report

if TYPE_CHECKING:
    import argparse

    from fairgate_ops.operate.target import Target


def run_reconcile(options: argparse.Namespace, target: Target) -> Report:
    """As the hourly function does it. With --dry-run everything is said and nothing is done."""
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
    events = [str(item["SK"]) for item in world.catalog.events()]
    found = reconciler.run(events, since_ms=_since(options.since), dry_run=options.dry_run)
    data = {
        "since": found.since,
        "until": found.until,
        "captures": found.captures,
        "dry_run": options.dry_run,
        "differences": [asdict(difference) for difference in found.differences],
    }
    lines = [f"{found.captures} captures from {found.since} to {found.until}."]
    lines += [f"  {d.kind:<12} {d.order}  {d.payment}  {d.what}" for d in found.differences]
    if len(lines) > LISTED_MAX + 1:
        lines[LISTED_MAX + 1 :] = [f"  … and {len(lines) - LISTED_MAX - 1} more; --json lists all."]
    looked_at = found.count("raised", "failed")
    repaired = "would be repaired" if options.dry_run else "repaired"
    lines.append(f"{found.repaired} {repaired}, {looked_at} to look at.")
    return Report(data, lines)


def _since(text: str | None) -> int | None:
    if text is None:
        return None
    try:
        return epoch_ms(text)
    except ValueError as error:
        raise MalformedInputError(
            f"--since {text!r} is no time with its zone, like 2030-06-01T18:00:00Z."
        ) from error
