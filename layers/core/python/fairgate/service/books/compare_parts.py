"""Compare a capture with partial refunds, or with one that keeps a fee, with what we owe of it.

provider has refunded       our parts are              then
less than we sent           sent                       each is asked about
any amount                  owed                       sent
all that we owe             refused or failed          noted: refunded outside Fairgate
more than we sent           in any state               a task for each refund that is not ours
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.errors import PaymentRefusedError
from fairgate.service.shared.keys import refund_prefix
from fairgate.service.shared.records.orders import OwedRefund

if TYPE_CHECKING:
    from fairgate.ports.payments import Capture
    from fairgate.ports.table import Table
    from fairgate.service.books.books import Difference
    from fairgate.service.books.raise_differences import Raiser
    from fairgate.service.refunds.refunds import Refunder
    from fairgate.service.shared.records.orders import Order

_IN_VAIN = ("failed", "refused")
_SENT = ("pending", "succeeded")


def went_in_parts(capture: Capture, order: Order) -> bool:
    """Say whether only a part of the capture is owed."""
    ours = order.payment_id == capture.payment
    return ours and bool(order.partial_returns or 0 < order.back_minor < order.total_minor)


class PartsComparer(Struct, frozen=True):
    """Compares one capture. Cost: two queries, and a call for each pending part."""

    table: Table
    refunder: Refunder
    raiser: Raiser
    dry_run: bool

    def compare(self, capture: Capture, order: Order) -> Difference | None:
        """Repair what differs and return it; None if both agree.

        Raises DependencyUnavailableError: compare it again.
        """
        known = self._owed(capture, order)
        back, due = capture.refunded_minor, sum(one.amount_minor for one in known)
        done: Difference | None = None
        for owed in known:
            ids = (order.session, order.order_id, owed.payment_id, owed.part)
            if owed.waits:
                text = f"part {owed.part} was still owed" if owed.part else "it was still owed"
                if self.dry_run or self.refunder.send(*ids):
                    done = self.raiser.repaired("refund-sent", capture, text)
            elif owed.state in _IN_VAIN and back >= due:
                if self.dry_run or self.refunder.repeated(*ids):
                    done = self.raiser.repaired("refund-noted", capture, "outside Fairgate")
            elif owed.state in _SENT and not self.dry_run:
                self.refunder.look(*ids)
        return done or self._differs(capture, order)

    def _differs(self, capture: Capture, order: Order) -> Difference | None:
        """Make a task of each refund outside Fairgate and of each failed refund of ours."""
        known = self._owed(capture, order)
        sent = sum(one.amount_minor for one in known if one.state in _SENT)
        if capture.refunded_minor > sent and (others := self._others(capture, known)):
            text = f"{capture.refunded_minor} went back, {sent} of it by us"
            raised = [
                self.raiser.raised("refunded-in-part", capture, text, order, one) for one in others
            ]
            return next((one for one in raised if one.new), raised[0])
        for owed in known:
            if owed.state in _IN_VAIN:
                text = f"its refund {owed.state} ({owed.reason or 'no reason given'})"
                thing = (owed.refund_id if owed.state == "failed" else "") or owed.thing
                return self.raiser.raised(
                    "refund-failed" if owed.state == "failed" else "refund-refused",
                    capture,
                    text,
                    order,
                    thing,
                )
        return None

    def _others(self, capture: Capture, known: Sequence[OwedRefund]) -> list[str]:
        """Name the refunds that are not ours and have not failed."""
        ours = {one.refund_id for one in known}
        try:
            refunds = self.raiser.payments.find_refunds(
                payment=capture.payment, order=capture.order
            )
        except PaymentRefusedError:
            return []
        return [one.id for one in refunds if one.id not in ours and one.state != "failed"]

    def _owed(self, capture: Capture, order: Order) -> list[OwedRefund]:
        read = self.table.query(OwedRefund, order.session, refund_prefix(order.order_id))
        return [one for one in read if one.payment_id == capture.payment]
