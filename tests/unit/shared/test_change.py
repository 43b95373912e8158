"""A change that others keep refusing is made again, and reported as what became of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from fairgate.errors import VersionConflictError
from fairgate.ports.table import Action, TransactionRefusedError, Update
from fairgate.service.catalog.cancel_event import mark_cancelled
from fairgate.service.catalog.edit_event import edit_event
from fairgate.service.shared.change import ATTEMPTS_MAX
from fairgate.service.shared.records.catalog import Event
from tests.support.world import EVENT, World


class Beaten:
    """A table that refuses the first ``times`` writes, as if somebody else had been first.

    With ``lost`` it makes the next one, and refuses it too: its answer was lost, and the adapter
    made it again.
    """

    def __init__(self, world: World, times: int, *, lost: bool = False) -> None:
        self._table, self._left, self._lost = world.table, times, lost

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def transact(self, actions: Sequence[Action], token: str | None = None) -> None:
        self._write(lambda: self._table.transact(actions, token))

    def update(self, action: Update) -> None:
        self._write(lambda: self._table.update(action))

    def _write(self, write: Callable[[], None]) -> None:
        self._left -= 1
        if self._left >= 0:
            raise TransactionRefusedError([])
        write()
        if self._lost:
            self._lost = False
            raise TransactionRefusedError([])


def cancels_the_event(world: World, table: Any) -> bool:
    return mark_cancelled(table, world.clock, EVENT).cancelled_at != ""


def edits_the_event(world: World, table: Any) -> bool:
    return edit_event(table, world.clock, EVENT, {"artist": "Bob"}).before == {"artist": ""}


CHANGES = [cancels_the_event, edits_the_event]


@pytest.mark.parametrize("change", CHANGES)
def test_what_succeeds_at_the_last_attempt_is_done(
    world: World, change: Callable[[World, Any], bool]
) -> None:
    assert change(world, Beaten(world, ATTEMPTS_MAX - 1))


@pytest.mark.parametrize("change", CHANGES)
def test_our_own_write_whose_answer_was_lost_is_done(
    world: World, change: Callable[[World, Any], bool]
) -> None:
    assert change(world, Beaten(world, ATTEMPTS_MAX - 1, lost=True))


def test_what_others_keep_changing_is_left_alone(world: World) -> None:
    with pytest.raises(VersionConflictError):
        cancels_the_event(world, Beaten(world, ATTEMPTS_MAX))
    event = world.table.find(Event, world.event.key)
    assert event == world.event
