"""The stub's side of a mailed link: it takes any address, and opens by one token."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from tests.e2e.stub.answers import ORDER, PICTURE, Refused, stamp

if TYPE_CHECKING:
    from tests.e2e.stub.server import Stub

TOKEN = "header.link-token.mac"
ROUTES = (
    ("POST", r"/api/tickets/link", "mail_link"),
    ("POST", r"/api/tickets/open", "open_link"),
    ("POST", r"/api/tickets/open/[^/]+/ticket.svg", "found_svg"),
    ("POST", r"/api/tickets/open/[^/]+/ticket.png", "found_png"),
    ("POST", r"/api/tickets/open/[^/]+/ticket.pdf", "found_pdf"),
)
OPEN = {name for _, _, name in ROUTES}


def answers(
    stub: Stub, wish: Mapping[str, Any], query: Mapping[str, str]
) -> dict[str, Callable[[], tuple[Any, Any]]]:
    return {
        "mail_link": lambda: asked(stub, wish["email"]),
        "open_link": lambda: (200, opened(stub, wish["token"])),
        "found_svg": lambda: ("svg", stub.ticket(_checked(query["unit"], wish))),
        "found_png": lambda: ("png", _checked(PICTURE, wish)),
        "found_pdf": lambda: ("pdf", _checked("%PDF-1.4", wish)),
    }


def asked(stub: Stub, email: str) -> tuple[int, dict[str, int]]:
    stub.world.mailed.append(email)
    return 202, {"valid_s": 86_400, "mails_max": 3, "within_s": 3_600}


def opened(stub: Stub, token: str) -> dict[str, Any]:
    orders = _checked(stub.world.found, {"token": token})
    return {"until": stamp(stub.world.now() + 86_400), "orders": orders, "older": False}


def found_order(**changes: Any) -> dict[str, Any]:
    """An order as a link shows it, ticketed with one place."""
    made: dict[str, Any] = {
        "order": ORDER,
        "event": "demo",
        "event_name": "Summer Night",
        "venue": "Harbour Hall",
        "venue_address": "Quay 1",
        "starts_at": "2037-06-01T18:00:00.000Z",
        "time_zone": "Europe/Berlin",
        "state": "ticketed",
        "tickets": 1,
        "places": ["Row A · Seat 1"],
        "passed": [],
        "returned": [],
        "void": [],
        "created_at": stamp(time.time() - 60),
        "event_cancelled": False,
    } | changes
    return {"ticket_labels": made["places"][: made["tickets"]]} | made


def _checked(answer: Any, wish: Mapping[str, Any]) -> Any:
    if wish.get("token") != TOKEN:
        raise Refused(401, "link-ended")
    return answer
