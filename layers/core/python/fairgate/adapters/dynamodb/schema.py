"""Define the tables, once: CDK, the local run and the tests all create them from here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from fairgate.ports.record import GSI1PK, GSI1SK, PK, SK

GSI1 = "GSI1"  # the one index
TTL = "ttl"  # epoch seconds; only removes old items, correctness does not depend on it

Name = Literal["seats", "reservations", "catalog"]


class TableSchema(Struct, frozen=True):
    """One table: string keys PK and SK, at most one index, optional stream of both images."""

    name: Name
    index: bool = False
    index_attributes: tuple[str, ...] = ()  # beside the keys
    stream: bool = False
    ttl: bool = False


SEATS = TableSchema(
    "seats",
    index=True,
    index_attributes=("availability", "expiresAt", "version", "seatIndex"),
    stream=True,
)
# Orders, their sessions and the ledger's entries have this index's keys, which never change, so
# each is written to the index once (docs/adr/0020). A list reads the items by the index's keys.
RESERVATIONS = TableSchema("reservations", index=True, stream=True, ttl=True)
CATALOG = TableSchema("catalog")
TABLES: tuple[TableSchema, ...] = (SEATS, RESERVATIONS, CATALOG)


def create_table_request(schema: TableSchema, table_name: str) -> Mapping[str, Any]:
    """Return the CreateTable parameters, for engines that are not CloudFormation."""
    names = [PK, SK, *([GSI1PK, GSI1SK] if schema.index else [])]
    request: dict[str, Any] = {
        "TableName": table_name,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": n, "AttributeType": "S"} for n in names],
        "KeySchema": _keys(PK, SK),
    }
    if schema.index:
        projection: dict[str, Any] = {"ProjectionType": "KEYS_ONLY"}
        if schema.index_attributes:
            projection = {
                "ProjectionType": "INCLUDE",
                "NonKeyAttributes": list(schema.index_attributes),
            }
        request["GlobalSecondaryIndexes"] = [
            {"IndexName": GSI1, "KeySchema": _keys(GSI1PK, GSI1SK), "Projection": projection}
        ]
    if schema.stream:
        request["StreamSpecification"] = {
            "StreamEnabled": True,
            "StreamViewType": "NEW_AND_OLD_IMAGES",
        }
    return request


def _keys(hash_name: str, range_name: str) -> list[dict[str, str]]:
    return [
        {"AttributeName": hash_name, "KeyType": "HASH"},
        {"AttributeName": range_name, "KeyType": "RANGE"},
    ]
