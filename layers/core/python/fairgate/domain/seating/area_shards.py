"""Choose the number of counters for a general admission area."""

from __future__ import annotations

import math
from collections.abc import Mapping

SHARD_CAPACITY = 500  # places that one counter serves before contention matters
# All of an area's counters are read in one BatchGetItem, which takes 100 keys: DynamoDB Developer
# Guide, "Service, account, and table quotas".
SHARDS_MAX = 100


def shard_count(capacity: int) -> int:
    """Return how many counters share this many places, up to one batch of reads.

    An event keeps the number that it was published with, in the catalogue.
    """
    return min(SHARDS_MAX, math.ceil(capacity / SHARD_CAPACITY))


def spread(places: int, available: Mapping[int, int]) -> dict[int, int]:
    """Take places from counters, from each in proportion to what it has; fewer if all have fewer.

    Args:
        available: places by counter.
    """
    total = sum(available.values())
    taken = min(places, total)
    if taken < 1:
        return {}
    parts = {shard: count * taken // total for shard, count in available.items()}
    short = sorted(available, key=lambda shard: -(available[shard] * taken % total))
    for shard in short[: taken - sum(parts.values())]:
        parts[shard] += 1
    return {shard: part for shard, part in parts.items() if part}
