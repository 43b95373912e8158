"""``make load-aws``: tasks of ECS run the load, and none of them is left."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from moto import mock_aws

from fairgate_ops.operate.aws_clients import AwsClients
from fairgate_ops.run.crowd import fargate
from fairgate_ops.run.crowd.distributed import Load
from fairgate_ops.run.crowd.fargate import LoadError, Place, dollars, end_s, place_of, send
from fairgate_ops.run.crowd.load_target import LoadTarget, RefusedTargetError
from tests.support.buyers_site import Said, buyers_site

FIGURES = [{"method": "buyer", "name": "ticket ticketed", "num_requests": 7}]


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    """A cluster with the stack's task definition, in moto."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    monkeypatch.setattr(fargate, "_POLL_S", 0.01)
    monkeypatch.setattr(fargate, "_COME_S", 0.1)
    with mock_aws():
        ec2, ecs, logs = boto3.client("ec2"), boto3.client("ecs"), boto3.client("logs")
        network = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
        ec2.modify_vpc_attribute(VpcId=network, EnableDnsHostnames={"Value": True})
        subnet = ec2.create_subnet(VpcId=network, CidrBlock="10.0.0.0/24")["Subnet"]["SubnetId"]
        group = ec2.create_security_group(GroupName="w", Description="w", VpcId=network)["GroupId"]
        ecs.create_cluster(clusterName="load")
        ecs.register_task_definition(
            family="load",
            requiresCompatibilities=["FARGATE"],
            networkMode="awsvpc",
            cpu="1024",
            memory="2048",
            containerDefinitions=[{"name": "Run", "image": "python", "memory": 2048}],
        )
        logs.create_log_group(logGroupName="load")
        yield Place("load", "load", subnet, group, "load")


class Ecs:
    """moto's, whose master ends at once, with figures in its log."""

    def __init__(self, figures: str, code: int = 0, refused: int = 99) -> None:
        self.own: Any = boto3.client("ecs")
        self.exceptions = self.own.exceptions
        self.runs: list[dict[str, Any]] = []
        self._figures, self._code, self._refused = figures, code, refused

    def run_task(self, **asked: Any) -> Any:
        self.runs.append(asked)
        if len(self.runs) > self._refused:
            return {"tasks": [], "failures": [{"reason": "Capacity is unavailable"}]}
        return self.own.run_task(**asked)

    def describe_tasks(self, **asked: Any) -> Any:
        answer = self.own.describe_tasks(**asked)
        if len(self.runs) > 1:  # the workers were started
            for task in answer["tasks"]:
                self._write(task["taskArn"])
                task["lastStatus"] = "STOPPED"
                task["containers"] = [{"name": "Run", "exitCode": self._code}]
        return answer

    def stop_task(self, **asked: Any) -> Any:
        return self.own.stop_task(**asked)

    def left(self) -> list[str]:
        return list(self.own.list_tasks(cluster="load", desiredStatus="RUNNING")["taskArns"])

    def _write(self, task: str) -> None:
        logs = boto3.client("logs")
        stream = f"load/Run/{task.rsplit('/', 1)[-1]}"
        logs.create_log_stream(logGroupName="load", logStreamName=stream)
        said = [{"timestamp": int(time.time() * 1000), "message": self._figures}]
        logs.put_log_events(logGroupName="load", logStreamName=stream, logEvents=said)


class Clients(AwsClients):
    def __init__(self, ecs: Ecs) -> None:
        super().__init__()
        self._ecs = ecs

    def client(self, service: str, region: str | None, **more: Any) -> Any:  # noqa: ARG002
        made: Any = boto3.client
        return self._ecs if service == "ecs" else made(service)


def load_of(url: str, workers: int = 12) -> Load:
    return Load(LoadTarget(url), "demo", seconds=5, workers=0, elsewhere=workers, listen="0.0.0.0")  # noqa: S104


def test_a_master_and_its_workers_run_and_none_is_left(place: Place) -> None:
    ecs = Ecs(f"FIGURES {json.dumps(FIGURES)}")
    with buyers_site() as url:
        load = load_of(url)
        sent = send(load, place, Clients(ecs))
    assert sent.passed
    assert sent.ends == {"ticket ticketed": 7}
    assert [run["count"] for run in ecs.runs] == [1, 10, 2]
    for run in ecs.runs:
        (override,) = run["overrides"]["containerOverrides"]
        assert override["command"][0] == str(end_s(load))  # each ends by itself
    (worker,) = ecs.runs[1]["overrides"]["containerOverrides"]
    assert {"name": "LOCUST_SKIP_MONKEY_PATCH", "value": "1"} in worker["environment"]
    assert "--master-host=10." in " ".join(worker["command"])
    assert ecs.left() == []


def test_tasks_that_aws_cannot_run_stop_those_that_run(place: Place) -> None:
    ecs = Ecs("", refused=2)
    with buyers_site() as url, pytest.raises(LoadError, match="Capacity is unavailable"):
        send(load_of(url), place, Clients(ecs))
    assert len(ecs.runs) == 3
    assert ecs.left() == []


def test_a_master_without_figures_or_with_a_wrong_end_is_no_success(place: Place) -> None:
    with buyers_site() as url:
        with pytest.raises(LoadError, match="pip: no such hash"):
            send(load_of(url), place, Clients(Ecs("pip: no such hash")))
        wrong = send(load_of(url), place, Clients(Ecs(f"FIGURES {json.dumps(FIGURES)}", code=1)))
    assert wrong.faults == ["the master ended with 1"]


def test_nothing_is_started_where_real_buyers_may_be(place: Place) -> None:
    ecs = Ecs("")
    sells = {("GET", "/config.json"): Said(200, {"identity": None})}
    with buyers_site(sells) as url, pytest.raises(RefusedTargetError):
        send(load_of(url), place, Clients(ecs))
    assert ecs.runs == []


def test_a_missing_stack_is_named_with_its_option(place: Place) -> None:
    with pytest.raises(LoadError, match="fairgate-dev-load with -c load_workers=on"):
        place_of(Clients(Ecs("")), "dev")


def test_cost_grows_with_tasks_and_time() -> None:
    load = load_of("https://t.example", workers=19)
    hour = 3600 / end_s(load)
    assert dollars(load) * hour == pytest.approx(20 * (0.03238 + 2 * 0.00356 + 0.005))
