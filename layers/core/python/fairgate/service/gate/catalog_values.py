"""Read gates' values from the catalogue, for the origin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.domain.gate.gate_config import gate_key
from fairgate.errors import DependencyUnavailableError
from fairgate.service.shared.keys import event_key, gate_value_key
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.gate import GateValueRecord

if TYPE_CHECKING:
    from fairgate.ports.table import Table

RETRY_AFTER_S = 10  # the controller's next run copies the value to the catalogue


class CatalogValues:
    """Reads values from the catalogue alone. Cost: one read."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def read(self, key: str) -> tuple[str | None, str]:
        """Read the value and its version, strongly consistent.

        Raises DependencyUnavailableError: the table is away, or has the event without a value.
        """
        event = key.removeprefix(gate_key(""))
        record = self._table.find(GateValueRecord, gate_value_key(event))
        if record is not None:
            return record.value, str(record.version)
        if self._table.find(Event, event_key(event)) is not None:
            on_its_way = "The event's gate is on its way."
            raise DependencyUnavailableError(on_its_way, retry_after_s=RETRY_AFTER_S)
        return None, "0"
