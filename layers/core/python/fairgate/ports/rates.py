"""Declare where the token buckets of rate limits are kept, beside the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fairgate.domain.shared.rate_limit import RateLimit, RateState


class RateStore(Protocol):
    """Keeps token buckets in the cache."""

    def take(self, event: str, buckets: Sequence[tuple[str, RateLimit]]) -> list[RateState]:
        """Take one token from each of an event's buckets, or from none, atomically.

        Args:
            buckets: name and limit of each; a bucket that does not exist is full.

        Raises CacheUnavailableError.
        """
        ...
