"""The catalogue's record of the gate: state and doors for readers, its whole history for the audit.

The history is one small item for each change (``GATE#<event>``), written in one transaction with
the event's own item, so it has no gaps and readers of the event do not carry it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate.domain.gate.gate_history import GateVersion
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import VersionConflictError
from fairgate.ports.table import TransactionRefusedError, Update
from fairgate.service.shared.keys import CATALOG_PK

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

ATTEMPTS_MAX = 8
UNCHANGED_SINCE = "#version = :version"
_NUMBER_DIGITS = 8  # zero-padded, so that the table sorts versions in their order


def record_gate(table: Table, event: str, read: Callable[[], GateConfig], clock: Clock) -> None:
    """Bring the catalogue's state, doors and ``epochsLog`` up to what the gate says.

    The gate keeps six epochs and the log keeps all: what is older stays, what was planned and
    given up goes, and remains in the history. Making it again changes nothing, so a record that
    failed is mended by the next. An event that is not in the catalogue yet has no record.

    Args:
        read: the gate as it is now. It is read after the record that it is compared with, so of
            two who record at once neither writes down an older gate over a newer one.

    Raises VersionConflictError, DependencyUnavailableError. Cost: two reads, one transaction of
    two items.
    """
    for _ in range(ATTEMPTS_MAX):
        item = table.get("catalog", CATALOG_PK, event)
        if item is None:
            return
        gate = read()
        log = _merged(item.get("epochsLog") or [], gate)
        recorded = {
            "epochsLog": log,
            "state": gate.state,
            "saleOpensAt": rfc3339(gate.doors_s * 1000),
            "openUntil": gate.open_until_s,
        }
        if all(item.get(name, 0) == value for name, value in recorded.items()):
            return
        update = Update(
            "catalog",
            CATALOG_PK,
            event,
            condition=UNCHANGED_SINCE,
            values={"version": item["version"]},
            set=recorded,
            add={"version": 1},
        )
        version = GateVersion.of(gate, clock.now_ms())
        history = Update("catalog", *_history_key(event, item["version"] + 1), set=_item(version))
        try:
            table.transact([update, history])
        except TransactionRefusedError:
            continue
        return
    raise VersionConflictError(f"Others keep changing {event}. The gate itself has changed.")


def read_history(table: Table, event: str) -> list[GateVersion]:
    """Every version of the gate's rules, the oldest first. Strongly consistent."""
    items = table.query("catalog", _history_key(event, 0)[0])
    return [
        GateVersion(
            at_ms=int(item["atMs"]),
            state=item["state"],
            open_until_s=int(item["openUntil"]),
            doors_s=int(item["doorsS"]),
            epochs=tuple((float(t), float(h), float(r)) for t, h, r in item["epochs"]),
        )
        for item in items
    ]


def _history_key(event: str, number: int) -> tuple[str, str]:
    return f"GATE#{event}", f"{number:0{_NUMBER_DIGITS}d}"


def _item(version: GateVersion) -> dict[str, Any]:
    return {
        "atMs": version.at_ms,
        "state": version.state,
        "openUntil": version.open_until_s,
        "doorsS": version.doors_s,
        "epochs": [list(epoch) for epoch in version.epochs],
    }


def _merged(log: list[Any], gate: GateConfig) -> list[list[float]]:
    known_from_s = gate.epochs[0].start_s
    older = [[float(n) for n in entry] for entry in log if float(entry[0]) < known_from_s]
    return older + [[e.start_s, e.h, e.slope] for e in gate.epochs]
