"""Laws about the ledger, the provider's movements, invoices and credit notes."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from fairgate.ports.record import SK
from fairgate.service.audit.law import law
from fairgate.service.audit.order_states import SOLD_OR_BANKED, WAITING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate.service.audit.law import Found
    from fairgate.service.audit.snapshot import Item, Snapshot

SENT = ("pending", "succeeded")  # a refund
TAKEN = ("open", "lost")  # a disputed capture
OWED = (*WAITING, "refunded")
FEES = ("fee", "fee-dispute")
_CHECK_BOOKS = "Run `fairgate books check EVENT`: it names what differs from the provider's books."
_IMPORT = "Run `fairgate books import --since` a time before the movement."
_INVOICE = "Read the order's documents: `fairgate orders invoice`; the tax adviser must know."


@law(_CHECK_BOOKS)
def ledger(seen: Snapshot) -> Found:
    """A payment's entries are its one capture, and the amounts of its refunds and disputes."""
    entries = seen.of("ledger entry")
    said, wanted = moved(entries), Counter[tuple[str, str]]()
    for refund in seen.of("owed refund"):
        sent = refund.get("state") in SENT
        wanted[refund["paymentId"], "refund"] -= refund["amountMinor"] * sent
    for dispute in seen.of("dispute"):
        taken = dispute["state"] in TAKEN
        wanted[dispute["paymentId"], "dispute"] -= dispute["amountMinor"] * taken
    for payment in sorted({name for name, _ in (*said, *wanted)}):
        for kind in ("refund", "dispute"):
            if said[payment, kind] != wanted[payment, kind]:
                what = f"{kind}s of {said[payment, kind]}, but {wanted[payment, kind]} has moved"
                yield payment, what
    captured = {entry["paymentId"]: entry for entry in entries if entry["kind"] == "capture"}
    for order in seen.orders:
        if order["state"] in (*SOLD_OR_BANKED, *OWED):
            yield from _captured(order, captured.get(order.get("paymentId", "")))
    for refund in seen.of("owed refund"):
        if refund["paymentId"] not in captured:
            yield refund["paymentId"], "owed back, and never entered as taken"


def _captured(order: Item, entry: Item | None) -> Found:
    """Check that a paid order's capture is entered, with its total if it bought tickets."""
    if entry is None or entry["orderId"] != order["orderId"]:
        yield order["orderId"], f"{order['state']}, and its capture is not entered"
    elif order["state"] in SOLD_OR_BANKED and entry["amountMinor"] != order["totalMinor"]:
        what = f"{entry['amountMinor']} entered, its total is {order['totalMinor']}"
        yield order["orderId"], what


def moved(entries: Sequence[Item]) -> Counter[tuple[str, str]]:
    """Add entries up by payment and cause: ``capture``, ``refund`` or ``dispute``."""
    sums: Counter[tuple[str, str]] = Counter()
    for entry in entries:
        sums[entry["paymentId"], entry["kind"].partition("-")[0]] += entry["amountMinor"]
    return sums


@law(_IMPORT)
def fees(seen: Snapshot) -> Found:
    """Each movement of an order has its fee in the ledger, and there is no other fee."""
    moves = {item["movementId"]: item for item in seen.of("movement")}
    entered = {entry["thing"]: entry for entry in seen.of("ledger entry") if entry["kind"] in FEES}
    for name in sorted(moves.keys() | entered.keys()):
        movement, entry = moves.get(name), entered.get(name)
        if movement is None:
            yield name, "its fee is entered, but the movement is not"
        elif entry is None:
            if movement.get("eventId"):
                yield name, f"of {movement['orderId']}, but its fee is not entered"
        elif _fee(entry) != (
            movement.get("eventId"),
            movement.get("orderId"),
            -movement["feeMinor"],
            movement["currency"],
        ):
            yield name, f"of {movement['feeMinor']}, entered as {_fee(entry)}"


def _fee(entry: Item) -> tuple[str, str, int, str]:
    return entry["eventId"], entry["orderId"], entry["amountMinor"], entry["currency"]


@law(_IMPORT)
def payout_parts(seen: Snapshot) -> Found:
    """A listed payout has as many parts as it says, and is their sum."""
    moves = {item["movementId"]: item for item in seen.of("movement")}
    sums, counts = Counter[str](), Counter[str]()
    for part in seen.of("payout part"):
        movement = moves.get(part["movementId"])
        counts[part["payoutId"]] += 1
        if movement is not None:
            sums[part["payoutId"]] += movement["amountMinor"] - movement["feeMinor"]
    for step in seen.of("payout step"):
        name = step["payoutId"]
        told = (step.get("parts", 0), step["amountMinor"])
        if step["step"] == "listed" and told != (counts[name], sums[name]):
            yield name, f"{counts[name]} parts of {sums[name]}, listed as {step['amountMinor']}"


@law(_INVOICE)
def document_numbers(seen: Snapshot) -> Found:
    """An event's invoices and credit notes are numbered from 1 without a gap."""
    numbers: defaultdict[str, list[int]] = defaultdict(list)
    for document in seen.of("document"):
        numbers[document["eventId"]].append(document["number"])
    for event, given in numbers.items():
        if sorted(given) != list(range(1, len(given) + 1)):
            yield event, f"given {sorted(given)}"


@law(_INVOICE)
def document_amount(seen: Snapshot) -> Found:
    """An invoice has the amount of its entered capture, a credit note that of its refund."""
    taken = {
        (entry["orderId"], entry["paymentId"]): entry["amountMinor"]
        for entry in seen.of("ledger entry")
        if entry["kind"] == "capture"
    }
    owed = {
        (refund["orderId"], refund["paymentId"], refund.get("part", 0)): refund["amountMinor"]
        for refund in seen.of("owed refund")
    }
    for document in seen.of("document"):
        about = (document["orderId"], document["paymentId"])
        wanted = taken.get(about)
        if document["kind"] == "credit-note":
            wanted = owed.get((*about, document.get("part", 0)))
        lines = sum(line["amountMinor"] for line in document["lines"])
        if not document["amountMinor"] == wanted == lines:
            what = f"of {document['amountMinor']}, its lines of {lines}; {wanted} has moved"
            yield document[SK], what


@law("Wait for the sweeper's next minute; then look for the alarm `BackstopFailures`.", "rest")
def document(seen: Snapshot) -> Found:
    """At rest each capture that bought an order has one invoice, each refund of it one note.

    This is for events with a known seller.
    """
    billing = {event[SK] for event in seen.events if event.get("sellerName")}
    sold = {
        order["orderId"]: order["paymentId"]
        for order in seen.orders
        if order.get("paidAt") and order["eventId"] in billing
    }
    wanted = {(order, "invoice", 0) for order in sold}
    wanted |= {
        (refund["orderId"], "credit-note", refund.get("part", 0))
        for refund in seen.of("owed refund")
        if refund.get("state") == "succeeded" and sold.get(refund["orderId"]) == refund["paymentId"]
    }
    given = Counter(
        (one["orderId"], one["kind"], one.get("part", 0)) for one in seen.of("document")
    )
    for about in sorted(wanted):
        if given[about] != 1:
            yield about[0], f"{given[about]} of {about[1]} {about[2]}"
