"""GET /api/orders/{order}/ticket.svg?unit=n: one ticket of the caller's own order."""

from __future__ import annotations

import re
from typing import Any

from aws_lambda_powertools.event_handler import Response

from fairgate.adapters.ticket_svg import ticket_svg
from fairgate.bootstrap import container
from fairgate.http import paths
from fairgate.http.app import create_app, resolve
from fairgate.http.identity import caller
from fairgate.service.issue_tickets import read_ticket

_UNIT = re.compile(r"[0-9]{1,4}")
_HEADERS = {
    "cache-control": "private, no-cache",
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
}

app = create_app()


@app.get(paths.powertools_rule(paths.TICKET_SVG))
def ticket(order: str) -> Response[str]:
    world = container()
    user = caller(app, world).sub
    text = app.current_event.get_query_string_value("unit", "0") or "0"
    unit = int(text) if _UNIT.fullmatch(text) else None
    face = read_ticket(world.table, user=user, order=order, unit=unit)
    return Response(200, "image/svg+xml", ticket_svg(face).decode(), headers=dict(_HEADERS))


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    return resolve(app, event, context)
