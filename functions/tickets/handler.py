"""GET ticket.svg, .png, .pdf, invoice.pdf, event.ics of /api/orders/{order}: the caller's own."""

from __future__ import annotations

import re
from typing import Any

from aws_lambda_powertools.event_handler import Response

from fairgate.adapters.tickets.calendar_file import calendar_file
from fairgate.adapters.tickets.invoice import documents_pdf
from fairgate.adapters.tickets.pdf import ticket_pdf
from fairgate.adapters.tickets.png import ticket_png
from fairgate.adapters.tickets.svg import ticket_svg
from fairgate.bootstrap import container
from fairgate.domain.tickets.ticket import TicketFace
from fairgate.http import paths
from fairgate.http.app import create_app, resolve
from fairgate.http.identity import caller
from fairgate.service.orders.read_documents import read_own_documents
from fairgate.service.tickets.issue_tickets import read_ticket, read_tickets
from fairgate.service.tickets.order_calendar import read_calendar

_UNIT = re.compile(r"[0-9]{1,4}")
_HEADERS = {
    "cache-control": "private, no-cache",
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
}

app = create_app()


@app.get(paths.powertools_rule(paths.TICKET_SVG))
def svg(order: str) -> Response[str]:
    return Response(200, "image/svg+xml", ticket_svg(_one(order)).decode(), headers=dict(_HEADERS))


@app.get(paths.powertools_rule(paths.TICKET_PNG))
def png(order: str) -> Response[Any]:
    return Response(200, "image/png", ticket_png(_one(order)), headers=dict(_HEADERS))


@app.get(paths.powertools_rule(paths.TICKET_PDF))
def pdf(order: str) -> Response[Any]:
    """Draw one ticket when a unit is named, else all of them."""
    world = container()
    if app.current_event.get_query_string_value("unit", ""):
        faces = [_one(order)]
    else:
        faces = read_tickets(world.table, user=caller(app, world).sub, order=order)
    headers = _HEADERS | {"content-disposition": 'inline; filename="tickets.pdf"'}
    return Response(200, "application/pdf", ticket_pdf(faces), headers=dict(headers))


@app.get(paths.powertools_rule(paths.INVOICE_PDF))
def invoice(order: str) -> Response[Any]:
    """Draw the order's invoice, and its credit notes behind it."""
    world = container()
    documents = read_own_documents(world.table, user=caller(app, world).sub, order=order)
    headers = _HEADERS | {"content-disposition": 'inline; filename="invoice.pdf"'}
    return Response(200, "application/pdf", documents_pdf(documents), headers=dict(headers))


@app.get(paths.powertools_rule(paths.ORDER_CALENDAR))
def calendar(order: str) -> Response[str]:
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


def _one(order: str) -> TicketFace:
    world = container()
    user = caller(app, world).sub
    text = app.current_event.get_query_string_value("unit", "0") or "0"
    unit = int(text) if _UNIT.fullmatch(text) else None
    return read_ticket(world.table, user=user, order=order, unit=unit)


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    return resolve(app, event, context)
