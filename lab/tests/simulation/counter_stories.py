"""What becomes of an area's counter before a hold; test_sale_guards.py takes each guard away."""

from __future__ import annotations

from collections.abc import Sequence

from fairgate.ports.table import Action
from fairgate.service.shared.keys import area_key
from simulation.guard_acts import Act, holds
from simulation.guard_stories import Change, Story, changed
from tests.support.world import EVENT

COUNTER = area_key(EVENT, "floor", 0)


def loses_its_version(story: Story, _actions: Sequence[Action]) -> None:
    story.world.spoil("seats", COUNTER, version=None)


COUNTING: dict[str, tuple[Act, Change]] = {
    "hold_seats.AREA_HAS_CAPACITY: #remaining >= :quantity": (
        holds,
        changed("seats", lambda _story: COUNTER, remaining=0),
    ),
    "hold_seats.AREA_HAS_CAPACITY: attribute_type(#version, :number)": (holds, loses_its_version),
}
