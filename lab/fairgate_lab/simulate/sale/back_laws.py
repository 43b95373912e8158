"""What goes back of an order is what its own terms say, reckoned anew from its lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairgate_ops.run.laws.violation import Found, Violation

Item = Mapping[str, Any]
PER_TICKET = "Fee per ticket"  # as a buyer reads it on the receipt


def reckoned(order: Item, refunds: Mapping[tuple[str, str], Sequence[Item]]) -> Found:
    """Judge one order, its parts numbered without a gap and adding up to what it says."""
    name, fee = str(order.get("orderId")), order.get("cancelFeeMinor", 0)
    prices = _whole_prices(order)
    returned = order.get("returned", ())
    owed = refunds.get((name, order.get("paymentId") or ""), ())
    bought = [one for one in owed if order.get("cancelledAt") or order.get("parts")]
    parts = sorted(one["part"] for one in bought if one.get("part"))
    by_staff = len(parts) > sum(1 for place in returned if place.get("part"))
    for place in returned:
        full = len(place["tickets"]) * prices[place["tier"]]
        fees = fee * len(place["tickets"])
        amount = place["amountMinor"]
        right = amount <= full - fees if by_staff else amount == full - fees
        if not right or place["feeMinor"] != fees:
            what = f"{place['place']}: {amount} back, {place['feeMinor']} kept of {full}"
            yield Violation("cancel-amount", name, what)
    if parts != list(range(1, order.get("parts", 0) + 1)):
        yield Violation("cancel-parts", name, f"{order.get('parts', 0)} parts, owed are {parts}")
    back = sum(one["amountMinor"] for one in bought)
    if back != order.get("backMinor", 0) or back > order["totalMinor"]:
        what = f"{order.get('backMinor', 0)} of {order['totalMinor']}, owed are {back}"
        yield Violation("cancel-sum", name, what)
    if order.get("eventCancelled"):
        if back != order["totalMinor"]:
            what = f"its event is cancelled, and {back} of {order['totalMinor']} is owed back"
            yield Violation("cancel-amount", name, what)
    elif order.get("cancelledAt") and not by_staff:
        places = sum(unit.get("quantity", 1) for unit in order["units"])
        fees = fee * (places + sum(len(one["tickets"]) for one in returned))
        if back + fees != order["totalMinor"]:
            what = f"{back} back and {fees} kept of {order['totalMinor']}"
            yield Violation("cancel-amount", name, what)


def _whole_prices(order: Item) -> Mapping[str, int]:
    """Return what a ticket of each tier cost; the fee of the order is none of a ticket's."""
    lines = order.get("lines", ())
    each = sum(line["priceMinor"] for line in lines if line["label"] == PER_TICKET)
    return {line["tier"]: line["priceMinor"] + each for line in lines if line["tier"]}
