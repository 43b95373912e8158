"""Holds do not notice that the cache is gone: the same answer, and not one call more."""

from __future__ import annotations

import socket
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from fairgate.adapters.valkey.availability import ValkeyAvailability
from fairgate_lab.engine.cache import MemoryClaims
from fairgate_lab.engine.table import CountedTable
from tests.support.listeners import OneLine
from tests.support.world import World
from tests.unit.run.test_watched_figures import hold

ERRORS = {
    "gone": b"-CLUSTERDOWN The cluster is down\r\n",
    "busy": b"-BUSY Valkey is busy running a script.\r\n",
    "wrong script": b"-ERR user_script:7: attempt to compare nil with number\r\n",
    "no answer": b"?\r\n",
    "another's answer": b"+OK\r\n",
}


@pytest.fixture(params=["no address", "nobody there", "silent", *ERRORS])
def gone(request: pytest.FixtureRequest) -> Iterator[ValkeyAvailability]:
    saying = OneLine(ERRORS.get(request.param, b""))
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = {
            "no address": "",
            "nobody there": "valkey://127.0.0.1:1",
            "silent": f"valkey://127.0.0.1:{silent.getsockname()[1]}",
        }.get(request.param, saying.url)
        cache = ValkeyAvailability(url, timeout_s=0.05)
        yield cache
        cache.close()
    saying.close()


def calls_of_a_hold(
    world: World, monkeypatch: pytest.MonkeyPatch, cache: Any, seat: str
) -> Counter[str]:
    table = CountedTable(world.table)
    monkeypatch.setitem(vars(world.container), "cache", cache)
    monkeypatch.setitem(vars(world.container), "table", table)
    for made in ("claims", "catalog", "availability", "rates"):
        vars(world.container).pop(made, None)
    assert hold(world, monkeypatch, seat) == 201
    return table.calls


def test_a_hold_is_the_same_and_costs_a_token_in_the_table_when_the_cache_is_gone(
    world: World, monkeypatch: pytest.MonkeyPatch, gone: ValkeyAvailability
) -> None:
    with_cache = calls_of_a_hold(world, monkeypatch, MemoryClaims(world.clock), world.seat_ids[0])
    without = calls_of_a_hold(world, monkeypatch, gone, world.seat_ids[1])
    assert without - with_cache == Counter(update=1)  # of the account's bucket
    assert without["transact"] == 1
