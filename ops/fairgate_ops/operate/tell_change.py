"""Mail a change of an event to everybody with tickets; after an interruption it goes on.

The event keeps the change since the edit. Each order notes its mail, so nobody gets it twice.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fairgate.adapters.aws.sqs import SqsMailQueue
from fairgate.service.catalog.last_change import mark_told
from fairgate.service.ledger.manual_tasks import ManualTasks
from fairgate.service.mails.letters import hears_of_changes
from fairgate.service.orders.list_event_orders import event_orders
from fairgate.service.shared.keys import task_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fairgate.ports.outside import MailQueue
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.shared.records.orders import TaskKind
    from fairgate_ops.operate.target import Target

_TASK: TaskKind = "change-untold"


@dataclass(frozen=True, slots=True)
class Told:
    """How many orders' buyers are mailed, and the items that nobody can read."""

    orders: int
    damaged: list[str] = field(default_factory=list)


def operators_mail_queue(target: Target) -> MailQueue:
    """Return the target's mail queue."""
    if target.mail_queue is not None:
        return target.mail_queue()

    def call(operation: str, **request: Any) -> dict[str, Any]:
        sqs = target.sqs()
        if operation == "SendMessageBatch":
            return dict(sqs.send_message_batch(**request))
        return dict(sqs.send_message(**request))

    return SqsMailQueue(target.queues()["mails"].url, call)


def count_told(table: Table, event: str, step: Callable[[int], None]) -> Told:
    """Count whose buyers would be mailed. Cost: reads every order of the event."""
    orders, damaged = 0, list[str]()
    for wanted, unread in _pages(table, event):
        orders, damaged = orders + len(wanted), damaged + unread
        step(len(wanted))
    return Told(orders, damaged)


@dataclass(frozen=True)
class Teller:
    """Tells of changes. Cost: reads every order of the event; a message an order, ten a call."""

    table: Table
    clock: Clock
    mail_queue: Callable[[], MailQueue]  # made where there is somebody to write to

    def tell(self, event: str, number: int, step: Callable[[int], None]) -> Told:
        """Ask for the mail of every order that admits somebody, then note that all were told.

        Until then it is a task of a person to see that it goes on.

        Raises DependencyUnavailableError: begin it again.
        """
        tasks, orders, damaged = ManualTasks(self.table, self.clock), 0, list[str]()
        what = (
            "Its event was changed and not everybody with tickets has been written to: go on with"
            f" `fairgate event edit {event} --tell`."
        )
        for wanted, unread in _pages(self.table, event):
            if wanted and not orders:
                tasks.note(_TASK, what, event=event, thing=str(number))
            if wanted:
                self.mail_queue().mail_change(wanted, number)
            orders, damaged = orders + len(wanted), damaged + unread
            step(len(wanted))
        mark_told(self.table, self.clock, event, number)
        name = task_id(_TASK, event, "", "", str(number))
        if tick := tasks.settled(name, "Mails to all of them have been asked for."):
            self.table.transact(tick)
        return Told(orders, damaged)


def _pages(table: Table, event: str) -> Iterator[tuple[list[str], list[str]]]:
    """Name the orders to tell, a hundred at most at once, and the items that cannot be read."""
    for page in event_orders(table, event):
        wanted = [order.order_id for order in page.records if hears_of_changes(order)]
        yield [str(order) for order in wanted], [key.sk for key in page.damaged]
