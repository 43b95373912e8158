"""A table on which somebody else always comes first, for a while."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fairgate.ports.table import Action, TransactionRefusedError, Update
from tests.support.world import World


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
