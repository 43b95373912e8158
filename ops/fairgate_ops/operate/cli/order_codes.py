"""``fairgate orders drop-codes``: rid old orders of the codes that were stored with them.

It is apart from what operators do to tickets over HTTP, because it reads the whole table by the
models, which no function has.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from fairgate.service.orders.drop_codes import CodeDropper, has_codes
from fairgate.service.shared.records.orders import Order
from fairgate_ops.operate.cli.act import Act
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.report import LISTED_MAX, Report, count_text
from fairgate_ops.operate.tables import Tables
from fairgate_ops.operate.target import Target


@at_target
def run_drop_codes(options: argparse.Namespace, target: Target) -> Act[tuple[int, list[str]]]:
    """Of one event, in any state. A copied code admits as before: only the stored text goes."""
    world, event = target.world, options.event
    world.catalog.event(event)
    dropper = CodeDropper(world.table, world.clock)

    def stored() -> Iterator[Order]:
        return (order for order in Tables.of(target).orders(event) if has_codes(order))

    def drop() -> tuple[int, list[str]]:
        done = {order.order_id: dropper.drop(order) for order in stored()}
        return sum(done.values()), [order for order, dropped in done.items() if not dropped]

    def report(done: tuple[int, list[str]]) -> Report:
        dropped, kept = done
        lines = [
            f"{count_text(dropped, 'order')} of {event} rid of stored codes.",
            *(f"{order} keeps a code that is not its own." for order in kept[:LISTED_MAX]),
        ]
        return Report({"event": event, "dropped": dropped, "kept": kept}, lines, failed=bool(kept))

    def would() -> Report:
        count = sum(1 for _ in stored())
        text = f"{count_text(count, 'order')} of {event} with stored codes."
        return Report({"event": event, "orders": count}, [text])

    return Act(name="orders drop-codes", events=[event], do=drop, would=would, report=report)
