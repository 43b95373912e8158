"""The write units of a hold: what two engines count, and what AWS's rule says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairgate.adapters.dynamodb.schema import TABLES as SCHEMAS
from fairgate_ops.prove.bench.hold.cpu import captured
from fairgate_ops.prove.bench.hold.world import SEATS
from fairgate_ops.run.load.open_sale import put_on_sale
from fairgate_ops.run.load.race import ENGINES
from fairgate_ops.run.local.environment import TABLES
from fairgate_ops.run.local.ministack import local_client

VENUE_SEATS = 80
TRANSACTIONAL = 2  # units an item of up to 1 KB in a transaction


@dataclass(frozen=True)
class Units:
    """Write units of one hold of SEATS seats."""

    source: str
    tables: Mapping[str, float]  # table → units, its indexes included
    of_which_indexes: float | None  # None: it does not tell them apart

    @property
    def total(self) -> float:
        return sum(self.tables.values())

    @property
    def a_seat(self) -> float:
        return self.total / SEATS


def counted(engine: str, folder: Path) -> Units:
    """Ask the engine with ReturnConsumedCapacity. Raises StartError."""
    _, server = ENGINES[engine]
    with server(folder) as running:
        sale = put_on_sale(running.endpoint, seats=VENUE_SEATS)
        (credential,) = sale.sessions(1)
        request = captured(credential, sale.units()[:SEATS])
        client = local_client("dynamodb", running.endpoint)
        try:
            answer = client.transact_write_items(**request, ReturnConsumedCapacity="INDEXES")
        finally:
            client.close()
    return _units(f"counted by {engine}", answer.get("ConsumedCapacity", []))


def _units(source: str, consumed: list[dict[str, Any]]) -> Units:
    names = {real: name for name, real in TABLES.items()}
    tables = {names[each["TableName"]]: float(each["CapacityUnits"]) for each in consumed}
    indexes = [
        float(index["CapacityUnits"])
        for each in consumed
        for index in each.get("GlobalSecondaryIndexes", {}).values()
    ]
    return Units(source, tables, sum(indexes) if indexes else None)


def computed() -> Units:
    """Compute them: two units an item and KB in a transaction, one for each index entry written.

    Every item of a hold is under 1 KB. The seat and the reservation are in their tables' index;
    the session is as well, and its entry holds all attributes, so it is written again.
    Source: DynamoDB Developer Guide, "Managing complex workflows with DynamoDB transactions" and
    "Using Global Secondary Indexes", "Write capacity units".
    """
    items = {"reservations": 1 + SEATS, "seats": SEATS}
    indexed = {schema.name for schema in SCHEMAS if schema.index}
    index = {name: count if name in indexed else 0 for name, count in items.items()}
    return Units(
        "computed by AWS's rule",
        {name: TRANSACTIONAL * count + index[name] for name, count in items.items()},
        float(sum(index.values())),
    )
