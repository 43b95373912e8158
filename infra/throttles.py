"""How many requests a second each route takes: a share of what the account may have in all.

It imports nothing of the CDK. API Gateway counts all requests of an account and region together,
so a route without a bound of its own could use up what the others need. The shares leave none over:
whatever happens to one route, the others have theirs.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from fairgate.http import paths
from infra.routes import ROUTES, UNROUTED

# Source: API Gateway Developer Guide, "Quotas for configuring and running an HTTP API": 10,000 a
# second and a burst of 5,000 in each region, raised on request.
API_RATE = 10_000
BURST_PART = 0.5
# Calls of one endpoint, such as a checkout's, that Stripe takes a second in live mode unless it
# agrees to more. Source: docs.stripe.com, Rate limits.
STRIPE_PER_S = 25
UNROUTED_KEY = "$default"

# Of the account's rate, in percent, by function. Signing in and changing things have most of it.
# What is only looked at comes from caches, once a second for each address.
PERCENT = {
    "auth": 8,
    "catalog": 4,  # with what no route matches
    "checkout": 6,
    "desk": 8,
    "finder": 1,
    "holds": 24,
    "operator": 1,
    "orders": 10,
    "renewal": 8,
    "seatmap": 11,
    "sessions": 10,
    "tickets": 8,
    "transfers": 1,
}
# How a function's share is parted among its routes, where they are not asked alike: one part each.
PARTS = {
    f"POST {paths.DESK}": 28,  # the gate sends there whatever it hands on
    f"POST {paths.QUEUE}": 3,  # and an appeal has one: a lock-out takes at most one
    f"POST {paths.ADMISSION}": 4,
    f"POST {paths.HOLDS}": 6,
    f"POST {paths.BEST_AVAILABLE}": 5,
    # Of each section, while the others are of the event: so many more answers to keep.
    f"GET {paths.SECTION_SEATS}": 3,
    f"GET {paths.CHANGES}": 3,
    f"GET {paths.AVAILABILITY}": 3,
    f"POST {paths.CHECKOUT}": 6,
    f"POST {paths.PAYMENT_WEBHOOK}": 4,
    f"GET {paths.ORDER}": 6,  # a page that waits for its payment looks often
    f"GET {paths.TICKET_SVG}": 10,  # the page of an order that is paid shows each of its tickets
}


@dataclass(frozen=True)
class Throttle:
    rate: int  # requests a second
    burst: int


def shares() -> dict[str, float]:
    """Return what of the account's rate each route takes, by its key: ``GET /api/events``."""
    keys = {f"{route.method} {route.path}": route.function for route in ROUTES if route.function}
    owners = {**keys, UNROUTED_KEY: UNROUTED}
    parts = Counter[str]()
    for key, owner in owners.items():
        parts[owner] += PARTS.get(key, 1)
    return {
        key: PERCENT[owner] / 100 * PARTS.get(key, 1) / parts[owner]
        for key, owner in owners.items()
    }


def throttles(api_rate: int = API_RATE) -> dict[str, Throttle]:
    """Return the bounds of each route, by its key."""
    found = {}
    for key, share in shares().items():
        rate = max(1, int(api_rate * share))
        found[key] = Throttle(rate, max(1, int(rate * BURST_PART)))
    return found
