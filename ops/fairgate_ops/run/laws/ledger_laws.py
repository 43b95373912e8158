"""What the ledger says is what became of the orders, their refunds and their disputes.

Of a payment it adds up to captured − refunded − disputed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fairgate.adapters.dynamodb.codec import from_item
from fairgate.ports.record import PK, SK, Key
from fairgate.service.shared.keys import shape_of
from fairgate_ops.run.laws.violation import Found, Violation

if TYPE_CHECKING:
    from fairgate_ops.run.laws.snapshot import Item, Snapshot

GONE = ("pending", "succeeded")  # a refund
TAKEN = ("open", "lost")  # a disputed capture
KEPT = ("paid", "ticketed", "disputed", "charged_back")
OWED = ("refund_due", "cancelled", "refunded")


def adds_up(snapshot: Snapshot) -> Found:
    """Each payment's entries are one capture, and what its refunds and disputes have moved."""
    kinds: defaultdict[str | None, list[Item]] = defaultdict(list)
    for item in map(from_item, snapshot.raw.get("reservations", ())):
        kinds[shape_of("reservations", Key(item[PK], item[SK]))].append(item)
    said, wanted = moved(kinds["ledger entry"]), Counter[tuple[str, str]]()
    for refund in kinds["owed refund"]:
        wanted[refund["paymentId"], "refund"] -= refund["amountMinor"] * (
            refund.get("state") in GONE
        )
    for dispute in kinds["dispute"]:
        wanted[dispute["paymentId"], "dispute"] -= dispute["amountMinor"] * (
            dispute["state"] in TAKEN
        )
    for payment in sorted({name for name, _ in (*said, *wanted)}):
        for kind in ("refund", "dispute"):
            if said[payment, kind] != wanted[payment, kind]:
                what = f"{kind}s of {said[payment, kind]}, and {wanted[payment, kind]} has moved"
                yield Violation("ledger", payment, what)
    captured = {e["paymentId"]: e for e in kinds["ledger entry"] if e["kind"] == "capture"}
    yield from _of_orders(kinds["order"], captured)
    for refund in kinds["owed refund"]:
        if refund["paymentId"] not in captured:
            yield Violation("ledger", refund["paymentId"], "owed back, and never entered as taken")


def _of_orders(orders: list[Item], captured: Mapping[str, Item]) -> Found:
    """An order that was paid has its capture entered, of its price where it bought tickets."""
    for order in orders:
        if order["state"] not in (*KEPT, *OWED):
            continue
        entry = captured.get(order.get("paymentId", ""))
        if entry is None or entry["orderId"] != order["orderId"]:
            what = f"{order['state']}, and its capture is not entered"
            yield Violation("ledger", order["orderId"], what)
        elif order["state"] in KEPT and entry["amountMinor"] != order["totalMinor"]:
            what = f"{entry['amountMinor']} entered, its total is {order['totalMinor']}"
            yield Violation("ledger", order["orderId"], what)


def moved(entries: Sequence[Item]) -> Counter[tuple[str, str]]:
    """Add entries up by payment and what moved: ``capture``, ``refund`` or ``dispute``."""
    sums: Counter[tuple[str, str]] = Counter()
    for entry in entries:
        sums[entry["paymentId"], entry["kind"].partition("-")[0]] += entry["amountMinor"]
    return sums
