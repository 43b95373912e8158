"""Compare the edges' store with the catalogue on schedule, and repair what differs.

Each call of the store's API is billed. So one call a minute reads its ETag for all events, and its
values are read only if the ETag or a value in the catalogue has changed. An unreadable value in the
catalogue is replaced by the edges' value. An event that is closed at the edges is left out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from fairgate.domain.gate.gate_config import gate_key, is_spoilt
from fairgate.errors import DependencyUnavailableError, MalformedInputError, NotFoundError
from fairgate.ports.table import Update
from fairgate.service.shared.keys import event_key, gate_value_key, store_comparison_key
from fairgate.service.shared.records.catalog import IN_THE_STORE_ALONE, Event
from fairgate.service.shared.records.gate import GateValueRecord, StoreComparison

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.gate.gate_values import GateValues

COMPARE_MS = 60_000
# A newer value waits for the next comparison: the store may still answer with the one before.
LAG_MS = 60_000
_DIGEST_CHARS = 32

Outcome = Literal["adopted", "brought", "behind", "restored", "mended", "spoilt"]


class Kept(Struct, frozen=True):
    """What was done about an event's value.

    Attributes:
        outcome: ``adopted`` into the catalogue, ``brought`` to the edges' store late, still
            ``behind`` there, ``restored`` over a foreign value there, ``mended`` in the catalogue
            from there, or ``spoilt`` in both.
    """

    event: str
    outcome: Outcome


class StoreKeeper(Struct, frozen=True):
    """Keeps the edges' store equal to the catalogue.

    Cost: nothing while all events are closed; else one read, and each minute one call of the store
        and a read of each value.
    """

    table: Table
    clock: Clock
    values: GateValues

    def bring(self, sale: Event) -> list[Kept]:
        """Copy the event's value to where it is missing. No cost if nothing is missing.

        Raises NotFoundError (no value anywhere), DependencyUnavailableError.
        """
        if not is_watched(sale) or sale.gate_behind == 0:
            return []
        outcome: Outcome = "adopted" if sale.gate_behind == IN_THE_STORE_ALONE else "brought"
        done = self.values.spread(gate_key(sale.id), late=True)
        return [Kept(sale.id, outcome if done else "behind")]

    def compare(self, sales: Sequence[Event]) -> list[Kept]:
        """Compare all open events once a minute, and restore what differs.

        Raises DependencyUnavailableError: the store does not answer; the next run compares.
        """
        watched = [sale for sale in sales if is_watched(sale) and sale.state != "closed"]
        if not watched:
            return []
        now_ms = self.clock.now_ms()
        compared = self.table.find(StoreComparison, store_comparison_key())
        if compared is not None and now_ms - compared.at_ms < COMPARE_MS:
            return []
        etag = f"{self.values.edge_version()} {self._digest(watched)}"
        if compared is not None and compared.etag == etag:
            self._note(etag, now_ms)
            return []
        looks = [self._look(sale.id, now_ms) for sale in watched]
        self._note("" if None in looks else etag, now_ms)
        return [look for look in looks if isinstance(look, Kept)]

    def _digest(self, sales: Sequence[Event]) -> str:
        """Hash the catalogue's values: an edit by hand does not change the version."""
        digest = hashlib.sha256()
        for sale in sales:
            record = self.table.find(GateValueRecord, gate_value_key(sale.id))
            digest.update(("" if record is None else f"{sale.id} {record.value} ").encode())
        return digest.hexdigest()[:_DIGEST_CHARS]

    def _look(self, event: str, now_ms: int) -> Kept | bool | None:
        """Compare one value. Returns True if it is the same, None if it is too new to compare."""
        before = self.table.find(GateValueRecord, gate_value_key(event))
        if before is not None and is_spoilt(before.value):
            return self._mended(event)
        if before is None or now_ms - before.at_ms < LAG_MS:
            return None
        if self.values.at_edge(gate_key(event))[0] == before.value:
            return True
        after = self.table.find(GateValueRecord, gate_value_key(event))
        sale = self.table.find(Event, event_key(event))
        if sale is None or sale.gate_behind or after is None or after.version != before.version:
            return None  # it is being written
        restored = self.values.restore(gate_key(event))
        return Kept(event, "restored" if restored else "behind")

    def _mended(self, event: str) -> Kept:
        try:
            self.values.spread(gate_key(event), late=True)
        except (MalformedInputError, NotFoundError):
            return Kept(event, "spoilt")
        return Kept(event, "mended")

    def _note(self, etag: str, now_ms: int) -> None:
        compared = {"etag": etag, "atMs": now_ms}
        self.table.update(Update("catalog", *store_comparison_key(), set=compared))


def is_watched(sale: Event) -> bool:
    """Say whether the event's value may still change, or has not reached the edges.

    An event that an older version closed is left alone.
    """
    return sale.state != "closed" or sale.gate_behind > 0


def must_be_kept(repair: Kept) -> None:
    """Raise DependencyUnavailableError if edges or origin still lack a value."""
    if repair.outcome == "behind":
        raise DependencyUnavailableError(f"The KeyValueStore has not taken {repair.event}.")
    if repair.outcome == "spoilt":
        raise DependencyUnavailableError(f"Nobody can read the gate's value of {repair.event}.")
