"""Moto's tables with one item of each kind in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import boto3
from moto import mock_aws

from fairgate.adapters.dynamodb.codec import to_item
from fairgate.adapters.dynamodb.schema import TABLES, create_table_request
from fairgate.ports.record import TableName
from tests.support.items import ITEMS


@contextmanager
def tables_of_items(names: Mapping[TableName, str]) -> Iterator[Any]:
    """A client of DynamoDB, whose tables hold every item of ``ITEMS``."""
    with mock_aws():
        client = boto3.client("dynamodb", region_name="eu-central-1")
        for schema in TABLES:
            client.create_table(**create_table_request(schema, names[schema.name]))
        for table, item in ITEMS.values():
            client.put_item(TableName=names[table], Item=to_item(item))
        yield client
