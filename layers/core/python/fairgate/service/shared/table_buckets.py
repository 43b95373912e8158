"""Keep token buckets in the table, where every environment sees the same one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.shared.rate_limit import RateState
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.table import TransactionRefusedError, Update
from fairgate.service.shared.conditions import BUCKET_HAS_CAPACITY, BUCKET_IS_FULL
from fairgate.service.shared.records.sessions import RateBucket

if TYPE_CHECKING:
    from fairgate.domain.shared.rate_limit import RateLimit
    from fairgate.ports.record import Key
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

# Of two conditional writes one applies, unless others write in between. ``change`` would read the
# bucket first: here the old item of a refused write tells, which saves a read for each token.
_ATTEMPTS_MAX = 3
_TIDIED_S = 3_600


class TableBuckets(Struct, frozen=True):
    """Takes tokens by conditional writes. Cost: one or two writes a token."""

    table: Table
    clock: Clock

    def take(self, key: Key, limit: RateLimit) -> RateState:
        """Take one token from a full bucket, or from one that has some left.

        Raises DependencyUnavailableError.
        """
        for _ in range(_ATTEMPTS_MAX):
            now_ms = self.clock.now_ms()
            ttl = now_ms // 1000 + limit.window_s + _TIDIED_S
            full = Update(
                "reservations",
                *key,
                condition=BUCKET_IS_FULL,
                values={"now": now_ms},
                set={"fullAtMs": now_ms + limit.token_ms, "ttl": ttl},
            )
            try:
                self.table.update(full)
            except TransactionRefusedError as refused:
                bucket = refused.reasons[0].old(RateBucket)
            else:
                return RateState(limit, taken=True, ahead_ms=limit.token_ms)
            ahead_ms = bucket.full_at_ms - now_ms if bucket is not None else 0
            if ahead_ms > limit.burst_ms:
                return RateState(limit, taken=False, ahead_ms=ahead_ms)
            some = Update(
                "reservations",
                *key,
                condition=BUCKET_HAS_CAPACITY,
                values={"now": now_ms, "room": now_ms + limit.burst_ms},
                set={"ttl": ttl},
                add={"fullAtMs": limit.token_ms},
            )
            try:
                self.table.update(some)
            except TransactionRefusedError:
                continue  # somebody else was first
            return RateState(limit, taken=True, ahead_ms=ahead_ms + limit.token_ms)
        raise DependencyUnavailableError("The bucket keeps changing.", retry_after_s=1)
