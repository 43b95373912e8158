"""A world whose orders can be cancelled for as long as a simulation lasts.

Its table is the one in memory, which test_sale_engine.py compares with moto; at full length moto's.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.moto_direct import dynamodb
from tests.support.world import World


@pytest.fixture
def world() -> Iterator[World]:
    with dynamodb(through_boto3=False) as client:
        yield World(client, cancel_until="2099")
