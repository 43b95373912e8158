"""The cache is rebuilt from the table by command, here and through the function in AWS."""

from __future__ import annotations

import io
import json
from functools import partial
from pathlib import Path

import pytest

from fairgate import bootstrap
from fairgate.adapters.valkey.availability import ValkeyAvailability
from fairgate.bootstrap import Container
from fairgate.domain.seating.status_vector import AVAILABLE, RESERVED
from fairgate.errors import DependencyUnavailableError, NotFoundError
from fairgate.ports.availability import SeatStatus, ShardStatus
from fairgate.service.availability.rebuild_availability import ATTEMPTS_MAX, AvailabilityRebuilder
from fairgate.settings import from_environment
from fairgate_lab.bench.rebuild.benchmark import rebuild
from fairgate_lab.bench.rebuild.venue import rebuild_world
from fairgate_lab.engine.clock import MemoryClock
from fairgate_lab.engine.outside import MemoryEdgeConfig
from fairgate_ops.operate import target
from fairgate_ops.operate.cli import main
from fairgate_ops.operate.target import SecretFile, Target
from fairgate_ops.run.local.api_host import load_handlers
from fairgate_ops.shared.paths import ROOT
from tests.support.availability import EVENT, NOW_MS, FakeTable, needs_ministack


@pytest.fixture
def table():
    return FakeTable({"a": 6, "b": 3}, {"floor": [40, 60]})


def reach(monkeypatch, cache, table, **options):
    container = Container(
        from_environment({}),
        cache=cache,
        table=table,
        clock=MemoryClock(),
        edge_config=MemoryEdgeConfig(),
    )
    reached = Target(
        "local", container, partial(SecretFile, Path("none")), lambda: None, 1.0, **options
    )
    monkeypatch.setattr(target, "target_of", lambda _options: reached)
    monkeypatch.setattr(bootstrap, "container", lambda: container)


def run(capsys, *words):
    status = main.main(["cache", "rebuild", *words, "--json"])
    return status, json.loads(capsys.readouterr().out)


def test_a_hall_is_rebuilt_while_every_read_is_answered(tmp_path, server):
    del server  # skips where there is none
    needs_ministack()
    with rebuild_world(tmp_path, 2_000) as world:
        rebuilt = rebuild(world, 2)
        assert rebuilt.good, rebuilt
        report = rebuilt.report
        venue = world.hall.venue
        assert (report["seats"], report["areas"], report["failed"]) == (venue.seat_count(), 1, {})
        assert len(rebuilt.took_ms) >= 2
        assert f"{venue.seat_count():,} seats in" in rebuilt.part().below
        places = sum(area.capacity for area in venue.areas)
        assert sum(shard.remaining for shard in world.valkey.shards("hall")) == places


def test_everything_is_as_the_table_says_after_a_rebuild(cache, table, monkeypatch, capsys):
    reach(monkeypatch, cache, table)
    table.seats["a"][4] |= {"availability": "reserved", "version": 7}
    status, said = run(capsys, EVENT)
    assert (status, said["sections"], said["seats"], said["areas"]) == (0, 2, 9, 1)
    assert cache.codes(EVENT, ["a", "b"], NOW_MS) == [bytes([0, 0, 0, 0, 2, 0]), bytes(3)]
    assert sum(shard.remaining for shard in cache.shards(EVENT)) == 100
    assert sorted(table.queries) == [f"{EVENT}#a", f"{EVENT}#b"]


def test_a_rebuild_heals_what_a_lost_message_left(cache, table, monkeypatch, capsys):
    reach(monkeypatch, cache, table)
    run(capsys, EVENT)
    table.seats["a"][4] |= {"availability": "reserved", "version": 7}
    cache.apply(EVENT, "a", [SeatStatus(0, "reserved", 0, 9)])  # newer than the index
    table.areas[f"{EVENT}#floor#1", "GA"] |= {"remaining": 3, "version": 5}
    status, said = run(capsys, EVENT, "--place", "a", "--place", "floor")
    assert (status, said["sections"], said["areas"]) == (0, 1, 1)
    assert cache.codes(EVENT, ["a"], NOW_MS) == [bytes([2, 0, 0, 0, 2, 0])]
    assert {shard.remaining for shard in cache.shards(EVENT)} == {40, 3}
    assert [seat[1:] for seat in cache.seat_changes(EVENT, "a").seats] == [(0, 2), (4, 2)]


def test_nothing_is_told_when_a_rebuild_finds_nothing_new(cache, table, monkeypatch, capsys):
    reach(monkeypatch, cache, table)
    run(capsys, EVENT)
    run(capsys, EVENT)
    assert cache.seat_changes(EVENT, "a").seats == ()


def test_a_restored_table_counts_again_when_the_cache_is_told_to_forget(
    cache, table, monkeypatch, capsys
):
    reach(monkeypatch, cache, table)
    run(capsys, EVENT)
    cache.apply(EVENT, "a", [SeatStatus(1, "reserved", 0, 9)])
    cache.apply_shards(EVENT, [ShardStatus("floor", 0, 1, 9)])
    run(capsys, EVENT)
    assert cache.codes(EVENT, ["a"], NOW_MS)[0][1] == RESERVED
    assert run(capsys, EVENT, "--forget")[0] == 0
    assert cache.codes(EVENT, ["a"], NOW_MS)[0][1] == AVAILABLE
    assert {shard.remaining for shard in cache.shards(EVENT)} == {40, 60}


def test_a_dry_run_fills_nothing(cache, table, monkeypatch, capsys):
    reach(monkeypatch, cache, table)
    status, said = run(capsys, EVENT, "--dry-run")
    assert (status, said["dry_run"], said["seats"]) == (0, True, 9)
    assert (cache.codes(EVENT, ["a"], NOW_MS), table.queries) == ([None], [])
    assert main.main(["cache", "rebuild", EVENT, "--dry-run"]) == 0
    assert "2 sections with 9 seats and 1 area." in capsys.readouterr().out


@pytest.mark.parametrize("words", [["no-such"], ["NO SUCH"], [EVENT, "--place", "zz"]])
def test_what_does_not_exist_is_refused(cache, table, monkeypatch, capsys, words):
    reach(monkeypatch, cache, table)
    status, said = run(capsys, *words)
    assert (status, said["error"]["code"]) == (1, "not-found")


def test_places_that_fail_are_named_and_the_rest_is_filled(cache, table, monkeypatch, capsys):
    reach(monkeypatch, cache, table)
    table.seats["b"] = []
    status, said = run(capsys, EVENT)
    assert (status, said["sections"], list(said["failed"])) == (1, 1, ["b"])
    assert main.main(["cache", "rebuild", EVENT]) == 1
    assert "b: The table has no seats of b" in capsys.readouterr().out


@pytest.mark.parametrize("index", [2_500, "three"])
def test_a_damaged_seat_is_named_and_shown_as_blocked_and_the_rest_is_filled(
    cache, table, monkeypatch, capsys, index
):
    reach(monkeypatch, cache, table)
    table.seats["a"][3] |= {"seatIndex": index}
    table.areas[f"{EVENT}#floor#1", "GA"] |= {"remaining": "many"}
    status, said = run(capsys, EVENT)
    assert (status, said["sections"], said["areas"], said["failed"]) == (1, 2, 1, {})
    assert said["damaged"] == {"a": [f"{EVENT}#a-3"], "floor": [f"{EVENT}#floor#1"]}
    assert cache.codes(EVENT, ["a"], NOW_MS) == [bytes([0, 0, 0, 3, 0, 0])]
    assert sum(shard.remaining for shard in cache.shards(EVENT)) == 40
    assert main.main(["cache", "rebuild", EVENT]) == 1
    assert f"a: {EVENT}#a-3: damaged" in capsys.readouterr().out


def test_a_place_that_fails_with_a_defect_is_named_and_the_rest_is_filled(
    cache, table, monkeypatch, capsys
):
    reach(monkeypatch, cache, table)
    monkeypatch.setattr(table, "query", broken_for("a", table.query))
    status, said = run(capsys, EVENT)
    assert (status, said["sections"], said["areas"]) == (1, 1, 1)
    assert "ZeroDivisionError" in said["failed"]["a"]


def broken_for(section, query):
    def sometimes(kind, pk, *more, **options):
        if pk == f"{EVENT}#{section}":
            raise ZeroDivisionError
        return query(kind, pk, *more, **options)

    return sometimes


def test_a_rebuild_gives_up_when_the_cache_is_gone(monkeypatch, capsys):
    table = FakeTable({f"s{n}": 1 for n in range(60)})
    gone = ValkeyAvailability("valkey://127.0.0.1:1")
    reach(monkeypatch, gone, table)
    status, said = run(capsys, EVENT, "--at-once", "2")
    assert (status, said["sections"]) == (1, 0)
    assert 10 <= len(said["failed"]) <= 12
    assert table.queries == []


@pytest.mark.parametrize("text", ["0", "33", "many"])
def test_a_wrong_number_at_once_is_refused_by_the_usage(text, capsys):
    with pytest.raises(SystemExit) as ended:
        main.main(["cache", "rebuild", EVENT, "--at-once", text])
    assert ended.value.code == 2
    assert "is not 1 to 32" in capsys.readouterr().err


# --- in AWS


class Lambda:
    """Calls the real handler as Invoke does; ``fail`` stands for a function that crashed."""

    def __init__(self, fail=False):
        self.handler = load_handlers(ROOT / "functions", ["invalidator"])["invalidator"]
        self.fail, self.asked = fail, []

    def invoke(self, *, FunctionName, Payload):  # noqa: N803 botocore's own names
        self.asked.append((FunctionName, json.loads(Payload)))
        if self.fail:
            said = {"errorMessage": "Task timed out after 30.00 seconds"}
            return {
                "FunctionError": "Unhandled",
                "Payload": io.BytesIO(json.dumps(said).encode()),
            }
        answer = self.handler(json.loads(Payload), None)
        return {"Payload": io.BytesIO(json.dumps(answer).encode())}


def test_the_function_beside_the_cache_is_asked_for_each_place(cache, table, monkeypatch, capsys):
    function = Lambda()
    reach(monkeypatch, cache, table, functions=lambda: function, rebuilder="fairgate-x-invalidator")
    status, said = run(capsys, EVENT)
    assert (status, said["seats"], said["areas"]) == (0, 9, 1)
    assert sorted(json.dumps(request) for _, request in function.asked) == [
        '{"rebuild": {"event": "show", "area": "floor", "shards": 2}}',
        '{"rebuild": {"event": "show", "section": "a"}}',
        '{"rebuild": {"event": "show", "section": "b"}}',
    ]
    assert {name for name, _ in function.asked} == {"fairgate-x-invalidator"}
    assert cache.counts(EVENT, ["a", "b"], NOW_MS) == {"a": 6, "b": 3}


def test_a_function_that_crashes_is_named(cache, table, monkeypatch, capsys):
    function = Lambda(fail=True)
    reach(monkeypatch, cache, table, functions=lambda: function, rebuilder="the-function")
    status, said = run(capsys, EVENT)
    assert (status, len(said["failed"])) == (1, 3)
    assert "the-function failed: Task timed out" in said["failed"]["a"]


def test_the_function_says_what_is_damaged(cache, table, monkeypatch, capsys):
    monkeypatch.setenv("POWERTOOLS_METRICS_NAMESPACE", "Fairgate")
    monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", "invalidator")
    function = Lambda()
    reach(monkeypatch, cache, table, functions=lambda: function, rebuilder="f")
    table.seats["a"][3] |= {"version": -1}
    assert main.main(["cache", "rebuild", EVENT, "--place", "a"]) == 1
    said = capsys.readouterr().out
    assert '"SeatsDamaged":[1.0]' in said
    assert f"a: {EVENT}#a-3: damaged" in said


def test_what_the_function_refuses_is_said(cache, table, monkeypatch, capsys):
    function = Lambda()
    reach(monkeypatch, cache, table, functions=lambda: function, rebuilder="f")
    table.fail = DependencyUnavailableError("The booking system is busy.")
    status, said = run(capsys, EVENT, "--place", "a")
    assert (status, said["failed"]) == (1, {"a": "The booking system is busy."})


@pytest.mark.parametrize(
    "request_",
    [
        None,
        [],
        "a",
        {},
        {"event": EVENT},
        {"event": "NO SUCH", "section": "a"},
        {"event": EVENT, "section": "a#b"},
        {"event": EVENT, "section": "a", "area": "floor", "shards": 2},
        {"event": EVENT, "section": ["a"]},
        {"event": EVENT, "area": "floor"},
        {"event": EVENT, "area": "floor", "shards": 0},
        {"event": EVENT, "area": "floor", "shards": True},
        {"event": EVENT, "area": "floor", "shards": 101},
        {"event": EVENT, "section": "a", "forget": "yes"},
    ],
)
def test_a_misshapen_request_is_answered_and_touches_nothing(cache, table, monkeypatch, request_):
    reach(monkeypatch, cache, table)
    answer = Lambda().handler({"rebuild": request_}, None)
    assert answer["error"]["code"] == "malformed-input"
    assert cache._client().client.keys("*") == []


# --- while the cache loses things


def test_a_section_that_is_lost_while_the_table_is_read_is_read_again(cache, table):
    evictions = iter([True, True])

    def evict():
        if next(evictions, False):
            cache.apply(EVENT, "a", [SeatStatus(2, "reserved", 0, 5)])
            table.seats["a"][2] |= {"availability": "reserved", "version": 5}
            cache._client().client.delete(f"seatmap:{{{EVENT}:a}}")

    table.before_answer = evict
    assert AvailabilityRebuilder(cache, table).section(EVENT, "a").units == 6
    assert len(table.queries) == 3
    assert cache.codes(EVENT, ["a"], NOW_MS)[0][2] == RESERVED


def test_a_rebuild_says_so_when_the_cache_keeps_nothing(cache, table):
    table.before_answer = lambda: cache._client().client.delete(f"seatmap:{{{EVENT}:a}}")
    with pytest.raises(DependencyUnavailableError, match="too small"):
        AvailabilityRebuilder(cache, table).section(EVENT, "a")
    assert len(table.queries) == ATTEMPTS_MAX


def test_an_area_whose_counters_are_not_all_there_is_refused(cache, table):
    with pytest.raises(NotFoundError, match="2 counters"):
        AvailabilityRebuilder(cache, table).area(EVENT, "floor", 3)
    assert cache.shards(EVENT) == []
