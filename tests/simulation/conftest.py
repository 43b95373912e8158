from __future__ import annotations

from collections.abc import Iterator

import boto3
import pytest
from moto import mock_aws

from tests.support.moto_transactions import sound_transactions
from tests.support.world import World


@pytest.fixture
def world() -> Iterator[World]:
    with mock_aws(), sound_transactions():
        yield World(boto3.client("dynamodb", region_name="eu-central-1"), cancelUntil="2099")
