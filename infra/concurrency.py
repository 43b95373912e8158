"""How many calls of each function may run at once: nobody's crowd takes what others need.

It imports nothing of the CDK. What is reserved for a function is kept for it, and is the most that
it gets. Without reservations all functions draw on one pool, and readers of seats could use
it up. Source: Lambda Developer Guide, "Configuring reserved concurrency for a function".
"""

from __future__ import annotations

from fairgate.service.availability.leased_reads import ALL_READS_PER_S
from infra.functions import BY_NAME

UNRESERVED_MIN = 100  # Lambda keeps so much for functions without a reservation
# What runs without a caller: each queue's consumer as often as its queue may call it. And the
# authorizer.
FIXED = {
    "auditor": 2,
    # Its answer is kept for an hour. What guesses at the door's value must not hold it up, nor what
    # asks in the moment in which the hour ends: a hundredth of a large account (``fixed``).
    "authorizer": 10,
    "canary": 1,
    "controller": 4,
    "expiry": 50,
    "invalidator": 50,
    "jobs": 2,
    "reconcile": 2,
    "sweeper": 2,
    "ticketer": 30,
}
# In percent of the rest. Looking has little: its answers come from caches.
PERCENT = {
    "auth": 8,
    "catalog": 3,
    "checkout": 13,  # waits for the payment provider
    "desk": 4,
    "finder": 1,
    "holds": 30,
    "operator": 1,
    "orders": 6,
    "renewal": 2,
    "seatmap": 12,
    "sessions": 15,
    "tickets": 3,
    "transfers": 2,
}


def fixed(account: int) -> dict[str, int]:
    return FIXED | {"authorizer": max(FIXED["authorizer"], account // 100)}


def table_reads_per_s(account: int | None, function: str) -> int | None:
    """Share out what all may ask of the table while the cache is gone, should nobody count it.

    Among as many environments as there can be; None: nobody knows how many.
    """
    shares = reserved(account)
    return max(1, ALL_READS_PER_S // shares[function]) if function in shares else None


def reserved(account: int | None) -> dict[str, int]:
    """Share out what the account has in this region; None: nothing is reserved."""
    if account is None:
        return {}
    kept = fixed(account)
    rest = account - UNRESERVED_MIN - sum(kept.values())
    shares = {name: max(1, rest * percent // 100) for name, percent in PERCENT.items()}
    return {name: {**kept, **shares}[name] for name in BY_NAME}
