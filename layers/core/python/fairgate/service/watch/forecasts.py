"""Keep what was forecast of an event's sale, so that watchers see it behind what happens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.ports.table import Update
from fairgate.service.shared.keys import forecast_key
from fairgate.service.shared.readable import find_readable
from fairgate.service.shared.records.gate import ForecastRecord

if TYPE_CHECKING:
    from fairgate.ports.table import Table

KEPT_S = 366 * 86_400


def keep_forecast(table: Table, event: str, document: str, now_s: int) -> None:
    """Keep it in the place of the one before. Raises DependencyUnavailableError. Cost: a write."""
    body = {"document": document, "ttl": now_s + KEPT_S}
    table.update(Update("reservations", *forecast_key(event), set=body))


def find_forecast(table: Table, event: str) -> str | None:
    """Return what was kept last; None: nothing, or it is damaged. Cost: one read."""
    record = find_readable(table, ForecastRecord, forecast_key(event))
    return None if record is None else record.document
