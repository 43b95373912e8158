"""Invoices and credit notes: numbered without gaps, once for each cause, of the right amounts."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from fairgate.adapters.dynamodb.codec import from_item
from fairgate.ports.record import PK, SK, Key
from fairgate.service.shared.keys import shape_of
from fairgate_ops.run.laws.violation import Found, Violation

if TYPE_CHECKING:
    from fairgate_ops.run.laws.snapshot import Item, Snapshot


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
    """Each capture that bought an order has one invoice, each refund of it that arrived one note.

    Of events whose seller is said; once everything has been swept.
    """
    kinds = _kinds(snapshot)
    billing = {event[SK] for event in snapshot.events if event.get("sellerName")}
    sold = {
        order["orderId"]: order["paymentId"]
        for order in kinds["order"]
        if order.get("paidAt") and order["eventId"] in billing
    }
    wanted = {(order, "invoice", 0) for order in sold}
    wanted |= {
        (refund["orderId"], "credit-note", refund.get("part", 0))
        for refund in kinds["owed refund"]
        if refund.get("state") == "succeeded" and sold.get(refund["orderId"]) == refund["paymentId"]
    }
    given = [(one["orderId"], one["kind"], one.get("part", 0)) for one in kinds["document"]]
    for order, kind, part in sorted(wanted):
        if (count := given.count((order, kind, part))) != 1:
            yield Violation("document", order, f"{count} of {kind} {part}")


def _kinds(snapshot: Snapshot) -> defaultdict[str | None, list[Item]]:
    kinds: defaultdict[str | None, list[Item]] = defaultdict(list)
    for item in map(from_item, snapshot.raw.get("reservations", ())):
        kinds[shape_of("reservations", Key(item[PK], item[SK]))].append(item)
    return kinds
