"""Acts that take minutes are done apart from the request: once, to their end, and shown."""

from __future__ import annotations

from typing import Any

import pytest

from fairgate.service.operators.jobs import Jobs
from fairgate_ops.operate.api import do_job
from fairgate_ops.operate.cli.report import Report
from tests.support import jobs
from tests.support.world import EVENT, World
from tests.unit.operate.test_operator_api import do, log, stored
from tests.unit.refunds.test_give_back import ticketed

CANCEL = ("event cancel", {"event": EVENT, "refund_all": True, "reason": "Storm"})
CHECK = ("audit check", {"event": EVENT})


@pytest.fixture(autouse=True)
def served(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs.serve(world, monkeypatch)


def asked(world: World, act: tuple[str, dict[str, Any]], **more: Any) -> str:
    """Ask for a job; return its name."""
    status, answer = do(world, *act, **more)
    assert status == 200, answer
    return str(answer["result"]["job"]["id"])


def shown(world: World, name: str, role: str = "owner") -> dict[str, Any]:
    status, answer = do(world, "job show", {"job": name}, role)
    assert status == 200, answer
    job: dict[str, Any] = answer["result"]["job"]
    return job


def of(world: World) -> Jobs:
    return Jobs(world.table, world.clock, world.ids, world.job_queue)


class Act:
    """An act in place of the audit, which counts its runs."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, error: BaseException | None = None) -> None:
        self.count, self.error = 0, error
        monkeypatch.setitem(do_job.JOB_RUNS, "audit check", self)  # type: ignore[arg-type]

    def __call__(self, _options: object) -> Report:
        self.count += 1
        if self.error is not None:
            raise self.error
        return Report({"count": self.count}, ["Done."])


def test_a_cancelled_event_is_given_back_by_a_job_with_its_report(world: World) -> None:
    order = ticketed(world)
    status, unconfirmed = do(world, *CANCEL)
    assert (status, unconfirmed["reason"], world.job_queue.sent) == (409, "unconfirmed", [])
    name = asked(world, CANCEL, confirm="yes")
    assert shown(world, name)["state"] == "waiting"
    world.clock.ms += 60_000
    assert jobs.deliver(world) == []
    job = shown(world, name)
    assert (job["state"], job["failed"], job["result"]["settled"]) == ("done", False, True)
    assert stored(world).state == "closed"
    [file] = job["files"]
    assert file["name"] == f"{EVENT}-cancelled.csv"
    report = world.job_files.kept[name, file["name"]].decode()
    assert (file["bytes"], order.order_id in report) == (len(report.encode()), True)
    assert shown(world, name, "organiser")["files"][0]["url"] is None  # it names buyers
    entries = [(one.who, one.phase, one.detail.get("job")) for one in log(world)]
    assert {one[0] for one in entries} == {"sign-in olga"}
    assert entries[-1][1:] == ("done", name)


def test_an_audit_is_a_job(world: World) -> None:
    assert do(world, "event pause", {"event": EVENT})[0] == 200  # its history begins
    name = asked(world, CHECK, role="auditor")
    jobs.deliver(world)
    job = shown(world, name, "auditor")
    assert (job["state"], job["problem"]) == ("done", None), job
    assert do(world, "job show", {"job": name}, "viewer")[0] == 404
