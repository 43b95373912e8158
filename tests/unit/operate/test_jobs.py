"""Acts that take minutes: asked for, listed, and shown with what they did and wrote."""

from __future__ import annotations

import csv
import gzip
import json
from dataclasses import asdict as fields_of
from typing import Any, NoReturn
from urllib.parse import parse_qs, urlsplit

import pytest
from botocore.exceptions import ClientError
from msgspec.structs import replace

from fairgate.adapters.aws.job_files import S3JobFiles
from fairgate.adapters.aws.sqs import SqsJobQueue
from fairgate.domain.gate.gate_config import gate_key
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.table import Update
from fairgate.service.operators.jobs import QUIET_S, Jobs
from fairgate.service.shared.keys import session_key
from fairgate_ops.operate.api import do_job
from fairgate_ops.operate.api import jobs as api_jobs
from fairgate_ops.operate.api.job_acts import JOB_ACTS
from fairgate_ops.operate.api.job_runs import JOB_RUNS
from fairgate_ops.operate.audit.sale import Audit, Finding
from fairgate_ops.operate.cli import audit
from fairgate_ops.operate.cli.report import Report
from tests.support import jobs
from tests.support.world import EVENT, World
from tests.unit.operate.test_operator_api import call, do, log, stored
from tests.unit.refunds.test_give_back import ticketed

# As they are while a test changes them.
ACTS: Any = JOB_ACTS
RUNS: Any = JOB_RUNS
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

    def __init__(self, monkeypatch: pytest.MonkeyPatch, do: Any = None) -> None:
        self.count, self.do = 0, do or (lambda: Report({"count": self.count}, ["Done."]))
        monkeypatch.setitem(RUNS, "audit check", self)

    def __call__(self, _options: object) -> Report:
        self.count += 1
        report: Report = self.do()
        return report


class Died(BaseException):
    """The function ends in the middle."""


def die() -> NoReturn:
    raise Died


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


def test_lists_are_files_of_jobs_with_a_row_for_each_record(world: World) -> None:
    order = ticketed(world)
    given = {"event": EVENT}
    acts: tuple[tuple[str, dict[str, Any]], ...] = (
        ("export orders", given),
        ("export ledger", given),
        ("export movements", {}),
    )
    names = [asked(world, act, role="auditor") for act in acts]
    tried = asked(world, acts[0], role="auditor", dry_run=True)
    jobs.deliver(world)
    found = [shown(world, name) for name in names]
    assert [(job["state"], job["result"]["count"]) for job in found] == [
        ("done", 1),
        ("done", 1),
        ("done", 0),
    ]
    [orders, ledger, movements] = [
        list(csv.DictReader(text.decode("utf-8-sig").splitlines()))
        for text in world.job_files.kept.values()
    ]
    assert [(row["order"], row["email"]) for row in orders] == [(order.order_id, order.email)]
    assert {row["order"] for row in ledger} == {order.order_id}
    assert movements == []
    assert shown(world, tried)["files"] == []


def test_an_exported_log_that_names_buyers_is_not_for_all_who_may_export(world: World) -> None:
    """An organiser may not list orders; what is published has pseudonyms and is for everybody."""
    order = ticketed(world)
    came: Any = {"iat": 0, "h": 0, "lot": "", "kid": "1", "verdict": "ok", "edgeAt": 0}
    world.table.update(Update("reservations", *session_key(order.session), set={"admission": came}))
    name = asked(world, ("audit export", {"event": EVENT}))
    jobs.deliver(world)
    [kept] = world.job_files.kept.values()
    assert order.user_id in gzip.decompress(kept).decode()
    urls = {role: shown(world, name, role)["files"][0]["url"] for role in ("organiser", "auditor")}
    assert (urls["organiser"], urls["auditor"] is None) == (None, False)
    assert not JOB_ACTS["audit export"].has_buyers({"event": EVENT, "publish": True})


def test_what_an_audit_finds_names_no_buyer_to_an_organiser(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An organiser chooses the tolerances: without any, an audit finds clocks that differ."""
    found = Audit(EVENT, published=False, findings=[Finding("early", 3, "too early", "zoe")])
    data = {"findings": [fields_of(one) for one in found.findings]}
    Act(monkeypatch, lambda: Report(data, audit._lines(found, 1.0), failed=True))
    name = asked(world, CHECK)
    jobs.deliver(world)
    for role, sees in (("auditor", True), ("organiser", False)):
        job = shown(world, name, role)
        assert (job["failed"], job["result"]["findings"][0]["what"]) == (True, "too early")
        assert ("zoe" in json.dumps(job)) == sees


def test_an_audit_is_a_job(world: World) -> None:
    assert do(world, "event pause", {"event": EVENT})[0] == 200  # its history begins
    name = asked(world, CHECK, role="auditor")
    jobs.deliver(world)
    job = shown(world, name, "auditor")
    assert (job["state"], job["problem"]) == ("done", None), job
    assert do(world, "job show", {"job": name}, "viewer")[0] == 404


def test_a_repeated_request_asks_for_one_job(world: World) -> None:
    first, second = (asked(world, CHECK, key="k") for _ in range(2))
    assert (first, world.job_queue.sent) == (second, [first])
    assert asked(world, CHECK, key="other") != first


def test_a_job_that_was_not_sent_is_sent_by_the_same_request(world: World) -> None:
    world.job_queue.fail = DependencyUnavailableError("The queue of jobs is unavailable.")
    assert do(world, *CHECK, key="k")[0] == 503
    [job] = of(world).all()
    world.job_queue.fail = None
    assert asked(world, CHECK, key="k") == job.name
    assert world.job_queue.sent == [job.name]


def test_a_job_that_nobody_sent_is_sent_by_the_first_look_at_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(world.job_queue, "send", lambda _job: die())
        with pytest.raises(Died):
            do(world, *CHECK, key="k")
    [job] = of(world).all()
    shown(world, job.name)
    assert world.job_queue.sent == []  # it may be under way
    for act, arguments in (("job show", {"job": job.name}), ("job list", {})):
        world.job_queue.sent.clear()
        world.clock.tick(QUIET_S + 1)
        for _ in range(2):  # once a minute is enough
            assert do(world, act, arguments, "auditor")[0] == 200
        assert world.job_queue.sent == [job.name], act
    Act(monkeypatch)
    assert jobs.deliver(world) == []
    assert shown(world, job.name)["state"] == "done"
    world.clock.tick(QUIET_S + 1)
    shown(world, job.name)
    assert world.job_queue.sent == []


@pytest.mark.parametrize("code", ["AccessDenied", "ServiceUnavailable"])
def test_jobs_are_shown_while_their_queue_takes_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    def refuse(_operation: str, **_request: object) -> NoReturn:
        raise ClientError({"Error": {"Code": code, "Message": "no"}}, "SendMessage")

    monkeypatch.setattr(world.job_queue, "send", SqsJobQueue("url", refuse).send)
    assert do(world, *CHECK, key="k")[0] == 503
    [job] = of(world).all()
    for act, arguments in (("job show", {"job": job.name}), ("job list", {})):
        world.clock.tick(QUIET_S + 1)
        status, answer = do(world, act, arguments)
        assert (status, answer["said"][-1]) == (200, api_jobs.NOT_SENT)


def test_a_long_result_is_a_file(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    name = asked(world, CHECK)
    Act(monkeypatch, lambda: Report({"text": "x" * do_job.RESULT_CHARS_MAX}))
    jobs.deliver(world)
    job = shown(world, name)
    assert (job["result"], [file["name"] for file in job["files"]]) == (None, ["result.json"])
    assert json.loads(world.job_files.kept[name, "result.json"])["text"].startswith("x")


def test_files_have_plain_names_and_no_folder_is_told(world: World) -> None:
    order = ticketed(world)
    for given in (order.order_id, "../../etc/passwd"):
        name = asked(world, ("orders invoice", {"event": EVENT, "order": given}), role="box-office")
        jobs.deliver(world)
        assert "/tmp" not in json.dumps(shown(world, name))  # noqa: S108 it is not used
    assert JOB_ACTS["orders invoice"].files({"order": "../../etc/x"}) == {"to": "--..-etc-x.pdf"}


def test_a_dry_run_is_a_job_that_writes_nothing(world: World) -> None:
    ticketed(world)
    name = asked(world, CANCEL, dry_run=True)
    jobs.deliver(world)
    job = shown(world, name)
    assert (job["dry_run"], job["result"]["after"], job["files"]) == (True, None, [])
    assert job["said"][0] == "Dry run, nothing written."
    assert (log(world), stored(world).state) == ([], "open")


def test_two_people_ask_for_a_cancellation_and_the_log_names_both(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = world.container.settings._replace(second_person=True)
    monkeypatch.setattr(world.container, "settings", settings)
    assert do(world, *CANCEL)[1]["reason"] == "unconfirmed"
    status, told = do(world, *CANCEL, confirm="yes")
    assert (status, told["reason"], world.job_queue.sent) == (409, "second-person", [])
    confirm = {"event": EVENT, "request": told["request"]}
    status, tried = do(world, "act confirm", confirm, sub="otto", dry_run=True)
    dry = tried["result"]["job"]["id"]
    assert (status, world.job_queue.sent) == (200, [dry])
    jobs.deliver(world)
    assert (shown(world, dry)["dry_run"], stored(world).state) == (True, "open")
    status, done = do(world, "act confirm", confirm, sub="otto")
    name = done["result"]["job"]["id"]
    assert (status, world.job_queue.sent) == (200, [name])
    jobs.deliver(world)
    job = shown(world, name)
    assert (job["asked_by"], job["asked_first_by"], job["state"]) == ("otto", "olga", "done")
    last = log(world)[-1]
    assert (last.who, last.detail["asked_by"], last.detail["job"]) == ("sign-in otto", "olga", name)


def test_a_job_is_seen_where_its_act_may_be_done(world: World) -> None:
    name = asked(world, CHECK)
    grant = {"event": EVENT, "role": "auditor", "user": "una"}
    for event, sees in (("other", False), (EVENT, True)):
        world.put(replace(world.event, sk=event)) if event != EVENT else None
        world.edge_config.values[gate_key(event)] = world.edge_config.values[gate_key(EVENT)]
        assert do(world, "access grant", {**grant, "event": event}, "owner")[0] == 200
        status, answer = do(world, "job list", {}, "", sub="una")
        assert (status, [one["id"] for one in answer["result"]["jobs"]]) == (200, [name] * sees)
        assert do(world, "job show", {"job": name}, "", sub="una")[0] == (200 if sees else 404)
    assert do(world, "job list", {"event": "other"}, "owner")[1]["result"]["jobs"] == []
    assert do(world, "job list", {}, "viewer")[1]["result"]["jobs"] == []
    assert do(world, "job list", {}, "")[0] == 403


def test_long_arguments_ask_for_no_job(world: World) -> None:
    """A table refuses items of 400 KB, and a list of some smaller ones is no answer any more."""
    status, answer = do(world, "simulate", {"event": EVENT, "assume": {"x" * 20_000: 1}})
    assert (status, answer["code"]) == (400, "malformed-input")
    assert of(world).all() == []


def test_the_list_has_the_newest_jobs(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api_jobs, "LISTED_MAX", 2)
    names = []
    for _ in range(3):
        world.clock.ms += 1_000
        names.append(asked(world, CHECK))
    found = do(world, "job list", {})[1]["result"]
    assert ([one["id"] for one in found["jobs"]], found["left_out"]) == (names[:0:-1], 1)


def test_an_event_that_there_is_not_has_no_job(world: World) -> None:
    assert do(world, "audit check", {"event": "nowhere"}, "owner")[0] == 404
    assert of(world).all() == []


def test_the_server_names_the_files_that_are_written(world: World) -> None:
    acts = {one["act"]: one for one in call(world, "GET", None, ("fairgate-owner",))[1]["acts"]}
    assert {act for act, one in acts.items() if one["job"]} == set(JOB_ACTS)
    export = acts["audit export"]["arguments"]
    assert set(export["properties"]) == {"event", "config", "publish"}
    assert export["required"] == ["event"]
    assert export["properties"]["config"]["type"] == "boolean"
    assert "report" not in acts["event cancel"]["arguments"]["properties"]
    assert do(world, "audit export", {"event": EVENT, "out": "/etc/x"}, "owner")[0] == 400


def test_the_address_of_a_file_is_of_the_buckets_region_and_saves_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "k")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    url = urlsplit(S3JobFiles("files").url("job_0a", "show-cancelled.csv"))
    assert (url.hostname, url.path) == (
        "files.s3.eu-central-1.amazonaws.com",
        "/job_0a/show-cancelled.csv",
    )
    asked_for = parse_qs(url.query)
    assert asked_for["response-content-disposition"] == [
        'attachment; filename="show-cancelled.csv"'
    ]
    assert asked_for["X-Amz-Expires"] == ["300"]
