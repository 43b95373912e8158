"""Erase a buyer's addresses from their orders, once nothing is owed about them.

order     addresses ──► erased    in one write, if the order is as it was read; its money, places
                                  and account stay
document  addresses ──► erased    after the time for which the law keeps it
appeal    text ──► erased

A repetition changes nothing. docs/adr/0034.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.orders.erasure import ERASED, law_keeps, took_place
from fairgate.domain.shared.ids import Mailbox
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import NotFoundError, WrongStateError
from fairgate.ports.table import Action, Put, TransactionRefusedError, Update
from fairgate.service.ledger.manual_tasks import ManualTasks
from fairgate.service.shared.change import Write, change
from fairgate.service.shared.conditions import APPEAL_HAS_TEXT, DOCUMENT_NAMES_BUYER
from fairgate.service.shared.keys import (
    DISPUTE,
    DOCUMENT,
    ORDER,
    REFUND,
    event_key,
)
from fairgate.service.shared.mailbox_keys import mailbox_order_key
from fairgate.service.shared.order_update import order_changed
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.mails import MailboxOrder
from fairgate.service.shared.records.orders import (
    DisputeRecord,
    Document,
    Order,
    OwedRefund,
)
from fairgate.service.shared.shared_count import COUNTED, places_uncounted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate.domain.shared.ids import EventId
    from fairgate.ports.record import Key, Record
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.shared.records.gate import DeskAppeal

_UNDER_WAY = ("owed", "pending")  # of a refund


class OrderAsRead(Struct, frozen=True):
    """An order with its refunds, disputes and documents."""

    order: Order
    refunds: Sequence[OwedRefund]
    disputes: Sequence[DisputeRecord]
    documents: Sequence[Document]


class BuyerEraser(Struct, frozen=True):
    """Erases buyers' addresses, order by order. Cost: a query, a read and one write an order."""

    table: Table
    clock: Clock

    def read(self, key: Key) -> OrderAsRead:
        """Read an order and everything about its money, strongly. Raises NotFoundError."""
        kinds: Mapping[str, type[Record]] = {
            ORDER: Order,
            REFUND: OwedRefund,
            DISPUTE: DisputeRecord,
            DOCUMENT: Document,
        }
        items = self.table.partition(kinds, key.pk)
        order = next((one for one in items if isinstance(one, Order) and one.key == key), None)
        if order is None:
            raise NotFoundError("There is no such order.")
        name = order.order_id
        return OrderAsRead(
            order,
            [one for one in items if isinstance(one, OwedRefund) and one.order_id == name],
            [one for one in items if isinstance(one, DisputeRecord) and one.order_id == name],
            [one for one in items if isinstance(one, Document) and one.order_id == name],
        )

    def owed(self, seen: OrderAsRead, tasks: Collection[str]) -> str:
        """Return why its address is still needed; "" if nothing is owed.

        Args:
            tasks: the orders with open manual tasks.
        """
        if seen.order.erased_at:
            return ""
        if seen.order.order_id in tasks:
            return "it has an open task: `orders tasks`"
        return _money_owed(seen) or self._tickets_owed(seen)

    def erase(self, key: Key, tasks: Collection[str] = ()) -> Order:
        """Erase the buyer's mail and postal address from the order; a repetition changes nothing.

        If a payment, refund or dispute changes the order in between, it is read again.

        Raises:
            NotFoundError: there is no such order.
            WrongStateError: something is owed about it, as ``owed`` says.
            DependencyUnavailableError: it keeps being changed; nothing was written.
        """

        def decide(seen: OrderAsRead) -> Write[Order]:
            if seen.order.erased_at:
                return Write(seen.order)
            if why := self.owed(seen, tasks):
                raise WrongStateError(f"{seen.order.order_id}: {why}.", state=seen.order.state)
            return self._erased(seen.order)

        return change(self.table, self.clock, lambda: self.read(key), decide)

    def erase_documents(self, seen: OrderAsRead, years: int) -> int:
        """Erase the address from the documents that no law keeps any more; return how many.

        Numbers, amounts and lines stay. A repetition changes nothing.
        """
        return sum(
            self._written(
                Update(
                    "reservations",
                    *one.key,
                    condition=DOCUMENT_NAMES_BUYER,
                    values={"buyer": one.buyer},
                    set={"buyer": ERASED} | ({"postalAddress": None} if one.postal_address else {}),
                )
            )
            for one in self.free_documents(seen, years)
        )

    def free_documents(self, seen: OrderAsRead, years: int) -> list[Document]:
        """Return the documents with the address that no law keeps any more."""
        now_ms = self.clock.now_ms()
        return [
            one
            for one in seen.documents
            if one.buyer != ERASED and not law_keeps(one.at, years, now_ms)
        ]

    def erase_appeals(self, appeals: Sequence[DeskAppeal]) -> int:
        """Erase what the buyer wrote to the risk desk; return how many texts there were."""
        return sum(
            self._written(
                Update(
                    "reservations",
                    *one.key,
                    condition=APPEAL_HAS_TEXT,
                    values={"text": one.text},
                    set={"text": ""},
                )
            )
            for one in appeals
            if one.text
        )

    def orders_with_tasks(self) -> set[str]:
        """Return the orders with open manual tasks."""
        return {
            task.order_id for task in ManualTasks(self.table, self.clock).open() if task.order_id
        }

    def _tickets_owed(self, seen: OrderAsRead) -> str:
        order, event = seen.order, self._event(seen.order.event_id)
        if event is None:
            return "its event cannot be read"
        if order.state == "ticketed" and order.admitting:
            if not event.starts_at:
                return (
                    "its tickets are valid, and the event has no date:"
                    " `event edit --starts-at`, or make them void: `orders void`"
                )
            if not took_place(event.starts_at, self.clock.now_ms()):
                return (
                    f"its tickets are valid until a day after {event.starts_at}: let the buyer"
                    " cancel it, or make them void: `orders void`"
                )
        billed = any(one.kind == "invoice" for one in seen.documents)
        if order.paid_at and event.gives_invoices and not billed:
            return "its invoice has no number yet: `orders invoice`"
        return ""

    def _erased(self, order: Order) -> Write[Order]:
        now_ms = self.clock.now_ms()
        now = rfc3339(now_ms)
        after, update = order_changed(
            order,
            email=ERASED,
            postal_address=None,
            counted_by=(),
            mailbox=Mailbox(""),
            erased_at=now,
            updated_at=now,
        )
        actions: list[Action] = [update]
        if order.state in COUNTED:
            actions += places_uncounted(order, order.places)
        if order.mailbox and order.payment_id:
            # The index item of its address is deleted as well.
            entry = MailboxOrder(
                *mailbox_order_key(order.mailbox, order.order_id),
                order_id=order.order_id,
                ttl=now_ms // 1000,
            )
            actions.append(Put.of(entry, condition=""))
        return Write(after, actions)

    def _written(self, update: Update) -> bool:
        """Write it; False if something has changed since it was read."""
        try:
            self.table.update(update)
        except TransactionRefusedError:
            return False
        return True

    def _event(self, event: EventId) -> Event | None:
        return self.table.find(Event, event_key(event))


def _money_owed(seen: OrderAsRead) -> str:
    order = seen.order
    if order.state == "pending":
        return "it is pending: its buyer may be paying now"
    if order.state == "paid":
        return "it is paid, and its tickets are not made yet"
    if order.state == "disputed" or any(one.state == "open" for one in seen.disputes):
        return "a dispute about it is open"
    if order.state == "refund_due" or any(one.state in _UNDER_WAY for one in seen.refunds):
        return "a refund of it is under way"
    return ""
