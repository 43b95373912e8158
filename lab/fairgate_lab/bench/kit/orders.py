"""Very many orders of one event: each as its sale leaves it, with its session and its money."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from fairgate.domain.shared.credential import Credential
from fairgate.domain.shared.ids import EventId, OrderId, SessionId, UserId
from fairgate.domain.shared.times import rfc3339
from fairgate.domain.tickets.ticket import ticket_id
from fairgate.ports.payments import Movement, PaymentEvent
from fairgate.ports.record import Record, decode
from fairgate.service.ledger.ledger import captured, fee_entry
from fairgate.service.shared.keys import (
    event_orders_index,
    order_in_event,
    orders_index,
    own_order_key,
)
from fairgate.service.shared.movement_keys import payout_part_key
from fairgate.service.shared.records.movements import PayoutPart
from fairgate.service.shared.records.orders import (
    LedgerEntry,
    Order,
    OrderLine,
    OrderUnit,
    TicketEntry,
)
from fairgate.service.shared.records.sessions import Session
from fairgate_lab.bench.kit.world import open_session

BEGAN_MS = 1_893_456_000_000
EVERY_MS = 20  # an order is made: 50 a second
OFTEN, OFTEN_ORDERS = UserId("often"), 45  # a buyer with more than two pages of orders
PENDING_EVERY = 10  # each so many-th order was never paid


def records(event: EventId, count: int) -> Iterator[Record]:
    """Make so many orders of two seats each, their sessions, captures, fees and their payouts."""
    step = max(1, count // OFTEN_ORDERS)
    for number in range(count):
        often = number % step == 0 and number // step < OFTEN_ORDERS
        user = OFTEN if often else UserId(f"buyer-{number:08d}")
        made_ms = BEGAN_MS + number * EVERY_MS
        order = made_order(event, number, user, at_ms=made_ms, paid=number % PENDING_EVERY != 0)
        yield order
        yield _session(order)
        if order.payment_id is not None:
            yield _capture(order, order.payment_id)
            yield from _fee(order, order.payment_id, number)


def email_of(number: int) -> str:
    return f"buyer-{number}@example.org"


def made_order(
    event: EventId,
    number: int,
    user: UserId,
    *,
    at_ms: int,
    expires_at: str = "",
    paid: bool = True,
) -> Order:
    """Make an order of two seats: paid and ticketed when it was made, or expired."""
    # The session's digits are spread, as random ones are.
    session = f"{number * 0x9E3779B97F4A7C15 % 2**64:016x}{number:016x}"
    order, made = OrderId(f"ord_{session}_{number:08x}"), rfc3339(at_ms)
    units = [
        OrderUnit(kind="seat", tier="t", label=f"Row 12, seat {n}", seat=f"s{number}-{n}")
        for n in (1, 2)
    ]
    tickets = [
        TicketEntry(ticket=ticket_id(order, n), unit=n, label=unit.label, code="")
        for n, unit in enumerate(units)
    ]
    return Order(
        *own_order_key(order),
        gsi1_pk=orders_index(user),
        gsi1_sk=made,
        user_id=user,
        event_id=event,
        order_id=order,
        state="ticketed" if paid else "expired",
        total_minor=10_000,
        currency="EUR",
        lines=[OrderLine(label="Tier", tier="t", quantity=2, price_minor=5_000)],
        units=units,
        user_limit=8,
        email=email_of(number),
        expires_at=expires_at or made,
        created_at=made,
        pay_page=f"https://checkout.example.org/pay/{session}",
        payment_id=f"pi_{number:024d}" if paid else None,
        paid_at=made if paid else "",
        ticketed_at=made if paid else "",
        mailed_at=made if paid else "",
        tickets=tickets if paid else [],
        correlation_id="e" * 56,
    )


def _session(order: Order) -> Session:
    session = SessionId(order.session)
    credential = Credential(session, order.event_id, order.user_id, order.expires_at, 10, "")
    return replace(
        open_session(credential),
        state="finalised",
        res_count=2,
        live_bucket="",
        admission={"iat": BEGAN_MS // 1000, "h": 0.5, "lot": "l" * 22, "edgeAt": order.created_at},
        gsi1_pk=event_orders_index(order.event_id, order.session),
        gsi1_sk=order_in_event(order.created_at, order.order_id, order.email),
    )


def _capture(order: Order, payment: str) -> LedgerEntry:
    paid = PaymentEvent("", "succeeded", order.order_id, order.total_minor, order.currency, payment)
    return decode(LedgerEntry, captured(order, paid, order.paid_at).item)


def _fee(order: Order, payment: str, number: int) -> Iterator[LedgerEntry | PayoutPart]:
    """Return the fee of a capture, and which payout it went with: one of each thousand orders."""
    movement = f"txn_{number:024d}"
    ids = {"payment": payment, "order": order.order_id}
    moved = Movement(movement, "capture", order.total_minor, 165, order.currency, BEGAN_MS, **ids)
    entry = fee_entry(order.event_id, order.order_id, moved, order.paid_at)
    yield decode(LedgerEntry, entry.item)
    key = payout_part_key(movement)
    yield PayoutPart(*key, movement_id=movement, payout_id=f"po_{number // 1_000:024d}")
