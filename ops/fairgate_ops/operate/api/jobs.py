"""Ask for a job, and show how far jobs are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from fairgate.errors import (
    DependencyUnavailableError,
    MalformedInputError,
    NotFoundError,
    WrongStateError,
)
from fairgate.service.operators.jobs import Jobs
from fairgate_ops.operate.api.granted import Allowed
from fairgate_ops.operate.api.job_acts import JOB_ACTS
from fairgate_ops.operate.cli.act import UNCONFIRMED
from fairgate_ops.operate.cli.report import FOUND, Listing, Report

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from fairgate.bootstrap import Container
    from fairgate.http.models import ActRequest
    from fairgate.service.shared.records.jobs import Job
    from fairgate_ops.operate.target import Target

BUYERS = "orders list"  # who may do this may see who bought
# An answer of a function has 6 MB, and the list has the arguments of each job.
GIVEN_CHARS_MAX, LISTED_MAX = 10_000, 200
NOT_SENT = (
    "What waits cannot be begun now: the queue of jobs does not answer. Look again in a minute."
)


def jobs_of(world: Container) -> Jobs:
    return Jobs(world.table, world.clock, world.ids, world.job_queue)


def must_be_possible(asked: ActRequest, options: argparse.Namespace, system: Target) -> None:
    """Check before a job is written that its event is there, and that its end is confirmed.

    Raises NotFoundError; MalformedInputError: the arguments are too long; WrongStateError with
    ``reason`` unconfirmed.
    """
    if len(json.dumps(asked.arguments)) > GIVEN_CHARS_MAX:
        detail = (
            f"The arguments of “{asked.act}” have at most {GIVEN_CHARS_MAX:,} characters as JSON."
        )
        raise MalformedInputError(detail)
    if event := getattr(options, "event", None):
        system.world.catalog.event(event)
    ends = JOB_ACTS[asked.act].ends.format_map(vars(options))
    if ends and not asked.dry_run and not options.yes:
        raise WrongStateError(ends, reason=UNCONFIRMED, ends=[ends], confirm="yes")


def run_job(options: argparse.Namespace, act: str, given: Mapping[str, Any]) -> Report:
    """Write the job and send it. The same request, repeated, finds it and sends it again.

    Raises DependencyUnavailableError: ask again with the same key.
    """
    system: Target = options.system
    jobs = jobs_of(system.world)
    job = jobs.ask(
        jobs.new(
            act,
            getattr(options, "event", None) or "",
            given,
            options.caller.sub,
            dry_run=options.dry_run,
            seed=options.seed,
            asked=system.asked,
        )
    )
    shown = {"id": job.name, "act": job.act, "state": job.state, "asked_at": job.at}
    return Report({"job": shown}, [f"This takes a while: job {job.name}."])


def run_show(options: argparse.Namespace) -> Report:
    """Raises NotFoundError: there is no such job, or the caller may not do its act."""
    system: Target = options.system
    jobs, allowed = jobs_of(system.world), Allowed.of(system.world, options.caller)
    job = jobs.find(options.job[:64])
    if job is None or not allowed.may(job.act, job.event_id):
        raise NotFoundError(f"There is no job {options.job[:64]}.")
    unsent = [] if _reminded(jobs, job) else [NOT_SENT]
    return Report({"job": _shown(job, system.world, allowed)}, [*_told(job), *unsent])


def run_list(options: argparse.Namespace) -> Report:
    system: Target = options.system
    jobs, allowed = jobs_of(system.world), Allowed.of(system.world, options.caller)
    found = [
        job
        for job in jobs.all()
        if allowed.may(job.act, job.event_id) and options.event in (None, job.event_id)
    ]
    found, left_out = found[:LISTED_MAX], len(found[LISTED_MAX:])
    unsent = [] if all(_reminded(jobs, job) for job in found) else [NOT_SENT]
    rows = [(job.name, job.act, job.event_id, _state(job), job.at) for job in found]
    plain = [
        f"{name}  {act} {event}: {state}, asked at {at}" for name, act, event, state, at in rows
    ]
    listing = Listing(("Job", "Act", "Event", "State", "Asked"), rows, plain or ["No jobs."])
    older = [f"{left_out:,} older ones are left out."] if left_out else []
    data = {"jobs": [_facts(job) for job in found], "left_out": left_out}
    return Report(data, [listing, *older, *unsent])


def _reminded(jobs: Jobs, job: Job) -> bool:
    """Send it again where that is due; False: it cannot be, and the job is shown all the same."""
    try:
        jobs.remind(job)
    except DependencyUnavailableError:
        return False
    return True


def _facts(job: Job) -> dict[str, Any]:
    return {
        "id": job.name,
        "act": job.act,
        "event": job.event_id or None,
        "arguments": job.given,
        "dry_run": job.dry_run,
        "state": job.state,
        "asked_at": job.at,
        "asked_by": job.by,
        "asked_first_by": job.asked_by or None,
        "started_at": job.started_at or None,
        "ended_at": job.ended_at or None,
        "step": job.step or None,
        "failed": job.failed,
    }


def _shown(job: Job, world: Container, allowed: Allowed) -> dict[str, Any]:
    """Show it with what it did: buyers in files and findings for those who may see them alone."""
    act = JOB_ACTS.get(job.act)
    names_buyers = act is None or act.has_buyers(job.given)
    opens = not names_buyers or allowed.may(BUYERS, job.event_id)
    result, said = json.loads(job.result) if job.result else None, job.said
    if not opens and result and "findings" in result:  # of an audit: each names an account
        result["findings"] = [one | {"user": ""} for one in result["findings"]]
        said = [line for line in said if not line.startswith(FOUND)]
    return {
        **_facts(job),
        "said": said,
        "result": result,
        "problem": json.loads(job.problem) if job.problem else None,
        "files": [
            {
                "name": file.name,
                "bytes": file.bytes,
                "url": world.job_files.url(job.name, file.name) if opens else None,
            }
            for file in job.files
        ],
    }


def _state(job: Job) -> str:
    return "done, with findings" if job.state == "done" and job.failed else job.state


def _told(job: Job) -> list[str]:
    lines = [f"{job.name}, {job.act} {job.event_id}".rstrip() + f": {_state(job)}."]
    lines += [job.step] if job.step else []
    if job.problem:
        lines.append(str(json.loads(job.problem)["detail"]))
    return [*lines, *job.said]
