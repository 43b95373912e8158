"""Compare one capture with its order, and repair what differs or make it a manual task.

`reconcile_payments.py` shows which difference has which consequence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.shared.times import rfc3339
from fairgate.service.books.books import Difference, Kind
from fairgate.service.books.compare_parts import PartsComparer, went_in_parts
from fairgate.service.books.find_sold import SOLD
from fairgate.service.books.read_books import find_order
from fairgate.service.checkout.settle_payment import event_of
from fairgate.service.shared.keys import refund_key
from fairgate.service.shared.records.orders import OwedRefund

if TYPE_CHECKING:
    from fairgate.ports.outside import TicketQueue
    from fairgate.ports.payments import Capture
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.books.raise_differences import Raiser
    from fairgate.service.checkout.settle_payment import PaymentSettler
    from fairgate.service.refunds.refunds import Refunder
    from fairgate.service.shared.records.orders import Order, TaskKind

SETTLING_MS = 300_000  # a younger capture may still be settled by its webhook
OVERLAP_MS = 3_600_000  # each run repeats the hour before: webhooks and lists come late
TICKETS_LATE_MS = 600_000
ASKED_IN_VAIN_MS = TICKETS_LATE_MS + OVERLAP_MS  # by then an earlier run has asked the ticketer
_VOID_BY_DISPUTE = ("disputed", "charged_back")


class CaptureComparer(Struct, frozen=True):
    """Compares a capture with its order. Returns None if the two agree.

    Cost: two reads for each capture, more where something is repaired.

    Attributes:
        tickets: takes orders whose tickets or mail are late; None: they become tasks at once.
        dry_run: nothing is repaired or written.
    """

    table: Table
    clock: Clock
    settler: PaymentSettler
    refunder: Refunder
    raiser: Raiser
    tickets: TicketQueue | None
    dry_run: bool

    def compare(self, capture: Capture) -> Difference | None:
        """Repair the difference of a capture, or make a task of it."""
        order = find_order(self.table, capture.order)
        if order is None:
            text = "captured for an order that does not exist"
            return self.raiser.raised("unknown-capture", capture, text)
        if went_in_parts(capture, order):
            parts = PartsComparer(self.table, self.refunder, self.raiser, self.dry_run)
            difference = parts.compare(capture, order)
            if difference is not None or order.state not in SOLD:
                return difference
            return self._compare_tickets(capture, order)
        key = refund_key(order.session, capture.order, capture.payment)
        return self.judge(capture, order, self.table.find(OwedRefund, key))

    def judge(self, capture: Capture, order: Order, owed: OwedRefund | None) -> Difference | None:
        """Compare a capture without partial refunds with its order and refund as read."""
        if 0 < capture.refunded_minor < capture.amount_minor:
            text = f"refunded in part: {capture.refunded_minor}"
            return self.raiser.by_hand("refunded-in-part", capture, text, order, owed)
        if owed is not None:
            return self._compare_refund(capture, order, owed)
        if order.payment_id == capture.payment:
            return self._compare_kept(capture, order)
        if capture.refunded_minor:
            return None  # bought nothing, and was refunded outside Fairgate
        return self._settle(capture)

    def _compare_refund(
        self, capture: Capture, order: Order, owed: OwedRefund
    ) -> Difference | None:
        back = bool(capture.refunded_minor)
        ids = (order.session, capture.order, capture.payment)
        in_vain = owed.state in ("refused", "failed")
        if owed.waits or (back and in_vain):
            kind: Kind = "refund-noted" if back else "refund-sent"
            text = f"the order was {order.state}"
            repair = self.refunder.send
            if back:
                repair = self.refunder.repeated if in_vain else self.refunder.sent
            if self.dry_run or repair(*ids):
                return Difference(kind, capture.order, capture.payment, text)
            owed = self.table.find(OwedRefund, owed.key) or owed
        if owed.state == "pending" and not self.dry_run:
            self.refunder.look(*ids)
            return None  # the provider counts it once it has succeeded
        if owed.state in ("refused", "failed"):
            text = f"its refund {owed.state} ({owed.reason or 'no reason given'})"
            task: TaskKind = "refund-refused" if owed.state == "refused" else "refund-failed"
            thing = owed.refund_id if owed.state == "failed" else ""
            return self.raiser.raised(task, capture, text, order, thing)
        late = owed.sent_at <= rfc3339(self.clock.now_ms() - SETTLING_MS)
        if not owed.sent_at or back or not late:
            return None
        if not self.dry_run and self.refunder.look(*ids):
            return self._compare_again(capture, order, owed)
        text = "noted as refunded, and the provider has not"
        return self.raiser.raised("refund-missing", capture, text, order)

    def _compare_again(self, capture: Capture, order: Order, owed: OwedRefund) -> Difference | None:
        """Report a refund that the provider has just called failed."""
        current = self.table.find(OwedRefund, owed.key) or owed
        if current.state != "failed":
            return None
        text = f"its refund came back ({current.reason or 'no reason given'})"
        thing = current.refund_id
        return self.raiser.raised("refund-failed", capture, text, order, thing)

    def _compare_kept(self, capture: Capture, order: Order) -> Difference | None:
        if order.state in _VOID_BY_DISPUTE and not (
            order.state == "disputed" and capture.refunded_minor
        ):
            return None
        if order.state not in (*SOLD, "disputed"):
            text = f"the order is {order.state}, and no refund is owed"
            return self.raiser.raised("no-refund-owed", capture, text, order)
        if capture.refunded_minor:
            text = "refunded outside Fairgate, and its tickets are valid, or will be"
            return self.raiser.by_hand("refunded-elsewhere", capture, text, order)
        return self._compare_tickets(capture, order)

    def _compare_tickets(self, capture: Capture, order: Order) -> Difference | None:
        now_ms = self.clock.now_ms()
        late = rfc3339(now_ms - TICKETS_LATE_MS)
        if order.state == "ticketed":
            if order.mailed_at or order.ticketed_at > late:
                return None
            return self._ask(capture, "its tickets have not been mailed")
        if order.paid_at > late:
            return None
        text = "paid, and its tickets have not been made"
        asked = self._ask(capture, text)
        if asked is None or order.paid_at <= rfc3339(now_ms - ASKED_IN_VAIN_MS):
            return self.raiser.raised("tickets-late", capture, text, order)
        return asked

    def _ask(self, capture: Capture, text: str) -> Difference | None:
        """Ask the ticketer through its queue, because the stream to it may be broken."""
        if self.tickets is None:
            return None
        if not self.dry_run:
            self.tickets.ask(capture.order)
        return Difference("tickets-asked", capture.order, capture.payment, text)

    def _settle(self, capture: Capture) -> Difference | None:
        """Settle the capture as its webhook would have done."""
        if self.dry_run:
            return Difference("settled", capture.order, capture.payment, "would be settled")
        outcome = self.settler.settle(event_of(capture, "reconciled"))
        if outcome == "duplicate":
            return None  # the webhook came in between
        return Difference("settled", capture.order, capture.payment, f"settled as {outcome}")
