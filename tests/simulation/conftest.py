"""A world whose orders can be cancelled for as long as a simulation lasts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from moto import mock_aws

from tests.support.moto_direct import DirectClient
from tests.support.moto_transactions import sound_transactions
from tests.support.world import World


@pytest.fixture
def world() -> Iterator[World]:
    with mock_aws(), sound_transactions():
        yield World(DirectClient(), cancel_until="2099")
