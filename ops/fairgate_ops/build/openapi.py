"""docs/openapi.json from the table of routes: `python -m fairgate_ops.build.openapi [--check]`."""

from __future__ import annotations

import argparse
import json
import re
import sys
from http import HTTPStatus
from pathlib import Path
from typing import Any

import msgspec

from fairgate.domain.shared import ids
from fairgate.http import models, paths
from fairgate.http.app import IDEMPOTENCY_KEY_CHARS_MAX
from fairgate.http.problems import STATUS, Problem
from fairgate.http.views.availability import MESSAGES, BlocksView, CountsView, SeatsView
from fairgate.http.views.events import EventsView, EventView
from fairgate.http.views.holds import HoldView
from fairgate.http.views.orders import OrdersView, OrderView
from fairgate.http.views.payments import CheckoutView, SettledView
from fairgate.http.views.sessions import LiveSessionView
from fairgate.http.views.waiting import PlaceView, WaitingView
from fairgate.service.gate.exchange_identity import IdentityExchanged
from fairgate.service.watch.figures import Figures
from fairgate_ops.shared.paths import ROOT
from infra.routes import ROUTES, Route

OUTPUT = ROOT / "docs" / "openapi.json"

BODIES: dict[str, type] = {
    paths.HOLDS: models.HoldRequest,
    paths.BEST_AVAILABLE: models.BestAvailableRequest,
    paths.CHECKOUT: models.CheckoutRequest,
    paths.ORDER_CANCEL: models.CancelRequest,
    paths.AUTH_EXCHANGE: models.ExchangeRequest,
}
OPTIONAL_BODIES = {paths.ORDER_CANCEL}
# What each route answers when it does what was asked: by status the models of its JSON, or the
# media type of what is not JSON, or the messages of a stream, or nothing.
Messages = dict[str, Any]
Answer = tuple[type, ...] | str | Messages | None
Answers = dict[int, Answer]
ANSWERS: dict[tuple[str, str], Answers] = {
    ("GET", paths.EVENTS): {200: (EventsView,)},
    ("GET", paths.EVENT): {200: (EventView,)},
    ("GET", paths.LAYOUT): {307: None},
    ("GET", paths.AVAILABILITY): {200: (CountsView, BlocksView)},
    ("GET", paths.SECTION_SEATS): {200: (SeatsView,)},
    ("GET", paths.STATUS_VECTOR): {200: "application/octet-stream"},
    ("GET", paths.CHANGES): {200: MESSAGES},
    ("POST", paths.QUEUE): {200: (PlaceView,)},
    ("POST", paths.ADMISSION): {201: (LiveSessionView,), 202: (WaitingView,)},
    ("POST", paths.DESK): {200: (PlaceView,), 201: (LiveSessionView,)},
    ("GET", paths.LIVE_SESSION): {200: (LiveSessionView,)},
    ("POST", paths.HOLDS): {201: (HoldView,)},
    ("POST", paths.BEST_AVAILABLE): {201: (HoldView,)},
    ("DELETE", paths.HOLD): {204: None},
    ("POST", paths.CHECKOUT): {201: (CheckoutView,)},
    ("DELETE", paths.SESSION): {204: None},
    ("POST", paths.PAYMENT_WEBHOOK): {200: (SettledView,)},
    ("GET", paths.ORDERS): {200: (OrdersView,)},
    ("GET", paths.ORDER): {200: (OrderView,)},
    ("POST", paths.ORDER_CANCEL): {200: (OrderView,)},
    ("GET", paths.TICKET_SVG): {200: "image/svg+xml"},
    ("GET", paths.TICKET_PNG): {200: "image/png"},
    ("GET", paths.TICKET_PDF): {200: "application/pdf"},
    ("POST", paths.AUTH_EXCHANGE): {200: (IdentityExchanged,)},
    ("POST", paths.AUTH_RENEW): {200: (IdentityExchanged,)},
    ("GET", paths.OPERATOR_EVENT): {200: (Figures,)},
}
SUMMARIES: dict[tuple[str, str], str] = {
    ("GET", paths.EVENTS): "The events on sale",
    ("GET", paths.EVENT): "One event: prices, limits, layout",
    ("GET", paths.LAYOUT): "Where the event's immutable layout is",
    ("GET", paths.AVAILABILITY): "Free seats per section, free places per area",
    ("GET", paths.SECTION_SEATS): "The status of each seat of a section, in layout order",
    ("GET", paths.STATUS_VECTOR): "The status of every seat, 2 bits a seat",
    ("GET", paths.CHANGES): "A short, finite stream of server-sent events",
    ("POST", paths.QUEUE): "Join the waiting room (answered at the edge)",
    ("POST", paths.ADMISSION): "Ask to be let in (answered at the edge until the draw admits)",
    ("POST", paths.DESK): "What the edge forwards: violations and samples",
    ("GET", paths.LIVE_SESSION): "The caller's live session",
    ("POST", paths.HOLDS): "Hold seats and places: all or none",
    ("POST", paths.BEST_AVAILABLE): "Find and hold the best seats together",
    ("DELETE", paths.HOLD): "Give one hold back",
    ("POST", paths.CHECKOUT): "Fix the price and open the payment page",
    ("DELETE", paths.SESSION): "Leave: give everything back",
    ("POST", paths.PAYMENT_WEBHOOK): "The payment provider's signed events",
    ("GET", paths.ORDERS): "The caller's orders, the newest first",
    ("GET", paths.ORDER): "One order of the caller",
    ("POST", paths.ORDER_CANCEL): "Cancel a paid order, or one of its places, within the order's own terms",
    ("GET", paths.TICKET_SVG): "One ticket as an SVG image",
    ("GET", paths.TICKET_PNG): "One ticket as a PNG image",
    ("GET", paths.TICKET_PDF): "One ticket, or all of the order, as a PDF",
    ("POST", paths.AUTH_EXCHANGE): "The identity provider's code for the short auth token",
    ("POST", paths.AUTH_RENEW): "The caller's auth token, two hours from now",
    ("GET", paths.OPERATOR_EVENT): "An operator's live figures",
}
SHAPES: dict[str, re.Pattern[str]] = {
    "event": ids.EVENT_ID,
    "section": ids.PLACE_ID,
    "session": ids.SESSION_ID,
    "hold": ids.HOLD_ID,
    "order": ids.ORDER_ID,
    "after": ids.ORDER_ID,
}
# Parameters after the question mark: name and what it does.
QUERIES: dict[str, tuple[str, str]] = {
    paths.AVAILABILITY: ("section", "the blocks of this section instead"),
    paths.CHANGES: ("section", "the seats of this section instead of counts"),
    paths.ORDERS: ("after", "the page behind this order, as the page before named it"),
}
IDEMPOTENT = {
    paths.ADMISSION,
    paths.HOLDS,
    paths.BEST_AVAILABLE,
    paths.CHECKOUT,
    paths.ORDER_CANCEL,
}
_PUBLIC = {paths.AUTH_EXCHANGE, paths.PAYMENT_WEBHOOK, paths.DESK}
_SCHEMA = "#/components/schemas/{name}"
_IN_SESSION = re.compile(r"^/api/sessions/")


def document() -> dict[str, Any]:
    """The OpenAPI 3.1 description of every API route."""
    shown = {m for answers in ANSWERS.values() for m in _models(answers)}
    kinds = [*BODIES.values(), *sorted(shown, key=lambda model: model.__name__), Problem]
    _, components = msgspec.json.schema_components(
        [*kinds, *MESSAGES.values()], ref_template=_SCHEMA
    )
    described: dict[str, Any] = {}
    for route in ROUTES:
        if route.function:
            described.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    codes = sorted(kind.code for kind in STATUS)
    components["Problem"]["properties"]["code"]["enum"] = [*codes, "internal"]
    return {
        "openapi": "3.1.0",
        "info": {"title": "Fairgate", "version": "0.1.0", "license": {"name": "Apache-2.0"}},
        "paths": described,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "buyer": {"type": "http", "scheme": "bearer"},
                "session": {"type": "apiKey", "in": "header", "name": paths.HEADER_SESSION},
            },
        },
    }


_KEY: dict[str, Any] = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "Same key and payload: same answer for 24 hours; another payload: 422.",
    "schema": {"type": "string", "maxLength": IDEMPOTENCY_KEY_CHARS_MAX},
}


def _operation(route: Route) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "summary": SUMMARIES[route.method, route.path],
        "tags": [route.function],
        "parameters": [
            {
                "name": name,
                "in": "path",
                "required": True,
                "schema": {"type": "string", "pattern": f"^{SHAPES[name].pattern}$"},
            }
            for name in re.findall(r"\{(\w+)\}", route.path)
        ]
        + _queries(route)
        + ([_KEY] if route.method == "POST" and route.path in IDEMPOTENT else []),
        "responses": _responses(ANSWERS[route.method, route.path])
        | {
            "default": {
                "description": "A problem (RFC 9457)",
                "content": {
                    "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
                },
            }
        },
        "security": _security(route),
    }
    if (body := BODIES.get(route.path)) and route.method == "POST":
        reference = {"$ref": f"#/components/schemas/{body.__name__}"}
        operation["requestBody"] = {
            "required": route.path not in OPTIONAL_BODIES,
            "content": {"application/json": {"schema": reference}},
        }
    return operation


def _models(answers: Answers) -> list[type]:
    return [m for answer in answers.values() if isinstance(answer, tuple) for m in answer]


def _responses(answers: Answers) -> dict[str, Any]:
    return {str(status): _response(status, answer) for status, answer in answers.items()}


def _response(status: int, answer: Answer) -> dict[str, Any]:
    described: dict[str, Any] = {"description": HTTPStatus(status).phrase}
    if isinstance(answer, str):
        described["content"] = {answer: {}}
    elif isinstance(answer, dict):
        described["content"] = {"text/event-stream": {"x-messages": _messages(answer)}}
    elif answer is not None:
        models = [{"$ref": _SCHEMA.format(name=model.__name__)} for model in answer]
        schema = models[0] if len(models) == 1 else {"anyOf": models}
        described["content"] = {"application/json": {"schema": schema}}
    return described


def _messages(messages: Messages) -> dict[str, Any]:
    """Return the data of each message: OpenAPI describes streams only from its version 3.2 on."""
    schemas, _ = msgspec.json.schema_components(messages.values(), ref_template=_SCHEMA)
    return dict(zip(messages, schemas, strict=True))


def _queries(route: Route) -> list[dict[str, Any]]:
    if route.path not in QUERIES:
        return []
    name, text = QUERIES[route.path]
    schema = {"type": "string", "pattern": f"^{SHAPES[name].pattern}$"}
    return [{"name": name, "in": "query", "required": False, "description": text, "schema": schema}]


def _security(route: Route) -> list[dict[str, list[str]]]:
    if route.cache != "none" or route.path in _PUBLIC:
        return []
    return [{"buyer": [], "session": []}] if _IN_SESSION.match(route.path) else [{"buyer": []}]


def rendered() -> str:
    return json.dumps(document(), indent=2, ensure_ascii=False) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail when the file is out of date")
    if parser.parse_args().check:
        return 0 if OUTPUT.read_text("utf-8") == rendered() else 1
    OUTPUT.write_text(rendered(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
