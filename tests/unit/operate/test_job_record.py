"""A job's record lets one run at a time work, whatever order deliveries come in."""

from __future__ import annotations

from typing import Any

from fairgate.ports.table import Update
from fairgate.service.operators.jobs import QUIET_S, Jobs
from fairgate.service.shared.records.jobs import Job
from fairgate_lab.engine.table import InterleavedTable
from tests.support.jobs import GIVEN_S
from tests.support.world import EVENT, World


def of(world: World, table: Any = None) -> Jobs:
    return Jobs(table or world.table, world.clock, world.ids, world.job_queue)


def asked(world: World) -> Job:
    jobs = of(world)
    arguments = {"event": EVENT}
    job = jobs.new("audit check", EVENT, arguments, "olga", dry_run=False, seed="k", asked={})
    return jobs.ask(job)


def begun(world: World, table: Any = None) -> Job:
    job = of(world, table).begin(asked(world).name, GIVEN_S)
    assert job is not None
    return job


def test_of_two_runs_that_begin_at_the_same_moment_one_does_it(world: World) -> None:
    name, outcomes = asked(world).name, list[bool]()

    def begin(table: Any) -> None:
        outcomes.append(of(world, table).begin(name, GIVEN_S) is not None)

    begin(InterleavedTable(world.table, lambda: begin(world.table)))
    assert outcomes == [True, False]


def test_a_job_that_ends_while_another_run_takes_it_stays_ended(world: World) -> None:
    late = begun(world)
    world.clock.tick(GIVEN_S + 10)
    table = InterleavedTable(
        world.table, lambda: of(world).done(late, ["Done."], "{}", [], failed=False)
    )
    assert of(world, table).begin(late.name, GIVEN_S) is None
    job = of(world).find(late.name)
    assert job is not None
    assert (job.state, job.said) == ("done", ["Done."])


def test_a_run_whose_answer_was_lost_has_the_job(world: World) -> None:
    class Twice:
        """Writes again because no answer came."""

        def __getattr__(self, name: str) -> Any:
            return getattr(world.table, name)

        def update(self, action: Update) -> None:
            world.table.update(action)
            world.table.update(action)

    assert begun(world, Twice()).state == "running"


def test_a_run_that_comes_too_late_changes_nothing(world: World) -> None:
    first = begun(world)
    world.clock.tick(GIVEN_S + 10)
    begun(world)
    assert not of(world).say(first, "late")
    assert not of(world).done(first, ["late"], "{}", [], failed=False)
    assert not of(world).fail(first, {})
    job = of(world).find(first.name)
    assert job is not None
    assert (job.state, job.said) == ("running", [])


def test_what_has_ended_stays_as_it_is(world: World) -> None:
    ours = begun(world)
    assert of(world).done(ours, ["in time"], "{}", [], failed=False)
    assert not of(world).fail(ours, {})
    job = of(world).find(ours.name)
    assert job is not None
    assert (job.state, job.failed) == ("done", False)


def test_two_looks_at_the_same_moment_send_a_forgotten_job_once(world: World) -> None:
    job = asked(world)
    world.job_queue.sent.clear()
    world.clock.tick(QUIET_S + 1)
    table = InterleavedTable(world.table, lambda: of(world).remind(job))
    of(world, table).remind(job)
    assert world.job_queue.sent == [job.name]
