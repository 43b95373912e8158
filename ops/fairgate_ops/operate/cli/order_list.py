"""``fairgate orders list``: an event's orders, said while they are read."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, get_args

from fairgate_ops.operate.cli.command import UsageError, Verbs, at_target

if TYPE_CHECKING:
    from fairgate.service.shared.records.orders import Order
    from fairgate_ops.operate.cli.record_stream import RecordStream
    from fairgate_ops.operate.target import Target

_PROG = "fairgate orders list"


def add_arguments(verbs: Verbs) -> None:
    listing = verbs.add("list", "List an event's orders, the oldest first.", run_list)
    listing.add_argument("event")
    listing.add_argument(
        "--email", type=_address, metavar="ADDRESS", help="only those of this address"
    )
    listing.add_argument(
        "--state",
        type=_state,
        metavar="STATE",
        help="only those that are now pending, paid, ticketed, cancelled, …",
    )
    listing.add_argument("--csv", action="store_true", help="one row an order, for spreadsheets")


def _address(text: str) -> str:
    """Raises ArgumentTypeError for none, which would list everybody's."""
    if not text.strip():
        raise argparse.ArgumentTypeError("it is empty: leave it out to list every order")
    return text


def _state(text: str) -> str:
    """Raises ArgumentTypeError for what is no state of an order."""
    from fairgate.domain.orders.order import OrderState

    states = get_args(OrderState)
    if text not in states:
        raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(states)}")
    return text


@at_target
def run_list(options: argparse.Namespace, target: Target) -> RecordStream[Order]:
    """Buyers' addresses are shown to whoever asks for them here, and stand in no log."""
    from fairgate.service.orders.list_event_orders import event_orders
    from fairgate_ops.operate.cli.order_shape import SHAPE
    from fairgate_ops.operate.cli.record_stream import RecordStream

    if options.csv and options.json:
        usage = f"usage: {_PROG} EVENT [--email ADDRESS] [--state STATE] [--json | --csv]"
        raise UsageError(usage, _PROG, "argument --csv: not allowed with argument --json")
    target.world.catalog.event(options.event)
    found = event_orders(
        target.world.table, options.event, email=options.email or "", state=options.state
    )
    return RecordStream.begun(options, found, SHAPE)
