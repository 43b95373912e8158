"""Which calls have workers of their own on one machine, as functions have reservations in AWS.

Requests that the gate forwards, also a flood's sample, use no worker of holds: they wait in line
for workers of its own, and holds have theirs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from fairgate.http import paths
from infra.routes import ROUTES

WORKERS = 6  # for whatever has no share of its own
WEBHOOKS = "webhooks"


@dataclass(frozen=True)
class Share:
    """So many workers, and how far they yield the processor to others, as ``nice`` has it."""

    workers: int
    yields: int = 0


# By function for what comes through the gate: it yields, as in AWS it has other processors. Payment
# providers do not stand in line behind a crowd that looks at seats either.
SHARES = {"desk": Share(1, 10), "sessions": Share(2, 10), WEBHOOKS: Share(2)}


def gated_patterns() -> dict[str, str]:
    """Each path that comes through the gate, as a regular expression → whose share it has."""
    return {
        "^" + re.sub(r"\{\w+\}", "[^/]+", route.path) + "$": str(route.function)
        for route in ROUTES
        if route.gated
    }


def plain_paths() -> dict[str, str]:
    """Each path beside the gate with a share of its own → whose share it has."""
    return {paths.PAYMENT_WEBHOOK: WEBHOOKS}
