"""A run of a job: one at a time, until its act is done, whatever breaks off or does not answer."""

from __future__ import annotations

from typing import Any, NoReturn

import pytest
from botocore.exceptions import ClientError

from fairgate import deadline
from fairgate.adapters.aws.client import SdkClient
from fairgate.adapters.aws.job_files import S3JobFiles
from fairgate.errors import TableUnavailableError, WrongStateError
from fairgate.ports.payments import Movement
from fairgate.ports.table import Update
from fairgate.service.operators.jobs import BREAKS_MAX
from fairgate_ops.operate.api import do_job
from fairgate_ops.operate.api.job_acts import JobAct
from fairgate_ops.operate.cli.report import Report
from fairgate_ops.shared.progress import notice, progress
from tests.support import jobs
from tests.support.world import EVENT, World
from tests.unit.checkout.test_checkout_and_settle import begin, held, settle
from tests.unit.operate.test_jobs import ACTS, CANCEL, CHECK, Act, Died, asked, die, shown
from tests.unit.operate.test_operator_api import do
from tests.unit.refunds.test_give_back import ticketed


@pytest.fixture(autouse=True)
def served(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs.serve(world, monkeypatch)


def test_a_second_delivery_does_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    name, outcomes = asked(world, CHECK), list[str]()

    def meanwhile() -> Report:
        world.clock.tick(jobs.GIVEN_S - 1)  # the first run may be at work until its own end
        outcomes.append(jobs.run(world, name))
        return Report({})

    act = Act(monkeypatch, meanwhile)
    assert jobs.run(world, name) == "done"
    world.clock.tick(2 * jobs.GIVEN_S)
    outcomes.append(jobs.run(world, name))
    assert (outcomes, act.count) == (["not ours", "not ours"], 1)


def test_a_run_that_died_is_followed_when_its_time_is_over(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, act = asked(world, CHECK), Act(monkeypatch, die)
    with pytest.raises(Died):
        jobs.run(world, name)
    world.clock.tick(jobs.GIVEN_S - 1)
    assert jobs.run(world, name) == "not ours"
    world.clock.tick(10)
    act.do = lambda: Report({"count": act.count})
    assert jobs.run(world, name) == "done"
    assert shown(world, name)["result"] == {"count": 2}


def test_a_job_that_always_dies_ends_as_failed(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, act = asked(world, CHECK), Act(monkeypatch, die)
    for _ in range(BREAKS_MAX):
        with pytest.raises(Died):
            jobs.run(world, name)
        world.clock.tick(jobs.GIVEN_S + 10)
    assert jobs.run(world, name) == "failed"
    job = shown(world, name)
    assert (job["state"], act.count) == ("failed", BREAKS_MAX)
    assert job["problem"]["detail"] == "It broke off 3 times without a word."


def test_a_cancellation_goes_on_in_the_next_run_and_ends_settled(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each refund takes ten seconds here, and a run has time for a few."""
    orders = [begin(world, held(world, f"u{n}", f"s-1-{n}")).order for n in range(1, 11)]
    for order in orders:
        settle(world, order, event=order.order_id, payment=f"pay-{order.order_id}")
    monkeypatch.setattr(deadline, "monotonic", lambda: world.clock.ms / 1000)
    refund = world.payments.refund

    def slow(**given: Any) -> Any:
        world.clock.tick(10)
        return refund(**given)

    monkeypatch.setattr(world.payments, "refund", slow)
    name = asked(world, CANCEL, confirm="yes")
    outcomes: list[str] = []
    while not outcomes or outcomes[-1] == "handed on":
        [sent], world.job_queue.sent = world.job_queue.sent, []
        assert sent == name
        outcomes.append(jobs.run(world, name, given_s=120))
        world.clock.tick(1)
    assert outcomes == ["handed on", "done"]
    job = shown(world, name)
    assert (job["failed"], job["result"]["after"]["orders"]) == (False, 10)
    assert len(world.payments.refunds) == 10
    report = world.job_files.kept[name, f"{EVENT}-cancelled.csv"].decode()
    assert all(order.order_id in report for order in orders)


@pytest.mark.parametrize("given_s", [90, 90.2])  # over at the list's check, or at its wait
def test_movements_that_a_run_has_no_time_for_are_entered_by_the_next(
    world: World, monkeypatch: pytest.MonkeyPatch, given_s: float
) -> None:
    """The provider takes ten seconds for the list of a day here."""
    monkeypatch.setattr(deadline, "monotonic", lambda: world.clock.ms / 1000)
    for day in range(12):
        world.clock.tick(86_400)
        moved = Movement(f"txn_{day}", "capture", 500, 0, "EUR", world.clock.ms)
        world.payments.moved.append(moved)
    listed = world.payments.movements

    def slow(*given: Any) -> Any:
        world.clock.tick(10)
        return listed(*given)

    monkeypatch.setattr(world.payments, "movements", slow)
    tried = asked(world, ("books import", {}), role="owner", dry_run=True)
    assert jobs.run(world, tried, given_s=given_s) != "handed on"  # it would begin anew for ever
    name, outcomes = asked(world, ("books import", {}), role="owner"), list[str]()
    while not outcomes or outcomes[-1] == "handed on":
        outcomes.append(jobs.run(world, name, given_s=given_s))
        world.clock.tick(1)
    assert (len(outcomes) > 1, outcomes[-1]) == (True, "done")
    assert (shown(world, name)["failed"], shown(world, name)["result"]["complete"]) == (False, True)


def read_long() -> Report:
    with progress("Reading") as step:
        step()
    return Report({})


def test_what_cannot_go_on_says_that_it_takes_too_long(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = asked(world, CHECK)
    Act(monkeypatch, read_long)
    assert jobs.run(world, name, given_s=50) == "failed"
    job = shown(world, name)
    assert job["problem"]["code"] == "out-of-time"
    assert do(world, "job show", {"job": name}, "owner")[1]["said"][1] == job["problem"]["detail"]


def test_a_job_that_is_handed_on_for_ever_ends(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(do_job, "RUNS_MAX", 3)
    monkeypatch.setitem(ACTS, "audit check", JobAct(goes_on=True))
    name = asked(world, CHECK)
    Act(monkeypatch, read_long)
    outcomes = []
    for _ in range(3):
        outcomes.append(jobs.run(world, name, given_s=50))
        world.clock.tick(1)
    assert outcomes == ["handed on", "handed on", "failed"]


@pytest.mark.parametrize(
    ("error", "problem"),
    [
        (
            WrongStateError("Not now.", reason="early"),
            {"code": "wrong-state", "detail": "Not now.", "reason": "early"},
        ),
        (
            ZeroDivisionError(),
            {"code": "internal", "detail": "Something is wrong here; the log has it."},
        ),
    ],
)
def test_a_job_that_is_refused_or_defective_says_so(
    world: World, monkeypatch: pytest.MonkeyPatch, error: Exception, problem: dict[str, str]
) -> None:
    def refuse() -> NoReturn:
        raise error

    name, act = asked(world, CHECK), Act(monkeypatch, refuse)
    assert jobs.deliver(world) == []
    assert jobs.run(world, name) == "not ours"
    job = shown(world, name)
    assert (job["state"], job["failed"], job["problem"], act.count) == ("failed", True, problem, 1)


@pytest.mark.parametrize("code", ["AccessDenied", "SlowDown"])
def test_a_cancellation_is_told_though_the_store_takes_no_file(
    world: World, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    """Its money has gone back: a job that failed would say that it has not."""
    ticketed(world)

    class S3(SdkClient):
        def run(self, _action: object) -> NoReturn:
            raise ClientError({"Error": {"Code": code, "Message": "no"}}, "PutObject")

    monkeypatch.setattr(world.job_files, "write", S3JobFiles("files", S3("s3")).write)
    name = asked(world, CANCEL, confirm="yes")
    assert jobs.deliver(world) == []
    job = shown(world, name)
    assert (job["state"], job["failed"], job["problem"], job["files"]) == ("done", True, None, [])
    assert (job["said"][0], job["result"]["settled"]) == (do_job.FILES_NOT_KEPT, True)


class _Throttled:
    """A table that takes no write of one attribute."""

    def __init__(self, table: Any, attribute: str) -> None:
        self.table, self.attribute = table, attribute

    def __getattr__(self, name: str) -> Any:
        return getattr(self.table, name)

    def update(self, action: Update) -> None:
        if (action.set or {}).get(self.attribute):
            raise TableUnavailableError("The tables do not answer.")
        self.table.update(action)


def test_a_note_that_the_table_does_not_take_ends_no_job(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def noted() -> Report:
        notice("Reading")
        return Report({})

    name, act = asked(world, CHECK), Act(monkeypatch, noted)
    with monkeypatch.context() as away:
        away.setattr(world.container, "table", _Throttled(world.table, "step"))
        assert jobs.run(world, name) == "done"
    assert (shown(world, name)["state"], act.count) == ("done", 1)


def test_an_act_whose_end_the_table_does_not_take_is_begun_again_and_has_not_failed(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = asked(world, CHECK)
    Act(monkeypatch)
    with monkeypatch.context() as away:
        away.setattr(world.container, "table", _Throttled(world.table, "result"))
        assert jobs.deliver(world) == [name]
    assert shown(world, name)["state"] == "running"
    world.clock.tick(jobs.GIVEN_S + 10)
    assert jobs.run(world, name) == "done"
    assert shown(world, name)["result"] == {"count": 2}
