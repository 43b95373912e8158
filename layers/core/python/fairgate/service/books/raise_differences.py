"""Make a manual task of each difference that a comparison of books and orders cannot repair."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.errors import PaymentRefusedError
from fairgate.service.books.books import Difference, Kind, Reconciled
from fairgate.service.shared.failures import Failure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate.ports.payments import Capture, Payments, UnreadableEntry
    from fairgate.service.ledger.manual_tasks import ManualTasks
    from fairgate.service.shared.records.orders import Order, OwedRefund, TaskKind


class Raiser(Struct, frozen=True):
    """Makes a manual task of a difference, once.

    Attributes:
        dry_run: nothing is written; each difference counts as new.
    """

    tasks: ManualTasks
    payments: Payments
    dry_run: bool = False

    def raised(
        self,
        kind: TaskKind,
        capture: Capture,
        what: str,
        order: Order | None = None,
        thing: str = "",
    ) -> Difference:
        event = "" if order is None else order.event_id
        new = self.dry_run or self.task(kind, capture.order, capture.payment, what, event, thing)
        return Difference("raised", capture.order, capture.payment, what, new=new)

    def repaired(self, kind: Kind, capture: Capture, what: str) -> Difference:
        """Return a difference that has been repaired."""
        return Difference(kind, capture.order, capture.payment, what)

    def by_hand(
        self,
        kind: TaskKind,
        capture: Capture,
        what: str,
        order: Order,
        owed: OwedRefund | None = None,
    ) -> Difference:
        """Make a task of each refund outside Fairgate, with the name that its webhook used.

        Cost: a call to the provider. Raises DependencyUnavailableError.
        """
        raised = [
            self.raised(one, capture, what, order, thing)
            for one, thing in self._things(kind, capture, order, owed)
        ]
        return next((one for one in raised if one.new), raised[0])

    def unreadable(self, compared: Reconciled, entry: UnreadableEntry, *, thing: str) -> None:
        """Make a task of an entry that cannot be read: no later run would read it either.

        Args:
            thing: the kind of entry, ``charge`` or ``dispute``.
        """
        what = f"{entry.id} cannot be read in the provider's list: compare it there by hand"
        compared.failures.append(Failure(f"{thing} {entry.id}", "UnreadableEntry", "", what))
        new = self.dry_run or self.task(
            "entry-failed" if thing == "dispute" else "capture-failed",
            entry.order,
            entry.payment,
            f"Its {thing} {what}.",
            thing=entry.id,
        )
        difference = Difference("failed", entry.order, entry.payment or entry.id, what, new=new)
        compared.differences.append(difference)

    def task(
        self, kind: TaskKind, order: str, payment: str, what: str, event: str = "", thing: str = ""
    ) -> bool:
        """Write the task. Return False if it was written before."""
        return self.tasks.note(kind, what, event=event, order=order, payment=payment, thing=thing)

    def _things(
        self, kind: TaskKind, capture: Capture, order: Order, owed: OwedRefund | None
    ) -> Sequence[tuple[TaskKind, str]]:
        """Name the refunds that are not ours; one that only the capture shows has no name."""
        try:
            refunds = self.payments.find_refunds(payment=capture.payment, order=capture.order)
        except PaymentRefusedError:
            refunds = ()
        ours = "" if owed is None else owed.refund_id
        whole = order.total_minor if owed is None else owed.amount_minor
        by_others: list[tuple[TaskKind, str]] = [
            ("refunded-in-part" if refund.amount_minor < whole else kind, refund.id)
            for refund in refunds
            if refund.id != ours and refund.state != "failed"
        ]
        return by_others or [(kind, "")]
