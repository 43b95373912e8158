"""How an event on sale is changed: by whoever saw it last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairgate.ports.table import Update
from fairgate.service.shared.conditions import EVENT_AS_READ
from fairgate.service.shared.records.catalog import Event


def event_update(sale: Event, changes: Mapping[str, Any]) -> Update:
    """Write ``changes``, unless somebody has changed the event since ``sale`` was read."""
    return Update(
        "catalog",
        *sale.key,
        condition=EVENT_AS_READ,
        values={"version": sale.version},
        set=changes,
        add={"version": 1},
    )
