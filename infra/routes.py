"""The one table of path → function → cache policy → gate.

CloudFront behaviours, API Gateway routes and the local nginx are all made from it. It imports
nothing of the CDK, so the local run can read it without Node.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from fairgate.http import paths

# Answers what no route matches, so that an unknown path is a problem+json like any other. It has
# the fewest rights of all.
UNROUTED = "catalog"
CachePolicy = Literal["none", "live", "catalog", "listed", "immutable"]
Origin = Literal["api", "web"]


@dataclass(frozen=True)
class Caching:
    """How a shared cache keeps an answer, in seconds.

    Attributes:
        default_ttl_s: where the answer's Cache-Control does not say.
        ttl_max_s: whatever it says; CloudFront shows nothing older, not even instead of an error.
        query_strings: that are part of the key.
    """

    default_ttl_s: int
    ttl_max_s: int
    query_strings: tuple[str, ...] = ()


CACHING: dict[CachePolicy, Caching | None] = {
    "none": None,
    "live": Caching(1, 60, ("section",)),
    "catalog": Caching(5, 60),
    "listed": Caching(5, 60, ("after",)),
    "immutable": Caching(31_536_000, 31_536_000),
}


@dataclass(frozen=True)
class Route:
    """One API route, or one static path of the web bucket (``function`` is None there)."""

    method: str
    path: str
    function: str | None
    cache: CachePolicy = "none"
    gated: bool = False  # the gate function decides before the origin sees the request
    origin: Origin = "api"
    query: tuple[str, ...] = ()  # the parameters that it takes; no others pass the edge
    public: bool = False  # answers callers who are not signed in, although no cache may

    @property
    def methods(self) -> tuple[str, ...]:
        """What it takes. API Gateway knows no HEAD of a GET, and calls ``UNROUTED`` for it.

        So its own addresses take one. A route for each other HEAD would need a share of the rate,
        and the edge cannot make it a GET: a function there may only read the method.
        """
        heads = self.method == "GET" and self.function == UNROUTED
        return (self.method, "HEAD") if heads else (self.method,)

    @property
    def pattern(self) -> str:
        """The path as a CloudFront behaviour pattern: ``/api/events/*/queue``."""
        return re.sub(r"\{\w+\+?\}", "*", self.path)

    @property
    def credentials(self) -> tuple[str, ...]:
        """The headers without which it refuses everybody."""
        if self.public or self.cache != "none":
            return ()
        if self.path.startswith("/api/sessions/"):
            return paths.HEADER_AUTHORIZATION, paths.HEADER_SESSION
        return (paths.HEADER_AUTHORIZATION,)


ROUTES: tuple[Route, ...] = (
    Route("POST", paths.QUEUE, "desk", gated=True),
    Route("POST", paths.ADMISSION, "sessions", gated=True),
    # The gate forwards to it from the two above; by its name it is answered there, with 404.
    Route("POST", paths.DESK, "desk", gated=True, query=("event",)),
    Route("POST", paths.APPEAL, "desk"),
    Route("GET", paths.LIVE_SESSION, "sessions"),
    Route("GET", paths.LAYOUT, "catalog", cache="catalog"),
    Route("GET", paths.AVAILABILITY, "seatmap", cache="live", query=("section",)),
    Route("GET", paths.SECTION_SEATS, "seatmap", cache="live"),
    Route("GET", paths.STATUS_VECTOR, "seatmap", cache="live"),
    Route("GET", paths.CHANGES, "seatmap", cache="live", query=("section",)),
    Route("POST", paths.PREVIEW, "sessions", public=True),
    Route("GET", paths.EVENTS, "catalog", cache="listed", query=("after",)),
    Route("GET", paths.EVENT, "catalog", cache="catalog"),
    Route("POST", paths.BEST_AVAILABLE, "holds"),
    Route("POST", paths.HOLDS, "holds"),
    Route("DELETE", paths.HOLD, "holds"),
    Route("POST", paths.CHECKOUT, "checkout"),
    Route("DELETE", paths.SESSION, "checkout"),
    Route("POST", paths.PAYMENT_WEBHOOK, "orders", public=True),
    Route("GET", paths.ORDERS, "orders", query=("after",)),
    Route("GET", paths.ORDER, "orders"),
    Route("POST", paths.ORDER_CANCEL, "checkout"),
    Route("POST", paths.ORDER_EMAIL, "checkout"),
    Route("POST", paths.TICKET_OFFER, "transfers"),
    Route("DELETE", paths.TICKET_OFFER, "transfers"),
    Route("POST", paths.TRANSFERS, "transfers"),
    Route("GET", paths.HELD_TICKETS, "transfers"),
    Route("GET", paths.TICKET_SVG, "tickets", query=("unit",)),
    Route("GET", paths.TICKET_PNG, "tickets", query=("unit",)),
    Route("GET", paths.TICKET_PDF, "tickets", query=("unit",)),
    Route("GET", paths.APPLE_WALLET, "tickets", query=("unit",)),
    Route("GET", paths.GOOGLE_WALLET, "tickets", query=("unit",)),
    Route("GET", paths.INVOICE_PDF, "tickets"),
    Route("GET", paths.ORDER_CALENDAR, "tickets"),
    Route("POST", paths.TICKETS_LINK, "finder", public=True),
    Route("POST", paths.TICKETS_OPEN, "tickets", public=True),
    Route("POST", paths.FOUND_SVG, "tickets", query=("unit",), public=True),
    Route("POST", paths.FOUND_PNG, "tickets", query=("unit",), public=True),
    Route("POST", paths.FOUND_PDF, "tickets", public=True),
    Route("POST", paths.AUTH_EXCHANGE, "auth", public=True),
    Route("POST", paths.AUTH_RENEW, "renewal"),
    Route("GET", paths.OPERATOR_EVENT, "operator"),
    Route("GET", paths.OPERATOR_HISTORY, "operator"),
    Route("GET", paths.OPERATOR_SECTIONS, "operator"),
    Route("GET", paths.OPERATOR_ACTS, "operator"),
    Route("POST", paths.OPERATOR_ACTS, "operator"),
    Route("GET", "/layouts/{file+}", None, cache="immutable", origin="web"),
    Route("GET", "/assets/{file+}", None, cache="immutable", origin="web"),
    Route("GET", "/", None, cache="catalog", origin="web"),
)


def api_functions() -> tuple[str, ...]:
    """The functions that answer HTTP, each once, in a stable order."""
    return tuple(sorted({r.function for r in ROUTES if r.function}))
