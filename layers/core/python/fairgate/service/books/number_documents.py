"""Number the invoices and credit notes of an event: 1, 2, 3, …, each once, without gaps.

    due entry of a session, of a refund ──▶ sweeper ──▶ counter and documents, one transaction

The sweeper looks at every ended checkout and every refund anyway, so it also looks for those
without a document. The transaction that takes a number writes its document, so no number is lost.
A document is named after its cause, so a cause has one document. docs/adr/0030.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct
from msgspec.structs import asdict

from fairgate.domain.orders.document_lines import (
    AmountLine,
    BilledPlace,
    by_rate,
    credit_lines,
    invoice_lines,
)
from fairgate.domain.orders.give_back import refund_parts
from fairgate.domain.shared.ids import EventId, OrderId
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.table import Action, Put, Update
from fairgate.service.shared.change import Write, change
from fairgate.service.shared.conditions import NUMBERS_AS_READ
from fairgate.service.shared.keys import (
    document_counter_key,
    document_key,
    event_key,
    own_order_key,
    refund_key,
)
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.orders import (
    Document,
    DocumentCounter,
    DocumentLine,
    Order,
    OwedRefund,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

INVOICE = "invoice"
TOGETHER = 25  # invoices of one transaction: with the counter far below 100 actions and 4 MB
Done = TypeVar("Done")


class DocumentOffice(Struct, frozen=True):
    """Numbers documents of events that name their seller; for others it does nothing."""

    table: Table
    clock: Clock

    def invoices(self, event_id: EventId, orders: Sequence[OrderId]) -> int:
        """Give each paid order its invoice, and return how many got one now.

        Raises DependencyUnavailableError: others keep taking numbers; ask again.

        Cost: a read for each order; two for one that gets its invoice, and a write unit for each
        kilobyte of it, twice; one write for every ``TOGETHER``.
        """
        if not orders:
            return 0
        event = self.table.find(Event, event_key(event_id))
        if event is None or not event.gives_invoices:
            return 0
        return sum(
            self._together(event, orders[start : start + TOGETHER])
            for start in range(0, len(orders), TOGETHER)
        )

    def credit_note(self, order: OrderId, payment: str, part: int = 0) -> bool:
        """Give a refund that has arrived its credit note, after its order's invoice.

        A payment that bought nothing has neither. A refund that fails later keeps its credit note,
        because it is owed as before.

        Raises DependencyUnavailableError: others keep taking numbers; ask again.

        Cost: two reads; five for one that gets its note, and a transaction of two items.
        """
        key = document_key(order, f"credit#{part}")
        if self.table.find(Document, key) is not None:
            return False
        owed = self.table.find(OwedRefund, refund_key(key.pk, order, payment, part))
        sold = self.table.find(Order, own_order_key(order))
        if owed is None or sold is None or owed.state != "succeeded":
            return False
        event = self.table.find(Event, event_key(sold.event_id))
        if event is None or not event.gives_invoices or not sold.was_bought_by(payment):
            return False
        self._together(event, [order])

        def decide(given: int) -> Write[bool]:
            known = self.table.query(Document, key.pk, document_key(order).sk)
            if any(one.key == key for one in known):
                return Write(done=False)
            note = _credit_note(event, sold, owed, known, given + 1, self._now())
            return Write(done=True, actions=_numbered(event.id, given, [note]))

        return self._change(event.id, decide)

    def _together(self, event: Event, orders: Sequence[OrderId]) -> int:
        def decide(given: int) -> Write[int]:
            documents = [
                _invoice(event, order, given + 1 + place, self._now())
                for place, order in enumerate(self._without_invoice(orders))
            ]
            actions = _numbered(event.id, given, documents) if documents else ()
            return Write(len(documents), actions)

        return self._change(event.id, decide)

    def _change(self, event: EventId, decide: Callable[[int], Write[Done]]) -> Done:
        """Write documents with the next numbers."""

        def given() -> int:
            counter = self.table.find(DocumentCounter, document_counter_key(event))
            return 0 if counter is None else counter.given

        return change(self.table, self.clock, given, decide, contended=_contended)

    def _without_invoice(self, orders: Sequence[OrderId]) -> list[Order]:
        """Read the paid orders without an invoice, in the order of their payments."""
        keys = {document_key(order, INVOICE): order for order in orders}
        known = {document.key for document in self.table.find_many(Document, list(keys))}
        missing = [own_order_key(order) for key, order in keys.items() if key not in known]
        read = self.table.find_many(Order, missing) if missing else []
        return sorted(
            (order for order in read if order.paid_at),
            key=lambda order: (order.paid_at, order.order_id),
        )

    def _now(self) -> str:
        return rfc3339(self.clock.now_ms())


def _numbered(event: EventId, given: int, documents: Sequence[Document]) -> list[Action]:
    """Return the writes of documents with these numbers, refused if one is taken already."""
    counted = Update(
        "reservations",
        *document_counter_key(event),
        condition=NUMBERS_AS_READ,
        values={"given": given},
        set={"given": given + len(documents)},
    )
    return [counted, *(Put.of(document) for document in documents)]


def _invoice(event: Event, order: Order, number: int, now: str) -> Document:
    places = [BilledPlace(unit.label, unit.tier, unit.places) for unit in order.units]
    places += [BilledPlace(place.label, place.tier, len(place.tickets)) for place in order.returned]
    return Document(
        *document_key(order.order_id, INVOICE),
        number=number,
        kind="invoice",
        event_id=event.id,
        order_id=order.order_id,
        payment_id=order.payment_id or "",
        amount_minor=order.total_minor,
        currency=order.currency,
        at=now,
        lines=_as_parts(invoice_lines(order.lines, places)),
        buyer=order.email,
        event_name=event.name,
        seller_name=event.seller_name,
        seller_address=event.seller_address,
        seller_vat_id=event.seller_vat_id,
        starts_at=event.starts_at,
        time_zone=event.time_zone,
        postal_address=order.postal_address,
    )


def _credit_note(
    event: Event,
    order: Order,
    owed: OwedRefund,
    known: Sequence[Document],
    number: int,
    now: str,
) -> Document:
    invoice = next(one for one in known if one.kind == "invoice")
    before = [line for one in known if one.kind == "credit-note" for line in one.lines]
    place = next((one for one in order.returned if owed.part and one.part == owed.part), None)
    label = f"Refund, {place.label}" if place else "Refund"
    back = credit_lines(
        _as_lines(invoice.lines),
        _as_lines(before),
        owed.amount_minor,
        label,
        by_rate(order.lines, refund_parts(order.lines, order.returned, owed.part)),
    )
    return Document(
        *document_key(order.order_id, f"credit#{owed.part}"),
        number=number,
        kind="credit-note",
        event_id=event.id,
        order_id=order.order_id,
        payment_id=owed.payment_id,
        amount_minor=owed.amount_minor,
        currency=owed.currency or order.currency,
        at=now,
        lines=_as_parts(back),
        buyer=invoice.buyer,
        event_name=event.name,
        seller_name=invoice.seller_name,
        seller_address=invoice.seller_address,
        seller_vat_id=invoice.seller_vat_id,
        starts_at=invoice.starts_at,
        time_zone=invoice.time_zone,
        invoice=invoice.number,
        part=owed.part,
        postal_address=invoice.postal_address,
    )


def _as_parts(lines: Sequence[AmountLine]) -> list[DocumentLine]:
    return [DocumentLine(**asdict(line)) for line in lines]


def _as_lines(lines: Sequence[DocumentLine]) -> list[AmountLine]:
    return [
        AmountLine(line.label, line.quantity, line.amount_minor, line.vat_bp, line.vat_minor)
        for line in lines
    ]


def _contended() -> DependencyUnavailableError:
    detail = "Others are numbering this event's invoices; try again."
    return DependencyUnavailableError(detail, retry_after_s=2)
