"""What all environments read of the table without a cache is counted together, and cheaply."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from fairgate.domain.shared.rate_limit import RateLimit
from fairgate.errors import DependencyUnavailableError
from fairgate.service.availability import leased_reads
from fairgate.service.availability.leased_reads import (
    ALL_READS_PER_S,
    AWAY_MS,
    LEASE_MS,
    LEASE_READS,
    LEASES,
    ReadLeases,
)
from fairgate.service.availability.shared_reads import TableBudget
from fairgate.service.shared.keys import TABLE_READS_BUCKETS, table_reads_key
from tests.support.world import World

FEW = RateLimit(3, 5)  # leases of a bucket


@pytest.fixture(autouse=True)
def _few_leases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leased_reads, "LEASES", FEW)


def budget(world: World, environment: str = "", *, leases: bool = True) -> TableBudget:
    given = ReadLeases(world.table, world.clock, environment) if leases else None
    return TableBudget(world.clock, per_s=LEASE_READS, burst=LEASE_READS, leases=given)


def read(here: TableBudget, many: int, *, counted: bool = True) -> int:
    """Read so often; return how often it was allowed."""
    allowed = 0
    for _ in range(many):
        try:
            with here.spend(counted=counted):
                allowed += 1
        except DependencyUnavailableError:
            pass
    return allowed


def test_environments_that_come_at_once_share_one_bound(world: World) -> None:
    everyone = [budget(world) for _ in range(8)]
    assert sum(read(here, LEASE_READS) for here in everyone) == FEW.quota * LEASE_READS
    # Each by itself, they would have read without one.
    alone = [budget(world, leases=False) for _ in range(8)]
    assert sum(read(here, LEASE_READS) for here in alone) == 8 * LEASE_READS


def test_a_refused_environment_is_served_when_there_is_more(world: World) -> None:
    first, second = budget(world), budget(world)
    assert read(first, 4 * LEASE_READS) == FEW.quota * LEASE_READS
    assert read(second, 1) == 0
    assert second.refused == 1
    world.clock.tick(2)
    assert read(second, 2 * LEASE_READS) == LEASE_READS


def test_a_lease_costs_two_writes_and_a_refusal_one_a_second(world: World) -> None:
    here = budget(world)
    with patch.object(world.table, "update", wraps=world.table.update) as written:
        read(here, LEASE_READS)
        assert written.call_count == 1
        read(here, 2 * LEASE_READS)
        assert written.call_count == 1 + 2 * 2
        read(here, 100)
        assert written.call_count == 1 + 2 * 2 + 1


def test_unused_reads_of_a_lease_expire(world: World) -> None:
    here = budget(world)
    read(here, 1)
    world.clock.tick(LEASE_MS / 1000)
    with patch.object(world.table, "update", wraps=world.table.update) as written:
        assert read(here, 1) == 1
    assert written.call_count == 1


def test_each_environment_has_its_own_limit_when_the_table_is_away(world: World) -> None:
    here = budget(world)
    away = DependencyUnavailableError("away")
    with patch.object(world.table, "update", side_effect=away) as asked:
        assert read(here, 2 * LEASE_READS) == LEASE_READS
        assert asked.call_count == 1
        world.clock.tick(AWAY_MS / 1000)
        read(here, 1)
        assert asked.call_count == 2


def test_a_refill_that_one_does_for_all_is_not_counted(world: World) -> None:
    here = budget(world)
    with patch.object(world.table, "update") as asked:
        assert read(here, 2 * LEASE_READS, counted=False) == LEASE_READS
    assert not asked.called


def test_all_buckets_together_give_what_all_may_read_a_second() -> None:
    per_s = LEASES.quota * LEASE_READS * TABLE_READS_BUCKETS / LEASES.window_s
    assert per_s == pytest.approx(ALL_READS_PER_S)
    names = [f"2026/11/22/[7]{n:032x}" for n in range(400)]
    asked = [table_reads_key(name).pk for name in names]
    assert {asked.count(pk) > 50 for pk in set(asked)} == {True}
    assert len(set(asked)) == TABLE_READS_BUCKETS
