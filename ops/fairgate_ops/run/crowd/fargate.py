"""Simulated buyers from Fargate tasks, for a rehearsal stage in AWS: started, followed, ended.

    make load-aws STAGE=rehearsal URL=https://… GO=<its host> WORKERS=20 BUYERS=20000

The stack of ``-c load_workers=on`` has network, cluster and task definition. One task is Locust's
master, the others its workers. Each ends by a time limit of its own, and this command stops all of
them when it ends. Ends with 1 when a buyer was wrongly answered, a task could not run, or nobody
bought anything; with 2 when the target may not be put under load, or the stack is missing.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shlex
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, NamedTuple

from fairgate_ops.operate.aws_clients import AwsClients
from fairgate_ops.run.crowd.distributed import (
    LAST_PURCHASE_S,
    LOCUST_FILE,
    Load,
    Sent,
    ends_in,
    faults_in,
    master_words,
    whole,
    worker_words,
)
from fairgate_ops.run.crowd.load_target import LoadTarget, RefusedTargetError
from fairgate_ops.shared.paths import ROOT

OUTPUTS = ("Cluster", "Task", "Subnet", "SecurityGroup", "LogGroup")  # of the stack, as in Place
MASTER_PORT = 5557
CONTAINER, FOLDER = "Run", "/load"
VCPU, MEMORY_GB = 1, 2
_BATCH = 10  # ECS API Reference, RunTask: count
_COME_S = 600  # until the last task has its image and packages
_POLL_S = 5.0
_LOG_LOOKS = 12
_FIGURES = "FIGURES "
# USD in us-east-1, Linux on ARM. Source: AWS Fargate Pricing; Amazon VPC Pricing, public IPv4.
_VCPU_HOUR, _GB_HOUR, _ADDRESS_HOUR = 0.03238, 0.00356, 0.005


class LoadError(Exception):
    """The tasks could not be run; the text says why."""


class Place(NamedTuple):
    """What the stack puts out."""

    cluster: str
    task: str
    subnet: str
    security_group: str
    log_group: str


def end_s(load: Load) -> int:
    """Return after how many seconds each task ends by itself."""
    return math.ceil(_COME_S + load.seconds + load.patience_s + LAST_PURCHASE_S)


def dollars(load: Load) -> float:
    """Return what the tasks cost at most, in USD; modelled, by prices of us-east-1."""
    hourly = VCPU * _VCPU_HOUR + MEMORY_GB * _GB_HOUR + _ADDRESS_HOUR
    return (load.elsewhere + 1) * hourly * end_s(load) / 3600


def place_of(clients: AwsClients, stage: str) -> Place:
    """Raises LoadError."""
    stack = f"fairgate-{stage}-load"
    formation = clients.client("cloudformation", None)
    try:
        (found,) = formation.describe_stacks(StackName=stack)["Stacks"]
    except formation.exceptions.ClientError as error:
        raise LoadError(f"{error}. Deploy {stack} with -c load_workers=on.") from error
    values = {one["OutputKey"]: one["OutputValue"] for one in found.get("Outputs", ())}
    return Place(*(values[key] for key in OUTPUTS))


def send(load: Load, place: Place, clients: AwsClients) -> Sent:
    """Run master and workers until the master has ended; stop every task in any case.

    Raises:
        RefusedTargetError: the target may not be put under load; nothing was started.
        LoadError: a task could not be started, or it left no figures.
    """
    load.target.permit()
    ecs = clients.client("ecs", None)
    file, most_s = f"{FOLDER}/{LOCUST_FILE.relative_to(ROOT)}", end_s(load)
    figures = f"{FOLDER}/figures"
    locust = ["python", *master_words(load, MASTER_PORT, figures, file)]
    printed = f"echo {_FIGURES}$(tr -d '\\n' < {figures}.json)"
    script = f"{shlex.join(locust)}; code=$?; {printed}; exit $code"
    with _tasks(ecs, place, most_s) as run:
        (master,) = run(1, ["/bin/sh", "-c", script])
        address = _address(ecs, place, master)
        worker = ["python", *worker_words(address, MASTER_PORT, file)]
        left = load.elsewhere
        while left:
            left -= len(run(min(left, _BATCH), worker, LOCUST_SKIP_MONKEY_PATCH="1"))
        print(f"Master at {address}, {load.elsewhere} workers; each ends in {most_s} s at most.")
        code = _ended(ecs, place, master, most_s)["containers"]
    return _sent(clients.client("logs", None), place, master, code)


@contextmanager
def _tasks(ecs: Any, place: Place, most_s: int) -> Iterator[Callable[..., list[str]]]:
    """Give a function that runs tasks and returns their ARNs; stop all of them afterwards."""
    begun: list[str] = []

    def run(count: int, words: Sequence[str], **more: str) -> list[str]:
        environment = {"PYTHONPATH": f"{FOLDER}/ops:{FOLDER}/layers/core/python", **more}
        override = {
            "name": CONTAINER,
            "command": [str(most_s), *words],
            "environment": [{"name": name, "value": value} for name, value in environment.items()],
        }
        network = {
            "subnets": [place.subnet],
            "securityGroups": [place.security_group],
            "assignPublicIp": "ENABLED",
        }
        answer = ecs.run_task(
            cluster=place.cluster,
            taskDefinition=place.task,
            count=count,
            launchType="FARGATE",
            networkConfiguration={"awsvpcConfiguration": network},
            overrides={"containerOverrides": [override]},
        )
        arns = [task["taskArn"] for task in answer["tasks"]]
        begun.extend(arns)
        if answer["failures"] or not arns:
            reasons = sorted({failure.get("reason", "") for failure in answer["failures"]})
            raise LoadError(f"ECS runs no more tasks: {', '.join(reasons) or 'it says no reason'}.")
        return arns

    try:
        yield run
    finally:
        for task in begun:
            with suppress(ecs.exceptions.ClientError):  # its own time limit ends it
                ecs.stop_task(cluster=place.cluster, task=task, reason="The load is over")


def _address(ecs: Any, place: Place, task: str) -> str:
    """Return the task's private address, once it has one. Raises LoadError."""
    for _ in range(int(_COME_S / _POLL_S)):
        state = _state(ecs, place, task)
        for attachment in state.get("attachments", ()):
            for detail in attachment.get("details", ()):
                if detail.get("name") == "privateIPv4Address":
                    return str(detail["value"])
        if state["lastStatus"] == "STOPPED":
            raise LoadError(f"The master ended: {state.get('stoppedReason', 'no reason is said')}.")
        time.sleep(_POLL_S)
    raise LoadError(f"The master has no address after {_COME_S} s.")


def _ended(ecs: Any, place: Place, task: str, within_s: float) -> Mapping[str, Any]:
    """Return the task once it has stopped. Raises LoadError."""
    for _ in range(int((within_s + _COME_S) / _POLL_S)):
        state = _state(ecs, place, task)
        if state["lastStatus"] == "STOPPED":
            return state
        time.sleep(_POLL_S)
    raise LoadError("The master has not ended in time.")


def _state(ecs: Any, place: Place, task: str) -> Mapping[str, Any]:
    answer = ecs.describe_tasks(cluster=place.cluster, tasks=[task])
    if not answer["tasks"]:
        raise LoadError(f"ECS does not know {task} any more.")
    state: Mapping[str, Any] = answer["tasks"][0]
    return state


def _sent(logs: Any, place: Place, master: str, containers: Sequence[Mapping[str, Any]]) -> Sent:
    """Read the master's figures from its log. Raises LoadError."""
    codes = [one.get("exitCode") for one in containers if one["name"] == CONTAINER]
    lines: list[str] = []
    found: list[str] = []
    for _ in range(_LOG_LOOKS):  # the log is some seconds behind
        lines = _log(logs, place, master)
        if found := [line for line in lines if line.startswith(_FIGURES)]:
            break
        time.sleep(_POLL_S)
    else:
        last = "\n".join(lines[-10:])
        raise LoadError(f"The master left no figures (exit code {codes}); its log ends:\n{last}")
    ends = ends_in(json.loads(found[-1].removeprefix(_FIGURES) or "[]"))
    faults = faults_in(ends)
    faults += [f"the master ended with {code}" for code in codes if code]
    return Sent(ends, faults)


def _log(logs: Any, place: Place, task: str) -> list[str]:
    """Return the last lines that a task has said, oldest first."""
    stream = f"load/{CONTAINER}/{task.rsplit('/', 1)[-1]}"
    try:
        read = logs.get_log_events(
            logGroupName=place.log_group, logStreamName=stream, limit=50, startFromHead=False
        )
    except logs.exceptions.ResourceNotFoundException:
        return []
    return [str(event["message"]) for event in read["events"]]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--stage", required=True)
    parser.add_argument("--url", required=True, help="the stage's address")
    parser.add_argument("--go", default="", help="its host once more: you answer for the load")
    parser.add_argument("--event", default="demo")
    some = partial(whole, least=1)
    parser.add_argument("--workers", type=some, default=2, help="tasks; a thousand buyers each")
    parser.add_argument("--buyers", type=some, default=200, help="at once")
    parser.add_argument("--seconds", type=some, default=60)
    parser.add_argument("--seed", type=int, default=os.getpid(), help="default: another each time")
    options = parser.parse_args(arguments)
    load = Load(
        LoadTarget(options.url, options.go),
        options.event,
        buyers=options.buyers,
        seconds=options.seconds,
        workers=0,
        elsewhere=options.workers,
        listen="0.0.0.0",  # noqa: S104 the security group lets the workers alone reach it
        seed=options.seed,
    )
    clients = AwsClients()
    try:
        place = place_of(clients, options.stage)
        print(f"At most {dollars(load):.2f} USD for the tasks, and what the stage is asked.")
        sent = send(load, place, clients)
    except RefusedTargetError as error:
        print(error, file=sys.stderr)
        return 2
    except LoadError as error:
        print(error, file=sys.stderr)
        return 1
    print("\n".join(sent.lines()))
    print(f"The sale itself is not checked yet: `make check STAGE={options.stage}` does.")
    return 0 if sent.passed else 1


if __name__ == "__main__":
    sys.exit(main())
