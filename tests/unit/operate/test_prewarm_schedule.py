"""AWS makes ready ahead of the sale start: one call at one moment; a second one moves it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate_ops.operate import prewarm, target
from fairgate_ops.operate.cli import main
from fairgate_ops.operate.doctor import deployment
from infra.functions import PREWARMED
from infra.naming import LIVE, prewarm_parameter
from tests.support.aws_stub import AwsStub
from tests.support.doctor_site import DEPLOYED, put_other, site_of
from tests.support.world import EVENT, World

MAY = {
    "alias": "live",
    "functions": {"holds": "fairgate-prod-holds"},
    "cache": "fairgate-prod-availability",
    "cache_ecpu_max": 300_000,
    "schedule_group": "fairgate-prod-prewarm",
    "role_arn": "arn:aws:iam::000000000000:role/prewarm",
}
STORAGE = {"DataStorage": {"Maximum": 5, "Unit": "GB"}}


class Recorded(AwsStub):
    """The scheduler writes down what it is given; it has ``existing`` already."""

    def __init__(self, *, existing: bool = False, least: int = 0) -> None:
        super().__init__()
        self.existing = existing
        self.written: list[dict[str, Any]] = []
        self.moved: list[dict[str, Any]] = []
        self.answer("ssm", "get_parameter", {"Parameter": {"Value": json.dumps(DEPLOYED)}})
        self.answer(
            "ssm",
            "get_parameter",
            {"Parameter": {"Value": json.dumps(MAY | {"cache_ecpu_min": least})}},
            Name=prewarm_parameter("prod"),
        )
        found = {"ServerlessCaches": [{"CacheUsageLimits": STORAGE}]}
        self.answer("elasticache", "describe_serverless_caches", found)

    def client(self, service: str, region: str | None = None) -> Any:
        client = super().client(service, region)
        if service == "scheduler":
            client.meta.events.register("provide-client-params.scheduler.*", self._note)
        return client

    def _note(self, params: dict[str, Any], model: Any, **_: Any) -> None:
        notes = self.written if model.name == "CreateSchedule" else self.moved
        if params not in notes:
            notes.append(params)

    def expect_schedules(self, count: int) -> None:
        arn = "arn:aws:scheduler:eu-central-1:000000000000:schedule/fairgate-prod-prewarm/one"
        for _ in range(count):
            if self.existing:
                self.refuse("scheduler", "create_schedule", "ConflictException")
                self.answer("scheduler", "update_schedule", {"ScheduleArn": arn})
            else:
                self.answer("scheduler", "create_schedule", {"ScheduleArn": arn})


def schedule(
    world: World, folder: Path, monkeypatch: pytest.MonkeyPatch, aws: AwsStub | None, *words: str
) -> int:
    if not any(word.startswith("--now") for word in words):
        world.clock.ms = epoch_ms(world.event.sale_starts_at) - 24 * 3_600_000
    words = tuple(word for word in words if word != "--now")
    at = site_of(world, folder, aws).target
    monkeypatch.setattr(target, "target_of", lambda _options: at)
    line = ["--stage", "prod", "prewarm", "schedule", EVENT, "--crowd", "1000000", *words]
    return main.main([*line, "--json"])


@pytest.mark.parametrize(("own", "ready"), [(20_000, 61_150), (70_000, 70_000)])
def test_a_minimum_of_the_template_is_neither_lowered_nor_taken_away(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own: int, ready: int
) -> None:
    aws = Recorded(least=own)
    aws.expect_schedules(4)
    assert schedule(world, tmp_path, monkeypatch, aws) == 0
    inputs = [json.loads(one["Target"]["Input"]) for one in aws.written]
    units = [i["CacheUsageLimits"]["ECPUPerSecond"] for i in inputs if "CacheUsageLimits" in i]
    assert sorted(one["Minimum"] for one in units) == sorted([own, ready])


def test_functions_and_cache_are_made_ready_before_sale_start_and_given_back_after(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    aws = Recorded()
    aws.expect_schedules(4)
    assert schedule(world, tmp_path, monkeypatch, aws) == 0
    aws.all_asked()
    log = site_of(world, tmp_path).target.acts().log_of(EVENT).read()
    assert [entry.act for entry in log] == ["prewarm schedule"] * 2
    sale_start_ms = epoch_ms(world.event.sale_starts_at)
    ready, back = (rfc3339(sale_start_ms + by_s * 1000)[:19] for by_s in (-3_600, 4 * 3_600))
    calls = {
        one["Target"]["Arn"].rpartition(":")[2] + one["ScheduleExpression"]: json.loads(
            one["Target"]["Input"]
        )
        for one in aws.written
    }
    which = {"FunctionName": "fairgate-prod-holds", "Qualifier": "live"}
    cache = {"ServerlessCacheName": "fairgate-prod-availability"}
    assert calls == {
        f"putProvisionedConcurrencyConfigat({ready})": which
        | {"ProvisionedConcurrentExecutions": 100},
        f"deleteProvisionedConcurrencyConfigat({back})": which,
        f"modifyServerlessCacheat({ready})": cache
        | {
            "CacheUsageLimits": STORAGE | {"ECPUPerSecond": {"Maximum": 300_000, "Minimum": 61_150}}
        },
        f"modifyServerlessCacheat({back})": cache
        | {"CacheUsageLimits": STORAGE | {"ECPUPerSecond": {"Maximum": 300_000}}},
    }
    for one in aws.written:
        assert one["Target"]["RoleArn"] == MAY["role_arn"]
        assert one["GroupName"] == MAY["schedule_group"]
        assert one["ActionAfterCompletion"] == "DELETE"
        assert one["ScheduleExpressionTimezone"] == "UTC"


def test_schedules_that_are_there_are_moved(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    aws = Recorded(existing=True)
    aws.expect_schedules(4)
    assert schedule(world, tmp_path, monkeypatch, aws, "--before-min", "90") == 0
    aws.all_asked()
    assert len({one["Name"] for one in aws.moved}) == 4


def test_a_schedule_that_aws_refuses_is_named(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    aws = Recorded()
    for _ in range(4):
        aws.refuse("scheduler", "create_schedule", "ValidationException")
    assert schedule(world, tmp_path, monkeypatch, aws) == 1
    steps = json.loads(capsys.readouterr().out)["steps"]
    assert all("ValidationException" in one["why"] for one in steps)


def test_a_dry_run_writes_no_schedule(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    assert schedule(world, tmp_path, monkeypatch, Recorded(), "--dry-run") == 0
    assert len(json.loads(capsys.readouterr().out)["steps"]) == 4


@pytest.mark.parametrize(("to_sale_start_s", "status"), [(3_601, 0), (3_599, 1), (-1, 1)])
def test_nothing_is_scheduled_for_a_moment_that_has_passed(
    world: World,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Any,
    to_sale_start_s: int,
    status: int,
) -> None:
    world.clock.ms = epoch_ms(world.event.sale_starts_at) - to_sale_start_s * 1000
    aws = Recorded()
    assert schedule(world, tmp_path, monkeypatch, aws, "--dry-run", "--now") == status
    if status:
        assert "Nothing was scheduled" in json.loads(capsys.readouterr().out)["error"]["detail"]


@pytest.mark.parametrize(("later_h", "back_h"), [(3, 7), (5, 9), (6, 4), (-9, 4)])
def test_nothing_is_given_back_while_another_event_stands_on_it(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, later_h: int, back_h: int
) -> None:
    sale_start_ms = epoch_ms(world.event.sale_starts_at)
    sale_starts_at = rfc3339(sale_start_ms + later_h * 3_600_000)
    put_other(world, sale_starts_at=sale_starts_at)
    aws = Recorded()
    aws.expect_schedules(4)
    assert schedule(world, tmp_path, monkeypatch, aws) == 0
    back = f"at({rfc3339(sale_start_ms + back_h * 3_600_000)[:19]})"
    assert sum(one["ScheduleExpression"] == back for one in aws.written) == 2


def test_there_are_no_schedules_on_this_machine(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    assert schedule(world, tmp_path, monkeypatch, None) == 1
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "wrong-state"


def test_the_names_are_those_of_the_templates() -> None:
    assert LIVE == prewarm.ALIAS
    assert LIVE == deployment.ALIAS
    assert prewarm.PROVISIONED == deployment.PROVISIONED == PREWARMED
