"""The crowd is counted by account: one account is one, whatever it sends."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest

from fairgate.adapters.dynamodb.schema import TABLES
from fairgate.domain.gate.admission import sampled_account
from fairgate.domain.gate.edge_header import EdgeWord
from fairgate.domain.gate.gate_config import Epoch
from fairgate.domain.gate.risk import FLAGGED_S
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.table import Update
from fairgate.service.gate import count_crowd
from fairgate.service.gate.count_crowd import CrowdMember, sampled_cohorts
from fairgate.service.gate.desk import RiskDesk
from fairgate.service.gate.desk_by_hand import PersonAtDesk
from fairgate.service.gate.plan_admission import crowd_cohorts
from fairgate.service.shared.keys import (
    SAMPLE_COUNTERS,
    SAMPLE_SHARDS,
    sampled_account_key,
    sampled_key,
    sampled_partitions,
)
from fairgate.service.shared.records.gate import SampledAccount
from fairgate_lab.engine.dynamodb import MemoryDynamo
from fairgate_lab.engine.table import CountedTable, InterleavedTable
from fairgate_lab.simulate.sale import guards
from functions.desk import handler as desk
from tests.support.gated_site import VIEWER, Site, gated
from tests.support.lengths import at_length
from tests.support.memory_client import MemoryClient
from tests.support.world import EVENT, NAMES, START_MS, World, gate

SHARE = 0.25
RULES = gate(pow_bits=2, sample_queue=SHARE, sample_violations=1.0)
PEOPLE = [f"guest{n}" for n in range(200)]
SAMPLED = [user for user in PEOPLE if sampled_account(RULES, EVENT, user)]
OTHERS = [user for user in PEOPLE if user not in SAMPLED]
ANN = SAMPLED[0]


@pytest.fixture
def world() -> World:
    """One seat: the desk asks about none."""
    return World(MemoryClient(), seats=1)


@pytest.fixture
def site(world: World, monkeypatch: pytest.MonkeyPatch) -> Site:
    return gated(world, monkeypatch, RULES)


def crowd(world: World) -> float:
    """The crowd that the controller plans for."""
    return sum(cohort.count for cohort in crowd_cohorts(world.table, EVENT, RULES))


def join(site: Site, user: str = ANN, times: int = 1) -> int:
    return [site.ask("sample-queue", user)[0] for _ in range(times)][-1]


# --- who is counted


def test_each_account_of_the_sample_stands_for_as_many_as_the_share_says(
    site: Site, world: World
) -> None:
    for user in SAMPLED:
        assert join(site, user) == 200
    assert crowd(world) == len(SAMPLED) / SHARE


def test_an_account_outside_the_sample_is_not_counted_when_an_edge_says_so(
    site: Site, world: World
) -> None:
    """An edge that has an old value still samples by other rules."""
    calls = CountedTable(world.table)
    world.container.__dict__["table"] = calls
    for user in OTHERS[:20]:
        assert join(site, user) == 200
    assert calls.calls == {"find": 1}  # what the event requires of accounts
    assert crowd(world) == 0


def test_an_account_moves_the_estimate_by_one_and_only_once(site: Site, world: World) -> None:
    join(site, SAMPLED[1])
    join(site, ANN)
    assert crowd(world) == 2 / SHARE
    for _ in range(4):
        world.clock.tick(60)
        join(site, ANN, times=10)  # spread over minutes, as a page that is loaded again
        assert crowd(world) == 2 / SHARE
    assert not site.is_flagged(ANN)


class _Tables(MemoryDynamo):
    """DynamoDB in memory: a tenth of moto's time."""

    def create_table(self, **_request: Any) -> None:
        """Its tables are there from the start."""


def test_thousands_of_requests_of_one_account_move_the_estimate_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = World(
        _Tables({NAMES[schema.name]: schema for schema in TABLES}, lambda: START_MS), seats=1
    )
    monkeypatch.setattr(desk, "container", lambda: world.container)
    site = Site(world, RULES)
    join(site, SAMPLED[1])
    before, estimates = crowd(world), []
    requests = at_length(1_000, 10_000)
    for n in range(requests):
        join(site, ANN)
        if n % (requests // 20) == 10:
            estimates.append(crowd(world) - before)
            world.clock.tick(20)
    assert set(estimates) == {1 / SHARE}


def test_a_repeated_request_writes_nothing_at_all(site: Site, world: World) -> None:
    join(site)
    calls = CountedTable(world.table)
    world.container.__dict__["table"] = calls
    join(site, times=5)
    assert calls.calls == {"find_each": 5}


# --- in which minute


def test_an_account_is_counted_in_the_minute_in_which_it_first_joined(
    site: Site, world: World
) -> None:
    rules = gate(pow_bits=2, sample_queue=SHARE, epochs=(Epoch(START_MS / 1000, 0.0, 0.01),))
    site.set_gate(rules)
    join(site, SAMPLED[0])
    world.clock.tick(30)
    join(site, SAMPLED[1])
    world.clock.tick(45)
    join(site, SAMPLED[2])
    join(site, SAMPLED[0])
    cohorts = sampled_cohorts(world.table, EVENT)
    assert [cohort.count for cohort in cohorts] == [2, 1]
    assert [cohort.h for cohort in cohorts] == pytest.approx([0.3, 0.75])


def test_counters_lie_in_partitions_by_the_account_and_are_read_together(world: World) -> None:
    users = [f"user{n}" for n in range(2_000)]
    keys = [sampled_key(EVENT, "2027-01-15T08:00", user) for user in users]
    assert len(set(keys)) == SAMPLE_COUNTERS
    assert {key.pk for key in keys} == set(sampled_partitions(EVENT))
    assert len(sampled_partitions(EVENT)) == SAMPLE_SHARDS
    for user in users[:300]:
        assert CrowdMember(EVENT, RULES, user).count(world.table, START_MS)
    assert [cohort.count for cohort in sampled_cohorts(world.table, EVENT)] == [300]


def test_counts_of_an_older_version_are_added(site: Site, world: World) -> None:
    """One counter a minute, in the first partition, without a number."""
    old = Update("reservations", f"Q#{EVENT}", rfc3339(START_MS)[:16], set={"h": 0.5, "ttl": 1})
    world.table.update(Update(**{**_fields(old), "add": {"count": 7}}))
    join(site)
    [cohort] = sampled_cohorts(world.table, EVENT)
    assert cohort.count == 8


def _fields(update: Update) -> dict[str, Any]:
    return {name: getattr(update, name) for name in ("table", "pk", "sk", "set")}


def test_a_damaged_sample_counter_counts_nobody(site: Site, world: World) -> None:
    join(site)
    broken = {"PK": f"Q#{EVENT}", "SK": "2027-01-15T07:00#00", "count": "many", "h": 0, "ttl": 1}
    world.put_item("reservations", broken)
    assert crowd(world) == 1 / SHARE


def test_counts_are_kept_until_after_a_far_start(site: Site, world: World) -> None:
    sale_start_s = START_MS // 1000 + 10 * 86_400
    site.set_gate(gate(pow_bits=2, sample_queue=SHARE, sale_start_s=sale_start_s))
    join(site)
    marker = world.table.find(SampledAccount, sampled_account_key(EVENT, ANN))
    assert marker is not None
    assert marker.ttl == sale_start_s + 2 * 86_400
    [counter] = world.items("reservations", sampled_key(EVENT, "", ANN).pk)
    assert counter["ttl"] == marker.ttl


# --- who is flagged


def test_an_account_that_is_flagged_is_taken_out_of_its_minute(site: Site, world: World) -> None:
    for user in SAMPLED[:3]:
        join(site, user)
    world.clock.tick(60)
    site.repeat(6, "early", ANN)
    assert site.is_flagged(ANN)
    assert crowd(world) == 2 / SHARE
    site.repeat(20, "early", ANN)  # and locked out, which takes nobody out twice
    assert "lockedUntil" in site.status_of(ANN)
    assert crowd(world) == 2 / SHARE


def test_three_reloads_of_an_account_of_the_sample_are_three(site: Site) -> None:
    """They counted as three hundred while requests were sampled."""
    site.set_gate(gate(pow_bits=2, sample_queue=0.999, sample_violations=0.05))
    assert all("level" not in site.ask("sample-queue", ANN)[2] for _ in range(10))


def test_after_its_flag_an_account_is_counted_again_at_its_next_request(
    site: Site, world: World
) -> None:
    join(site)
    site.repeat(6, "early", ANN)
    world.clock.tick(FLAGGED_S - 1)
    join(site)
    assert crowd(world) == 0
    world.clock.tick(1)
    join(site, times=3)
    assert crowd(world) == 1 / SHARE


def test_a_pardoned_account_is_counted_again_at_its_next_request(site: Site, world: World) -> None:
    join(site)
    site.repeat(6, "early", ANN)
    world.clock.tick(1)
    PersonAtDesk(world.table, world.clock, "olga").pardon(EVENT, ANN, "a bug of ours")
    assert crowd(world) == 0
    join(site, times=2)
    assert crowd(world) == 1 / SHARE


def test_the_decision_and_the_count_are_one_transaction(site: Site, world: World) -> None:
    """Where the one cannot be written, the other is not either."""
    join(site)
    site.repeat(5, "early", ANN)
    risk = RiskDesk(world.table, world.clock)
    refused: dict[str, Any] = {"condition": "#none = :none", "values": {"none": 1}}
    never = [Update("reservations", "x", "x", add={"none": 1}, **refused)]
    with patch.object(CrowdMember, "leave_out", return_value=never):
        assert risk.receive(EVENT, RULES, ANN, _early()).level == 0
    assert not site.is_flagged(ANN)
    assert crowd(world) == 1 / SHARE
    assert risk.receive(EVENT, RULES, ANN, _early()).level == 1  # the next case decides
    assert crowd(world) == 0


def _early() -> EdgeWord:
    return EdgeWord("early", VIEWER)


# --- two requests at once; without a clause of its own each of these goes wrong


def count_now(world: World, known: SampledAccount | None = None) -> bool:
    return CrowdMember(EVENT, RULES, ANN, known).count(world.table, world.clock.ms)


def leave_out_now(world: World, known: SampledAccount | None = None) -> None:
    until = rfc3339(world.clock.ms + 1_000)
    world.table.transact(CrowdMember(EVENT, RULES, ANN, known).leave_out(until, world.clock.ms))


def marker_of(world: World) -> SampledAccount | None:
    return world.table.find(SampledAccount, sampled_account_key(EVENT, ANN))


def two_requests_at_once_count_once(site: Site, world: World) -> None:
    table: Any = InterleavedTable(world.table, lambda: count_now(world))
    assert not CrowdMember(EVENT, RULES, ANN).count(table, world.clock.ms)
    assert crowd(world) == 1 / SHARE


def an_account_flagged_meanwhile_is_not_counted(site: Site, world: World) -> None:
    table: Any = InterleavedTable(world.table, lambda: leave_out_now(world))
    assert not CrowdMember(EVENT, RULES, ANN).count(table, world.clock.ms)
    assert crowd(world) == 0


def an_account_counted_meanwhile_is_taken_out(site: Site, world: World) -> None:
    site.repeat(5, "early", ANN)
    table: Any = InterleavedTable(world.table, lambda: count_now(world))
    status = RiskDesk(table, world.clock).receive(EVENT, RULES, ANN, _early())
    assert status.level == 1
    assert crowd(world) == 0


def an_account_is_taken_out_once(site: Site, world: World) -> None:
    join(site)
    known = marker_of(world)
    site.repeat(5, "early", ANN)
    table: Any = InterleavedTable(world.table, lambda: leave_out_now(world, known))
    RiskDesk(table, world.clock).receive(EVENT, RULES, ANN, _early())
    assert site.is_flagged(ANN)
    assert crowd(world) == 0


RACES: list[tuple[str, str, Callable[[Site, World], None]]] = [
    (
        "ACCOUNT_MAY_BE_COUNTED",
        "attribute_not_exists(#minute) OR #minute = :none",
        two_requests_at_once_count_once,
    ),
    (
        "ACCOUNT_MAY_BE_COUNTED",
        "attribute_not_exists(#leftOutUntil) OR #leftOutUntil <= :now",
        an_account_flagged_meanwhile_is_not_counted,
    ),
    (
        "ACCOUNT_NOT_COUNTED",
        "attribute_not_exists(#minute) OR #minute = :none",
        an_account_counted_meanwhile_is_taken_out,
    ),
    ("ACCOUNT_COUNTED_THEN", "#minute = :minute", an_account_is_taken_out_once),
]


@pytest.mark.parametrize(("condition", "clause", "race"), RACES)
def test_a_race_ends_as_it_should(
    site: Site, world: World, condition: str, clause: str, race: Callable[[Site, World], None]
) -> None:
    race(site, world)


@pytest.mark.parametrize(("condition", "clause", "race"), RACES)
def test_a_race_goes_wrong_without_the_clause(
    site: Site, world: World, condition: str, clause: str, race: Callable[[Site, World], None]
) -> None:
    without = guards._without_clause("gate.count_crowd", condition, clause)
    with without(), pytest.raises(AssertionError):
        race(site, world)


def test_every_clause_has_its_race() -> None:
    path = guards.source_of("gate.count_crowd")
    clauses = {
        (name, clause.strip())
        for name in guards.conditions_in(path)["constants"]
        for clause in guards.clauses_of(getattr(count_crowd, name))
    }
    assert clauses == {(name, clause) for name, clause, _race in RACES}


def test_no_count_and_no_marker_holds_an_address(site: Site, world: World) -> None:
    join(site)
    assert "203.0.113" not in json.dumps(world.client.scan(TableName="t-reservations")["Items"])
