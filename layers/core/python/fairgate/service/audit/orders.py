"""Laws about orders: their units and prices, their indexes, and that each is settled."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from fairgate.domain.orders.erasure import ERASED
from fairgate.domain.shared.ids import Mailbox, OrderId
from fairgate.ports.record import GSI1PK, GSI1SK, PK, SK, Key
from fairgate.service.audit.law import law
from fairgate.service.audit.order_states import SOLD, WAITING
from fairgate.service.shared.keys import event_orders_index, order_in_event
from fairgate.service.shared.mailbox_keys import mailbox_order_key

if TYPE_CHECKING:
    from fairgate.service.audit.law import Found
    from fairgate.service.audit.snapshot import Item, Snapshot

_SHOW_ORDER = "Compare `fairgate orders show ORDER` with the reservations of its session."


@law(_SHOW_ORDER)
def order_units(seen: Snapshot) -> Found:
    """A sold order has the units of its session's sold reservations."""
    sold = _sold_places(seen)
    for order in _sold(seen):
        listed = _listed(order)
        if listed != sold.get(order[PK], Counter()):
            yield order["orderId"], f"lists {dict(listed)}, sold {dict(sold.get(order[PK], {}))}"


@law(_SHOW_ORDER)
def order_price(seen: Snapshot) -> Found:
    """A sold order is priced for as many places as it had when it was bought."""
    for order in _sold(seen):
        priced = sum(line["quantity"] for line in order["lines"] if line["tier"])
        returned = sum(len(one["tickets"]) for one in order.get("returned", ()))
        had = _listed(order).total() + returned
        if priced != had:
            yield order["orderId"], f"{priced} priced of {had}"


@law("Read the session's item, and write into its index attributes where its order belongs.")
def order_indexed(seen: Snapshot) -> Found:
    """The index of an event has each of its orders once, by its session, and nothing else."""
    orders = {order[PK]: order for order in seen.orders}
    for session in seen.sessions:
        where = (session.get(GSI1PK), session.get(GSI1SK))
        if not _is_place_of(orders.get(session[PK]), where):
            yield session[PK], f"is at {where} in the index"


def _is_place_of(order: Item | None, where: tuple[str | None, str | None]) -> bool:
    if order is None:
        return where == (None, None)
    partition = event_orders_index(order["eventId"], order[PK])
    place = order_in_event(order["createdAt"], order["orderId"], order["email"])
    if "erasedAt" not in order:
        return where == (partition, place)
    # The hash of the address stays in the key when the address is erased.
    before_tag = place.rpartition("#")[0]
    return where[0] == partition and (where[1] or "").rpartition("#")[0] == before_tag


@law("Mail the tickets again with `fairgate orders resend`: the buyer cannot find them.")
def order_in_mailbox(seen: Snapshot) -> Found:
    """The list of a mail address has each of its orders that took money, and nothing else.

    The entry of an address that was erased or changed has an end, and is deleted a little later.
    """
    wanted = {
        mailbox_order_key(Mailbox(order["mailbox"]), OrderId(order["orderId"]))
        for order in seen.orders
        if order.get("mailbox") and order.get("paymentId")
    }
    entries = seen.of("mailbox order")
    entered = {Key(item[PK], item[SK]) for item in entries if not item.get("ttl")}
    for key in sorted(wanted ^ entered):
        what = "is not entered" if key in wanted else "is entered, but took no money"
        yield key.sk, f"{what} under {key.pk}"


@law("Erase the buyer once more: `fairgate buyer erase`.")
def address_erased(seen: Snapshot) -> Found:
    """An order has either an address or the time when its address was erased."""
    for order in seen.orders:
        gone = order["email"] == ERASED and not order.get("postalAddress")
        if gone != bool(order.get("erasedAt")):
            what = f"has {'no' if gone else 'an'} address, erased at {order.get('erasedAt')}"
            yield order["orderId"], what


@law("Run `fairgate orders reconcile`: it issues late tickets and sends late refunds.", "delivered")
def order_unsettled(seen: Snapshot) -> Found:
    """No order waits for its tickets; one that waits for its refund has a manual task."""
    told = _with_open_task(seen)
    for order in seen.orders:
        state = order["state"]
        if state == "paid" or (state == "refund_due" and order.get("paymentId") not in told):
            yield order["orderId"], f"still {state}"


@law("Run `fairgate orders reconcile`; then look for the alarm `SweeperSilent`.", "rest")
def order_never_settled(seen: Snapshot) -> Found:
    """At rest no order is pending; a cancelled one is refunded, or has a manual task."""
    told = _with_open_task(seen)
    for order in seen.orders:
        state = order["state"]
        waits = state in WAITING and order.get("paymentId") not in told
        if state == "pending" or waits:
            yield order["orderId"], f"still {state}, without a manual task"


def _with_open_task(seen: Snapshot) -> set[str]:
    """Return the payments that have an open manual task."""
    return {one.get("paymentId", "") for one in seen.of("manual task") if not one.get("doneAt")}


def _sold(seen: Snapshot) -> list[Item]:
    return [order for order in seen.orders if order["state"] in SOLD]


def _sold_places(seen: Snapshot) -> dict[str, Counter[str]]:
    """Count each session's sold places by seat or area."""
    sold: dict[str, Counter[str]] = {}
    for reservation in seen.reservations:
        if reservation["state"] == "sold":
            places = sold.setdefault(reservation[PK], Counter())
            places[reservation["place"]] += reservation["quantity"]
    return sold


def _listed(order: Item) -> Counter[str]:
    places: Counter[str] = Counter()
    for unit in order["units"]:
        places[unit[unit["kind"]]] += unit.get("quantity", 1)
    return places
