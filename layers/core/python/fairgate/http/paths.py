"""Spell every path of the API, once.

The handlers route by these, and ``infra/routes.py`` makes CloudFront behaviours, API Gateway
routes and the local nginx from the same constants.
"""

from __future__ import annotations

import re

EVENTS = "/api/events"
EVENT = "/api/events/{event}"
LAYOUT = "/api/events/{event}/layout"
PREVIEW = "/api/events/{event}/preview"
AVAILABILITY = "/api/events/{event}/availability"
SECTION_SEATS = "/api/events/{event}/sections/{section}/seats"
STATUS_VECTOR = "/api/events/{event}/status.bin"
CHANGES = "/api/events/{event}/changes"
QUEUE = "/api/events/{event}/queue"
ADMISSION = "/api/events/{event}/admission"
LIVE_SESSION = "/api/events/{event}/session"
APPEAL = "/api/events/{event}/appeal"
DESK = "/api/desk"
HOLDS = "/api/sessions/{session}/holds"
BEST_AVAILABLE = "/api/sessions/{session}/holds/best-available"
HOLD = "/api/sessions/{session}/holds/{hold}"
CHECKOUT = "/api/sessions/{session}/checkout"
SESSION = "/api/sessions/{session}"
PAYMENT_WEBHOOK = "/api/payments/webhook"
ORDERS = "/api/orders"
ORDER = "/api/orders/{order}"
ORDER_EMAIL = "/api/orders/{order}/email"
ORDER_CANCEL = "/api/orders/{order}/cancel"
TICKET_OFFER = "/api/orders/{order}/tickets/{ticket}/offer"
TRANSFERS = "/api/transfers"
HELD_TICKETS = "/api/tickets"
TICKET_SVG = "/api/orders/{order}/ticket.svg"
TICKET_PNG = "/api/orders/{order}/ticket.png"
TICKET_PDF = "/api/orders/{order}/ticket.pdf"
APPLE_WALLET = "/api/orders/{order}/ticket.pkpass"
GOOGLE_WALLET = "/api/orders/{order}/google-pass"
INVOICE_PDF = "/api/orders/{order}/invoice.pdf"
ORDER_CALENDAR = "/api/orders/{order}/event.ics"
TICKETS_LINK = "/api/tickets/link"
TICKETS_OPEN = "/api/tickets/open"
FOUND_SVG = "/api/tickets/open/{order}/ticket.svg"
FOUND_PNG = "/api/tickets/open/{order}/ticket.png"
FOUND_PDF = "/api/tickets/open/{order}/ticket.pdf"
AUTH_EXCHANGE = "/api/auth/exchange"
AUTH_RENEW = "/api/auth/renew"
OPERATOR_EVENT = "/api/operator/events/{event}"
OPERATOR_HISTORY = "/api/operator/events/{event}/history"
OPERATOR_SECTIONS = "/api/operator/events/{event}/sections"
OPERATOR_ACTS = "/api/operator/acts"

HEADER_AUTHORIZATION = "authorization"
HEADER_TOKEN = "x-fairgate-token"  # noqa: S105 a header's name
HEADER_SOLUTION = "x-fairgate-solution"
HEADER_SLIP = "x-fairgate-slip"  # what a 202 hands out; the edge alone reads it
HEADER_SESSION = "x-fairgate-session"
HEADER_EDGE = "x-fairgate-edge"
HEADER_FRONT_DOOR = "x-fairgate-front-door"  # the distribution's, by which the API knows it
HEADER_FIREWALL = "x-amzn-waf-fairgate-label"  # what the firewall holds of an address
HEADER_ID = "x-fairgate-id"  # where in the change log a read without JSON stands
HEADER_SOURCE = "x-fairgate-source"  # what a read was answered from: cache or table


def powertools_rule(path: str) -> str:
    """Spell ``/api/events/{event}`` for Powertools' router: ``/api/events/<event>``."""
    return re.sub(r"\{(\w+)\}", r"<\1>", path)
