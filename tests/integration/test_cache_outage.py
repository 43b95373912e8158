"""Valkey gone, silent or emptied: reads go on from the table, holds do not notice."""

from __future__ import annotations

import json
import socket
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from fairgate import bootstrap, metrics
from fairgate.adapters.valkey.availability import ValkeyAvailability
from fairgate.bootstrap import Container
from fairgate.ports.availability import CacheUnavailableError
from fairgate.service.availability.apply_patiently import apply_patiently
from fairgate.service.availability.read_availability import AvailabilityReader
from fairgate.service.availability.shared_reads import TableBudget
from fairgate.service.catalog.read_catalog import CatalogReader
from fairgate.service.shared.cache_breaker import CACHE_RETRY_MS
from fairgate.settings import from_environment
from fairgate_lab.engine.clock import MemoryClock
from fairgate_ops.run.local.api_host import load_handlers
from fairgate_ops.shared.paths import ROOT
from tests.support.availability import (
    EVENT,
    NOW_MS,
    FakeTable,
    seat_item,
    seats,
    started_valkey,
    stream_record,
)
from tests.support.listeners import Listener
from tests.support.seatmap import call
from tests.support.waiting import wait_until

SECTIONS = {f"s{n}": 40 for n in range(12)}
COUNTS = f"/api/events/{EVENT}/availability"
PATHS = (
    COUNTS,
    f"{COUNTS}?section=s0",
    f"/api/events/{EVENT}/sections/s0/seats",
    f"/api/events/{EVENT}/status.bin",
    f"/api/events/{EVENT}/changes",
    f"/api/events/{EVENT}/changes?section=s0",
)

# Long enough that a busy machine's pause is not taken for a silent cache; nothing here measures it.
BUSY_TIMEOUT_S = 1.5


class Proxy(Listener):
    """Stands before a server; while ``silent`` it takes what is sent and answers nothing."""

    def __init__(self, port: int) -> None:
        self._target = port
        self.silent = False
        self.left_waiting = 0  # commands that were sent and not answered
        super().__init__()

    def serve(self, caller: socket.socket) -> None:
        server = socket.create_connection(("127.0.0.1", self._target))
        threading.Thread(target=self._carry_back, args=(server, caller), daemon=True).start()
        self._carry(caller, server)

    def _carry(self, caller: socket.socket, server: socket.socket) -> None:
        with caller, server:
            while data := _received(caller):
                if self.silent:
                    self.left_waiting += 1
                else:
                    server.sendall(data)

    def _carry_back(self, server: socket.socket, caller: socket.socket) -> None:
        while data := _received(server):
            try:
                caller.sendall(data)
            except OSError:
                return


def _received(connection: socket.socket) -> bytes:
    try:
        return connection.recv(65_536)
    except OSError:
        return b""


@pytest.fixture
def slow(server):
    """A cache behind a proxy that can fall silent."""
    proxy = Proxy(server.port)
    cache = ValkeyAvailability(proxy.url, timeout_s=BUSY_TIMEOUT_S)
    yield cache, proxy
    cache.close()
    proxy.close()


@pytest.fixture
def table():
    return FakeTable(SECTIONS, {"floor": [40, 60]})


def handler_of(monkeypatch, cache, table, clock):
    container = Container(from_environment({}), cache=cache, table=table, clock=clock)
    monkeypatch.setattr(bootstrap, "container", lambda: container)
    return load_handlers(ROOT / "functions", ["seatmap"])["seatmap"]


@pytest.mark.parametrize("path", PATHS)
def test_a_silent_cache_costs_a_request_one_time_out(cache, slow, table, monkeypatch, path):
    stalled, proxy = slow
    clock = MemoryClock()
    handler = handler_of(monkeypatch, stalled, table, clock)
    assert call(handler, path, {})["headers"]["x-fairgate-source"] == "cache"
    proxy.silent = True
    answer = call(handler, path, {})
    assert (answer["statusCode"], answer["headers"]["x-fairgate-source"]) == (200, "table")
    assert proxy.left_waiting == 1
    for _ in range(5):  # and the next ones none
        assert call(handler, path, {})["statusCode"] == 200
    assert proxy.left_waiting == 1
    proxy.silent = False
    clock.ms += CACHE_RETRY_MS
    assert call(handler, path, {})["headers"]["x-fairgate-source"] == "cache"


def test_a_connection_that_is_never_greeted_costs_one_time_out(slow, table, monkeypatch):
    stalled, proxy = slow
    proxy.silent = True
    handler = handler_of(monkeypatch, stalled, table, MemoryClock())
    assert call(handler, COUNTS, {})["headers"]["x-fairgate-source"] == "table"
    assert proxy.left_waiting == 1


def test_a_silent_cache_costs_a_batch_of_changes_one_time_out(slow):
    stalled, proxy = slow
    stalled.fill(EVENT, "s0", seats(2))
    proxy.silent = True
    batch = [(f"m{n}", stream_record(seat_item(f"s{n}", 0, version=1))) for n in range(12)]
    waited: list[float] = []
    outcome = apply_patiently(stalled, batch, MemoryClock(), wait=waited.append, patience_s=0)
    assert (len(outcome.failed), outcome.cache_gone, waited) == (12, True, [])
    assert proxy.left_waiting <= 2  # and one for the claims of seats that became free


def test_changes_are_not_sent_back_when_the_cache_answers_again_soon(slow, cache):
    stalled, proxy = slow
    cache.fill(EVENT, "s0", seats(2))
    proxy.silent = True
    pauses = []

    def wait(seconds):
        pauses.append(seconds)
        proxy.silent = len(pauses) < 3

    batch = [("m0", stream_record(seat_item("s0", 1, availability="reserved", version=3)))]
    outcome = apply_patiently(stalled, [*batch], MemoryClock(), wait=wait, patience_s=10)
    assert (outcome.failed, outcome.applied, outcome.cache_gone) == ([], 1, True)
    assert pauses == [0.1, 0.2, 0.4]
    assert cache.codes(EVENT, ["s0"], NOW_MS) == [bytes([0, 2])]


def test_patience_ends_with_the_time_there_is():
    gone = ValkeyAvailability("valkey://127.0.0.1:1")
    pauses: list[float] = []
    batch = [("m0", stream_record(seat_item("s0", 1))), ("m1", {"dynamodb": 1})]
    outcome = apply_patiently(gone, batch, MemoryClock(), wait=pauses.append, patience_s=100)
    assert outcome.failed == ["m1", "m0"]
    assert outcome.malformed == ["m1"]
    assert 8 < sum(pauses) <= 10


def test_every_answer_is_right_when_the_cache_is_emptied_again_and_again(
    cache, server, table, monkeypatch
):
    """Three processes' readers under load; each emptying costs one query a section, hardly more."""
    clock = MemoryClock()
    caches = [ValkeyAvailability(server.url, timeout_s=5) for _ in range(3)]
    readers = [
        AvailabilityReader(c, table, CatalogReader(table, clock), clock, wait=patiently)
        for c in caches
    ]
    stop, emptied = threading.Event(), 4
    counted: Counter[str] = Counter()

    def read(number: int) -> None:
        while not stop.is_set():
            venue = readers[number % 3].venue(EVENT)
            assert {len(codes) for codes in venue.sections.values()} == {40}
            assert not any(any(codes) for codes in venue.sections.values())
            counted[venue.source] += 1

    try:
        with ThreadPoolExecutor(6) as pool:
            reading = [pool.submit(read, number) for number in range(6)]
            for _ in range(emptied):
                wanted = counted.total() + 12
                wait_until(lambda: counted.total() > wanted, "some reads")  # noqa: B023 at once
                cache._client().client.flushall()
            wait_until(lambda: len(whole(cache)) == len(SECTIONS), "every section again")
            stop.set()
            for reader in reading:
                reader.result(30)
    finally:
        for its_cache in caches:
            its_cache.close()
    # Whoever was reading the table when the cache was emptied, and its lock with it, reads again.
    assert len(table.queries) <= len(SECTIONS) * (emptied + 1) + 6 * emptied
    assert counted["cache"] > 0


def patiently(seconds):
    threading.Event().wait(10 * seconds)


def whole(cache):
    return cache.counts(EVENT, list(SECTIONS), NOW_MS)


def test_a_cache_that_comes_back_empty_is_filled_once(tmp_path, table, monkeypatch, capsys):
    server = started_valkey(tmp_path)
    cache = ValkeyAvailability(server.url, timeout_s=2)
    clock = MemoryClock()
    handler = handler_of(monkeypatch, cache, table, clock)
    try:
        call(handler, COUNTS, {})
        server.stop()
        clock.ms += CACHE_RETRY_MS
        table.queries.clear()
        for _ in range(20):
            answer = call(handler, COUNTS, {})
            assert answer["headers"]["x-fairgate-source"] == "table"
        assert len(table.queries) == len(SECTIONS)  # one answer for all of a moment
        said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert sum(line[metrics.SEAT_MAP_FROM_TABLE] for line in said) == 20
        server.start()
        clock.ms += CACHE_RETRY_MS
        table.queries.clear()
        for _ in range(20):
            assert call(handler, COUNTS, {})["headers"]["x-fairgate-source"] == "cache"
        assert len(table.queries) == len(SECTIONS)
    finally:
        cache.close()
        server.stop()


def test_the_limiter_says_how_many_it_turned_away(table, monkeypatch, capsys):
    clock = MemoryClock()
    gone = ValkeyAvailability("valkey://127.0.0.1:1")
    budget = TableBudget(clock, per_s=1, burst=1)
    reader = AvailabilityReader(gone, table, CatalogReader(table, clock), clock, budget=budget)
    container = Container(
        from_environment({}), cache=gone, table=table, clock=clock, availability=reader
    )
    monkeypatch.setattr(bootstrap, "container", lambda: container)
    handler = load_handlers(ROOT / "functions", ["seatmap"])["seatmap"]
    paths = [f"/api/events/{EVENT}/sections/s{n}/seats" for n in range(3)]
    answers = [call(handler, path, {}) for path in paths]
    assert [answer["statusCode"] for answer in answers] == [200, 503, 503]
    assert answers[1]["headers"]["retry-after"] == "1"
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines() if "_aws" in line]
    assert [line.get(metrics.TABLE_READS_REFUSED, 0) for line in said] == [0, 1, 1]
    assert said[0][metrics.SEAT_MAP_FROM_TABLE] == 1


@pytest.mark.parametrize(
    "ask",
    [
        lambda cache: cache.life("e", "a"),
        lambda cache: cache.fill_area("e", "f", []),
        lambda cache: cache.forget("e", "a"),
        lambda cache: cache.forget_area("e", "f"),
        lambda cache: cache.position("e", "a"),
        lambda cache: cache.seat_changes("e", "a"),
        lambda cache: cache.place_changes("e"),
    ],
)
def test_every_question_says_unavailable_when_the_cache_is_silent(slow, ask):
    stalled, proxy = slow
    proxy.silent = True
    with pytest.raises(CacheUnavailableError):
        ask(stalled)
