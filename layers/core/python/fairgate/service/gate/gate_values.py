"""Keep gates' values: the catalogue decides, and the edges' store gets a copy.

A value is an item of its own with a version (``VALUE#<event>``). One transaction writes the value,
what readers of the event see of it, and the next entry of its history, so these never differ. The
event notes the oldest version that the edges' store may lack, and the controller's next run copies
it there. See docs/adr/0023.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.domain.gate.gate_config import gate_key, is_spoilt, page_key, parse_gate
from fairgate.errors import DependencyUnavailableError, NotFoundError, VersionConflictError
from fairgate.ports.table import Action, TransactionRefusedError, Update
from fairgate.service.gate.must_be_listed import must_be_listed
from fairgate.service.gate.record_gate import gate_actions
from fairgate.service.shared.change import Write, change
from fairgate.service.shared.conditions import EVENT_IS_THERE, VALUE_AS_READ, VALUE_IS_NEW
from fairgate.service.shared.keys import event_key, gate_value_key
from fairgate.service.shared.readable import find_readable
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.gate import GateValueRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fairgate.ports.outside import EdgeConfig
    from fairgate.ports.table import Check, Refusal, Table
    from fairgate.ports.world import Clock

ATTEMPTS_MAX = 8
AWAY_MS = 5_000  # how long a store that did not answer is left alone
_NOT_HERE = "0"  # the version of a value that only the edges' store has
_COPIED = -1  # instead of a version: somebody else has copied or written the value


class GateValues:
    """Implements ports.GateStore for writers.

    Args:
        wait: sleeps before another attempt, with jitter.
        check: a condition of every write; None: the catalogue has the event.
    """

    def __init__(
        self,
        table: Table,
        edge_config: EdgeConfig,
        clock: Clock,
        wait: Callable[[int], None],
        check: Check | None = None,
    ) -> None:
        self._table = table
        self._edge_config = edge_config
        self._clock = clock
        self._wait = wait
        self._check = check
        self._away_until_ms = 0

    def under(self, check: Check) -> GateValues:
        """Return the same store, whose writes raise TransactionRefusedError if the check fails."""
        return GateValues(self._table, self._edge_config, self._clock, self._wait, check)

    def read(self, key: str) -> tuple[str | None, str]:
        """Read the value and its version. If the catalogue's cannot be read, read the edges' store.

        Cost: one read; for such an event two more calls of the edges' store.
        """
        record = self._record(_event_of(key))
        if record is not None and not is_spoilt(record.value):
            return record.value, str(record.version)
        at_edges = self._edge_config.read(key)[0]
        if record is None:
            return at_edges, _NOT_HERE
        return record.value if at_edges is None else at_edges, str(record.version)

    def write(self, key: str, value: str, etag: str) -> str:
        """Write the value over the version ``etag``, and record it with the event.

        Raises:
            NotFoundError: the catalogue does not have the event.
            VersionConflictError: the value or the event has changed since.
            DependencyUnavailableError: it may or may not have been written.

        Cost: one read and a transaction of up to three items.
        """
        actions = self._actions(_event_of(key), value, int(etag), spread=False)
        try:
            self._table.transact(actions)
        except TransactionRefusedError as error:
            if self._check is not None and error.reasons[-1].failed:
                raise
            raise VersionConflictError("Somebody else changed the gate in between.") from error
        return str(int(etag) + 1)

    def spread(self, key: str, *, late: bool) -> bool:
        """Copy the catalogue's value to the edges' store; say whether the store has it.

        If the catalogue has no value, or a spoilt one, copy the store's to the catalogue instead.

        Args:
            late: the value was written earlier, so edges did not have it for a time.

        Raises:
            NotFoundError: neither has a value.
            MalformedInputError: both values are spoilt.
            DependencyUnavailableError: the table is away, or the store that alone has the value.

        Cost: two reads; if the store is behind, two of its calls and a transaction of two items.
        """
        event = _event_of(key)
        record = self._record(event)
        if record is None or is_spoilt(record.value):
            self._adopt(key, 0 if record is None else record.version)
            return True
        sale = self._sale(event)
        if sale is not None and sale.gate_behind == 0:
            return True
        version = self._publish(key)
        if version and sale is not None:
            self._note(event, version, late=late or sale.gate_behind < version)
        return bool(version)

    def spread_from_ms(self, key: str) -> int:
        """Return when the edges' store last got a value late; now, while one is still missing."""
        event = _event_of(key)
        sale, record = self._sale(event), self._record(event)
        if sale is not None and sale.gate_behind > 0:
            return self._clock.now_ms()
        return 0 if record is None else record.late_ms

    def at_edge(self, key: str) -> tuple[str | None, str]:
        """Read what the edges' store has. Cost: two of its calls."""
        return self._edge_config.read(key)

    def edge_version(self) -> str:
        """Return the version of all that the edges' store has. Cost: one of its calls."""
        return self._edge_config.etag()

    def mark_page(self, event: str) -> None:
        """Tell the edges, once, that the event's page is a file.

        Raises VersionConflictError, DependencyUnavailableError.

        Cost: two calls of the edges' store, three the first time.
        """
        mark, etag = self._edge_config.read(page_key(event))
        if mark is None:
            self._edge_config.write(page_key(event), "1", etag)

    def restore(self, key: str) -> bool:
        """Overwrite a foreign value in the edges' store; say whether the store took it."""
        version = self._publish(key)
        if version:
            self._note(_event_of(key), version, late=True)
        return bool(version)

    def _publish(self, key: str) -> int:
        """Copy the catalogue's value to the edges' store; return its version, or 0 on failure.

        The catalogue is read after the store's ETag. A newer value that another writer publishes
        in between changes the ETag, so an older value never replaces a newer one, and a write that
        arrives late is refused. ``change`` is for tables: this store has ETags of its own.
        """
        if self._clock.now_ms() < self._away_until_ms:
            return 0
        for attempt in range(ATTEMPTS_MAX):
            if attempt:
                self._wait(attempt)
            try:
                etag = self._edge_config.etag()
                record = self._record(_event_of(key))
                if record is None or is_spoilt(record.value):
                    return 0  # what edges have is better than nothing
                self._edge_config.write(key, record.value, etag)
            except VersionConflictError:
                continue
            except DependencyUnavailableError:
                self._away_until_ms = self._clock.now_ms() + AWAY_MS
                return 0
            return record.version
        return 0

    def _note(self, event: str, version: int, *, late: bool) -> None:
        """Note that the edges' store has the version, unless a newer one has been written."""
        heard = Update(
            "catalog",
            *gate_value_key(event),
            condition=VALUE_AS_READ,
            values={"version": version},
            set={"heard": version} | ({"lateMs": self._clock.now_ms()} if late else {}),
        )
        noted = Update(
            "catalog", *event_key(event), condition=EVENT_IS_THERE, set={"gateBehind": 0}
        )
        try:
            self._table.transact([heard, noted])
        except TransactionRefusedError:
            return  # the writer of the newer one copies it and notes that; or it was deleted

    def _adopt(self, key: str, version: int) -> None:
        """Copy the edges' value over the catalogue's missing or spoilt one of this version."""
        event, (value, _etag) = _event_of(key), self._edge_config.read(key)
        if value is None:
            raise NotFoundError(f"There is no gate for {event}.")
        parse_gate(value)

        def read() -> int:
            record = self._record(event)
            if record is not None and not is_spoilt(record.value):
                return _COPIED
            return 0 if record is None else record.version

        def decide(version: int) -> Write[None]:
            if version == _COPIED:
                return Write(None)
            return Write(None, self._actions(event, value, version, spread=True), refused)

        def refused(reasons: Sequence[Refusal]) -> None:
            if self._check is not None and reasons[-1].failed:
                raise TransactionRefusedError(reasons)

        def contended() -> VersionConflictError:
            return VersionConflictError(f"Others keep changing {event}. Please try again.")

        change(self._table, self._clock, read, decide, seen=version, contended=contended)

    def _actions(self, event: str, value: str, version: int, *, spread: bool) -> list[Action]:
        """Return the writes of value, event and history.

        Args:
            spread: the edges' store has this value already.
        """
        now_ms = self._clock.now_ms()
        written = Update(
            "catalog",
            *gate_value_key(event),
            condition=VALUE_AS_READ if version else VALUE_IS_NEW,
            values={"version": version} if version else {},
            set={"value": value, "atMs": now_ms},
            add={"version": 1},
        )
        actions: list[Action] = [written]
        sale = self._sale(event)
        if sale is not None:
            waiting = sale.gate_behind if sale.gate_behind > 0 else version + 1
            beside = {"gateBehind": 0 if spread else waiting}
            actions += gate_actions(sale, parse_gate(value), now_ms, beside)
        if self._check is not None:
            actions.append(self._check)
        elif sale is None:
            must_be_listed(self._table, event)  # else a damaged one, which nobody can delete
        return actions

    def _record(self, event: str) -> GateValueRecord | None:
        return self._table.find(GateValueRecord, gate_value_key(event))

    def _sale(self, event: str) -> Event | None:
        """Read the event; None if it is not on sale yet, deleted or damaged.

        A damaged event can still be paused and closed, and its keys rotated. Readers see the change
        after the event is repaired.
        """
        return find_readable(self._table, Event, event_key(event))


def _event_of(key: str) -> str:
    return key.removeprefix(gate_key(""))
