"""GET ticket.svg, .png, .pdf, invoice.pdf, event.ics of /api/orders/{order}: the caller's own.

POST /api/tickets/open, and ticket.svg, .png, .pdf below it: what the token of a mailed link opens.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from aws_lambda_powertools.event_handler import Response

from fairgate.adapters.tickets.ed25519 import signer
from fairgate.adapters.tickets.invoice import documents_pdf
from fairgate.adapters.tickets.ticket_files import ticket_pdf, ticket_png, ticket_svg
from fairgate.bootstrap import container
from fairgate.domain.tickets.ticket import TicketFace
from fairgate.domain.tickets.ticket_link import TicketLink, verify_link
from fairgate.errors import FairgateError, NotFoundError
from fairgate.http import paths
from fairgate.http.app import answer, create_app, json_body, resolve
from fairgate.http.identity import caller
from fairgate.http.models import OpenRequest
from fairgate.http.views.found import found_view
from fairgate.http.views.passes import SaveLinkView
from fairgate.service.orders.read_documents import read_own_documents
from fairgate.service.shared.records.catalog import Event
from fairgate.service.tickets.issue_tickets import read_ticket, read_tickets
from fairgate.service.tickets.open_link import find_orders, found_ticket, found_tickets

_UNIT = re.compile(r"[0-9]{1,4}")
_HEADERS = {
    "cache-control": "private, no-cache",
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
}

APPLE_TYPE = "application/vnd.apple.pkpass"
_NO_PASSES = "No such passes are offered here."

app = create_app()
_sign = signer(lambda: container().secrets.tickets().ticket)


@app.get(paths.powertools_rule(paths.TICKET_SVG))
def svg(order: str) -> Response[str]:
    return Response(200, "image/svg+xml", ticket_svg(_one(order)).decode(), headers=dict(_HEADERS))


@app.get(paths.powertools_rule(paths.TICKET_PNG))
def png(order: str) -> Response[Any]:
    face = _one(order)
    return Response(200, "image/png", ticket_png(face, _logo([face])), headers=dict(_HEADERS))


@app.get(paths.powertools_rule(paths.TICKET_PDF))
def pdf(order: str) -> Response[Any]:
    """Draw one ticket when a unit is named, else all of them."""
    world = container()
    if app.current_event.get_query_string_value("unit", ""):
        faces = [_one(order)]
    else:
        faces = read_tickets(world.table, _sign, user=caller(app, world).sub, order=order)
    headers = _HEADERS | {"content-disposition": 'inline; filename="tickets.pdf"'}
    return Response(200, "application/pdf", ticket_pdf(faces, _logo(faces)), headers=dict(headers))


@app.get(paths.powertools_rule(paths.APPLE_WALLET))
def wallet_pass(order: str) -> Response[Any]:
    from fairgate.adapters.tickets.apple_pass import apple_pass

    face, keys = _one(order), container().secrets.tickets().apple_pass
    if keys is None:
        raise NotFoundError(_NO_PASSES)
    headers = _HEADERS | {"content-disposition": 'attachment; filename="ticket.pkpass"'}
    return Response(200, APPLE_TYPE, apple_pass(face, keys), headers=dict(headers))


@app.get(paths.powertools_rule(paths.GOOGLE_WALLET))
def wallet_link(order: str) -> Response[str]:
    from fairgate.adapters.tickets.google_pass import google_pass

    world = container()
    face, keys = _one(order), world.secrets.tickets().google_pass
    if keys is None:
        raise NotFoundError(_NO_PASSES)
    now_s, origin = world.clock.now_ms() // 1000, world.settings.public_url
    address = google_pass(face, keys, origin=origin, now_s=now_s)
    return answer(200, SaveLinkView(address))


@app.get(paths.powertools_rule(paths.INVOICE_PDF))
def invoice(order: str) -> Response[Any]:
    """Draw the order's invoice, and its credit notes behind it."""
    world = container()
    user = caller(app, world).sub
    documents, language = read_own_documents(world.table, user=user, order=order)
    headers = _HEADERS | {"content-disposition": 'inline; filename="invoice.pdf"'}
    return Response(
        200, "application/pdf", documents_pdf(documents, language), headers=dict(headers)
    )


@app.get(paths.powertools_rule(paths.ORDER_CALENDAR))
def calendar(order: str) -> Response[str]:
    from fairgate.adapters.tickets.calendar_file import calendar_file
    from fairgate.service.tickets.order_calendar import read_calendar

    world = container()
    entry = read_calendar(
        world.table,
        user=caller(app, world).sub,
        order=order,
        public_url=world.settings.public_url,
        now_ms=world.clock.now_ms(),
    )
    headers = _HEADERS | {"content-disposition": 'attachment; filename="event.ics"'}
    return Response(200, "text/calendar", calendar_file(entry).decode(), headers=dict(headers))


@app.post(paths.TICKETS_OPEN)
def open_link() -> Response[str]:
    world = container()
    link = _link()
    opened = find_orders(world.table, link.mailbox)
    return answer(200, found_view(opened, link.expires_at_s, cache(_event)))


@app.post(paths.powertools_rule(paths.FOUND_SVG))
def found_svg(order: str) -> Response[str]:
    return Response(
        200, "image/svg+xml", ticket_svg(_found(order)).decode(), headers=dict(_HEADERS)
    )


@app.post(paths.powertools_rule(paths.FOUND_PNG))
def found_png(order: str) -> Response[Any]:
    face = _found(order)
    return Response(200, "image/png", ticket_png(face, _logo([face])), headers=dict(_HEADERS))


@app.post(paths.powertools_rule(paths.FOUND_PDF))
def found_pdf(order: str) -> Response[Any]:
    """Draw all tickets of one order."""
    faces = found_tickets(container().table, _sign, _link().mailbox, order)
    headers = _HEADERS | {"content-disposition": 'inline; filename="tickets.pdf"'}
    return Response(200, "application/pdf", ticket_pdf(faces, _logo(faces)), headers=dict(headers))


def _logo(faces: Sequence[TicketFace]) -> bytes:
    from fairgate.service.tickets.ticket_logo import ticket_logo

    return ticket_logo(lambda: container().layouts, faces)


def _link() -> TicketLink:
    """Return what the body's token opens. Raises LinkEndedError."""
    world = container()
    token = json_body(app, OpenRequest).token
    key = world.secrets.tickets().links
    return verify_link(token, key, world.clock.now_ms() // 1000)


def _event(event: str) -> Event | None:
    """Read an event as far as it can be: an order stands without it."""
    try:
        return container().catalog.event(event)
    except FairgateError:
        return None


def _one(order: str) -> TicketFace:
    world = container()
    user = caller(app, world).sub
    return read_ticket(world.table, _sign, user=user, order=order, unit=_unit())


def _found(order: str) -> TicketFace:
    return found_ticket(container().table, _sign, _link().mailbox, order, _unit())


def _unit() -> int | None:
    text = app.current_event.get_query_string_value("unit", "0") or "0"
    return int(text) if _UNIT.fullmatch(text) else None


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    return resolve(app, event, context)
