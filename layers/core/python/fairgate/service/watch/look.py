"""Hold one event at one moment, for the parts of its figures."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from fairgate.domain.gate.gate_config import parse_gate
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import NotFoundError
from fairgate.service.shared.keys import gate_value_key
from fairgate.service.shared.live_count import count_sessions
from fairgate.service.shared.records.gate import GateValueRecord
from fairgate.service.shared.tally import read_tally

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.ports.table import Table
    from fairgate.service.shared.live_count import SessionCounts
    from fairgate.service.shared.records.catalog import Event
    from fairgate.service.shared.records.sessions import SalesTally
    from fairgate.service.watch.figures import Figures


class Look:
    """One event at one moment; what several parts need is read once, when it is first asked for."""

    def __init__(self, table: Table, sale: Event, now_ms: int, before: Figures) -> None:
        self.table, self.sale, self.now_ms, self.before = table, sale, now_ms, before
        self.now, self.now_s = rfc3339(now_ms), now_ms / 1000

    @cached_property
    def value(self) -> GateValueRecord:
        """Raises NotFoundError."""
        record = self.table.find(GateValueRecord, gate_value_key(self.sale.id))
        if record is None:
            raise NotFoundError("The gate's value has not come to the Catalog yet.")
        return record

    @cached_property
    def gate(self) -> GateConfig:
        """Raises NotFoundError, MalformedInputError."""
        return parse_gate(self.value.value)

    @cached_property
    def sessions(self) -> SessionCounts:
        """Raises DependencyUnavailableError."""
        return count_sessions(self.table, self.sale.id, self.now)

    @cached_property
    def tally(self) -> SalesTally:
        """Raises DependencyUnavailableError."""
        return read_tally(self.table, self.sale.id)
