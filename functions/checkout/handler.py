"""Serve what may wait for the payment provider: checkout, leaving a session, and cancellation.

And the change of a paid order's mail address: the key that hashes addresses is here alone.

Webhooks and order pages have another function, so a provider that hangs takes none of its share.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from fairgate import log_lines
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
from fairgate.http.models import CancelRequest, CheckoutRequest, EmailRequest
from fairgate.http.order_page import order_page
from fairgate.http.rate_limits import count_request
from fairgate.http.session_access import keyed_request, session_credential
from fairgate.http.views.orders import order_view
from fairgate.http.views.payments import CheckoutView
from fairgate.service.checkout.await_turn import TurnAwaiter
from fairgate.service.checkout.begin_checkout import CheckoutBeginner
from fairgate.service.checkout.end_checkout import CheckoutEnder
from fairgate.service.checkout.open_payment import seats_kept_until
from fairgate.service.checkout.settle_payment import PaymentSettler
from fairgate.service.orders.read_orders import read_order
from fairgate.service.refunds.cancel_order import OrderCanceller
from fairgate.service.refunds.return_place import PlaceReturner
from fairgate.service.sessions.sign_session import credential_until

if TYPE_CHECKING:
    from aws_lambda_powertools.event_handler import Response

app = create_app()
logger = log_lines.logger()


@app.post(paths.powertools_rule(paths.CHECKOUT))
def post_checkout(session: str) -> Response[str]:
    world = container()
    key, credential, request = keyed_request(app, world, session, "checkout", CheckoutRequest)
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
            terms=request.terms,
        )
    time_to_pay = begun.order.expires_at
    settler = PaymentSettler(world.table, world.clock, world.payments)
    with seats_kept_until(time_to_pay):
        turn = TurnAwaiter(settler, world.payment_turns, sale.checkout_s)
        page = turn.open(begun, world.settings.public_url)
    signed = credential_until(credential, begun.expires_at, world.secrets.sign_in())
    order = order_view(replace(begun.order, last_attempt=""))  # the page is open for another
    return answer(201, CheckoutView(order, page, time_to_pay, signed))


@app.delete(paths.powertools_rule(paths.SESSION))
def delete_session(session: str) -> Response[str]:
    world = container()
    credential = session_credential(app, world, session)
    count_request(app, world, "leave", credential.event, credential.user)
    ender = CheckoutEnder.of(world.table, world.clock, world.payments)
    if ender.end(session, "cancelled", credential.user) == "paid":
        raise WrongStateError("You have paid for these seats: they are yours.", state="finalised")
    return answer(204, None)


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
    mails = world.settings.sends_mail
    return answer(200, order_page(world.table, cancelled, event, world.clock.now_ms(), mails=mails))


@app.post(paths.powertools_rule(paths.ORDER_EMAIL))
def post_email(order: str) -> Response[str]:
    from fairgate.service.orders.change_address import AddressChanger
    from fairgate.service.orders.mail_elsewhere import mail_elsewhere

    world = container()
    own = read_order(world.table, order, caller(app, world).sub)
    count_request(app, world, "email", own.event_id, own.user_id)
    email = json_body(app, EmailRequest).email.strip()
    changer = AddressChanger(world.table, world.clock, world.secrets.addresses())
    after = mail_elsewhere(changer, world.mail_queue, own, email)
    logger.info("email", order=after.order_id, changed=after.email != own.email)
    event, mails = world.catalog.known(own.event_id), world.settings.sends_mail
    return answer(200, order_page(world.table, after, event, world.clock.now_ms(), mails=mails))


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    answered = resolve(app, event, context)
    container().emit_limits()
    return answered
