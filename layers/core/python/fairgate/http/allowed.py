"""Say which methods an address of the API takes, for a request that no route matches."""

from __future__ import annotations

import re

from fairgate.http import paths

METHODS = {
    "DELETE": (paths.HOLD, paths.SESSION, paths.TICKET_OFFER),
    "GET": (
        paths.APPLE_WALLET,
        paths.AVAILABILITY,
        paths.CHANGES,
        paths.EVENT,
        paths.EVENTS,
        paths.GOOGLE_WALLET,
        paths.HELD_TICKETS,
        paths.INVOICE_PDF,
        paths.LAYOUT,
        paths.LIVE_SESSION,
        paths.OPERATOR_ACTS,
        paths.OPERATOR_EVENT,
        paths.OPERATOR_HISTORY,
        paths.OPERATOR_SECTIONS,
        paths.ORDER,
        paths.ORDERS,
        paths.ORDER_CALENDAR,
        paths.SECTION_SEATS,
        paths.STATUS_VECTOR,
        paths.TICKET_PDF,
        paths.TICKET_PNG,
        paths.TICKET_SVG,
    ),
    "HEAD": (paths.EVENT, paths.EVENTS, paths.LAYOUT),
    "POST": (
        paths.ADMISSION,
        paths.APPEAL,
        paths.AUTH_EXCHANGE,
        paths.AUTH_RENEW,
        paths.BEST_AVAILABLE,
        paths.CHECKOUT,
        paths.DESK,
        paths.FOUND_PDF,
        paths.FOUND_PNG,
        paths.FOUND_SVG,
        paths.HOLDS,
        paths.OPERATOR_ACTS,
        paths.ORDER_CANCEL,
        paths.ORDER_EMAIL,
        paths.PAYMENT_WEBHOOK,
        paths.PREVIEW,
        paths.QUEUE,
        paths.TICKETS_LINK,
        paths.TICKETS_OPEN,
        paths.TICKET_OFFER,
        paths.TRANSFERS,
    ),
}


def allowed(path: str) -> tuple[str, ...]:
    """Return the methods that a path takes: none, where nothing is."""
    return tuple(
        method
        for method, taken in METHODS.items()
        if any(re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", one), path) for one in taken)
    )
