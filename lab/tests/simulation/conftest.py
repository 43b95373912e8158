"""A world whose orders can be cancelled for as long as a simulation lasts.

Its table is the one in memory, which test_sale_engine.py compares with moto; at full length moto's.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import pytest

from fairgate.adapters.dynamodb.schema import create_table_request
from tests.support.lengths import LONG
from tests.support.memory_client import MemoryClient
from tests.support.moto_direct import dynamodb
from tests.support.sale_tables import SCHEMAS
from tests.support.world import World


@pytest.fixture
def world() -> Iterator[World]:
    with dynamodb() if LONG else nullcontext(MemoryClient()) as client:
        yield World(client, cancel_until="2099")


@pytest.fixture(scope="module")
def moto() -> Iterator[Any]:
    with dynamodb(through_boto3=LONG) as client:
        for name, schema in SCHEMAS.items():
            client.create_table(**create_table_request(schema, name))
        yield client
