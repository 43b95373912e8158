"""Compare the fees in an event's ledger with the movements that the provider lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct, field

from fairgate.domain.shared.ids import ORDER_ID, OrderId
from fairgate.ports.payments import Movement, UnreadableEntry
from fairgate.service.books.import_movements import read_imported
from fairgate.service.books.ledger_checked import LedgerChecked, LedgerDifference, What
from fairgate.service.shared.keys import own_order_key
from fairgate.service.shared.readable import find_many_readable
from fairgate.service.shared.records.orders import Order

if TYPE_CHECKING:
    from fairgate.ports.payments import Payments
    from fairgate.ports.table import Table
    from fairgate.service.shared.records.catalog import Event
    from fairgate.service.shared.records.orders import LedgerEntry

TOGETHER = 100  # orders that are read at once: BatchGetItem's limit


class FeeChecker(Struct, frozen=True):
    """Collects the fees of the ledger, then compares.

    Cost: the provider's list of movements; a batch for each hundred that are not entered.
    """

    table: Table
    payments: Payments
    event: Event
    entered: dict[str, LedgerEntry] = field(default_factory=dict)  # by the movement

    def take(self, entry: LedgerEntry) -> None:
        self.entered[entry.thing] = entry

    def compare(self, checked: LedgerChecked, since_ms: int, now_ms: int) -> None:
        """Compare the fees; movements after the last import are left for later.

        Raises DependencyUnavailableError, PaymentRefusedError: the provider's list is not whole.
        """
        cursor_ms, damage = read_imported(self.table)
        checked.damaged += [] if damage is None else [damage.what]
        missing: dict[str, Movement] = {}
        compared: set[str] = set()  # a list may name one twice
        own = self.event.currency
        for moved in self.payments.movements(since_ms, now_ms + 1):
            if isinstance(moved, UnreadableEntry):
                checked.unreadable.append(f"movement {moved.id}")
                continue
            if moved.id in compared:
                continue
            entry = self.entered.pop(moved.id, None)
            if entry is None:
                missing |= {moved.id: moved} if moved.order else {}
                continue
            compared.add(moved.id)
            checked.ledger.keep(-entry.amount_minor, entry.currency, own)
            checked.provider.keep(moved.fee_minor, moved.currency, own)
            if (-entry.amount_minor, entry.currency) != (moved.fee_minor, moved.currency):
                why = f"entered in {entry.currency}, kept in {moved.currency}: {moved.id}"
                checked.differences.append(_differs("fee", moved, -entry.amount_minor, why))
        for moved in self._of_event(list(missing.values())):
            if cursor_ms is None or moved.at_ms >= cursor_ms:
                checked.fees_waiting += 1
                continue
            checked.provider.keep(moved.fee_minor, moved.currency, own)
            why = f"{moved.id} was never entered: `fairgate books import --since` enters it"
            checked.differences.append(_differs("fee-not-entered", moved, 0, why))
        for entry in self.entered.values():
            checked.ledger.keep(-entry.amount_minor, entry.currency, own)
            checked.differences.append(
                LedgerDifference(
                    "no-movement",
                    entry.order_id,
                    entry.payment_id,
                    -entry.amount_minor,
                    0,
                    f"the provider lists no movement {entry.thing}",
                )
            )

    def _of_event(self, movements: Sequence[Movement]) -> Iterator[Movement]:
        known = iter(one for one in movements if ORDER_ID.fullmatch(one.order))
        while some := list(islice(known, TOGETHER)):
            keys = sorted({own_order_key(OrderId(one.order)) for one in some})
            read = find_many_readable(self.table, Order, keys)
            ours = {order.order_id for order in read.records if order.event_id == self.event.id}
            yield from [one for one in some if one.order in ours]


def _differs(what: What, moved: Movement, entered_minor: int, why: str) -> LedgerDifference:
    return LedgerDifference(what, moved.order, moved.payment, entered_minor, moved.fee_minor, why)
