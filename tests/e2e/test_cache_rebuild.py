"""The running system's map comes back by command after its cache was emptied."""

from __future__ import annotations

import json
import urllib.request
from contextlib import closing

from valkey import Valkey

from tests.support.running import Running
from tests.support.waiting import patience_s


def read(system: Running, path: str) -> tuple[bytes, str]:
    url = f"{system.base_url}/api/events/{system.event}/{path}"
    with urllib.request.urlopen(url, timeout=patience_s(10)) as answer:  # noqa: S310 loopback
        return answer.read(), answer.headers["x-fairgate-source"]


def test_the_cache_is_filled_again_when_it_was_emptied(system: Running) -> None:
    with closing(Valkey.from_url(system.config["valkey_url"])) as cache:
        cache.flushall()
        said = json.loads(system.fairgate("cache", "rebuild", system.event, "--json"))
        assert (said["failed"], said["dry_run"]) == ({}, False)
        kept = {key.decode().partition(":")[0] for key in cache.scan_iter("*")}
    assert {"seatmap", "vector", "counts", "expiries"} <= kept
    counts, source = read(system, "availability")
    totals = [section["total"] for section in json.loads(counts)["sections"].values()]
    assert (len(totals), sum(totals), source) == (said["sections"], said["seats"], "cache")
    vector, _ = read(system, "status.bin")
    assert len(vector) == sum(-(-total // 4) for total in totals)


def test_a_rebuild_of_nothing_is_refused(system: Running) -> None:
    said = json.loads(system.fairgate("cache", "rebuild", "no-such", "--json", expect=1))
    assert said["error"]["code"] == "not-found"
