"""What is made ready ahead of the sale start, and given back: each step alone, and once."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate_ops.operate import target
from fairgate_ops.operate.capacity.inputs import read_inputs
from fairgate_ops.operate.capacity.plan import needs
from fairgate_ops.operate.cli import main
from fairgate_ops.operate.cli.command import MISUSED
from fairgate_ops.operate.prewarm import (
    STACKS,
    Deployment,
    Step,
    giving_back,
    run_steps,
    warming,
)
from tests.support.aws_stub import AwsStub
from tests.support.doctor_site import DEPLOYED, OTHER, put_other, site_of
from tests.support.world import EVENT, NAMES, World

COLD = {"ReadUnitsPerSecond": 12_000, "WriteUnitsPerSecond": 4_000, "Status": "ACTIVE"}
HOT = {"ReadUnitsPerSecond": 90_000, "WriteUnitsPerSecond": 90_000, "Status": "ACTIVE"}
LIMITS = {"DataStorage": {"Maximum": 5, "Unit": "GB"}, "ECPUPerSecond": {"Maximum": 300_000}}
CACHE = str(DEPLOYED["cache"])
# Of the seats; it reads less than a new table takes.
WRITES = math.ceil(needs(read_inputs()).write_units["seats"])


def deployment(world: World, folder: Path, aws: AwsStub) -> tuple[Deployment, Any]:
    site = site_of(world, folder, aws)
    return Deployment(site.target, "prod", aws.client, CACHE), site.needs


def step(steps: list[Step], name: str) -> Step:
    (one,) = [step for step in steps if step.name == name]
    (ran,) = run_steps([one])
    return ran


def table(warm: dict[str, Any], index: dict[str, Any]) -> dict[str, Any]:
    indexes = [{"IndexName": "gsi1", "WarmThroughput": index}]
    return {"Table": {"WarmThroughput": warm, "GlobalSecondaryIndexes": indexes}}


def test_a_cold_table_and_its_index_are_warmed(world: World, tmp_path: Path) -> None:
    warm = {"ReadUnitsPerSecond": 12_000, "WriteUnitsPerSecond": WRITES}
    aws = AwsStub().answer("dynamodb", "describe_table", table(COLD, COLD))
    aws.answer(
        "dynamodb",
        "update_table",
        {},
        TableName=NAMES["seats"],
        WarmThroughput=warm,
        GlobalSecondaryIndexUpdates=[{"Update": {"IndexName": "gsi1", "WarmThroughput": warm}}],
    )
    at, needs = deployment(world, tmp_path, aws)
    assert step(warming(at, needs, freeze=True), "table seats").done
    aws.all_asked()


def test_a_warm_table_is_left_alone_and_nothing_is_ever_lowered(
    world: World, tmp_path: Path
) -> None:
    aws = AwsStub().answer("dynamodb", "describe_table", table(HOT, HOT))
    at, needs = deployment(world, tmp_path, aws)
    assert step(warming(at, needs, freeze=True), "table seats").done
    half = {"ReadUnitsPerSecond": 90_000, "WriteUnitsPerSecond": 4_000}
    aws = AwsStub().answer("dynamodb", "describe_table", table(half, HOT))
    aws.answer(
        "dynamodb",
        "update_table",
        {},
        TableName=NAMES["seats"],
        WarmThroughput={"ReadUnitsPerSecond": 90_000, "WriteUnitsPerSecond": WRITES},
    )
    at, needs = deployment(world, tmp_path, aws)
    assert step(warming(at, needs, freeze=True), "table seats").done
    aws.all_asked()


def test_functions_stand_ready_and_are_given_back(world: World, tmp_path: Path) -> None:
    which = {"FunctionName": "fairgate-prod-holds", "Qualifier": "live"}
    aws = AwsStub().answer(
        "lambda",
        "put_provisioned_concurrency_config",
        {},
        **which,
        ProvisionedConcurrentExecutions=1_000,
    )
    aws.answer("lambda", "delete_provisioned_concurrency_config", {}, **which)
    aws.refuse("lambda", "delete_provisioned_concurrency_config", "ResourceNotFoundException")
    at, needs = deployment(world, tmp_path, aws)
    assert step(warming(at, needs, freeze=True), "concurrency of holds").done
    for _ in range(2):  # twice does no harm
        assert step(giving_back(at), "concurrency of holds").done
    aws.all_asked()


def limits(**ecpu: int) -> dict[str, Any]:
    return LIMITS | {"ECPUPerSecond": {"Maximum": 300_000, **ecpu}}


def cache_is(aws: AwsStub, **ecpu: int) -> AwsStub:
    found = {"ServerlessCaches": [{"CacheUsageLimits": limits(**ecpu)}]}
    return aws.answer("elasticache", "describe_serverless_caches", found)


def test_the_cache_stands_ready_up_to_its_maximum_and_is_given_back(
    world: World, tmp_path: Path
) -> None:
    aws = cache_is(AwsStub())
    changed = {"ServerlessCacheName": CACHE}
    least = limits(Minimum=300_000)  # 313,150 are needed
    aws.answer("elasticache", "modify_serverless_cache", {}, **changed, CacheUsageLimits=least)
    cache_is(aws, Minimum=300_000)  # a second time it is as wanted
    cache_is(aws, Minimum=300_000)
    aws.answer("elasticache", "modify_serverless_cache", {}, **changed, CacheUsageLimits=limits())
    cache_is(aws)
    at, needs = deployment(world, tmp_path, aws)
    for _ in range(2):
        assert step(warming(at, needs, freeze=True), "cache").done
    for _ in range(2):
        assert step(giving_back(at), "cache").done
    aws.all_asked()


def test_a_minimum_of_the_template_is_what_is_given_back_to(world: World, tmp_path: Path) -> None:
    aws = cache_is(AwsStub(), Minimum=300_000)
    least = {"ServerlessCacheName": CACHE, "CacheUsageLimits": limits(Minimum=20_000)}
    aws.answer("elasticache", "modify_serverless_cache", {}, **least)
    cache_is(aws, Minimum=20_000)  # a second time it is so
    at, _ = deployment(world, tmp_path, aws)
    for _ in range(2):
        assert step(giving_back(replace(at, cache_least=20_000)), "cache").done
    aws.all_asked()


def test_a_minimum_of_the_template_is_never_lowered_ahead_of_sale_start(
    world: World, tmp_path: Path
) -> None:
    aws = cache_is(AwsStub(), Minimum=290_000)
    at, needs = deployment(world, tmp_path, aws)
    small = replace(needs, ecpu_per_s=5_000.0)
    steps = warming(replace(at, cache_least=290_000), small, freeze=False)
    assert step(steps, "cache").done
    aws.all_asked()


def test_each_stack_refuses_changes_until_it_is_given_back(world: World, tmp_path: Path) -> None:
    aws, policies = AwsStub(), []
    at, needs = deployment(world, tmp_path, aws)
    for effect in ("Deny", "Allow"):
        statement = {"Effect": effect, "Action": "Update:*", "Principal": "*", "Resource": "*"}
        policies.append(json.dumps({"Statement": [statement]}))
    for stack in STACKS:
        for policy in policies:
            which = {"StackName": f"fairgate-prod-{stack}", "StackPolicyBody": policy}
            aws.answer("cloudformation", "set_stack_policy", {}, **which)
        assert step(warming(at, needs, freeze=True), f"stack {stack}").done
        assert step(giving_back(at), f"stack {stack}").done
    aws.all_asked()
    assert not [one for one in warming(at, needs, freeze=False) if one.name.startswith("stack")]


def test_the_stacks_are_those_that_are_deployed() -> None:
    folder = Path(__file__).parents[3] / "infra" / "stacks"
    # Firewall, alarms and logs of the edge are in another region and hold nothing of a sale;
    # no more do pages and load, and the sign-in, whose accounts are protected by themselves.
    apart = {
        "__init__",
        "service_alarms",
        "firewall",
        "access_logs",
        "api_logs",
        "edge_alarms",
        "load",
        "pages",
        "sign_in",
    }
    names = {path.stem for path in folder.glob("*.py")} - apart
    assert set(STACKS) == names


def test_a_step_that_is_refused_stops_no_other(world: World, tmp_path: Path) -> None:
    aws = AwsStub().refuse("elasticache", "describe_serverless_caches", "AccessDenied")
    for _ in STACKS:
        aws.answer("cloudformation", "set_stack_policy", {})
    for _ in range(2):
        aws.refuse("lambda", "delete_provisioned_concurrency_config", "TooManyRequestsException")
    at, _ = deployment(world, tmp_path, aws)
    ran = {one.name: one for one in run_steps(giving_back(at))}
    assert not ran["cache"].done
    assert "AccessDenied" in ran["cache"].why
    assert "TooManyRequests" in ran["concurrency of holds"].why
    assert all(ran[f"stack {stack}"].done for stack in STACKS)


# --- as it is typed


def prewarm(
    world: World,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    aws: AwsStub | None,
    *words: str,
) -> int:
    at = site_of(world, folder, aws, deployed=DEPLOYED if aws else None).target
    vars(at.world)["layouts"], vars(at.world)["cache"] = world.layouts, world.container.cache
    monkeypatch.setattr(target, "target_of", lambda _options: at)
    return main.main(["--stage", "prod", "prewarm", *words, "--json"])


def test_nothing_is_done_in_a_dry_run_and_everything_is_named(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    aws = AwsStub()  # that anything but the parameter is asked raises
    assert prewarm(world, tmp_path, monkeypatch, aws, "start", EVENT, "--dry-run") == 0
    said = json.loads(capsys.readouterr().out)
    assert said["dry_run"] is True
    assert not any(one["done"] for one in said["steps"])
    names = {one["step"] for one in said["steps"]}
    assert {"layout and cache", "table seats", "cache", "stack data"} < names


def test_on_this_machine_there_is_nothing_to_give_back(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    assert prewarm(world, tmp_path, monkeypatch, None, "give-back", EVENT) == 0
    assert json.loads(capsys.readouterr().out)["steps"] == []


def test_an_event_without_its_layout_is_not_ready(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    assert prewarm(world, tmp_path, monkeypatch, None, "start", EVENT) == 1
    (filled,) = json.loads(capsys.readouterr().out)["steps"]
    assert not filled["done"]
    assert filled["why"]


@pytest.mark.parametrize(
    ("to_sale_start_s", "act"),
    [
        (3_601, "none"),
        (3_599, "prewarm start"),
        (-3_600, "prewarm start"),
        (-4 * 3_600 - 1, "prewarm give-back"),
    ],
)
def test_a_timer_starts_ahead_of_sale_start_and_gives_back_after(
    world: World,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Any,
    to_sale_start_s: int,
    act: str,
) -> None:
    world.clock.ms = epoch_ms(world.event.sale_starts_at) - to_sale_start_s * 1000
    assert prewarm(world, tmp_path, monkeypatch, None, "due", EVENT, "--dry-run") == 0
    assert json.loads(capsys.readouterr().out)["act"] == act


NEEDY = [(59, "open"), (0, "paused"), (-239, "soldout")]
NOT_NEEDY = [(61, "open"), (-241, "open"), (0, "closed")]


def other_sale_start(world: World, to_sale_start_min: int, state: str) -> None:
    """The first event is over; the other's sale starts in so many minutes."""
    world.clock.ms = epoch_ms(world.event.sale_starts_at) + 5 * 3_600_000
    put_other(
        world,
        state=state,
        sale_starts_at=rfc3339(world.clock.now_ms() + to_sale_start_min * 60_000),
    )


def all_given_back() -> AwsStub:
    aws = cache_is(AwsStub())
    for _ in range(2):
        aws.answer("lambda", "delete_provisioned_concurrency_config", {})
    for _ in STACKS:
        aws.answer("cloudformation", "set_stack_policy", {})
    return aws


@pytest.mark.parametrize(("to_sale_start_min", "state"), NEEDY)
@pytest.mark.parametrize("verb", ["due", "give-back"])
def test_the_end_of_an_event_takes_nothing_from_another(
    world: World,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Any,
    verb: str,
    to_sale_start_min: int,
    state: str,
) -> None:
    other_sale_start(world, to_sale_start_min, state)
    aws = AwsStub()  # that anything is asked raises
    status = prewarm(world, tmp_path, monkeypatch, aws, verb, EVENT)
    said = json.loads(capsys.readouterr().out)
    if verb == "due":  # a timer's run is no failure
        assert (status, said["act"]) == (0, "none")
    else:
        assert (status, said["error"]["code"]) == (1, "wrong-state")
        assert OTHER in said["error"]["detail"]


@pytest.mark.parametrize(
    ("to_sale_start_min", "state", "words"),
    [(at, state, ["due"]) for at, state in NOT_NEEDY]
    + [(at, state, ["give-back", "--force"]) for at, state in NEEDY],
)
def test_it_is_given_back_when_nobody_stands_on_it_or_by_force(
    world: World,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    to_sale_start_min: int,
    state: str,
    words: list[str],
) -> None:
    other_sale_start(world, to_sale_start_min, state)
    aws = all_given_back()
    assert prewarm(world, tmp_path, monkeypatch, aws, *words, EVENT) == 0
    aws.all_asked()


@pytest.mark.parametrize(
    "words",
    [
        ["start", "--crowd", "0"],
        ["start", "--crowd", "-1"],
        ["start", "--crowd", "100000000001"],
        ["due", "--before-min", "nan"],
        ["schedule", "--before-min", "inf"],
        ["schedule", "--before-min", "-600"],
        ["schedule", "--after-h", "-1"],
        ["due", "--after-h", "1e9"],
    ],
)
def test_a_figure_that_makes_no_sense_is_wrong_usage(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        prewarm(world, tmp_path, monkeypatch, None, *words, EVENT)
    assert ended.value.code == MISUSED


def test_what_was_done_stands_in_the_events_log(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    prewarm(world, tmp_path, monkeypatch, None, "start", EVENT, "--reason", "the big day")
    capsys.readouterr()
    at = site_of(world, tmp_path).target
    asked, ended = at.acts().log_of(EVENT).read()
    assert [(one.phase, one.act) for one in (asked, ended)] == [
        ("asked", "prewarm start"),
        ("incomplete", "prewarm start"),
    ]
    assert asked.detail["reason"] == "the big day"
    assert set(ended.detail["not_done"]) == {"layout and cache"}  # the event has no layout here
    assert ended.detail["not_done"]["layout and cache"]


def test_a_log_says_done_only_where_each_step_was(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    aws = cache_is(AwsStub()).refuse("cloudformation", "set_stack_policy", "AccessDenied")
    for _ in STACKS[1:]:
        aws.answer("cloudformation", "set_stack_policy", {})
    for _ in range(2):
        aws.answer("lambda", "delete_provisioned_concurrency_config", {})
    assert prewarm(world, tmp_path, monkeypatch, aws, "give-back", EVENT) == 1
    said = json.loads(capsys.readouterr().out)
    assert [one["step"] for one in said["steps"] if not one["done"]] == ["stack data"]
    cache_is(aws)
    for _ in STACKS:
        aws.answer("cloudformation", "set_stack_policy", {})
    for _ in range(2):
        aws.answer("lambda", "delete_provisioned_concurrency_config", {})
    assert prewarm(world, tmp_path, monkeypatch, aws, "give-back", EVENT) == 0
    at = site_of(world, tmp_path).target
    ended = [one for one in at.acts().log_of(EVENT).read() if one.phase != "asked"]
    assert [one.phase for one in ended] == ["incomplete", "done"]
    assert "AccessDenied" in ended[0].detail["not_done"]["stack data"]


def test_a_defect_in_one_step_stops_no_other(world: World, tmp_path: Path) -> None:
    aws = AwsStub().answer("elasticache", "describe_serverless_caches", {"ServerlessCaches": []})
    at, _ = deployment(world, tmp_path, aws)
    ran = step(giving_back(at), "cache")
    assert (ran.done, ran.why) == (False, "IndexError, which is a defect of ours")
