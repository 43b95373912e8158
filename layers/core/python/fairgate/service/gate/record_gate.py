"""Record the gate in the catalogue: state and sale start for readers, all changes for the audit.

The history has one small item for each change (``GATE#<event>``), in one transaction with the
gate's value and the event, so it has no gaps. The event itself has only the gate's present epochs,
at most ``EPOCHS_MAX``: the controller adds one a minute, and a sale may go on for weeks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from fairgate.domain.gate.gate_history import GateVersion
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.table import Action, Update
from fairgate.service.shared.event_update import event_update
from fairgate.service.shared.keys import gate_version_key
from fairgate.service.shared.records.gate import GateVersionRecord

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.ports.table import Table
    from fairgate.service.shared.records.catalog import Event


def with_gate(sale: Event, gate: GateConfig, now_ms: int) -> tuple[Event, Action]:
    """Return a new event with its gate, and the first write of the gate's history."""
    recorded = replace(
        sale,
        epochs_log=_epochs(gate),
        state=gate.state,
        sale_starts_at=rfc3339(gate.sale_start_s * 1000),
        open_until=gate.open_until_s,
        version=sale.version + 1,
    )
    number = gate_version_key(sale.id, recorded.version)
    return recorded, Update("catalog", *number, set=_item(GateVersion.of(gate, now_ms)))


def gate_actions(
    sale: Event, gate: GateConfig, now_ms: int, beside: Mapping[str, Any] | None = None
) -> list[Action]:
    """Return the writes of the gate to the event and to the history, if anything changes.

    Args:
        beside: attributes of the event that are written in any case.
    """
    recorded = {
        "epochsLog": _epochs(gate),
        "state": gate.state,
        "saleOpensAt": rfc3339(gate.sale_start_s * 1000),
        "openUntil": gate.open_until_s,
    }
    before = (sale.epochs_log, sale.state, sale.sale_starts_at, sale.open_until)
    if before == tuple(recorded.values()):
        return [event_update(sale, beside)] if beside else []
    number = gate_version_key(sale.id, sale.version + 1)
    history = Update("catalog", *number, set=_item(GateVersion.of(gate, now_ms)))
    return [event_update(sale, recorded | dict(beside or {})), history]


def read_history(table: Table, event: str) -> list[GateVersion]:
    """Read every version of the gate's rules, oldest first. Strongly consistent."""
    records = table.query(GateVersionRecord, gate_version_key(event, 0).pk)
    return [
        GateVersion(
            at_ms=record.at_ms,
            state=record.state,
            open_until_s=record.open_until,
            sale_start_s=record.sale_start_s,
            epochs=tuple((float(t), float(h), float(r)) for t, h, r in record.epochs),
        )
        for record in records
    ]


def _epochs(gate: GateConfig) -> list[list[float]]:
    return [[epoch.start_s, epoch.h, epoch.slope] for epoch in gate.epochs]


def _item(version: GateVersion) -> dict[str, Any]:
    return {
        "atMs": version.at_ms,
        "state": version.state,
        "openUntil": version.open_until_s,
        "doorsS": version.sale_start_s,
        "epochs": [list(epoch) for epoch in version.epochs],
    }
