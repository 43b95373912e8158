"""The catalogue's record of the gate: state and doors for readers, every epoch for the audit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate.domain.times import rfc3339
from fairgate.errors import VersionConflictError
from fairgate.ports import TransactionRefusedError, Update
from fairgate.service.read_catalog import CATALOG_PK

if TYPE_CHECKING:
    from fairgate.domain.gate_config import GateConfig
    from fairgate.ports import Table

ATTEMPTS_MAX = 8


def record_gate(table: Table, event: str, gate: GateConfig) -> None:
    """Bring the catalogue's state, doors and ``epochsLog`` up to what the gate says.

    The gate keeps six epochs and the log keeps all: what is older stays, what was planned and
    given up goes. Making it again changes nothing, so a record that failed is mended by the next.
    An event that is not in the catalogue yet has no record.

    Raises VersionConflictError, DependencyUnavailableError. Cost: one read, one write.
    """
    for _ in range(ATTEMPTS_MAX):
        item = table.get("catalog", CATALOG_PK, event)
        if item is None:
            return
        log = _merged(item.get("epochsLog") or [], gate)
        recorded = {
            "epochsLog": log,
            "state": gate.state,
            "saleOpensAt": rfc3339(gate.doors_s * 1000),
        }
        if all(item.get(name) == value for name, value in recorded.items()):
            return
        update = Update(
            "catalog",
            CATALOG_PK,
            event,
            condition="#version = :version",
            values={"version": item["version"]},
            set=recorded,
            add={"version": 1},
        )
        try:
            table.update(update)
        except TransactionRefusedError:
            continue
        return
    raise VersionConflictError(f"Others keep changing {event}. The gate itself has changed.")


def _merged(log: list[Any], gate: GateConfig) -> list[list[float]]:
    known_from_s = gate.epochs[0].start_s
    older = [[float(n) for n in entry] for entry in log if float(entry[0]) < known_from_s]
    return older + [[e.start_s, e.h, e.slope] for e in gate.epochs]
