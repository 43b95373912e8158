"""Compare the provider's captures and refunds with the orders, each hour.

Every difference is repaired by the same use-cases that should have prevented it, or raised for
a person to look at.

   provider says        order says                    then
   captured             pending, failed, expired      settled now: paid, or given back
   captured             refund owed, not sent         refund sent
   refunded             refund owed, not sent         noted as sent
   refunded             paid or ticketed              raised: valid tickets without money
   refunded in part     anything                      raised
   captured             refund noted as sent          raised: money kept for nothing
   captured             unknown                       raised: money for nothing we know
   captured             paid for over ten minutes     raised: a buyer waits for tickets
   nothing              paid or ticketed              raised: tickets without money
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from fairgate.domain.shared.ids import ORDER_ID, OrderId
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import FairgateError
from fairgate.ports.payments import Capture, PaymentEvent
from fairgate.ports.table import TransactionRefusedError, Update
from fairgate.service.shared.conditions import RECONCILED_NOT_FURTHER
from fairgate.service.shared.due import due_entries, minute_of
from fairgate.service.shared.keys import (
    order_key,
    own_order_key,
    reconciled_key,
    refund_key,
)
from fairgate.service.shared.records.orders import Order, OwedRefund, ReconciledMark

if TYPE_CHECKING:
    from fairgate.ports.record import Key
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.orders.refunds import Refunder
    from fairgate.service.orders.settle_payment import PaymentSettler

SETTLING_MS = 300_000  # what is younger may still be on its way by webhook
OVERLAP_MS = 3_600_000  # books are looked at again that far back: webhooks and lists come late
FIRST_LOOK_MS = 86_400_000
TICKETS_LATE_MS = 600_000
_CHECKOUT_MS_MAX = 7_320_000  # the longest payment window that an event may have
_READ_TOGETHER = 100
_MINUTE_MS = 60_000
_SOLD = ("paid", "ticketed")

Kind = Literal["settled", "refund-sent", "refund-noted", "raised", "failed"]


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing on which the books and the orders did not agree."""

    kind: Kind
    order: str
    payment: str
    what: str


@dataclass
class Reconciled:
    """What one run compared and found."""

    since: str
    until: str
    captures: int = 0
    differences: list[Difference] = field(default_factory=list)

    def count(self, *kinds: Kind) -> int:
        return sum(difference.kind in kinds for difference in self.differences)

    @property
    def repaired(self) -> int:
        return self.count("settled", "refund-sent", "refund-noted")


@dataclass(frozen=True)
class Reconciler:
    """Compares books and orders.

    Cost: the provider's list; two reads a capture; a query a minute and event of the window.
    """

    table: Table
    clock: Clock
    settler: PaymentSettler
    refunder: Refunder

    def run(
        self, events: Sequence[str], *, since_ms: int | None = None, dry_run: bool = False
    ) -> Reconciled:
        """Compare everything since the last complete run, or since ``since_ms``.

        A difference that cannot be repaired now is ``failed``, and the next run begins where this
        one did. Raises DependencyUnavailableError when the provider's books cannot be read.
        """
        now_ms = self.clock.now_ms()
        start_ms = self._start_ms(now_ms) if since_ms is None else since_ms
        until_ms = now_ms - SETTLING_MS
        compared = Reconciled(rfc3339(start_ms), rfc3339(max(start_ms, until_ms)))
        known: set[str] = set()
        for capture in self.settler.payments.captures(start_ms):
            known.add(capture.payment)
            if capture.at_ms > until_ms:
                continue
            compared.captures += 1
            try:
                difference = self._compare(capture, dry_run=dry_run)
            except FairgateError as error:
                what = f"could not be repaired: {error.detail}"
                difference = Difference("failed", capture.order, capture.payment, what)
            if difference is not None:
                compared.differences.append(difference)
        for event in events:
            compared.differences += self._without_money(event, known, start_ms, until_ms)
        if not dry_run and since_ms is None and not compared.count("failed"):
            self._remember(compared.until)
        return compared

    def _start_ms(self, now_ms: int) -> int:
        mark = self.table.find(ReconciledMark, reconciled_key())
        return now_ms - FIRST_LOOK_MS if mark is None else epoch_ms(mark.until) - OVERLAP_MS

    def _compare(self, capture: Capture, *, dry_run: bool) -> Difference | None:
        order = self._order(capture.order)
        if order is None:
            return _raised(capture, "captured for an order that does not exist")
        key = refund_key(order.session, capture.order, capture.payment)
        owed = self.table.find(OwedRefund, key)
        if 0 < capture.refunded_minor < capture.amount_minor:
            return _raised(capture, f"refunded in part: {capture.refunded_minor}")
        if owed is not None:
            return self._compare_refund(capture, order, owed, dry_run=dry_run)
        if order.payment_id == capture.payment:
            return self._compare_kept(capture, order)
        if capture.refunded_minor:
            return None  # bought nothing, and went back by another hand
        return self._settle(capture, dry_run=dry_run)

    def _compare_refund(
        self, capture: Capture, order: Order, owed: OwedRefund, *, dry_run: bool
    ) -> Difference | None:
        back = bool(capture.refunded_minor)
        if owed.sent_at:
            late = owed.sent_at <= rfc3339(self.clock.now_ms() - SETTLING_MS)
            text = "noted as refunded, and the provider has not"
            return _raised(capture, text) if late and not back else None
        kind: Kind = "refund-noted" if back else "refund-sent"
        if not dry_run:
            act = self.refunder.sent if back else self.refunder.send
            act(order.session, capture.order, capture.payment)
        return Difference(kind, capture.order, capture.payment, f"the order was {order.state}")

    def _compare_kept(self, capture: Capture, order: Order) -> Difference | None:
        if order.state not in _SOLD:
            return _raised(capture, f"the order is {order.state}, and no refund is owed")
        if capture.refunded_minor:
            return _raised(capture, "refunded by another hand, and its tickets are valid")
        late = rfc3339(self.clock.now_ms() - TICKETS_LATE_MS)
        if order.state == "paid" and order.paid_at <= late:
            return _raised(capture, "paid, and its tickets have not been made")
        return None

    def _settle(self, capture: Capture, *, dry_run: bool) -> Difference | None:
        """Do what the webhook would have done: it never came, or was never taken."""
        if dry_run:
            return Difference("settled", capture.order, capture.payment, "would be settled")
        event = PaymentEvent(
            id=f"reconciled-{capture.payment}",
            kind="succeeded",
            order=capture.order,
            amount_minor=capture.amount_minor,
            currency=capture.currency,
            payment=capture.payment,
        )
        outcome = self.settler.settle(event)
        if outcome == "duplicate":
            return None  # the webhook came in between
        return Difference("settled", capture.order, capture.payment, f"settled as {outcome}")

    def _without_money(
        self, event: str, known: set[str], start_ms: int, until_ms: int
    ) -> Iterator[Difference]:
        """List orders sold in the window whose capture the provider does not list.

        A checkout is due at its end, up to two hours after it began; orders begun before the
        list's first capture could have been are left out.
        """
        for order in self._due_orders(event, start_ms, until_ms + _CHECKOUT_MS_MAX):
            within = order.created_at >= rfc3339(start_ms) and order.paid_at <= rfc3339(until_ms)
            if order.state in _SOLD and within and order.payment_id not in known:
                text = f"the order is {order.state}, and the provider lists no capture"
                yield Difference("raised", order.order_id, order.payment_id or "", text)

    def _due_orders(self, event: str, start_ms: int, end_ms: int) -> Iterator[Order]:
        keys: list[Key] = []
        for at_ms in range(start_ms - start_ms % _MINUTE_MS, end_ms, _MINUTE_MS):
            keys += [
                order_key(entry.session_id, entry.order_id)
                for entry in due_entries(self.table, event, minute_of(rfc3339(at_ms)))
                if entry.order_id and entry.payment_id is None
            ]
        for start in range(0, len(keys), _READ_TOGETHER):
            yield from self.table.find_many(Order, keys[start : start + _READ_TOGETHER])

    def _order(self, order: str) -> Order | None:
        if not ORDER_ID.fullmatch(order):
            return None
        return self.table.find(Order, own_order_key(OrderId(order)))

    def _remember(self, until: str) -> None:
        mark = Update(
            "reservations",
            *reconciled_key(),
            condition=RECONCILED_NOT_FURTHER,
            values={"until": until},
            set={"until": until},
        )
        try:
            self.table.update(mark)
        except TransactionRefusedError:
            return  # a run that overlapped got further


def _raised(capture: Capture, what: str) -> Difference:
    return Difference("raised", capture.order, capture.payment, what)
