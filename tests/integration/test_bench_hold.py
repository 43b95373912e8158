"""The hold's benchmark: that it measures what it says. Its times are for people, not for tests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.ports.table import Action
from fairgate_ops.prove.bench import (
    hold,
    hold_cold,
    hold_cpu,
    hold_postgres,
    hold_rates,
    hold_units,
)
from fairgate_ops.prove.bench.hold_cpu import HoldBenchError
from fairgate_ops.prove.bench.hold_rates import Rate
from fairgate_ops.run.load.race import ENGINES, missing_engine
from fairgate_ops.run.local.valkey_server import valkey_server_binary

needs_valkey = pytest.mark.skipif(
    valkey_server_binary() is None, reason="no Valkey server is installed: make setup"
)


def test_every_hold_is_one_trip_when_it_goes_through_the_function(tmp_path: Path) -> None:
    report = hold_cpu.measure(tmp_path, rounds=1, calls=3)
    trips = {cost.name: cost.trips for cost in report.costs}
    assert trips.pop(hold_cpu.ROUTING) == 0
    assert set(trips.values()) == {1}
    assert {hold_cpu.PLAIN, hold_cpu.LIGHT, hold_cpu.BARE_HANDLER} <= set(trips)
    assert report.actions == 9
    assert (hold_cpu.HANDLER in trips) == (report.left_out == "")
    table = "\n".join(hold.cpu_table(report))
    assert all(f"| {name} |" in table for name in trips)
    assert report.left_out in table


def test_it_refuses_to_measure_when_a_hold_takes_two_trips(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = DynamoTable.transact

    def twice(self: DynamoTable, actions: Sequence[Action], token: str | None = None) -> None:
        once(self, actions, token)
        once(self, actions, token)

    monkeypatch.setattr(DynamoTable, "transact", twice)
    with pytest.raises(HoldBenchError, match=r"took 2\.0 trips"):
        hold_cpu.measure(tmp_path, rounds=1, calls=2)


def test_it_refuses_to_measure_when_the_function_does_not_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fairgate_ops.prove.bench.hold_world.TTL_S", -5)
    with pytest.raises(HoldBenchError, match="401"):
        hold_cpu.measure(tmp_path, rounds=1, calls=1)


def test_a_cold_functions_first_call_is_made_by_each_client() -> None:
    figures = hold_cold.first_calls(1)
    assert set(figures) == {hold_cold.BOTOCORE, hold_cold.LIGHT}
    assert all(ms > 0 for ms, _ in figures.values())


@pytest.mark.parametrize("engine", sorted(ENGINES))
def test_an_engine_counts_the_units_that_the_rule_says(engine: str, tmp_path: Path) -> None:
    if reason := missing_engine(engine):
        pytest.skip(reason)
    counted, computed = hold_units.counted(engine, tmp_path), hold_units.computed()
    assert counted.tables == computed.tables
    assert counted.of_which_indexes == computed.of_which_indexes
    assert counted.a_seat == 6.75
    table = "\n".join(hold.units_table([counted, computed], ["nothing"]))
    assert "| 12 | 15 | 9 | 27 | 6.75 |" in table
    assert "Left out: nothing" in table


@needs_valkey
def test_valkey_holds_are_counted(tmp_path: Path) -> None:
    rate = hold_rates.in_valkey(tmp_path, processes=2, seconds=0.2)
    assert rate.holds > 0
    assert rate.seconds >= 0.2


@pytest.mark.skipif(
    hold_postgres.missing_postgres() is not None, reason=str(hold_postgres.missing_postgres())
)
def test_postgres_holds_are_counted() -> None:
    rate = hold_rates.in_postgres(processes=2, seconds=0.3)
    assert rate.holds > 0
    assert rate.name.startswith("PostgreSQL ")


def test_holds_on_an_engine_are_counted(tmp_path: Path) -> None:
    engine = next((name for name in sorted(ENGINES) if missing_engine(name) is None), None)
    if engine is None:
        pytest.skip("neither engine is installed: make setup")
    rate = hold_rates.on_an_engine(engine, tmp_path, processes=2, seconds=0.3, seats=80)
    assert 0 < rate.holds <= 20


def test_the_rates_are_compared_by_their_own_figures() -> None:
    rates = [
        Rate(hold_rates.STACK, "stack", 100, 2.0),
        Rate(hold_rates.POSTGRES, "postgres", 50, 2.0),
        Rate(hold_rates.VALKEY, "valkey", 1_000, 2.0),
    ]
    table = "\n".join(hold.rates_table(rates, ["one: why"], 3))
    assert "valkey 10.0; stack 1.0; postgres 0.5" in table
    assert "| stack | 50 | 100 |" in table
    assert "Left out: one: why" in table
    assert "SET NX" not in table.split("Fastest")[0]
