"""The write units of holds of several sizes: what two engines count, and what AWS's rule says."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairgate.adapters.dynamodb.schema import TABLES as SCHEMAS
from fairgate.domain.orders.order import Unit
from fairgate.domain.shared.credential import Credential
from fairgate.domain.shared.ids import EventId, SessionId, UserId
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.record import GSI1PK, TableName
from fairgate_lab.attack.race import ENGINES
from fairgate_lab.bench.hold.cpu import captured
from fairgate_lab.bench.hold.world import SEATS
from fairgate_lab.bench.kit.benchmark import Part
from fairgate_lab.worlds.open_sale import NAMES, put_on_sale
from fairgate_ops.run.local.environment import TABLES
from fairgate_ops.run.local.ministack import local_client

VENUE_SEATS = 80
SIZES = (1, 4, 10)  # seats in a hold
QUOTA_UNITS = 40_000  # write units a second of a table, AWS's default
TRANSACTIONAL = 2  # units an item of up to 1 KB in a transaction


@dataclass(frozen=True)
class Units:
    """Write units of one hold."""

    source: str
    seats: int
    tables: Mapping[str, float]  # table → units, its indexes included
    of_which_indexes: float | None  # None: it does not tell them apart

    @property
    def total(self) -> float:
        return sum(self.tables.values())

    def row(self) -> Sequence[object]:
        """Show it."""
        tables = (f"{self.tables['seats']:.0f}", f"{self.tables['reservations']:.0f}")
        indexes = "?" if self.of_which_indexes is None else f"{self.of_which_indexes:.0f}"
        each = f"{self.total / self.seats:.2f}"
        return (self.seats, self.source, *tables, indexes, f"{self.total:.0f}", each)


def counted(engine: str, folder: Path) -> list[Units]:
    """Ask the engine with ReturnConsumedCapacity, a hold of each size. Raises StartError."""
    _, server = ENGINES[engine]
    with server(folder) as running:
        sale = put_on_sale(running.endpoint, seats=VENUE_SEATS)
        free = iter(sale.units())
        figures = []
        with closing(local_client("dynamodb", running.endpoint)) as client:
            for size, credential in zip(SIZES, sale.sessions(len(SIZES)), strict=True):
                request = captured(credential, list(itertools.islice(free, size)))
                answer = client.transact_write_items(**request, ReturnConsumedCapacity="INDEXES")
                consumed = answer.get("ConsumedCapacity", [])
                figures.append(_units(f"counted by {engine}", size, consumed))
    return figures


def _units(source: str, seats: int, consumed: list[dict[str, Any]]) -> Units:
    names = {real: name for name, real in TABLES.items()}
    tables = {names[each["TableName"]]: float(each["CapacityUnits"]) for each in consumed}
    indexes = [
        float(index["CapacityUnits"])
        for each in consumed
        for index in each.get("GlobalSecondaryIndexes", {}).values()
    ]
    return Units(source, seats, tables, sum(indexes) if indexes else None)


def shown(figures: Sequence[Units], left_out: Sequence[str]) -> Part:
    """Show them, the smallest hold first, and what a table's quota carries."""
    busiest = max(max(each.tables.values()) for each in figures if each.seats == SEATS)
    carried = (
        f"Modelled: a table's default quota of {QUOTA_UNITS:,} units a second carries "
        f"{QUOTA_UNITS / busiest:,.0f} holds of {SEATS} seats a second, by the busier table's "
        f"{busiest:.0f}."
    )
    head = ("a hold of", "source", "seats", "session and reservations", "of which indexes")
    rows = [each.row() for each in sorted(figures, key=lambda each: each.seats)]
    below = "\n".join([*(f"Left out: {reason}\n" for reason in left_out), carried])
    return Part("Write units of a hold.", (*head, "total", "a seat"), rows, below)


def computed() -> list[Units]:
    """Compute them from the requests, a hold of each size.

    Two units an item and KB in a transaction; one for an index entry that is made, by an item that
    carries the index's key, or changed, by an attribute that the index has. Every item of a hold
    is under 1 KB.
    Source: DynamoDB Developer Guide, "Managing complex workflows with DynamoDB transactions" and
    "Using Global Secondary Indexes", "Write capacity units".
    """
    credential = Credential(
        SessionId("ses_" + "0" * 32),
        EventId("sale"),
        UserId("buyer"),
        rfc3339(0),
        max(SIZES),
        "",
    )
    seats = [Unit("seat", f"s{number}", "s", "t", "", 1) for number in range(max(SIZES))]
    return [by_rule(size, captured(credential, seats[:size])) for size in SIZES]


def by_rule(seats: int, request: Mapping[str, Any]) -> Units:
    """Apply the rule to a hold's request."""
    tables: Counter[str] = Counter()
    indexes = 0
    for action in request["TransactItems"]:
        ((_, body),) = action.items()
        name = _NAMES[body["TableName"]]
        in_index = _writes_index(name, body)
        tables[name] += TRANSACTIONAL + in_index
        indexes += in_index
    return Units("computed by AWS's rule", seats, dict(tables), float(indexes))


def _writes_index(table: TableName, body: Mapping[str, Any]) -> bool:
    if "Item" in body:
        return GSI1PK in body["Item"]
    (schema,) = (schema for schema in SCHEMAS if schema.name == table)
    return bool(set(schema.index_attributes) & set(body["ExpressionAttributeNames"].values()))


_NAMES: Mapping[str, TableName] = {real: name for name, real in NAMES.items()}
