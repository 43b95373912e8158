"""Choose the number of counters for a general admission area."""

from __future__ import annotations

import math

SHARD_CAPACITY = 500  # places that one counter serves before contention matters
# All of an area's counters are read in one BatchGetItem, which takes 100 keys: DynamoDB Developer
# Guide, "Service, account, and table quotas".
SHARDS_MAX = 100


def shard_count(capacity: int) -> int:
    """Return how many counters share this many places, up to one batch of reads.

    An event keeps the number that it was published with, in the catalogue.
    """
    return min(SHARDS_MAX, math.ceil(capacity / SHARD_CAPACITY))
