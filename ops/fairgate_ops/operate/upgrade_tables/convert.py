"""Convert items of version 0.1.0 (format 1) into those of format 2. Pure: no table is touched.

What differs: counters of areas are in no index; reservations have a state of their own; sessions
and orders have other keys of the index; what is due and live sessions lie in partitions with a
shard; an order knows its buyer's limit, a user how many places are taken; money that moved is in a
ledger. Items that only steer a sale (the crowd's samples, the controller's memory, the desk's
counts) stay behind.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from fairgate.domain.shared.ids import OrderId, UserId
from fairgate.ports.payments import PaymentEvent
from fairgate.ports.record import GSI1PK, GSI1SK, PK, SK, Key, decode
from fairgate.ports.table import Put
from fairgate.service.audit.order_states import TAKING
from fairgate.service.ledger.ledger import captured, refund_entries
from fairgate.service.ledger.refund_steps import Step
from fairgate.service.shared.keys import (
    AREA,
    CATALOG_PK,
    IDEMPOTENCY,
    ORDER,
    PAYMENT_EVENT,
    RECONCILED,
    REFUND,
    REFUNDS,
    SWEPT,
    TOKEN,
    USER,
    due_key,
    event_orders_index,
    live_key,
    order_in_event,
    orders_index,
    user_of,
)
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.orders import Order, OwedRefund
from fairgate.service.shared.records.sessions import Reservation, ReservationState, Session
from fairgate.service.shared.ticket_codes import without_codes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

Item = dict[str, Any]
_STATES: Mapping[str, ReservationState] = {"L": "live", "R": "sold", "X": "released"}
_SAME = (TOKEN, PAYMENT_EVENT, RECONCILED)  # how partitions begin that are the same in both
_LEFT = ("Q#", "D#")  # the crowd's samples, the desk's counts and decisions


class UnknownItemError(Exception):
    """Reports an item that version 0.1.0 did not write."""


def convert_catalog(items: Iterable[Item]) -> Iterator[Item]:
    """Yield the catalogue with every sale closed: no value of a gate is carried over.

    Raises DamagedItemError: an event is not as version 0.1.0 wrote it.
    """
    for item in items:
        yield {**event_of(item).item(), "state": "closed"} if item[PK] == CATALOG_PK else item


def convert_seats(items: Iterable[Item]) -> Iterator[Item]:
    """Yield seats as they are, and the counters of areas without the index keys that none reads."""
    for item in items:
        yield _unlisted(item) if item[SK] == AREA else item


def event_of(item: Item) -> Event:
    return decode(Event, item)


def convert_reservations(items: Iterable[Item], events: Mapping[str, Event]) -> Iterator[Item]:
    """Yield what takes the place of all items of the table.

    Args:
        events: every event, by id.

    Raises:
        UnknownItemError: an item is of no kind that version 0.1.0 wrote.
        DamagedItemError: an item lacks what it always had.
    """
    partitions: defaultdict[str, list[Item]] = defaultdict(list)
    for item in items:
        partitions[item[PK]].append(item)
    taken = Counter[tuple[str, str]]()
    for pk, found in partitions.items():
        if not pk.startswith("ses_"):
            continue
        orders = [_order(one, events[one["eventId"]]) for one in _of_kind(found, ORDER)]
        for order in orders:
            taken[order.user_id, order.event_id] += order.places * (order.state in TAKING)
        yield from _session(found, orders)
    for pk, found in partitions.items():
        if not pk.startswith("ses_"):
            for item in found:
                yield from _other(item, taken, events)


def _of_kind(items: Sequence[Item], prefix: str) -> list[Item]:
    return [item for item in items if item[SK].startswith(prefix)]


def _order(item: Item, event: Event) -> Order:
    listed = {GSI1PK: orders_index(UserId(item["userId"])), GSI1SK: item["createdAt"]}
    return decode(Order, item | listed | {"userLimit": event.user_limit})


def _session(items: Sequence[Item], orders: Sequence[Order]) -> Iterator[Item]:
    by_id = {order.order_id: order for order in orders}
    refunds = [
        decode(OwedRefund, one | {"currency": by_id[OrderId(one["orderId"])].currency})
        for one in _of_kind(items, REFUND)
    ]
    for item in items:
        match item[SK][:2]:
            case "S#":
                yield _listed(decode(Session, _unlisted(item)), orders).item()
            case "R#":
                state = _STATES[item[GSI1SK].rpartition("#")[2]]
                yield decode(Reservation, _unlisted(item) | {"state": state}).item()
            case "I#":
                yield item
            case "O#" | "F#":
                pass  # below
            case _:
                raise UnknownItemError(f"Version 0.1.0 wrote no {item[SK]} of a session.")
    for order in orders:
        back, tickets = _back_minor(order, refunds), without_codes(order)
        yield replace(order, back_minor=back, tickets=tickets).item()
    for refund in refunds:
        yield from _refund(refund)
    yield from _captures(by_id, refunds)


def _unlisted(item: Item) -> Item:
    return {name: value for name, value in item.items() if name not in (GSI1PK, GSI1SK)}


def _listed(session: Session, orders: Sequence[Order]) -> Session:
    """Put it into the index of its event's orders, as a checkout does today."""
    if not orders:
        return session
    order = max(orders, key=lambda one: one.created_at)
    return replace(
        session,
        gsi1_pk=event_orders_index(order.event_id, session.id),
        gsi1_sk=order_in_event(order.created_at, order.order_id, order.email),
    )


def _back_minor(order: Order, refunds: Sequence[OwedRefund]) -> int:
    bought = [one for one in refunds if (one.order_id, one.payment_id) == _bought(order)]
    return sum(one.amount_minor for one in bought) if order.cancelled_at else 0


def _bought(order: Order) -> tuple[OrderId, str | None]:
    return order.order_id, order.payment_id


def _refund(owed: OwedRefund) -> Iterator[Item]:
    """Yield it, and if the provider had taken it, its entry in the ledger.

    Version 0.1.0 followed no refund further than that, and noted no id of the provider's.
    """
    if owed.waits:
        yield owed.item()
        return
    yield replace(owed, state="succeeded", changed_at=owed.sent_at, ledger_entries=1).item()
    yield from _entered(refund_entries(owed, Step("succeeded"), owed.sent_at))


def _captures(orders: Mapping[OrderId, Order], refunds: Sequence[OwedRefund]) -> Iterator[Item]:
    """Yield the ledger's entry of each capture: one bought the order, or is owed back."""
    seen = {
        _bought(order): (order.total_minor, order.paid_at)
        for order in orders.values()
        if order.paid_at
    }
    for owed in refunds:
        seen.setdefault((owed.order_id, owed.payment_id), (owed.amount_minor, owed.owed_at))
    for (name, payment), (amount_minor, at) in seen.items():
        order = orders[name]
        taken = PaymentEvent("", "succeeded", name, amount_minor, order.currency, payment or "")
        yield from _entered([captured(order, taken, at)])


def _entered(writes: Iterable[Any]) -> Iterator[Item]:
    for write in writes:
        if isinstance(write, Put):  # the only kind that an entry is
            yield dict(write.item)


def _other(
    item: Item, taken: Mapping[tuple[str, str], int], events: Mapping[str, Event]
) -> Iterator[Item]:
    """Yield what takes the place of an item outside sessions: one item, or none."""
    pk, sk = item[PK], item[SK]
    event, _, kind = pk.partition("#")
    if pk.startswith(_SAME) or sk == SWEPT or sk.startswith(IDEMPOTENCY):
        yield item
    elif pk.startswith(USER):
        count = taken.get((user_of(pk), sk), 0)
        same = {k: v for k, v in _unlisted(item).items() if k not in ("seatsBought", "ticketsHeld")}
        limit = events[sk].user_limit if count else 0
        yield same | ({"placesTaken": count, "userLimit": limit} if count else {})
    elif kind.startswith("DUE#"):
        owner = REFUNDS if item.get("paymentId") else event
        yield _moved(item, due_key(owner, kind.removeprefix("DUE#"), sk))
    elif kind == "LIVE":
        yield _moved(item, live_key(event, sk))
    elif kind != "CONTROL" and not pk.startswith(_LEFT):
        raise UnknownItemError(f"Version 0.1.0 wrote no item with the key {pk} {sk}.")


def _moved(item: Item, key: Key) -> Item:
    return item | {PK: key.pk, SK: key.sk}
