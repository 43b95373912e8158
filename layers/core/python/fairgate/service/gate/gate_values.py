"""Keep gates' values: in the catalogue, where what is written decides, then in the edges' store.

A value is an item of its own with a version (``VALUE#<event>``). Whoever writes it writes with it,
in one transaction, what readers of the event see of it and the next entry of its history, so these
never differ. The edges' store follows: the event notes the oldest version that it may not have, and
the controller's next run brings it there. See docs/adr/0023.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.domain.gate.gate_config import gate_key, is_spoilt, parse_gate
from fairgate.errors import DependencyUnavailableError, NotFoundError, VersionConflictError
from fairgate.ports.table import Action, TransactionRefusedError, Update
from fairgate.service.gate.record_gate import gate_actions
from fairgate.service.shared.conditions import VALUE_AS_READ, VALUE_IS_NEW
from fairgate.service.shared.keys import event_key, gate_value_key
from fairgate.service.shared.readable import find_readable
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.gate import GateValueRecord

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairgate.ports.outside import EdgeConfig
    from fairgate.ports.table import Check, Table
    from fairgate.ports.world import Clock

ATTEMPTS_MAX = 8
AWAY_MS = 5_000  # how long a store that did not answer is not asked again
_NOT_HERE = "0"  # the version of a value that only the edges' store has


class GateValues:
    """Implements ports.GateStore for those who write.

    Args:
        wait: sleeps before another attempt, with jitter.
        check: what must hold whenever a value is written; None: whoever asks may write.
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
        """Return the same, for one who may write values only while the check holds.

        What is written then raises TransactionRefusedError once it does not.
        """
        return GateValues(self._table, self._edge_config, self._clock, self._wait, check)

    def read(self, key: str) -> tuple[str | None, str]:
        """Read the value and its version; the edges' where the catalogue has none that can be read.

        Cost: one read; for such an event two calls of the edges' store more.
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
            VersionConflictError: somebody has changed the value or the event since.
            DependencyUnavailableError: it may or may not have been written.

        Cost: one read and a transaction of up to three items.
        """
        self._transact(_event_of(key), value, int(etag), spread=False)
        return str(int(etag) + 1)

    def spread(self, key: str, *, late: bool) -> bool:
        """Bring what is written to the edges' store; say whether it has it.

        A value that stands in that store alone, or is spoilt here, is brought here instead.

        Args:
            late: the value was not written just now, so edges went without it for a time.

        Raises:
            NotFoundError: there is no value here or there.
            MalformedInputError: both are spoilt.
            DependencyUnavailableError: the table is away, or the store that alone has the value.

        Cost: two reads; where the store is behind, two of its calls and a transaction of two items.
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
        """Return when the edges' store last got a value late; now, while it waits for one."""
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

    def restore(self, key: str) -> bool:
        """Write over what somebody else has put into the edges' store; say whether it took it."""
        version = self._publish(key)
        if version:
            self._note(_event_of(key), version, late=True)
        return bool(version)

    def _publish(self, key: str) -> int:
        """Give the edges' store what the catalogue has now; return the version, 0 where it failed.

        The catalogue is read after the store's ETag. Whoever publishes something newer in between
        changes that ETag, so nothing older is ever put over something newer, and a write that
        arrives late is refused.
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
        """Note that the edges' store has the version, unless a newer one has been written since."""
        heard = Update(
            "catalog",
            *gate_value_key(event),
            condition=VALUE_AS_READ,
            values={"version": version},
            set={"heard": version} | ({"lateMs": self._clock.now_ms()} if late else {}),
        )
        try:
            self._table.transact(
                [heard, Update("catalog", *event_key(event), set={"gateBehind": 0})]
            )
        except TransactionRefusedError:
            return  # whoever wrote it brings it there, and notes that

    def _adopt(self, key: str, version: int) -> None:
        """Bring here, once, what can be read in the edges' store alone, over this version."""
        value, _etag = self._edge_config.read(key)
        if value is None:
            raise NotFoundError(f"There is no gate for {_event_of(key)}.")
        parse_gate(value)
        for attempt in range(ATTEMPTS_MAX):
            if attempt:
                self._wait(attempt)
            try:
                self._transact(_event_of(key), value, version, spread=True)
            except VersionConflictError:
                record = self._record(_event_of(key))
                if record is not None and not is_spoilt(record.value):
                    return
                version = 0 if record is None else record.version
                continue
            return
        raise VersionConflictError(f"Others keep changing {_event_of(key)}. Please try again.")

    def _transact(self, event: str, value: str, version: int, *, spread: bool) -> None:
        """Write value, event and history, all or none. Raises VersionConflictError.

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
        try:
            self._table.transact(actions)
        except TransactionRefusedError as error:
            if self._check is not None and error.reasons[-1].failed:
                raise
            raise VersionConflictError("Somebody else changed the gate in between.") from error

    def _record(self, event: str) -> GateValueRecord | None:
        return self._table.find(GateValueRecord, gate_value_key(event))

    def _sale(self, event: str) -> Event | None:
        """Read the event; None where it is not on sale yet, and where its item is damaged.

        A damaged event can be paused and closed, and its keys rotated, all the same. What readers
        see of it follows when it has been mended.
        """
        return find_readable(self._table, Event, event_key(event))


def _event_of(key: str) -> str:
    return key.removeprefix(gate_key(""))
