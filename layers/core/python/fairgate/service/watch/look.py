"""Read what the parts of an event's figures share, once for all parts."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar

from fairgate.domain.gate.gate_config import gate_at, parse_gate
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import NotFoundError
from fairgate.service.shared.keys import gate_value_key
from fairgate.service.shared.live_count import count_sessions
from fairgate.service.shared.records.gate import GateValueRecord
from fairgate.service.shared.tally import read_tally

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.ports.table import Table
    from fairgate.service.shared.records.catalog import Event
    from fairgate.service.watch.figures import Figures


T = TypeVar("T")


class Asked(Generic[T]):
    """An answer that several parts need: read once, with the same result or error for all.

    So a source that stalls is waited for only once.
    """

    def __init__(self, get: Callable[[], T]) -> None:
        self._get = get
        self._answers: list[T] = []
        self._failure: Exception | None = None

    def ask(self) -> None:
        """Read it the first time; keep an error for the parts that need the answer."""
        if not self._answers and self._failure is None:
            try:
                self._answers.append(self._get())
            except Exception as error:  # noqa: BLE001 raised in each part that needs it
                self._failure = error

    def __call__(self) -> T:
        """Return the answer, or raise the error of reading it."""
        self.ask()
        if self._failure is not None:
            raise self._failure
        return self._answers[0]


class Look:
    """One event at one moment.

    Attributes:
        sessions, tally, value: raise DependencyUnavailableError; ``tally`` DamagedItemError as
            well, ``value`` NotFoundError.
    """

    def __init__(self, table: Table, sale: Event, now_ms: int, before: Figures) -> None:
        self.table, self.sale, self.now_ms, self.before = table, sale, now_ms, before
        self.now, self.now_s = rfc3339(now_ms), now_ms / 1000
        self.sessions = Asked(lambda: count_sessions(table, sale.id, self.now))
        self.tally = Asked(lambda: read_tally(table, sale.id))
        self.value = Asked(self._value)

    @cached_property
    def gate(self) -> GateConfig:
        """Raises NotFoundError, MalformedInputError, DependencyUnavailableError."""
        return gate_at(parse_gate(self.value().value), self.now_s)

    def _value(self) -> GateValueRecord:
        record = self.table.find(GateValueRecord, gate_value_key(self.sale.id))
        if record is None:
            raise NotFoundError("The gate's value has not come to the Catalog yet.")
        return record
