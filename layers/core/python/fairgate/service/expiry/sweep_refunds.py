"""Send or follow the refunds that are due in a minute, and number their credit notes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from fairgate.deadline import each
from fairgate.domain.shared.ids import OrderId
from fairgate.request_ids import take_up
from fairgate.service.books.number_documents import DocumentOffice
from fairgate.service.expiry.sweep_cursors import MINUTE_MS, start_ms_of
from fairgate.service.expiry.swept import STOP_MS, OutOfTimeError, Steps, Swept, Teller, again_s
from fairgate.service.shared.due import minute_of, refund_due
from fairgate.service.shared.keys import refund_key
from fairgate.service.shared.records.orders import OwedRefund

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.refunds.refunds import Refunder
    from fairgate.service.shared.records.sessions import DueEntry

DUE, LANDED = "due", "landed"  # in this order


class RefundSweep(Struct, frozen=True):
    """Looks at refunds. ``left_ms`` returns how much time the run has left."""

    table: Table
    clock: Clock
    refunder: Refunder
    left_ms: Callable[[], int]

    def steps(self, when: str, entries: Sequence[DueEntry], swept: Swept, reached: str) -> Steps:
        """Look at the refunds after ``reached``; each is named by its minute and key."""
        names = {f"{when} {entry.pk} {entry.sk}": entry for entry in entries}
        for name in each([name for name in sorted(names) if name > reached]):
            if self.left_ms() < STOP_MS:
                raise OutOfTimeError
            swept = self._refund(names[name], swept, when)
            yield swept, name
        return swept

    def _refund(self, entry: DueEntry, swept: Swept, when: str) -> Swept:
        take_up()
        again = when.endswith(LANDED)
        payment = entry.payment_id or ""
        about = (entry.session_id, entry.order_id, payment, entry.part)
        try:
            moved = not (again and self._is_sent(entry)) and self.refunder.look(*about)
            office = DocumentOffice(self.table, self.clock)
            office.credit_note(OrderId(entry.order_id), payment, entry.part)
        except Exception as error:  # noqa: BLE001 one refund does not stop the others
            swept = Teller(self.table, self.clock).failed(
                swept, f"refund {entry.order_id} {payment}", error
            )
            # The clock may have gone back, to before the minute that is looked at.
            now_ms = max(self.clock.now_ms(), start_ms_of(minute_of(when)) + MINUTE_MS)
            in_s = again_s(error)
            order = OrderId(entry.order_id)
            self.table.transact([refund_due(order, payment, now_ms, part=entry.part, in_s=in_s)])
            return replace(swept, overdue=swept.overdue + 1)
        return replace(swept, refunded=swept.refunded + moved)

    def _is_sent(self, entry: DueEntry) -> bool:
        about = (entry.session_id, entry.order_id, entry.payment_id or "", entry.part)
        owed = self.table.find(OwedRefund, refund_key(*about))
        return owed is None or not owed.waits
