"""``fairgate orders list``: an event's orders, said while they are read."""

from __future__ import annotations

import argparse

from fairgate.domain.orders.find_words import WORDS_MAX, words_of
from fairgate.service.orders.list_event_orders import event_orders
from fairgate.service.shared.records.orders import Order
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.order_shape import SHAPE
from fairgate_ops.operate.cli.record_stream import RecordStream, after
from fairgate_ops.operate.target import Target


@at_target
def run_list(options: argparse.Namespace, target: Target) -> RecordStream[Order]:
    """List orders with their buyers' addresses; no log gets these."""
    target.world.catalog.event(options.event)
    found = event_orders(
        target.world.table,
        options.event,
        email=options.email or "",
        state=options.state,
        words=words_of(options.find or "")[:WORDS_MAX],
        after=after(options),
    )
    return RecordStream.begun(options, found, SHAPE)
