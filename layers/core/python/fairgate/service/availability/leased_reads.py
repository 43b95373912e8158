"""Limit what all environments together read from the table while the cache is gone.

Buckets in the table have the reads that are allowed. An environment takes a lease of many reads at
a time, so that counting is cheap, from one of a few buckets, so that none of them is hot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.domain.shared.rate_limit import RateLimit
from fairgate.errors import DependencyUnavailableError
from fairgate.service.shared.keys import TABLE_READS_BUCKETS, table_reads_key
from fairgate.service.shared.table_buckets import TableBuckets

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

ALL_READS_PER_S = 5_000  # of all environments; an index's partition gives about 3,000
LEASE_READS = 50  # so there are at most a hundred leases a second
LEASE_MS = 5_000  # then unused reads are lost, so that an idle environment keeps none
BURST_S = 5  # of the rate, at once
AWAY_MS = 1_000  # before buckets that did not answer are asked again
LEASES = RateLimit(ALL_READS_PER_S * BURST_S // (LEASE_READS * TABLE_READS_BUCKETS), BURST_S)


class ReadLeases:
    """The leased reads of one environment; not safe for threads.

    Args:
        environment: its name, which chooses the bucket.

    Cost: one or two writes for LEASE_READS reads; one for each second of refusal.
    """

    def __init__(self, table: Table, clock: Clock, environment: str) -> None:
        self._buckets = TableBuckets(table, clock)
        self._clock = clock
        self._key = table_reads_key(environment)
        self._left, self._ends_ms = 0, 0
        self._empty_until_ms = self._away_until_ms = 0

    def take(self) -> bool | None:
        """Say whether one more read is allowed; None: unknown, because the table is away."""
        now_ms = self._clock.now_ms()
        if now_ms < self._away_until_ms:
            return None
        if now_ms < self._empty_until_ms:
            return False
        if not self._left or now_ms >= self._ends_ms:
            try:
                state = self._buckets.take(self._key, LEASES)
            except DependencyUnavailableError:
                self._away_until_ms = now_ms + AWAY_MS
                return None
            if not state.taken:
                self._left, self._empty_until_ms = 0, now_ms + 1_000 * state.wait_s
                return False
            self._left, self._ends_ms = LEASE_READS, now_ms + LEASE_MS
        self._left -= 1
        return True
