"""Leave to a person what a comparison of books and orders cannot repair: a duty, once."""

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
    """Makes differences of what is a person's duty, new or known."""

    tasks: ManualTasks
    payments: Payments

    def raised(
        self,
        kind: TaskKind,
        capture: Capture,
        what: str,
        order: Order | None = None,
        thing: str = "",
        *,
        dry_run: bool,
    ) -> Difference:
        event = "" if order is None else order.event_id
        new = dry_run or self.task(kind, capture.order, capture.payment, what, event, thing)
        return Difference("raised", capture.order, capture.payment, what, new=new)

    def repaired(self, kind: Kind, capture: Capture, what: str) -> Difference:
        """Return a difference that is mended."""
        return Difference(kind, capture.order, capture.payment, what)

    def by_hand(
        self,
        kind: TaskKind,
        capture: Capture,
        what: str,
        order: Order,
        owed: OwedRefund | None = None,
        *,
        dry_run: bool,
    ) -> Difference:
        """Raise each refund by another hand by itself, under the name that its webhook has used.

        Cost: a call to the provider. Raises DependencyUnavailableError.
        """
        raised = [
            self.raised(one, capture, what, order, thing, dry_run=dry_run)
            for one, thing in self._things(kind, capture, order, owed)
        ]
        return next((one for one in raised if one.new), raised[0])

    def unreadable(
        self, compared: Reconciled, entry: UnreadableEntry, *, thing: str, dry_run: bool
    ) -> None:
        """Raise what nobody can compare; no later run would read it either.

        Args:
            thing: what the provider calls such an entry, ``charge`` or ``dispute``.
        """
        what = f"{entry.id} cannot be read in the provider's list: compare it there by hand"
        compared.failures.append(Failure(f"{thing} {entry.id}", "UnreadableEntry", "", what))
        new = dry_run or self.task(
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
        """Write the duty down; False when it was before."""
        return self.tasks.note(kind, what, event=event, order=order, payment=payment, thing=thing)

    def _things(
        self, kind: TaskKind, capture: Capture, order: Order, owed: OwedRefund | None
    ) -> Sequence[tuple[TaskKind, str]]:
        """Name the refunds that are not ours; what the capture shows alone has no name."""
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
