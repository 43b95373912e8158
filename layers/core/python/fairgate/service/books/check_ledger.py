"""Compare the sums of an event's ledger with the provider's books, and name each difference.

Nothing is repaired here; `reconcile_payments.py` does that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.shared.ids import ORDER_ID, OrderId
from fairgate.domain.shared.times import epoch_ms
from fairgate.errors import PaymentRefusedError
from fairgate.ports.payments import Capture, Dispute, UnreadableEntry
from fairgate.service.books.check_fees import FeeChecker
from fairgate.service.books.compare_captures import SETTLING_MS
from fairgate.service.books.ledger_checked import Entered, LedgerChecked, LedgerDifference, What
from fairgate.service.ledger.read_ledger import read_ledger
from fairgate.service.shared.keys import own_order_key
from fairgate.service.shared.readable import find_many_readable
from fairgate.service.shared.records.orders import Order

if TYPE_CHECKING:
    from fairgate.ports.payments import Payments
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.shared.records.catalog import Event

TOGETHER = 100  # orders that are read at once: BatchGetItem's limit
EARLIER_MS = 3_600_000  # how far the provider's clock may be behind ours
FEES = ("fee", "fee-dispute")
_TAKEN = ("open", "lost")


class LedgerChecker(Struct, frozen=True):
    """Checks one event. Keeps a line for each of its payments in memory.

    Cost: the ledger, and the provider's three lists since the event was created; a call to the
    provider for each payment whose refunds differ, a read for each capture without an entry.
    """

    table: Table
    clock: Clock
    payments: Payments

    def check(self, event: Event) -> LedgerChecked:
        """Compare all entries so far.

        Raises DependencyUnavailableError, PaymentRefusedError: the provider's list is not whole.
        """
        checked = LedgerChecked()
        # The provider's list first: an entry made while it is read is not missed.
        since_ms = epoch_ms(event.created_at) - EARLIER_MS
        captures = self._captures(checked, since_ms)
        disputed = self._disputes(checked, since_ms)
        fees = FeeChecker(self.table, self.payments, event)
        entered = self._entered(checked, event.id, fees)
        for payment, line in entered.items():
            capture = captures.pop(payment, None)
            taken = disputed.get(payment, 0)
            checked.ledger.captured_minor += line.captured_minor
            checked.ledger.refunded_minor += line.refunded_minor
            checked.ledger.disputed_minor += line.disputed_minor
            if capture is None:
                why = "the provider lists no capture of this payment"
                checked.differences.append(
                    _differs("no-capture", line, payment, line.captured_minor, 0, why)
                )
                continue
            self._compare(checked, line, capture, taken)
        self._without_entry(checked, event.id, list(captures.values()), disputed)
        fees.compare(checked, since_ms, self.clock.now_ms())
        return checked

    def _entered(self, checked: LedgerChecked, event: str, fees: FeeChecker) -> dict[str, Entered]:
        lines: dict[str, Entered] = {}
        for some in read_ledger(self.table, event):
            checked.damaged += [f"{key.pk} {key.sk}" for key in some.damaged]
            for entry in some.records:
                checked.entries += 1
                if entry.kind in FEES:
                    fees.take(entry)
                    continue
                line = lines.setdefault(entry.payment_id, Entered(entry.order_id, entry.currency))
                if entry.kind == "capture":
                    line.captured_minor += entry.amount_minor
                    line.currency = entry.currency
                elif entry.kind in ("refund", "refund-returned"):
                    line.refunded_minor -= entry.amount_minor
                    line.things.add(entry.thing)
                else:
                    line.disputed_minor -= entry.amount_minor
        return lines

    def _captures(self, checked: LedgerChecked, since_ms: int) -> dict[str, Capture]:
        captures: dict[str, Capture] = {}
        for capture in self.payments.captures(since_ms):
            if isinstance(capture, UnreadableEntry):
                checked.unreadable.append(f"charge {capture.id}")
            else:
                captures[capture.payment] = capture
        return captures

    def _disputes(self, checked: LedgerChecked, since_ms: int) -> dict[str, int]:
        """Return the disputed amount of each payment."""
        held: defaultdict[str, int] = defaultdict(int)
        listed: dict[str, Dispute] = {}  # a list may name one twice
        for dispute in self.payments.disputes(since_ms):
            if isinstance(dispute, UnreadableEntry):
                checked.unreadable.append(f"dispute {dispute.id}")
            else:
                listed[dispute.id] = dispute
        for dispute in listed.values():
            if dispute.state in _TAKEN:
                held[dispute.payment] += dispute.amount_minor
        return held

    def _compare(
        self, checked: LedgerChecked, line: Entered, capture: Capture, disputed_minor: int
    ) -> None:
        payment, refunded_minor = capture.payment, capture.refunded_minor
        if line.currency != capture.currency:
            why = f"entered in {line.currency}, taken in {capture.currency}"
            checked.differences.append(
                _differs("currency", line, payment, line.captured_minor, capture.amount_minor, why)
            )
        if line.captured_minor != capture.amount_minor:
            checked.differences.append(
                _differs(
                    "captured",
                    line,
                    payment,
                    line.captured_minor,
                    capture.amount_minor,
                    "its capture was never entered: it is older than the ledger"
                    if not line.captured_minor
                    else "another amount was entered than was taken",
                )
            )
        if line.refunded_minor != refunded_minor:
            refunded_minor, why = self._refunds(line, capture)
            if line.refunded_minor != refunded_minor:
                checked.differences.append(
                    _differs("refunded", line, payment, line.refunded_minor, refunded_minor, why)
                )
        if line.disputed_minor != disputed_minor:
            why = "a dispute is not entered yet: `fairgate orders reconcile` enters it"
            checked.differences.append(
                _differs("disputed", line, payment, line.disputed_minor, disputed_minor, why)
            )
        checked.provider.captured_minor += capture.amount_minor
        checked.provider.refunded_minor += refunded_minor
        checked.provider.disputed_minor += disputed_minor

    def _refunds(self, line: Entered, capture: Capture) -> tuple[int, str]:
        """Ask how much is pending or has arrived; a list counts only what has arrived."""
        try:
            made = self.payments.find_refunds(payment=capture.payment, order=capture.order)
        except PaymentRefusedError:
            return capture.refunded_minor, "the provider does not say which refunds there are"
        stay = [refund for refund in made if refund.state != "failed"]
        others = [f"{one.id} ({one.amount_minor})" for one in stay if one.id not in line.things]
        why = "one of ours has another state there: `fairgate orders reconcile` looks at it"
        if others:
            why = f"made outside Fairgate, so without an entry: {', '.join(others)}"
        return sum(refund.amount_minor for refund in stay), why

    def _without_entry(
        self,
        checked: LedgerChecked,
        event: str,
        captures: Sequence[Capture],
        disputed: dict[str, int],
    ) -> None:
        """Name captures of this event's orders that the ledger does not know."""
        young_ms = self.clock.now_ms() - SETTLING_MS
        for capture in self._of_event(event, captures):
            if capture.at_ms > young_ms:
                checked.settling += 1
                continue
            checked.provider.captured_minor += capture.amount_minor
            checked.provider.refunded_minor += capture.refunded_minor
            checked.provider.disputed_minor += disputed.get(capture.payment, 0)
            left = capture.amount_minor - capture.refunded_minor
            why = "never settled, or paid before there was a ledger"
            checked.differences.append(
                _differs(
                    "not-entered",
                    Entered(capture.order),
                    capture.payment,
                    0,
                    left,
                    why if left else "all of it was refunded outside Fairgate before",
                )
            )

    def _of_event(self, event: str, captures: Sequence[Capture]) -> Iterator[Capture]:
        known = iter(one for one in captures if ORDER_ID.fullmatch(one.order))
        while some := list(islice(known, TOGETHER)):
            keys = sorted({own_order_key(OrderId(one.order)) for one in some})
            read = find_many_readable(self.table, Order, keys)
            ours = {order.order_id for order in read.records if order.event_id == event}
            yield from [one for one in some if one.order in ours]


def _differs(
    what: What, line: Entered, payment: str, ledger: int, provider: int, why: str
) -> LedgerDifference:
    return LedgerDifference(what, line.order, payment, ledger, provider, why)
