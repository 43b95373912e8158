"""``fairgate orders list``: an event's orders, said while they are read."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any, get_args

from fairgate_ops.operate.cli.command import UsageError, Verbs, at_target

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fairgate.service.shared.readable import Readable
    from fairgate.service.shared.records.orders import Order
    from fairgate_ops.operate.target import Target

_PROG = "fairgate orders list"


def add_arguments(verbs: Verbs) -> None:
    listing = verbs.add("list", "List an event's orders, the oldest first.", run_list)
    listing.add_argument("event")
    listing.add_argument("--email", metavar="ADDRESS", help="only those of this address")
    listing.add_argument(
        "--state",
        type=_state,
        metavar="STATE",
        help="only those that are now pending, paid, ticketed, cancelled, …",
    )
    listing.add_argument("--csv", action="store_true", help="one row an order, for spreadsheets")


def _state(text: str) -> str:
    """Raises ArgumentTypeError for what is no state of an order."""
    from fairgate.domain.orders.order import OrderState

    states = get_args(OrderState)
    if text not in states:
        raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(states)}")
    return text


@at_target
def run_list(options: argparse.Namespace, target: Target) -> OrderStream:
    """Buyers' addresses are shown to whoever asks for them here, and stand in no log."""
    from itertools import chain

    from fairgate.service.orders.list_event_orders import event_orders

    if options.csv and options.json:
        usage = f"usage: {_PROG} EVENT [--email ADDRESS] [--state STATE] [--json | --csv]"
        raise UsageError(usage, _PROG, "argument --csv: not allowed with argument --json")
    target.world.catalog.event(options.event)
    found = event_orders(
        target.world.table, options.event, email=options.email or "", state=options.state
    )
    # The first are read before anything is said: what is refused at all is refused plainly.
    first = next(found, None)
    return OrderStream(options, chain([] if first is None else [first], found))


class OrderStream:
    """Says orders as they come, and never holds more of them than are read at once.

    Attributes:
        failed: an item was damaged, or not all could be read.
    """

    def __init__(self, options: argparse.Namespace, found: Iterable[Readable[Order]]) -> None:
        self._options, self._found = options, found
        self._count, self._damaged = 0, list[str]()
        self.failed = False

    def say(self, *, as_json: bool) -> None:
        """Raises what reading raises, unless it stands in the document."""
        if as_json:
            self._say_json()
            return
        if self._options.csv:
            self._say_csv()
        else:
            self._say_lines()
        for where in self._damaged:
            print(f"Left out, as it is damaged: {where}", file=sys.stderr)

    def _orders(self) -> Iterator[Order]:
        """What was said of some is seen before the next are read."""
        for some in self._found:
            yield from some.records
            self._count += len(some.records)
            self._damaged += [f"{key.pk} {key.sk}" for key in some.damaged]
            self.failed = bool(self._damaged)
            sys.stdout.flush()

    def _say_lines(self) -> None:
        from fairgate_ops.operate.cli.order_shape import as_line

        for order in self._orders():
            print(as_line(order))
        orders = "1 order" if self._count == 1 else f"{self._count:,} orders"
        print(f"{orders} of {self._options.event}.")

    def _say_csv(self) -> None:
        import csv

        from fairgate_ops.operate.cli.order_shape import COLUMNS, as_row

        rows = csv.writer(sys.stdout, lineterminator="\n")
        rows.writerow(COLUMNS)
        for order in self._orders():
            rows.writerow(as_row(order))

    def _say_json(self) -> None:
        """One document, whole also where the reading broke off."""
        import json

        from botocore.exceptions import BotoCoreError, ClientError

        from fairgate.errors import FairgateError
        from fairgate_ops.operate.cli.main import INTERRUPTED
        from fairgate_ops.operate.cli.order_shape import as_json
        from fairgate_ops.operate.cli.report import refusal_document, refusal_of

        ended: dict[str, Any] = {}
        interrupted = False
        print(f'{{"event": {json.dumps(self._options.event)}, "orders": [', end="")
        try:
            for number, order in enumerate(self._orders()):
                print(",\n" if number else "\n", end="")
                print(json.dumps(as_json(order), ensure_ascii=False), end="")
        except (FairgateError, ClientError, BotoCoreError) as error:
            self.failed = True
            ended = refusal_document(refusal_of(error, self._options.target))
        except KeyboardInterrupt:
            interrupted = True
            ended = {"error": {"code": "interrupted", "detail": "Interrupted."}}
        rest = {"count": self._count, "damaged": self._damaged, "complete": not ended, **ended}
        print(f"\n], {json.dumps(rest, ensure_ascii=False, default=str)[1:]}")
        if interrupted:
            print("Interrupted.", file=sys.stderr)
            raise SystemExit(INTERRUPTED)
