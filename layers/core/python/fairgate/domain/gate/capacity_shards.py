"""Share a cap of live sessions among rooms, so that no admission waits for one number.

A room has the places that were dealt to it; who is inside took one, and gives it back. Room by room
nobody enters beyond what was dealt, so as many can ever be inside as the sum of ``bound`` says, and
that is kept at the cap or below. Nothing here reads a clock or a table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

# At 400 admissions and as many ends a second a room is written 25 times a second: as often as a
# live counter (docs/adr/0015), and a twentieth of what DynamoDB lets one partition take.
SHARDS_MAX = 32
_PLACES_MIN = 8  # of a room: with fewer, most rooms of a small hall would be empty when asked


class CapacityShard(Struct, frozen=True):
    """Places dealt to a room, and those of them that are left; below 0 after a lowered cap."""

    dealt: int = 0
    left: int = 0

    @property
    def inside(self) -> int:
        """Return how many sessions have a place of this room."""
        return self.dealt - self.left

    @property
    def bound(self) -> int:
        """Return how many can ever be inside, as long as nothing is dealt."""
        return max(self.dealt, self.inside)


def shard_count(cap: int) -> int:
    """Return how many rooms share a cap: 1, 2, 4 … SHARDS_MAX."""
    count = 1
    while count < SHARDS_MAX and cap >= 2 * count * _PLACES_MIN:
        count *= 2
    return count


def first_shard(session: str, cap: int) -> int:
    """Return the room that a session asks first, by its id's last two hexadecimal digits."""
    return int(session[-2:], 16) % shard_count(cap)


def with_slot(shards: Sequence[CapacityShard], first: int) -> list[int]:
    """Return the rooms that have a place, ``first`` and its next neighbours before others."""
    numbers = [number for number, shard in enumerate(shards) if shard.left > 0]
    return sorted(numbers, key=lambda number: (number - first) % len(shards))


def new_deal(cap: int, shards: Sequence[CapacityShard], others: int = 0) -> Mapping[int, int]:
    """Return what is to be dealt to each room that has too much or too little; empty: all is well.

    Where more could be inside than the cap has, rooms are shut: one that was dealt nothing lets
    nobody in. They open once all who are inside fit under the cap together. Else what is missing
    is dealt. Who is inside may have changed since it was read: in a room that is shut there can
    only be fewer, in any other none beyond what was dealt.

    Args:
        rooms: SHARDS_MAX of them.
        others: live sessions that have no room's place.
    """
    bound = sum(shard.bound for shard in shards)
    if bound > cap:
        return {number: 0 for number, shard in enumerate(shards) if shard.dealt}
    spare = cap - others - bound
    if spare < 0:
        return {}
    count = shard_count(cap)
    deal: dict[int, int] = {}
    for number, shard in enumerate(shards):
        share = cap // count + (number < cap % count) if number < count else 0
        given = min(spare, max(0, share - shard.bound))
        spare -= given
        if shard.bound + given != shard.dealt:
            deal[number] = shard.bound + given
    return deal
