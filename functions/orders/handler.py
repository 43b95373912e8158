"""Serve the payment webhook and order pages; what waits for the provider is in ``checkout``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate import metrics
from fairgate.adapters.aws.emf import emit
from fairgate.bootstrap import container
from fairgate.deadline import within
from fairgate.http import paths
from fairgate.http.app import answer, create_app, raw_body, resolve
from fairgate.http.identity import caller
from fairgate.http.order_page import order_page
from fairgate.http.views.orders import orders_view
from fairgate.http.views.payments import SettledView
from fairgate.service.checkout.ask_payment import ASK_S, PaymentAsker
from fairgate.service.checkout.payment_events import PaymentEvents
from fairgate.service.checkout.settle_payment import PaymentSettler
from fairgate.service.orders.list_orders import list_orders
from fairgate.service.orders.read_orders import read_order

if TYPE_CHECKING:
    from aws_lambda_powertools.event_handler import Response

app = create_app()


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
    with within(ASK_S):
        asked = PaymentAsker(PaymentSettler(world.table, world.clock, world.payments)).ask(read)
    if read.state == "pending" and asked.state == "paid":
        emit(world.settings, world.clock.now_ms(), {metrics.ORDERS_PAID: 1})
    event = world.catalog.known(asked.event_id)
    mails = world.settings.sends_mail
    return answer(200, order_page(world.table, asked, event, world.clock.now_ms(), mails=mails))


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    return resolve(app, event, context)
