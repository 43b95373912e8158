"""How many requests a second each route takes: a share of what the account may have in all.

It imports nothing of the CDK. API Gateway counts all requests of an account and region together,
so a route without a bound of its own could use up what the others need. The shares leave none over:
whatever happens to one route, the others have theirs.
"""

from __future__ import annotations

from dataclasses import dataclass

from infra.routes import ROUTES

# Source: API Gateway Developer Guide, "Quotas for configuring and running an HTTP API": 10,000 a
# second and a burst of 5,000 in each region, raised on request.
API_RATE = 10_000
BURST_PART = 0.5
UNROUTED_KEY = "$default"

# Of the account's rate, in percent, by function; its routes share equally. Signing in and changing
# things have most of it. What is only looked at comes from caches, once a second for each address.
PERCENT = {
    "auth": 8,
    "catalog": 4,  # with what no route matches
    "desk": 8,
    "holds": 24,
    "operator": 1,
    "orders": 20,
    "renewal": 8,
    "seatmap": 12,
    "sessions": 10,
    "tickets": 5,
}
# Answers what no route matches, so that an unknown path is a problem+json like any other. It has
# the fewest rights of all.
UNROUTED = "catalog"


@dataclass(frozen=True)
class Throttle:
    rate: int  # requests a second
    burst: int


def throttles(api_rate: int = API_RATE) -> dict[str, Throttle]:
    """Return what each route takes, by its key: ``GET /api/events``."""
    keys = {f"{route.method} {route.path}": route.function for route in ROUTES if route.function}
    owners = {**keys, UNROUTED_KEY: UNROUTED}
    count = {name: sum(owner == name for owner in owners.values()) for name in PERCENT}
    found = {}
    for key, owner in owners.items():
        rate = max(1, int(api_rate * PERCENT[owner] / 100 / count[owner]))
        found[key] = Throttle(rate, max(1, int(rate * BURST_PART)))
    return found
