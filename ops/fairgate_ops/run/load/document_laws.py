"""Invoices and credit notes: numbered without gaps, once for each cause, of the right amounts."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from fairgate.adapters.dynamodb.codec import from_item
from fairgate.ports.record import PK, SK, Key
from fairgate.service.shared.keys import shape_of
from fairgate_ops.run.load.violation import Found, Violation

if TYPE_CHECKING:
    from fairgate_ops.run.load.snapshot import Item, Snapshot


def numbered(snapshot: Snapshot) -> Found:
    """An event's numbers are 1 to n; each document is of an entered capture or its refund."""
    kinds = _kinds(snapshot)
    numbers: defaultdict[str, list[int]] = defaultdict(list)
    for document in kinds["document"]:
        numbers[document["eventId"]].append(document["number"])
    for event, given in numbers.items():
        if sorted(given) != list(range(1, len(given) + 1)):
            yield Violation("document-numbers", event, f"given {sorted(given)}")
    taken = {
        (entry["orderId"], entry["paymentId"]): entry["amountMinor"]
        for entry in kinds["ledger entry"]
        if entry["kind"] == "capture"
    }
    owed = {
        (refund["orderId"], refund["paymentId"], refund.get("part", 0)): refund["amountMinor"]
        for refund in kinds["owed refund"]
    }
    for document in kinds["document"]:
        about = (document["orderId"], document["paymentId"])
        wanted = taken.get(about)
        if document["kind"] == "credit-note":
            wanted = owed.get((*about, document.get("part", 0)))
        lines = sum(line["amountMinor"] for line in document["lines"])
        if not document["amountMinor"] == wanted == lines:
            what = f"of {document['amountMinor']}, its lines of {lines}; {wanted} has moved"
            yield Violation("document-amount", document[SK], what)


def complete(snapshot: Snapshot) -> Found:
    """Each capture that bought an order has one invoice, and no refund has two credit notes.

    Of events whose seller is said; once everything has been swept. That a refund has its note is
    no law of a sale's end: where the sweeper missed a look, it comes with the next, a day later.
    """
    kinds = _kinds(snapshot)
    billing = {event[SK] for event in snapshot.events if event.get("sellerName")}
    given = [(one["orderId"], one["kind"], one.get("part", 0)) for one in kinds["document"]]
    for order in kinds["order"]:
        if order.get("paidAt") and order["eventId"] in billing:
            count = given.count((order["orderId"], "invoice", 0))
            if count != 1:
                yield Violation("document", order["orderId"], f"{count} invoices")
    for about in set(given):
        if (count := given.count(about)) != 1:
            yield Violation("document", about[0], f"{count} of {about[1]} {about[2]}")


def _kinds(snapshot: Snapshot) -> defaultdict[str | None, list[Item]]:
    kinds: defaultdict[str | None, list[Item]] = defaultdict(list)
    for item in map(from_item, snapshot.raw.get("reservations", ())):
        kinds[shape_of("reservations", Key(item[PK], item[SK]))].append(item)
    return kinds
