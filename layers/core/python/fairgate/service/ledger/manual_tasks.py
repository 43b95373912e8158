"""Keep the list of what only a person can do; each task is written once.

(none) ──► open ──► done, with the person and the note; or done by the provider
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import NotFoundError, WrongStateError
from fairgate.ports.record import DamagedItemError
from fairgate.ports.table import Action, Put, TransactionRefusedError, Update
from fairgate.service.shared.conditions import TASK_IS_OPEN
from fairgate.service.shared.keys import TASK, task_id, task_key
from fairgate.service.shared.readable import read_readable
from fairgate.service.shared.records.orders import ManualTask, TaskKind

if TYPE_CHECKING:
    from collections.abc import Collection

    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

PROVIDER = "the payment provider"  # ended the task, not a person
_REASON_CHARS_MAX = 500
_DAMAGED = "This task cannot be read any more: look into its item, and repair or delete it."


class ManualTasks(Struct, frozen=True):
    """Writes and reads manual tasks. Cost: a read; for a new task a write more."""

    table: Table
    clock: Clock

    def note(
        self,
        kind: TaskKind,
        what: str,
        *,
        event: str = "",
        order: str = "",
        payment: str = "",
        thing: str = "",
    ) -> bool:
        """Write the task. Return False if it was written before, done or not.

        Args:
            what: a person has to do; with ids and amounts, never with names or addresses.
            thing: what it is about, if that is neither an order nor a payment.
        """
        actions = self.noted(kind, what, event=event, order=order, payment=payment, thing=thing)
        if not actions:
            return False
        try:
            self.table.transact(actions)
        except TransactionRefusedError:
            return False  # somebody else noticed it at the same moment
        return True

    def noted(
        self,
        kind: TaskKind,
        what: str,
        *,
        event: str = "",
        order: str = "",
        payment: str = "",
        thing: str = "",
    ) -> list[Action]:
        """Return the write of the task, for a transaction; [] if it was written before."""
        name = task_id(kind, event, order, payment, thing)
        try:
            if self.table.find(ManualTask, task_key(name)) is not None:
                return []
        except DamagedItemError:
            return []  # it is listed as damaged
        task = ManualTask(
            *task_key(name),
            task_id=name,
            kind=kind,
            what=what,
            since=rfc3339(self.clock.now_ms()),
            event_id=event,
            order_id=order,
            payment_id=payment,
        )
        return [Put.of(task)]

    def settled(self, name: str, how: str) -> list[Action]:
        """Return the write that ends a task because the provider did it; [] if none is open."""
        try:
            task = self.table.find(ManualTask, task_key(name))
        except DamagedItemError:
            return []  # it stays listed as damaged, and the money has gone back
        return [] if task is None or task.done_at else [self._tick(task, PROVIDER, how)]

    def settled_for(self, payment: str, kinds: Collection[TaskKind], how: str) -> list[Action]:
        """Return the writes that end all open tasks of these kinds about a payment.

        Cost: reads the list of tasks.
        """
        about = [one for one in self.open() if one.payment_id == payment and one.kind in kinds]
        return [self._tick(task, PROVIDER, how) for task in about]

    def find(self, name: str) -> ManualTask:
        """Return one task. Raises NotFoundError."""
        task = self.table.find(ManualTask, task_key(name))
        if task is None:
            raise NotFoundError("There is no such task: `fairgate orders tasks` lists them.")
        return task

    def find_open(self, name: str) -> ManualTask:
        """Return an open task. Raises NotFoundError, WrongStateError."""
        task = self.find(name)
        if task.done_at:
            raise _done_before(task)
        return task

    def all(self) -> list[ManualTask]:
        """List all tasks: damaged ones first, then the oldest first."""
        read = read_readable(self.table, ManualTask, TASK)
        damaged = [
            ManualTask(*key, task_id=key.sk, kind="entry-failed", what=_DAMAGED, since="")
            for key in read.damaged
        ]
        return sorted([*damaged, *read.records], key=lambda task: task.since)

    def open(self) -> list[ManualTask]:
        """List the open tasks, the oldest first."""
        return [task for task in self.all() if not task.done_at]

    def done(self, name: str, by: str, reason: str) -> ManualTask:
        """Tick a task off, once.

        Raises:
            NotFoundError: there is none of this name.
            WrongStateError: it was ticked off before; by whom is in the text.
        """
        tick = self._tick(self.find(name), by, reason)
        try:
            self.table.update(tick)
        except TransactionRefusedError as refused:
            raise _done_before(self.find(name)) from refused
        return self.find(name)

    def _tick(self, task: ManualTask, by: str, reason: str) -> Update:
        return Update(
            "reservations",
            *task.key,
            condition=TASK_IS_OPEN,
            set={
                "doneAt": rfc3339(self.clock.now_ms()),
                "doneBy": by,
                "reason": reason[:_REASON_CHARS_MAX],
            },
        )


def _done_before(task: ManualTask) -> WrongStateError:
    return WrongStateError(f"Ticked off before, by {task.done_by} at {task.done_at}.")
