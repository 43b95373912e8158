"""The edges' store with its troubles: away, refusing, slow to show, and with others in between."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from fairgate.domain.gate.gate_config import GateConfig, gate_key, parse_gate
from fairgate.errors import DependencyUnavailableError
from fairgate.service.gate.compare_store import Kept, StoreKeeper
from fairgate.service.gate.control_gate import GateControl
from fairgate.service.gate.gate_values import GateValues
from fairgate.service.shared.keys import event_key, gate_value_key
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.gate import GateValueRecord
from fairgate_lab.engine.outside import MemoryEdgeConfig
from tests.support.world import EVENT, World

KEY = gate_key(EVENT)


class CrashError(BaseException):
    """Ends a writer where it stands, as a time-out of its function does."""


class EdgeStore(MemoryEdgeConfig):
    """Counts the calls that are billed.

    Attributes:
        away: every call fails while it is set.
        before_put: called once, before the next put: what others do in between.
        shown: what reads show while it is set, with its version: answers lag.
        history: every value of the event that edges had, in order.
    """

    def __init__(self, values: Mapping[str, str]) -> None:
        super().__init__(dict(values))
        self.away: BaseException | None = None
        self.before_put: Callable[[], Any] | None = None
        self.shown: tuple[dict[str, str], int] | None = None
        self.calls = Counter[str]()
        self.history = [values[KEY]] if KEY in values else []

    def etag(self) -> str:
        self._call("describe")
        return str(self.shown[1] if self.shown else self.version)

    def read(self, key: str) -> tuple[str | None, str]:
        etag = self.etag()
        self._call("get")
        return (self.shown[0] if self.shown else self.values).get(key), etag

    def write(self, key: str, value: str, etag: str) -> str:
        self._call("put")
        if self.before_put is not None:
            before_put, self.before_put = self.before_put, None
            before_put()
        written = super().write(key, value, etag)
        if key == KEY:
            self.history.append(value)
        return written

    def lag(self) -> None:
        """Show what there is now from now on, whatever is written, until ``shown`` is None."""
        self.shown = (dict(self.values), self.version)

    @property
    def gate(self) -> GateConfig:
        return parse_gate(self.values[KEY])

    def _call(self, name: str) -> None:
        self.calls[name] += 1
        if self.away is not None:
            raise self.away


def unavailable() -> DependencyUnavailableError:
    return DependencyUnavailableError("The KeyValueStore does not answer.", retry_after_s=5)


def values_of(world: World, store: EdgeStore) -> GateValues:
    return GateValues(world.table, store, world.clock, lambda _attempt: None)


def control_of(world: World, store: EdgeStore) -> GateControl:
    return GateControl(values_of(world, store), world.clock, lambda _attempt: None)


def keeper_of(world: World, store: EdgeStore) -> StoreKeeper:
    return StoreKeeper(world.table, world.clock, values_of(world, store))


def sale_of(world: World) -> Event:
    sale = world.table.find(Event, event_key(EVENT))
    assert sale is not None
    return sale


def record_of(world: World) -> GateValueRecord:
    record = world.table.find(GateValueRecord, gate_value_key(EVENT))
    assert record is not None
    return record


def written(world: World) -> GateConfig:
    return parse_gate(record_of(world).value)


def keep(world: World, store: EdgeStore) -> list[Kept]:
    """What the controller's run does about the store."""
    keeper = keeper_of(world, store)
    return [*keeper.bring(sale_of(world)), *keeper.compare([sale_of(world)])]
