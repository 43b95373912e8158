"""Refuse changing requests that come too often from an account or an address, in each event.

The buckets are in the cache if the function has one, else in the table. They save work and protect
no seat: if neither answers, the request goes on, and the transactions' conditions decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import randrange
from typing import TYPE_CHECKING

from fairgate import metrics
from fairgate.domain.shared.rate_limit import (
    ADDRESS_LIMIT,
    EVENT_BUCKETS,
    USER_LIMITS,
    LimitName,
    RateLimit,
    RateState,
    event_limit,
)
from fairgate.errors import DependencyUnavailableError, TooManyRequestsError
from fairgate.ports.availability import CacheUnavailableError
from fairgate.service.shared.cache_breaker import CacheBreaker
from fairgate.service.shared.keys import rate_key
from fairgate.service.shared.table_buckets import TableBuckets

if TYPE_CHECKING:
    from fairgate.ports.rates import RateStore
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock


class RateLimiter:
    """Takes tokens for one process; safe for threads.

    Args:
        event_holds_per_s: holds that one event gets, so that the others keep theirs; 0: any number.

    Cost: one round trip to the cache. Without a cache one or two writes to the table, which counts
    accounts but no addresses and no events.
    """

    def __init__(
        self, cache: RateStore, table: Table, clock: Clock, *, event_holds_per_s: int = 0
    ) -> None:
        self._events = {"holds": event_limit(event_holds_per_s)} if event_holds_per_s else {}
        self._cache = cache
        self._in_table = TableBuckets(table, clock)
        self._breaker = CacheBreaker(clock)
        self._refused = 0
        self._skipped = 0

    def figures(self) -> dict[str, int]:
        """Return how many requests were refused or not counted since the last call, by metric."""
        counts = {metrics.REQUESTS_LIMITED: self._refused, metrics.LIMITS_SKIPPED: self._skipped}
        self._refused = self._skipped = 0
        return {name: count for name, count in counts.items() if count}

    def take(self, name: LimitName, event: str, user: str, address: str = "") -> RateState | None:
        """Take a token of the account and one of the address; return the account's bucket.

        Args:
            user: the account, as its bucket is named.
            address: where the request came from, hashed; "": unknown.

        Returns None if nothing could be counted. Raises TooManyRequestsError.
        """
        buckets = [(user, USER_LIMITS[name]), (address, ADDRESS_LIMIT)]
        if name in self._events:  # one of several, as a token of one would be under a millisecond
            number = randrange(EVENT_BUCKETS)  # noqa: S311 no secret
            buckets.append((f"event-{number}", self._events[name]))
        try:
            states = self._taken(name, event, [bucket for bucket in buckets if bucket[0]])
        except DependencyUnavailableError:
            self._skipped += 1
            return None
        refused = [state for state in states if not state.taken]
        if refused:
            self._refused += 1
            raise TooManyRequestsError(
                "That was a lot at once. Nothing is lost; please try again in a moment.",
                retry_after_s=max(1, *(state.wait_s for state in refused)),
                limit=name,
            )
        return states[0]

    def _taken(
        self, name: LimitName, event: str, buckets: Sequence[tuple[str, RateLimit]]
    ) -> list[RateState]:
        named = [(f"{name}:{subject}", limit) for subject, limit in buckets]
        try:
            return self._breaker.ask(lambda: self._cache.take(event, named))
        except CacheUnavailableError:
            # No address: honest buyers of one campus would all wait for one item.
            account, limit = buckets[0]
            return [self._in_table.take(rate_key(event, account, name), limit)]
