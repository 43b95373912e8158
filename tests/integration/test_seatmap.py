"""Seat maps over HTTP events, on a real Valkey, with a table that counts its reads."""

from __future__ import annotations

import base64
import gzip
import json
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fairgate import bootstrap
from fairgate.adapters.valkey import availability, connection
from fairgate.adapters.valkey.availability import ValkeyAvailability
from fairgate.bootstrap import Container
from fairgate.domain.seating.status_vector import unpack
from fairgate.domain.shared.times import epoch_ms
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.availability import WINDOW_MS, SeatStatus, ShardStatus
from fairgate.service.availability.read_availability import AvailabilityReader
from fairgate.service.catalog.read_catalog import CatalogReader
from fairgate.settings import from_environment
from fairgate_lab.engine.clock import MemoryClock
from fairgate_ops.run.local.api_host import load_handlers
from tests.support.availability import EVENT, NOW_MS, FakeTable, locked, next_moment, seat_item
from tests.support.seatmap import (
    CHANGES,
    COUNTS,
    SEATS,
    STATUS_BIN,
    call,
    events_of,
    seatmap_on,
    small_table,
)

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def table():
    return small_table()


@pytest.fixture
def clock():
    return MemoryClock()


@pytest.fixture
def get(cache, table, clock, monkeypatch):
    return seatmap_on(cache, table, clock, monkeypatch)


def test_a_section_is_refilled_once_and_then_read_from_the_cache(get, cache, table):
    first, second = get(SEATS), get(SEATS)
    body = json.loads(first["body"])
    assert body["statuses"] == "000000"
    assert (body["event"], body["section"]) == (EVENT, "a")
    assert epoch_ms(body["as_of"]) == NOW_MS
    assert [a["headers"]["x-fairgate-source"] for a in (first, second)] == ["cache", "cache"]
    assert table.queries == [f"{EVENT}#a"]
    assert cache.begin_refill(EVENT, "a")  # the next miss need not wait for this refill's lock


def test_counts_name_every_section_and_area(get, cache):
    get(COUNTS)
    cache.apply(EVENT, "a", [locked(0, 1), SeatStatus(5, "reserved", 0, 1)])
    cache.apply_shards(EVENT, [ShardStatus("floor", 1, 7, 3)])
    body = json.loads(get(COUNTS)["body"])
    assert body["sections"] == {
        "a": {"total": 6, "available": 4},
        "b": {"total": 3, "available": 3},
    }
    assert body["areas"] == {"floor": {"capacity": 200, "available": 47}}


def test_an_expired_lock_is_available_in_every_answer(get, cache, clock):
    get(COUNTS)
    cache.apply(EVENT, "a", [locked(2, 1, until_ms=NOW_MS + 1_000)])
    assert json.loads(get(SEATS)["body"])["statuses"] == "001000"
    clock.ms += 1_000
    assert json.loads(get(SEATS)["body"])["statuses"] == "000000"
    assert json.loads(get(COUNTS)["body"])["sections"]["a"]["available"] == 6
    assert base64.b64decode(get(STATUS_BIN)["body"]) == bytes(3)


def test_the_status_vector_holds_every_section_in_layout_order(get, cache):
    get(COUNTS)
    cache.apply(EVENT, "a", [SeatStatus(5, "reserved", 0, 1)])
    cache.apply(EVENT, "b", [SeatStatus(0, "blocked", 0, 1)])
    answer = get(STATUS_BIN)
    packed = base64.b64decode(answer["body"])
    assert answer["isBase64Encoded"]
    assert answer["headers"]["Content-Type"] == "application/octet-stream"
    assert len(packed) == 3  # six seats in two bytes, three in one
    assert unpack(packed[:2], 6) == bytes([0, 0, 0, 0, 0, 2])
    assert unpack(packed[2:], 3) == bytes([3, 0, 0])


def test_answers_may_be_kept_by_shared_caches_only(get):
    for path in (SEATS, COUNTS, STATUS_BIN, CHANGES):
        kept = get(path)["headers"]["cache-control"]
        assert kept.startswith("public, max-age=0, s-maxage=")
        assert "stale-if-error=30" in kept


@pytest.mark.parametrize("path", [SEATS, COUNTS, STATUS_BIN])
def test_nothing_is_sent_again_when_it_has_not_changed(get, cache, clock, path):
    tag = get(path)["headers"]["etag"]
    clock.ms += 500
    same = get(path, if_none_match=f'"other", {tag}')
    assert (same["statusCode"], same["body"], same["headers"]["etag"]) == (304, "", tag)
    cache.apply(EVENT, "a", [SeatStatus(0, "reserved", 0, 1)])
    changed = get(path, if_none_match=tag)
    assert changed["statusCode"] == 200
    assert changed["headers"]["etag"] != tag


@pytest.mark.parametrize("path", [SEATS, COUNTS, STATUS_BIN])
def test_a_new_tag_comes_in_time_for_the_change_log_when_nothing_changes(get, clock, path):
    """Else a cache that revalidates would keep a body whose ``id`` the log has left behind."""
    tags = []
    for _ in range(2):
        tags.append(get(path)["headers"]["etag"])
        clock.ms += 15_000
    assert tags[0] != tags[1]
    assert get(path, if_none_match=tags[0])["statusCode"] == 200


def test_what_a_cdn_does_not_compress_is_compressed_when_the_caller_takes_it(
    clock, cache, monkeypatch
):
    table = FakeTable({"a": 2_500, "b": 2_500})
    container = Container(from_environment({}), cache=cache, table=table, clock=clock)
    monkeypatch.setattr(bootstrap, "container", lambda: container)
    handler = load_handlers(ROOT / "functions", ["seatmap"])["seatmap"]
    plain, zipped = (
        call(handler, STATUS_BIN, {}),
        call(handler, STATUS_BIN, {"accept_encoding": "gzip"}),
    )
    assert "content-encoding" not in plain["headers"]
    assert zipped["headers"]["content-encoding"] == "gzip"
    assert {a["headers"]["vary"] for a in (plain, zipped)} == {"accept-encoding"}
    body = base64.b64decode(zipped["body"])
    assert gzip.decompress(body) == base64.b64decode(plain["body"])
    assert len(body) < 100
    # Other bytes, so another tag that is weak; yet the same content to whoever asks again.
    assert zipped["headers"]["etag"] == "W/" + plain["headers"]["etag"]
    for tag in (plain["headers"]["etag"], zipped["headers"]["etag"]):
        again = call(handler, STATUS_BIN, {"accept_encoding": "gzip", "if_none_match": tag})
        assert (again["statusCode"], again["body"]) == (304, "")
        assert "content-encoding" not in again["headers"]


def test_only_a_long_stream_of_changes_is_compressed_when_the_caller_takes_it(get, cache, table):
    table.seats["a"] = [seat_item("a", index) for index in range(60)]
    table.sections["a"] = 60
    get(SEATS)
    short = get(f"{CHANGES}?section=a", accept_encoding="gzip")
    assert "content-encoding" not in short["headers"]
    next_moment(cache)
    for index in range(60):
        cache.apply(EVENT, "a", [locked(index, 1)])
    answer = get(f"{CHANGES}?section=a", accept_encoding="gzip")
    assert answer["headers"]["content-encoding"] == "gzip"
    stream = gzip.decompress(base64.b64decode(answer["body"])).decode()
    assert stream.count("event: seats") == 60


def test_a_sections_changes_are_a_finite_stream_whose_ids_grow(get, cache):
    get(SEATS)
    next_moment(cache)
    before = json.loads(get(SEATS)["body"])["id"]
    cache.apply(EVENT, "a", [locked(0, 1), locked(1, 1)])
    cache.apply(EVENT, "a", [SeatStatus(0, "reserved", 0, 2)])
    answer = get(f"{CHANGES}?section=a")
    assert answer["headers"]["Content-Type"] == "text/event-stream"
    retry, (*told, window) = events_of(answer)
    assert 750 <= int(retry.removeprefix("retry: ")) <= 1_250
    assert window[2]["again_ms"] == 1_000
    assert window[1] == "window"
    assert [(name, data) for _, name, data in told] == [("seats", [[1, 1]]), ("seats", [[0, 2]])]
    since, until = window[2]["since"], window[2]["until"]
    assert since <= before < told[0][0] < told[1][0] <= until


def test_a_sections_changes_begin_where_it_was_filled(get, cache):
    before = json.loads(get(COUNTS)["body"])["id"]
    next_moment(cache)
    ((_, name, window),) = events_of(get(f"{CHANGES}?section=a"))[1]
    assert name == "window"
    assert before < window["since"] <= window["until"]
    assert window["since"] <= json.loads(get(SEATS)["body"])["id"]


def test_viewers_of_a_section_that_is_not_whole_are_sent_to_read_it(get, cache):
    known = json.loads(get(SEATS)["body"])["id"]
    cache._client().client.delete(f"vector:{{{EVENT}:a}}")
    cache.apply(EVENT, "a", [locked(0, 1)])
    ((_, _, window),) = events_of(get(f"{CHANGES}?section=a"))[1]
    assert known < window["since"] == window["until"]


def test_an_events_changes_reach_back_for_the_whole_window(get, cache):
    get(COUNTS)
    cache.apply(EVENT, "a", [locked(0, 1)])
    next_moment(cache)
    _, (*_, (_, _, window)) = events_of(get(CHANGES))
    assert 0 < window["until"] - window["since"] <= WINDOW_MS * 1000


def test_an_events_changes_carry_the_counts_of_what_changed(get, cache):
    get(COUNTS)
    cache.apply(EVENT, "b", [locked(0, 1)])
    cache.apply_shards(EVENT, [ShardStatus("floor", 1, 7, 3)])
    _, (*told, _) = events_of(get(CHANGES))
    assert [(name, data) for _, name, data in told[-2:]] == [
        ("section", {"section": "b", "total": 3, "available": 2}),
        ("area", {"area": "floor", "capacity": 200, "available": 47}),
    ]
    assert told[-2][0] < told[-1][0]


def test_viewers_read_again_when_a_fill_brought_a_change_before_the_feed(get, cache, table):
    before = json.loads(get(SEATS)["body"])["id"]
    cache.forget(EVENT, "a")
    table.seats["a"][3] |= {"availability": "reserved", "version": 7}
    assert json.loads(get(SEATS)["body"])["statuses"] == "000200"
    assert cache.apply(EVENT, "a", [SeatStatus(3, "reserved", 0, 7)]) == 0
    ((_, _, window),) = events_of(get(f"{CHANGES}?section=a"))[1]
    assert before < window["since"]
    (*_, (_, _, told), _) = events_of(get(CHANGES))[1]
    assert told == {"section": "a", "total": 6, "available": 5}


def test_a_late_older_change_is_not_told(get, cache):
    get(SEATS)
    next_moment(cache)
    cache.apply(EVENT, "a", [SeatStatus(3, "reserved", 0, 7)])
    cache.apply(EVENT, "a", [locked(3, 6)])
    assert [data for _, _, data in events_of(get(f"{CHANGES}?section=a"))[1][:-1]] == [[[3, 2]]]


def test_viewers_are_sent_back_to_the_map_when_the_cache_is_gone(table, clock, monkeypatch):
    gone = ValkeyAvailability("valkey://127.0.0.1:1")
    container = Container(from_environment({}), cache=gone, table=table, clock=clock)
    monkeypatch.setattr(bootstrap, "container", lambda: container)
    handler = load_handlers(ROOT / "functions", ["seatmap"])["seatmap"]
    for path in (CHANGES, f"{CHANGES}?section=a"):
        retry, ((_, name, window),) = events_of(call(handler, path, {}))
        assert 3_750 <= int(retry.removeprefix("retry: ")) <= 6_250
        assert (name, window["again_ms"]) == ("window", 5_000)
        assert window["since"] >= clock.ms * 1000  # later than anything that a viewer has


def test_blocks_are_counted_when_a_section_is_asked_for(get, cache):
    get(SEATS)
    cache.apply(EVENT, "a", [locked(0, 1)])
    body = json.loads(get(f"{COUNTS}?section=a")["body"])
    assert (body["section"], body["blocks"]) == ("a", {"1": {"total": 6, "available": 5}})


def test_a_cold_section_is_kept_longer_than_a_hot_one(get, cache):
    get(SEATS)
    kept = get(SEATS)["headers"]["cache-control"]
    assert "s-maxage=10, stale-while-revalidate=15," in kept
    cache.apply(EVENT, "a", [locked(0, 1)])
    assert "s-maxage=1, stale-while-revalidate=15" in get(SEATS)["headers"]["cache-control"]
    other = get(SEATS.replace("/a/", "/b/"))["headers"]["cache-control"]
    assert "s-maxage=10," in other


def test_reads_fall_back_and_say_so_when_the_cache_is_gone(table, clock, monkeypatch, capsys):
    gone = ValkeyAvailability("valkey://127.0.0.1:1")
    container = Container(from_environment({}), cache=gone, table=table, clock=clock)
    monkeypatch.setattr(bootstrap, "container", lambda: container)
    handler = load_handlers(ROOT / "functions", ["seatmap"])["seatmap"]
    for path in (SEATS, COUNTS, STATUS_BIN, CHANGES):
        answer = call(handler, path, {})
        assert (answer["statusCode"], answer["headers"]["x-fairgate-source"]) == (200, "table")
        assert json.loads(capsys.readouterr().out)["SeatMapFromTable"] == 1
        if path != CHANGES:
            assert "s-maxage=2," in answer["headers"]["cache-control"]
    table.fail = DependencyUnavailableError("busy")
    clock.ms += 60_000
    answer = call(handler, SEATS, {})
    assert answer["statusCode"] == 503
    assert answer["headers"]["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize(
    "path",
    [
        "/api/events/no-such/availability",
        "/api/events/NO SUCH/status.bin",
        f"/api/events/{EVENT}/sections/zz/seats",
        f"/api/events/{EVENT}/sections/a%7D/seats",
        f"/api/events/{EVENT}/nothing",
    ],
)
def test_what_does_not_exist_is_a_problem_and_leaves_no_key_behind(get, cache, path):
    get(COUNTS)
    before = set(cache._client().client.keys("*"))
    answer = get(path)
    assert answer["statusCode"] == 404
    assert json.loads(answer["body"])["type"] == "urn:fairgate:problem:not-found"
    assert set(cache._client().client.keys("*")) == before


def patiently(seconds):
    """Ten times as long: a thousand threads of one test machine are slower than a fleet."""
    threading.Event().wait(10 * seconds)


def test_a_thousand_misses_at_once_cost_one_refill(server, cache, table, monkeypatch):
    """Four processes' readers, each with a cache connection of its own, 250 threads apiece."""
    # A thousand threads of one busy machine take longer than whoever refills is waited for.
    monkeypatch.setattr(availability, "REFILL_MS", 60_000)
    monkeypatch.setattr(connection, "POOL_WAIT_S", 60)
    clock = MemoryClock()
    caches = [ValkeyAvailability(server.url, timeout_s=30) for _ in range(4)]
    readers = [
        AvailabilityReader(c, table, CatalogReader(table, clock), clock, wait=patiently)
        for c in caches
    ]
    release = threading.Event()
    table.before_answer = lambda: threading.Event().wait(0.1)  # as long as an index query takes

    def ask(number):
        release.wait()
        return readers[number % 4].section(EVENT, "a")

    try:
        with ThreadPoolExecutor(1_000) as pool:
            answers = [pool.submit(ask, number) for number in range(1_000)]
            release.set()
            sections = [answer.result(60) for answer in answers]
    finally:
        for each in caches:
            each.close()
    assert table.queries == [f"{EVENT}#a"]
    assert {(s.codes, s.source) for s in sections} == {(bytes(6), "cache")}


def test_a_change_that_comes_during_a_refill_is_not_lost(get, cache, table):
    table.before_answer = lambda: cache.apply(EVENT, "a", [SeatStatus(3, "reserved", 0, 1)])
    assert json.loads(get(SEATS)["body"])["statuses"] == "000200"


def test_a_reader_asks_the_table_itself_when_the_one_who_refills_never_ends(cache, table):
    clock = MemoryClock()
    waited: list[float] = []
    assert cache.begin_refill(EVENT, "a")
    catalog = CatalogReader(table, clock)
    reader = AvailabilityReader(cache, table, catalog, clock, wait=waited.append)
    section = reader.section(EVENT, "a")
    assert (section.codes, section.source) == (bytes(6), "table")
    assert 0.1 < sum(waited) <= 1


def test_seat_maps_load_no_aws_client_until_the_table_is_asked():
    code = """
import sys, importlib.util
spec = importlib.util.spec_from_file_location("handler", "functions/seatmap/handler.py")
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
from fairgate import bootstrap
container = bootstrap.container()
container.cache, container.table, container.catalog
module._reader()
print([name for name in ("boto3", "botocore.session", "botocore.client", "pydantic", "aws_xray_sdk")
       if name in sys.modules])
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={"PYTHONPATH": "layers/core/python", "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
