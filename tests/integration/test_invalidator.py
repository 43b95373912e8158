"""The invalidator as Lambda calls it, on a real Valkey."""

from __future__ import annotations

import json
import random
from pathlib import Path

from fairgate import bootstrap
from fairgate.adapters.valkey.availability import ValkeyAvailability
from fairgate.bootstrap import Container
from fairgate.ports.availability import ShardStatus
from fairgate.settings import from_environment
from fairgate_lab.engine.clock import MemoryClock
from fairgate_ops.run.local.api_host import load_handlers
from tests.support.availability import EVENT, NOW_MS, seat_item, seats, shard_item, stream_record

ROOT = Path(__file__).resolve().parents[2]


def invalidator(cache, monkeypatch):
    container = Container(from_environment({}), cache=cache, clock=MemoryClock())
    monkeypatch.setattr(bootstrap, "container", lambda: container)
    return load_handlers(ROOT / "functions", ["invalidator"])["invalidator"]


def sqs_event(bodies):
    return {
        "Records": [
            {"messageId": f"m{n}", "body": body if isinstance(body, str) else json.dumps(body)}
            for n, body in enumerate(bodies)
        ]
    }


def failed(answer):
    return [failure["itemIdentifier"] for failure in answer["batchItemFailures"]]


def test_changes_reach_the_cache_with_their_age(cache, monkeypatch, capsys):
    cache.fill(EVENT, "a", seats(3))
    cache.fill_area(EVENT, "floor", [ShardStatus("floor", 0, 40, 0)])
    records = [
        stream_record(seat_item("a", 1, availability="reserved", version=2)),
        stream_record(shard_item("floor", 0, 12, version=3)),
    ]
    assert failed(invalidator(cache, monkeypatch)(sqs_event(records), None)) == []
    assert cache.codes(EVENT, ["a"], NOW_MS) == [bytes([0, 2, 0])]
    assert cache.shards(EVENT) == [ShardStatus("floor", 0, 12, 3)]
    figures = json.loads(capsys.readouterr().out)
    assert figures["InvalidationAge"] == [250.0, 250.0]
    assert figures["SeatChangesApplied"] == [2.0]
    units = figures["_aws"]["CloudWatchMetrics"][0]["Metrics"]
    assert {"Name": "InvalidationAge", "Unit": "Milliseconds"} in units


def test_a_poison_record_fails_alone(cache, monkeypatch):
    cache.fill(EVENT, "a", seats(2))
    bodies = [
        "not json",
        stream_record(seat_item("a", 0, availability="reserved", version=1)),
        stream_record(seat_item("a", 1, version="x")),
        stream_record({"PK": "x", "SK": "S#x"}),
    ]
    assert sorted(failed(invalidator(cache, monkeypatch)(sqs_event(bodies), None))) == ["m0", "m2"]
    assert cache.codes(EVENT, ["a"], NOW_MS) == [bytes([2, 0])]


def test_a_full_batch_prints_one_line_of_figures(cache, monkeypatch, capsys):
    records = [stream_record(seat_item("a", n)) for n in range(100)]
    assert failed(invalidator(cache, monkeypatch)(sqs_event(records), None)) == []
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["SeatChangesApplied"] == [100.0]


def test_the_whole_batch_comes_again_when_the_cache_is_gone(monkeypatch, capsys):
    gone = ValkeyAvailability("valkey://127.0.0.1:1")
    records = [stream_record(seat_item(section, 0)) for section in "aba"]
    assert sorted(failed(invalidator(gone, monkeypatch)(sqs_event(records), None))) == [
        "m0",
        "m1",
        "m2",
    ]
    assert json.loads(capsys.readouterr().out)["CacheUnavailable"] == [1.0]


def test_the_cache_ends_as_the_table_when_batches_are_shuffled_and_repeated(cache, monkeypatch):
    chance = random.Random(11)  # noqa: S311 a seed that repeats the test exactly
    cache.fill(EVENT, "a", seats(5))
    history = [
        stream_record(seat_item("a", n, version=v, availability=chance.choice(["blocked", kind])))
        for n in range(5)
        for v, kind in enumerate(["reserved", "available", "reserved"], start=1)
    ]
    newest = [history[3 * n + 2]["dynamodb"]["NewImage"]["availability"]["S"] for n in range(5)]
    deliveries = history * 2
    chance.shuffle(deliveries)
    handler = invalidator(cache, monkeypatch)
    for start in range(0, len(deliveries), 4):
        assert failed(handler(sqs_event(deliveries[start : start + 4]), None)) == []
    assert [seat.availability for seat in cache.section(EVENT, "a")] == newest
