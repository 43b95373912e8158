"""Share a cap of live sessions among capacity shards, so that admissions need no common counter.

A shard has the slots that were allocated to it. A session takes one and returns it. No shard admits
beyond its allocation, so the sum of ``bound`` is the most that can be live. It is kept at or below
the cap. This module reads no clock and no table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

# Each shard that is read costs a read unit at each admission near the cap. So there are more than
# the first number only where so many sessions are live that their transactions would often meet at
# one (docs/adr/0048). Events of earlier versions keep to the first number.
SHARDS_FIRST, SHARDS_MAX = 32, 128
_PLACES_MIN = 8  # of a shard: with fewer, most shards of a small cap would be empty when asked
_PLACES_MANY = 512  # of each shard, before there are more than the first number


class CapacityShard(Struct, frozen=True):
    """Counts the slots allocated to a shard and those left; below 0 after the cap is lowered."""

    dealt: int = 0
    left: int = 0

    @property
    def inside(self) -> int:
        """Return how many sessions hold a slot of this shard."""
        return self.dealt - self.left

    @property
    def bound(self) -> int:
        """Return the most sessions that can hold a slot until the next allocation."""
        return max(self.dealt, self.inside)


def shard_count(cap: int, most: int = SHARDS_MAX) -> int:
    """Return how many shards share a cap: 1, 2, 4 … ``most``."""
    count = 1
    while count < most and cap >= 2 * count * (
        _PLACES_MIN if count < SHARDS_FIRST else _PLACES_MANY
    ):
        count *= 2
    return count


def first_shard(session: str, count: int) -> int:
    """Return the shard that a session asks first, by its id's last two hexadecimal digits."""
    return int(session[-2:], 16) % count


def with_slot(shards: Sequence[CapacityShard], first: int) -> list[int]:
    """Return the shards with a free slot, starting from ``first`` and its next neighbours."""
    numbers = [number for number, shard in enumerate(shards) if shard.left > 0]
    return sorted(numbers, key=lambda number: (number - first) % len(shards))


def new_deal(cap: int, shards: Sequence[CapacityShard], others: int = 0) -> Mapping[int, int]:
    """Return the new allocation of each shard whose allocation must change; empty if none must.

    If more sessions could be live than the cap allows, every shard is closed: with an allocation
    of 0 it admits nobody. Shards open again once all live sessions fit under the cap. Otherwise the
    missing slots are allocated. Sessions may have ended since they were read: a closed shard can
    only lose some, and any other shard stays within its allocation.

    Args:
        shards: all that the event has.
        others: live sessions that hold no shard's slot.
    """
    bound = sum(shard.bound for shard in shards)
    if bound > cap:
        return {number: 0 for number, shard in enumerate(shards) if shard.dealt}
    spare = cap - others - bound
    if spare < 0:
        return {}
    count = shard_count(cap, len(shards))
    deal: dict[int, int] = {}
    for number, shard in enumerate(shards):
        share = cap // count + (number < cap % count) if number < count else 0
        given = min(spare, max(0, share - shard.bound))
        spare -= given
        if shard.bound + given != shard.dealt:
            deal[number] = shard.bound + given
    return deal
