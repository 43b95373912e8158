from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import patch

import boto3
import pytest
from moto import mock_aws

from fairgate import bootstrap
from fairgate.adapters.payments.sandbox import SandboxPayments
from tests.support.moto_transactions import sound_transactions
from tests.support.world import World


@pytest.fixture
def world() -> Iterator[World]:
    """The small world, with every handler's container replaced by its own."""
    with mock_aws(), sound_transactions():
        made = World(boto3.client("dynamodb", region_name="eu-central-1"))
        made.container.__dict__["payments"] = SandboxPayments(
            "http://127.0.0.1:9", made.secrets, made.clock
        )
        bootstrap.container.cache_clear()
        with patch.object(bootstrap, "Container", lambda _settings: made.container):
            yield made
        bootstrap.container.cache_clear()
