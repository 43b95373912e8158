"""Orders as their buyers see them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.orders.order import LineKind, OrderState, PostalAddress, RefundStatus
from fairgate.http.views.events import name_of
from fairgate.http.views.transfers import TransferView, transfer_view

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairgate.service.orders.list_orders import OrdersPage
    from fairgate.service.refunds.cancel_terms import CancelOffer
    from fairgate.service.refunds.refund_status import BuyersRefund
    from fairgate.service.shared.records.catalog import Event
    from fairgate.service.shared.records.orders import Order
    from fairgate.service.tickets.pass_terms import PassTerms


class LineView(Struct, frozen=True):
    label: str
    tier: str
    kind: LineKind
    quantity: int
    price_minor: int
    vat_bp: int  # included in the price: 1900 is 19 %
    vat_minor: int  # of the whole line


class RefundView(Struct, frozen=True):
    state: RefundStatus
    amount_minor: int
    second_payment: bool  # of one that did not buy the tickets


class CancelPlaceView(Struct, frozen=True):
    """A place that may be given back by itself; of a table all its tickets go together."""

    tickets: list[str]
    seat: str | None
    label: str
    places: int
    refund_minor: int
    fee_minor: int


class CancellationView(Struct, frozen=True):
    """What the buyer may give back, and what goes back for it now."""

    until: str
    refund_minor: int | None  # for the whole order; null: a ticket of it was passed on
    fee_minor: int | None  # kept of it
    places: list[CancelPlaceView]


class ReturnedView(Struct, frozen=True):
    """A place that was given back while its order stands."""

    label: str
    places: int
    amount_minor: int
    fee_minor: int


class OrderView(Struct, frozen=True):
    order: str
    session: str
    event: str
    state: OrderState
    total_minor: int
    currency: str
    lines: list[LineView]
    expires_at: str
    settling_until: str
    last_attempt: str | None
    email: str  # where its mails go; "": erased
    mailed_at: str | None  # when its tickets were first mailed; null also where no mail is sent
    postal_address: PostalAddress | None  # null: not asked for, or erased
    payment: str | None  # the provider's id of the payment, for the buyer to quote
    tickets: int
    ticket_labels: list[str]  # of the buyer's valid tickets, as they are drawn
    refund: RefundView | None
    cancellation: CancellationView | None
    returned: list[ReturnedView]
    event_cancelled: bool  # by its organiser: all that was paid goes back
    void: list[str]  # labels of its tickets that the organiser made void
    transfer: TransferView | None  # null: nothing of it may be passed on, now or ever
    invoice: bool  # whether there is one, now or within minutes


class OrderSummaryView(Struct, frozen=True):
    """One of a buyer's orders, as their list shows it."""

    order: str
    event: str
    event_name: str  # "" where the event cannot be read
    state: OrderState
    total_minor: int
    returned_minor: int  # of it, decided to go back
    currency: str
    tickets: int
    created_at: str
    event_cancelled: bool


class OrdersView(Struct, frozen=True):
    """A page of a buyer's orders, the newest first."""

    orders: list[OrderSummaryView]
    after: str | None  # the next page begins there; null: these are the last


def orders_view(page: OrdersPage, known: Callable[[str], Event | None]) -> OrdersView:
    return OrdersView(
        orders=[
            OrderSummaryView(
                order=order.order_id,
                event=order.event_id,
                event_name=name_of(known(order.event_id)),
                state=order.state,
                total_minor=order.total_minor,
                returned_minor=order.back_minor,
                currency=order.currency,
                tickets=_own_tickets(order),
                created_at=order.created_at,
                event_cancelled=order.event_cancelled,
            )
            for order in page.orders
        ],
        after=page.after or None,
    )


def order_view(
    order: Order,
    refund: BuyersRefund | None = None,
    offer: CancelOffer | None = None,
    passing: PassTerms | None = None,
    *,
    invoice: bool = False,
    mails: bool = True,
) -> OrderView:
    return OrderView(
        order=order.order_id,
        session=order.session,
        event=order.event_id,
        state=order.state,
        total_minor=order.total_minor,
        currency=order.currency,
        lines=[
            LineView(
                label=line.label,
                tier=line.tier,
                kind=line.kind,
                quantity=line.quantity,
                price_minor=line.price_minor,
                vat_bp=line.vat_bp,
                vat_minor=line.vat_minor,
            )
            for line in order.lines
        ],
        expires_at=order.expires_at,
        settling_until=order.settling_until,
        last_attempt=order.last_attempt or None,
        email="" if order.erased_at else order.email,
        mailed_at=(order.mailed_at if mails else "") or None,
        postal_address=order.postal_address,
        payment=order.payment_id,
        tickets=_own_tickets(order),
        ticket_labels=order.buyers_labels,
        refund=None
        if refund is None
        else RefundView(refund.state, refund.amount_minor, refund.second_payment),
        cancellation=None if offer is None else _cancellation(order, offer),
        returned=[
            ReturnedView(one.label, len(one.tickets), one.amount_minor, one.fee_minor)
            for one in order.returned
        ],
        event_cancelled=order.event_cancelled,
        void=[
            entry.label
            for entry in order.tickets
            if entry not in order.admitting and not entry.holder
        ],
        transfer=transfer_view(passing),
        invoice=invoice,
    )


def _own_tickets(order: Order) -> int:
    """Count what its buyer has of it, before there are tickets, too."""
    return order.places - len(order.passed_on | {one.ticket for one in order.voided})


def _cancellation(order: Order, offer: CancelOffer) -> CancellationView:
    labels = {entry.ticket: entry.label for entry in order.tickets}
    return CancellationView(
        until=offer.until,
        refund_minor=None if offer.back is None else offer.back.amount_minor,
        fee_minor=None if offer.back is None else offer.back.fee_minor,
        places=[
            CancelPlaceView(
                tickets=list(place.tickets),
                seat=order.units[place.unit].seat or None,
                label=labels[place.tickets[0]],
                places=len(place.tickets),
                refund_minor=place.back.amount_minor,
                fee_minor=place.back.fee_minor,
            )
            for place in offer.places
        ],
    )
