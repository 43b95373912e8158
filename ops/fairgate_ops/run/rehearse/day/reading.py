"""Read the tables of a day as they are, by counting items: what figures are compared with."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fairgate.domain.gate.gate_config import GateConfig, parse_gate
from fairgate.ports.record import PK, SK, Key
from fairgate.service.audit.snapshot import Snapshot
from fairgate.service.audit.tally import recounted
from fairgate.service.shared.keys import (
    admission_threshold_key,
    controller_memory_key,
    event_key,
    gate_value_key,
    log_entry_key,
    sampled_partitions,
    shape_of,
    store_comparison_key,
    tally_partitions,
)
from fairgate_ops.operate.laws.read_tables import of_tables

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate.ports.record import TableName

    Item = Mapping[str, Any]


@dataclass(frozen=True)
class Reading:
    """Everything of one event, read between two moments (epoch ms)."""

    event: str
    began_ms: int
    ended_ms: int
    snapshot: Snapshot

    @cached_property
    def items(self) -> Mapping[str, Mapping[Key, Item]]:
        """Every item of the tables by its kind and key."""
        kinds = self.snapshot.kinds.items()
        return {kind: {Key(one[PK], one[SK]): one for one in items} for kind, items in kinds}

    def of(self, kind: str) -> Mapping[Key, Item]:
        return self.items.get(kind, {})

    def item(self, table: TableName, key: Key) -> Item | None:
        return self.of(shape_of(table, key) or "").get(key)

    @property
    def sale(self) -> Item:
        found = self.item("catalog", event_key(self.event))
        return {} if found is None else found

    @property
    def value(self) -> Item | None:
        """The gate's value as the Catalog has it, with when it was written."""
        return self.item("catalog", gate_value_key(self.event))

    @cached_property
    def gate(self) -> GateConfig:
        return parse_gate(str((self.value or {})["value"]))

    @property
    def store_comparison(self) -> Item | None:
        return self.item("catalog", store_comparison_key())

    @property
    def memory(self) -> Item | None:
        """What the controller saw last."""
        return self.item("reservations", controller_memory_key(self.event))

    @property
    def level(self) -> Item | None:
        """Return the admission threshold of a sale at capacity."""
        return self.item("reservations", admission_threshold_key(self.event))

    @cached_property
    def log(self) -> list[Item]:
        """The entries of the event's log, the oldest first."""
        pk = log_entry_key(self.event, 0).pk
        return sorted(
            (item for key, item in self.of("log entry").items() if key.pk == pk),
            key=lambda item: str(item[SK]),
        )

    @cached_property
    def sessions(self) -> Mapping[str, Item]:
        return {s[PK]: s for s in self.snapshot.sessions if s["eventId"] == self.event}

    @cached_property
    def seats(self) -> Mapping[Key, Item]:
        return self._places("seat")

    @cached_property
    def shards(self) -> Mapping[Key, Item]:
        return self._places("area shard")

    def _places(self, shape: str) -> Mapping[Key, Item]:
        return {k: item for k, item in self.of(shape).items() if item["eventId"] == self.event}

    @cached_property
    def cohorts(self) -> list[tuple[float, float]]:
        """For each minute in which accounts of the sample joined: H at its last, and how many."""
        pks = set(sampled_partitions(self.event))
        minutes: dict[str, tuple[float, float]] = {}
        for key, row in self.of("sampled minute").items():
            if key.pk in pks:
                minute = key.sk.partition("#")[0]
                h, count = minutes.get(minute, (0.0, 0.0))
                minutes[minute] = (max(h, float(row["h"])), count + float(row["count"]))
        return list(minutes.values())

    @property
    def joined(self) -> float:
        """How many accounts of the sample joined."""
        return sum(count for _, count in self.cohorts)

    @cached_property
    def counts(self) -> Counter[str]:
        """Count orders, sessions and refunds from the items.

        What no item tells afterwards is as the counters have it: attempts, delays, with what in
        hand a session ended, and the desk's decisions.
        """
        counts = recounted(self.snapshot, self.event)
        pks = set(tally_partitions(self.event))
        for key, counter in self.of("sales tally").items():
            if key.pk in pks:
                for name in ("declined", "heard", "lagMs", "empty", "flagged", "locked"):
                    counts[name] += counter.get(name, 0)
        return counts

    @property
    def open_tasks(self) -> int:
        return sum(not task.get("doneAt") for task in self.snapshot.of("manual task"))


def read(client: Any, tables: Mapping[str, str], event: str) -> Reading:
    """Read every table once. Consistency: strong for each item, not across items."""
    began_ms = time.time_ns() // 1_000_000
    snapshot = of_tables(client, tables)
    return Reading(event, began_ms, time.time_ns() // 1_000_000, snapshot)
