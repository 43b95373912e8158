"""Where simulated buyers run in AWS: the command finds it, and it reaches nothing of the stage."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairgate_ops.run.crowd.distributed import LOCUST_FILE
from fairgate_ops.run.crowd.fargate import CONTAINER, MASTER_PORT, MEMORY_GB, OUTPUTS, VCPU
from infra.option_values import ConfigError

from .conftest import ROOT
from .stages import Stages
from .test_synthesis import config_of


@pytest.fixture(scope="module")
def folder(stages: Stages) -> Path:
    return stages.folder / "dev"


@pytest.fixture(scope="module")
def template(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / "Load.template.json").read_text("utf-8")))


def _of(template: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [one["Properties"] for one in template["Resources"].values() if one["Type"] == kind]


def test_the_command_finds_all_that_it_needs(template: dict[str, Any]) -> None:
    assert set(template["Outputs"]) == set(OUTPUTS)
    (task,) = _of(template, "AWS::ECS::TaskDefinition")
    assert (task["Cpu"], task["Memory"]) == (str(VCPU * 1024), str(MEMORY_GB * 1024))
    fetch, run = task["ContainerDefinitions"]
    assert run["Name"] == CONTAINER
    assert run["EntryPoint"][2].endswith('exec timeout "$@"')  # a task ends by itself
    assert run["DependsOn"] == [{"Condition": "SUCCESS", "ContainerName": fetch["Name"]}]


def test_only_the_tasks_reach_the_master_and_nothing_runs_at_rest(
    template: dict[str, Any],
) -> None:
    (way,) = _of(template, "AWS::EC2::SecurityGroupIngress")
    assert (way["FromPort"], way["ToPort"]) == (MASTER_PORT, MASTER_PORT)
    assert way["GroupId"] == way["SourceSecurityGroupId"]
    (group,) = _of(template, "AWS::EC2::SecurityGroup")
    assert "SecurityGroupIngress" not in group
    for paid in ("AWS::EC2::NatGateway", "AWS::ECS::Service", "AWS::EC2::EIP"):
        assert _of(template, paid) == []


def test_its_role_reads_its_code_alone(template: dict[str, Any]) -> None:
    actions = {
        action
        for policy in _of(template, "AWS::IAM::Policy")
        for statement in policy["PolicyDocument"]["Statement"]
        for action in (
            [statement["Action"]] if isinstance(statement["Action"], str) else statement["Action"]
        )
    }
    assert actions == {"s3:GetObject", "logs:CreateLogStream", "logs:PutLogEvents"}


def test_its_code_is_what_a_worker_needs_and_no_more(folder: Path) -> None:
    assets = json.loads((folder / "Load.assets.json").read_text("utf-8"))["files"].values()
    (code,) = [one["source"]["path"] for one in assets if one["source"]["packaging"] == "zip"]
    files = {path.relative_to(folder / code) for path in (folder / code).rglob("*.*")}
    assert LOCUST_FILE.relative_to(ROOT) in files
    assert Path("requirements/load.txt") in files
    assert {path.parts[0] for path in files} == {"ops", "layers", "requirements"}
    assert not [path for path in files if path.suffix == ".pyc"]


def test_a_stage_that_sells_has_none(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="load_workers is for a stage that sells nothing"):
        config_of(tmp_path, load_workers="on")
