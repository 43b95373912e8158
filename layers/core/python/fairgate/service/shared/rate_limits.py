"""Refuse whoever asks for changes too often: by account and by address, in each event.

The buckets are in the cache where the function has one, and in the table behind it. They spare the
house work and decide nothing: where neither answers, the request goes on to the conditions that do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairgate import metrics
from fairgate.domain.shared.rate_limit import (
    ADDRESS_LIMIT,
    USER_LIMITS,
    LimitName,
    RateLimit,
    RateState,
)
from fairgate.errors import DependencyUnavailableError, TooManyRequestsError
from fairgate.ports.availability import CacheUnavailableError
from fairgate.ports.table import TransactionRefusedError, Update
from fairgate.service.shared.cache_breaker import CacheBreaker
from fairgate.service.shared.conditions import BUCKET_HAS_ROOM, BUCKET_IS_FULL
from fairgate.service.shared.keys import rate_key
from fairgate.service.shared.records.sessions import RateBucket

if TYPE_CHECKING:
    from fairgate.ports.rates import RateStore
    from fairgate.ports.record import Key
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

_ATTEMPTS_MAX = 3  # between two conditional writes of which one applies, unless others write too
_TIDIED_S = 3_600


class RateLimiter:
    """Takes tokens for one process; safe for threads.

    Cost: one round trip to the cache; without it one or two writes to the table, where accounts are
    counted and addresses are not.
    """

    def __init__(self, cache: RateStore, table: Table, clock: Clock) -> None:
        self._cache = cache
        self._table = table
        self._clock = clock
        self._breaker = CacheBreaker(clock)
        self._refused = 0
        self._skipped = 0

    def figures(self) -> dict[str, int]:
        """Count since the last call what was refused, and what could not be counted."""
        counts = {metrics.REQUESTS_LIMITED: self._refused, metrics.LIMITS_SKIPPED: self._skipped}
        self._refused = self._skipped = 0
        return {name: count for name, count in counts.items() if count}

    def take(self, name: LimitName, event: str, user: str, address: str = "") -> RateState | None:
        """Take a token of the account's and of the address's; return the account's bucket.

        Args:
            user: the account, as its bucket is named.
            address: where the request came from, hashed; empty where nobody knows.

        Returns None where nothing could be counted. Raises TooManyRequestsError.
        """
        buckets = [(user, USER_LIMITS[name]), (address, ADDRESS_LIMIT)]
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
            # Not the address's: one item that a whole campus writes would be in honest buyers' way.
            account, limit = buckets[0]
            return [self._taken_from_table(rate_key(event, account, name), limit)]

    def _taken_from_table(self, key: Key, limit: RateLimit) -> RateState:
        """Take one token by a conditional write: of a full bucket, or of one that has some left."""
        for _ in range(_ATTEMPTS_MAX):
            now_ms = self._clock.now_ms()
            ttl = now_ms // 1000 + limit.window_s + _TIDIED_S
            full = Update(
                "reservations",
                *key,
                condition=BUCKET_IS_FULL,
                values={"now": now_ms},
                set={"fullAtMs": now_ms + limit.token_ms, "ttl": ttl},
            )
            try:
                self._table.update(full)
            except TransactionRefusedError as refused:
                bucket = refused.reasons[0].old(RateBucket)
            else:
                return RateState(limit, taken=True, ahead_ms=limit.token_ms)
            ahead_ms = bucket.full_at_ms - now_ms if bucket is not None else 0
            if ahead_ms > limit.room_ms:
                return RateState(limit, taken=False, ahead_ms=ahead_ms)
            some = Update(
                "reservations",
                *key,
                condition=BUCKET_HAS_ROOM,
                values={"now": now_ms, "room": now_ms + limit.room_ms},
                set={"ttl": ttl},
                add={"fullAtMs": limit.token_ms},
            )
            try:
                self._table.update(some)
            except TransactionRefusedError:
                continue  # somebody of the same account or address was first
            return RateState(limit, taken=True, ahead_ms=ahead_ms + limit.token_ms)
        raise DependencyUnavailableError("The bucket keeps changing.", retry_after_s=1)
