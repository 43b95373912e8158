"""Serve checkout, the payment webhook, orders and their cancellation, and leaving a session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate import metrics
from fairgate.adapters.aws.emf import emit
from fairgate.bootstrap import container
from fairgate.domain.shared.ids import SessionId
from fairgate.domain.shared.language import negotiated
from fairgate.errors import WrongStateError
from fairgate.http import paths
from fairgate.http.app import (
    answer,
    create_app,
    header,
    idempotency_key,
    json_body,
    raw_body,
    resolve,
)
from fairgate.http.identity import caller
from fairgate.http.models import CancelRequest, CheckoutRequest
from fairgate.http.rate_limits import count_request
from fairgate.http.session_access import session_credential
from fairgate.http.views.orders import OrderView, order_view, orders_view
from fairgate.http.views.payments import CheckoutView, SettledView
from fairgate.service.checkout.ask_payment import PaymentAsker
from fairgate.service.checkout.await_turn import TurnAwaiter
from fairgate.service.checkout.begin_checkout import CheckoutBeginner
from fairgate.service.checkout.end_checkout import CheckoutEnder
from fairgate.service.checkout.open_payment import seats_kept_until
from fairgate.service.checkout.payment_events import PaymentEvents
from fairgate.service.checkout.settle_payment import PaymentSettler
from fairgate.service.orders.list_orders import list_orders
from fairgate.service.orders.read_orders import read_order
from fairgate.service.refunds.cancel_order import OrderCanceller
from fairgate.service.refunds.cancel_terms import cancel_offer
from fairgate.service.refunds.refund_status import refund_status
from fairgate.service.refunds.return_place import PlaceReturner
from fairgate.service.sessions.sign_session import credential_until
from fairgate.service.shared.records.orders import Order
from fairgate.service.tickets.pass_terms import pass_terms

if TYPE_CHECKING:
    from aws_lambda_powertools.event_handler import Response

app = create_app()


@app.post(paths.powertools_rule(paths.CHECKOUT))
def post_checkout(session: str) -> Response[str]:
    world = container()
    key = idempotency_key(app)
    credential = session_credential(app, world, session, replayed=bool(key))
    count_request(app, world, "checkout", credential.event, credential.user)
    request = json_body(app, CheckoutRequest)
    beginner = CheckoutBeginner(
        *(world.table, world.clock, world.ids, world.expiry_queue),
        addresses_key=world.secrets.addresses(),
        turns=world.payment_turns,
    )
    with seats_kept_until(credential.expires_at):
        sale = world.catalog.event(credential.event)
        begun = beginner.begin(
            sale,
            SessionId(session),
            credential.user,
            request.email,
            idempotency_key=key,
            language=negotiated(header(app, "accept-language")),
            postal_address=request.postal_address,
        )
    time_to_pay = begun.order.expires_at
    settler = PaymentSettler(world.table, world.clock, world.payments)
    with seats_kept_until(time_to_pay):
        turn = TurnAwaiter(settler, world.payment_turns, sale.checkout_s)
        page = turn.open(begun, world.settings.public_url)
    signed = credential_until(credential, begun.expires_at, world.secrets.sign_in())
    return answer(201, CheckoutView(order_view(begun.order), page, time_to_pay, signed))


@app.delete(paths.powertools_rule(paths.SESSION))
def delete_session(session: str) -> Response[str]:
    world = container()
    credential = session_credential(app, world, session)
    count_request(app, world, "leave", credential.event, credential.user)
    ender = CheckoutEnder.of(world.table, world.clock, world.payments)
    if ender.end(session, "cancelled", credential.user) == "paid":
        raise WrongStateError("You have paid for these seats: they are yours.", state="finalised")
    return answer(204, None)


@app.post(paths.powertools_rule(paths.PAYMENT_WEBHOOK))
def post_webhook() -> Response[str]:
    world = container()
    headers = app.current_event.raw_event.get("headers", {})
    payment = world.payments.parse_webhook(raw_body(app), headers)
    outcome = PaymentEvents(world.table, world.clock, world.payments).apply(payment)
    if outcome == "paid":
        emit(world.settings, world.clock.now_ms(), {metrics.ORDERS_PAID: 1})
    elif payment.kind == "failed" and outcome == "noted":
        emit(world.settings, world.clock.now_ms(), {metrics.PAYMENTS_DECLINED: 1})
    return answer(200, SettledView(outcome))


@app.get(paths.powertools_rule(paths.ORDERS))
def get_orders() -> Response[str]:
    world = container()
    after = str(app.current_event.get_query_string_value("after", default_value="") or "")
    page = list_orders(world.table, caller(app, world).sub, after)
    return answer(200, orders_view(page, world.catalog.known))


@app.get(paths.powertools_rule(paths.ORDER))
def get_order(order: str) -> Response[str]:
    world = container()
    read = read_order(world.table, order, caller(app, world).sub)
    asked = PaymentAsker(PaymentSettler(world.table, world.clock, world.payments)).ask(read)
    if read.state == "pending" and asked.state == "paid":
        emit(world.settings, world.clock.now_ms(), {metrics.ORDERS_PAID: 1})
    return answer(200, _seen(asked))


@app.post(paths.powertools_rule(paths.ORDER_CANCEL))
def post_cancel(order: str) -> Response[str]:
    world = container()
    own = read_order(world.table, order, caller(app, world).sub)
    count_request(app, world, "cancel", own.event_id, own.user_id)
    request = json_body(app, CancelRequest) if raw_body(app) else CancelRequest()
    key, event = idempotency_key(app), world.catalog.fresh(own.event_id)
    if request.ticket is None:
        canceller = OrderCanceller(world.table, world.clock, world.payments)
        cancelled = canceller.cancel(event, own, idempotency_key=key)
    else:
        returner = PlaceReturner(world.table, world.clock, world.payments)
        cancelled = returner.give_back(event, own, request.ticket, idempotency_key=key)
    return answer(200, _seen(cancelled))


def _seen(order: Order) -> OrderView:
    """Show an order as it is, how its refund stands, what of it may be given back or passed on."""
    world = container()
    event = world.catalog.known(order.event_id)
    terms = cancel_offer(order, event)
    passing = pass_terms(order, event, order.user_id, world.clock.now_ms())
    invoice = bool(order.paid_at and event and event.gives_invoices)
    refund = refund_status(world.table, order)
    return order_view(order, refund, terms, passing, invoice=invoice)


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    answered = resolve(app, event, context)
    world = container()
    if figures := world.rates.figures():
        emit(world.settings, world.clock.now_ms(), figures)
    return answered
