"""Serve what passes a ticket on to another account: offer, withdraw, accept, and what came so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate.bootstrap import container
from fairgate.domain.shared.ids import TICKET_ID
from fairgate.domain.tickets.offer_token import NamedOffer, offer_token, read_offer_token
from fairgate.errors import NotFoundError
from fairgate.http import paths
from fairgate.http.app import answer, create_app, idempotency_key, json_body, resolve
from fairgate.http.identity import caller
from fairgate.http.models import AcceptRequest
from fairgate.http.rate_limits import count_request
from fairgate.http.views.transfers import OfferView, accepted_view, held_view
from fairgate.service.shared.records.orders import Order
from fairgate.service.tickets.accept_ticket import TicketAccepter
from fairgate.service.tickets.held_orders import held_orders, read_holders_order
from fairgate.service.tickets.offer_ticket import TicketOffered, TicketOfferer
from fairgate.service.tickets.pass_terms import standings

if TYPE_CHECKING:
    from aws_lambda_powertools.event_handler import Response

app = create_app()


@app.get(paths.powertools_rule(paths.HELD_TICKETS))
def get_held() -> Response[str]:
    world = container()
    user, now_ms = caller(app, world).sub, world.clock.now_ms()
    orders = held_orders(world.table, user)
    known = world.catalog.known
    listed = [(order, standings(order, known(order.event_id), user, now_ms)) for order in orders]
    return answer(200, held_view(listed, known))


@app.post(paths.powertools_rule(paths.TICKET_OFFER))
def post_offer(order: str, ticket: str) -> Response[str]:
    world = container()
    user = caller(app, world).sub
    theirs = _read(order, ticket, user)
    key, event = idempotency_key(app), world.catalog.fresh(theirs.event_id)
    offerer = TicketOfferer(world.table, world.clock)
    offered = offerer.offer(event, theirs, user, ticket, idempotency_key=key)
    return answer(201, _link(offered))


@app.delete(paths.powertools_rule(paths.TICKET_OFFER))
def delete_offer(order: str, ticket: str) -> Response[str]:
    world = container()
    user = caller(app, world).sub
    theirs = _read(order, ticket, user)
    TicketOfferer(world.table, world.clock).withdraw(theirs, user, ticket)
    return answer(204, None)


@app.post(paths.powertools_rule(paths.TRANSFERS))
def post_transfer() -> Response[str]:
    world = container()
    user, keys = caller(app, world).sub, world.secrets.sign_in()
    request, key = json_body(app, AcceptRequest), idempotency_key(app)
    named = read_offer_token(request.token, keys.session)
    accepter = TicketAccepter(world.table, world.clock)
    order = accepter.order_of(named)
    count_request(app, world, "transfer", order.event_id, user)
    if request.look:
        accepted = accepter.look(order, named, user)
    else:
        accepted = accepter.accept(order, named, user, idempotency_key=key)
    return answer(200, accepted_view(accepted, world.catalog.known(order.event_id)))


def _read(order: str, ticket: str, user: str) -> Order:
    """Read the order of a ticket that the user has or had. Raises NotFoundError, or too often."""
    world = container()
    theirs = read_holders_order(world.table, order, user)
    count_request(app, world, "transfer", theirs.event_id, user)
    if not TICKET_ID.fullmatch(ticket):
        raise NotFoundError("You have no such ticket.")
    return theirs


def _link(offered: TicketOffered) -> OfferView:
    """Name the offer as its link does; the token stands where no server and no log sees it."""
    world = container()
    keys, offer = world.secrets.sign_in(), offered.offer
    named = NamedOffer(offered.order.order_id, offer.number)
    token = offer_token(named, keys.session[keys.session_kid])
    link = f"{world.settings.public_url}/#/a/{token}"
    return OfferView(offer.ticket, token, link, offer.until)


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    return resolve(app, event, context)
