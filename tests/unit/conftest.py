"""The world of unit tests: moto's tables, called in place.

Two markers choose another way: ``through_boto3`` the whole one, with boto3's signing and parsing,
for modules that between them open a session, hold, check out, settle, publish and change a gate;
``table_in_memory`` the simulator's table, for those that need thousands of calls.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.memory_client import MemoryClient
from tests.support.moto_direct import dynamodb
from tests.support.world import World


@pytest.fixture
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    if request.node.get_closest_marker("table_in_memory"):
        yield World(MemoryClient())
        return
    through_boto3 = request.node.get_closest_marker("through_boto3") is not None
    with dynamodb(through_boto3=through_boto3) as client:
        yield World(client)
