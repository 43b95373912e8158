"""The hold's benchmark: that it measures what it says. Its times are for people, not for tests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.ports.table import Action
from fairgate_lab.attack.race import ENGINES, missing_engine
from fairgate_lab.bench.hold import against, cpu, units
from fairgate_lab.bench.hold.benchmark import BENCHMARK
from fairgate_lab.bench.kit.measure import BenchError
from fairgate_lab.worlds.open_sale import NAMES
from fairgate_ops.shared.paths import ROOT


def test_every_hold_is_one_trip_when_it_goes_through_the_function(tmp_path: Path) -> None:
    measured = cpu.measure(tmp_path, rounds=1, calls=3)
    trips = {cost.name: cost.trips for cost in measured.costs}
    assert trips.pop(cpu.ROUTING) == 0
    assert set(trips.values()) == {1}
    assert {cpu.PLAIN, cpu.LIGHT, cpu.BARE_HANDLER} <= set(trips)
    assert measured.actions == 9
    assert (cpu.HANDLER in trips) == (measured.left_out == "")
    part = measured.part()
    assert set(trips) <= {row[0] for row in part.rows}
    assert measured.left_out in part.below


def test_it_refuses_to_measure_when_a_hold_takes_two_trips(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = DynamoTable.transact

    def twice(self: DynamoTable, actions: Sequence[Action], token: str | None = None) -> None:
        once(self, actions, token)
        once(self, actions, token)

    monkeypatch.setattr(DynamoTable, "transact", twice)
    with pytest.raises(BenchError, match=r"took 2\.0 trips"):
        cpu.measure(tmp_path, rounds=1, calls=2)


def test_it_refuses_to_measure_when_the_function_does_not_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fairgate_lab.bench.hold.world.TTL_S", -5)
    with pytest.raises(BenchError, match="401"):
        cpu.measure(tmp_path, rounds=1, calls=1)


@pytest.mark.parametrize("engine", sorted(ENGINES))
def test_an_engine_counts_the_units_that_the_rule_says(engine: str, tmp_path: Path) -> None:
    if reason := missing_engine(engine):
        pytest.skip(reason)
    counted = units.counted(engine, tmp_path)
    part = units.shown(counted, ["nothing"])
    assert (4, f"counted by {engine}", "12", "10", "4", "22", "5.50") in part.rows
    assert "Left out: nothing" in part.below
    for one, other in zip(counted, units.computed(), strict=True):
        assert (one.seats, one.tables) == (other.seats, other.tables)
        assert one.of_which_indexes == other.of_which_indexes


def test_a_hold_writes_nothing_to_an_index_but_its_seats() -> None:
    figures = units.computed()
    assert [each.seats for each in figures] == [1, 4, 10]
    assert [each.of_which_indexes for each in figures] == [1, 4, 10]
    assert [each.total for each in figures] == [7, 22, 52]


def test_the_rule_counts_an_item_that_carries_the_indexs_key() -> None:
    put = {"TableName": NAMES["reservations"], "Item": {"PK": {"S": "ses_1"}}}
    indexed = {**put, "Item": {"PK": {"S": "ses_1"}, "GSI1PK": {"S": "U#ann"}}}
    without = units.by_rule(1, {"TransactItems": [{"Put": put}]})
    with_key = units.by_rule(1, {"TransactItems": [{"Put": indexed}]})
    assert (without.total, with_key.total) == (2, 3)


def test_two_checkouts_are_compared_by_turns() -> None:
    rows = against.compare(ROOT, processes=1, calls=1).rows
    assert {cpu.PLAIN, cpu.LIGHT, cpu.BARE_HANDLER} <= {row[0] for row in rows}


def test_a_checkout_without_the_benchmark_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert BENCHMARK.run(["--against", str(tmp_path), "--processes", "1", "--calls", "1"]) == 1
    assert f"{tmp_path} could not be measured: it has no benchmarks" in capsys.readouterr().err
