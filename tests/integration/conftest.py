"""A real Valkey for the tests of a module, and the adapter on it, emptied for each test."""

from __future__ import annotations

import pytest

from fairgate.adapters.valkey.availability import ValkeyAvailability
from tests.support.availability import started_valkey


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = started_valkey(tmp_path_factory.mktemp("valkey"))
    yield server
    server.stop()


@pytest.fixture
def cache(server):
    cache = ValkeyAvailability(server.url, timeout_s=2)
    cache._client().client.flushall()
    yield cache
    cache.close()
