"""Stand between a caller and the real adapter: count calls, or let somebody else go first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from fairgate.ports.table import Action, Table, Update


class CountedTable:
    """Counts the calls that reach the table, by name."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.calls: Counter[str] = Counter()

    def __getattr__(self, name: str) -> Any:
        call = getattr(self._table, name)

        def counted(*arguments: Any, **named: Any) -> Any:
            self.calls[name] += 1
            return call(*arguments, **named)

        return counted


class InterleavedTable:
    """Lets somebody else act once, between our reads and our next write."""

    def __init__(self, table: Table, meanwhile: Callable[[], object]) -> None:
        self._table = table
        self._meanwhile: Callable[[], object] | None = meanwhile

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def transact(self, actions: Sequence[Action], token: str | None = None) -> None:
        self._let_act()
        self._table.transact(actions, token)

    def update(self, action: Update) -> None:
        if action.condition:  # one without is right after any other
            self._let_act()
        self._table.update(action)

    def _let_act(self) -> None:
        if self._meanwhile is not None:
            meanwhile, self._meanwhile = self._meanwhile, None
            meanwhile()
