"""What happens to house seats between a reading and a write; test_sale_guards.py takes guards away.

A block keeps the buyer's first seat and two places; each has a transaction of its own.
"""

from __future__ import annotations

from typing import Any

from fairgate.service.house.block_seats import SeatBlocker, Terms, block_id
from fairgate.service.house.free_seats import Places, SeatFreer
from fairgate.service.shared.keys import house_block_key
from simulation.counter_stories import COUNTER, loses_its_version
from simulation.guard_acts import Act
from simulation.guard_stories import (
    FUTURE,
    Change,
    Story,
    changed,
    exists_already,
    set_seat,
)
from tests.support.world import EVENT

TERMS = Terms("sponsor", "olga")
PLACES_COME_SECOND = 2


def _wanted(story: Story) -> Places:
    return Places([story.world.seat_ids[0]], {"floor": 2})


def _block(story: Story) -> str:
    return block_id(EVENT, TERMS.reason, _wanted(story))


def blocks(story: Story, table: Any) -> None:
    SeatBlocker(table, story.world.clock).block(story.world.event, _wanted(story), TERMS)


def frees(story: Story, table: Any) -> None:
    blocks(story, story.world.table)
    SeatFreer(table, story.world.clock).free(EVENT, _block(story))


def _set_counter(**values: Any) -> Change:
    return changed("seats", lambda _story: COUNTER, **values)


def _set_block(**values: Any) -> Change:
    return changed("catalog", lambda story: house_block_key(EVENT, _block(story)), **values)


KEEPING: dict[str, tuple[Act, Change] | tuple[Act, Change, int]] = {
    "house_writes.SEAT_IS_AVAILABLE: #availability = :available": (
        blocks,
        set_seat(availability="locked", sessionId="ses_x", expiresAt=FUTURE),
    ),
    "house_writes.SEAT_IS_BLOCKED_BY: #availability = :blocked": (
        frees,
        set_seat(availability="reserved"),
    ),
    "house_writes.SEAT_IS_BLOCKED_BY: #sessionId = :block": (frees, set_seat(sessionId="blk_x")),
    "house_writes.AREA_HAS_CAPACITY: #remaining >= :quantity": (
        blocks,
        _set_counter(remaining=1),
        PLACES_COME_SECOND,
    ),
    "house_writes.AREA_HAS_CAPACITY: attribute_type(#version, :number)": (
        blocks,
        loses_its_version,
        PLACES_COME_SECOND,
    ),
    "house_writes.AREA_HAS_BLOCKED: #blocked >= :quantity": (
        frees,
        _set_counter(blocked=1),
        PLACES_COME_SECOND,
    ),
    "house_writes.BLOCK_AS_READ: #version = :version": (frees, _set_block(version=99)),
    "block_seats: a house block is written once": (blocks, exists_already("blk_", version=99)),
}
