"""Laws about refunds of an order: its own terms and lines say the amounts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.service.audit.law import law
from fairgate.service.audit.order_states import places_in
from fairgate.service.audit.snapshot import grouped

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fairgate.service.audit.law import Found
    from fairgate.service.audit.snapshot import Item, Snapshot

PER_TICKET = "Fee per ticket"  # as a buyer reads it on the receipt
_SHOW_REFUNDS = "Compare the order's refunds with its terms: `fairgate orders show ORDER`."


@law(_SHOW_REFUNDS)
def cancel_amount(seen: Snapshot) -> Found:
    """The refund of a place, or of a cancelled order, is its price less the fee."""
    for order, bought in _orders(seen):
        name, fee = order["orderId"], order.get("cancelFeeMinor", 0)
        returned = order.get("returned", ())
        by_staff = _by_staff(order, bought)
        prices = _whole_prices(order)
        for place in returned:
            full = len(place["tickets"]) * prices[place["tier"]]
            fees = fee * len(place["tickets"])
            amount = place["amountMinor"]
            right = amount <= full - fees if by_staff else amount == full - fees
            if not right or place["feeMinor"] != fees:
                yield name, f"{place['place']}: {amount} back, {place['feeMinor']} kept of {full}"
        back = sum(one["amountMinor"] for one in bought)
        if order.get("eventCancelled"):
            if back != order["totalMinor"]:
                total = order["totalMinor"]
                yield name, f"its event is cancelled, and {back} of {total} is owed back"
        elif order.get("cancelledAt") and not by_staff:
            fees = fee * (places_in(order) + sum(len(one["tickets"]) for one in returned))
            if back + fees != order["totalMinor"]:
                yield name, f"{back} back and {fees} kept of {order['totalMinor']}"


@law(_SHOW_REFUNDS)
def cancel_parts(seen: Snapshot) -> Found:
    """The partial refunds of an order are numbered without a gap, as many as it says."""
    for order, bought in _orders(seen):
        parts = _parts(bought)
        if parts != list(range(1, order.get("parts", 0) + 1)):
            yield order["orderId"], f"{order.get('parts', 0)} parts, owed are {parts}"


@law(_SHOW_REFUNDS)
def cancel_sum(seen: Snapshot) -> Found:
    """An order has the sum of its refunds, which is never more than its total."""
    for order, bought in _orders(seen):
        back, said = sum(one["amountMinor"] for one in bought), order.get("backMinor", 0)
        if back != said or back > order["totalMinor"]:
            yield order["orderId"], f"{said} of {order['totalMinor']}, owed are {back}"


def _orders(seen: Snapshot) -> Iterator[tuple[Item, list[Item]]]:
    """Yield each order with the refunds of the capture that bought it."""
    owed = grouped(seen.of("owed refund"), "paymentId")
    for order in seen.orders:
        mine = owed.get(order.get("paymentId") or "", ()) if _went_back(order) else ()
        yield order, [one for one in mine if one["orderId"] == order["orderId"]]


def _went_back(order: Item) -> bool:
    return bool(order.get("cancelledAt") or order.get("parts"))


def _parts(bought: list[Item]) -> list[int]:
    return sorted(one["part"] for one in bought if one.get("part"))


def _by_staff(order: Item, bought: list[Item]) -> bool:
    """Say whether staff refunded a part without a place."""
    return len(_parts(bought)) > sum(1 for place in order.get("returned", ()) if place.get("part"))


def _whole_prices(order: Item) -> Mapping[str, int]:
    """Return the price of a ticket of each tier with its own fee, without the order's fee."""
    lines = order.get("lines", ())
    each = sum(line["priceMinor"] for line in lines if line["label"] == PER_TICKET)
    return {line["tier"]: line["priceMinor"] + each for line in lines if line["tier"]}
