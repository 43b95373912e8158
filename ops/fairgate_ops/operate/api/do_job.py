"""Do a job: run its act in a folder of its own, keep what it wrote, and note how it ended."""

from __future__ import annotations

import logging
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from fairgate.deadline import left_s, within
from fairgate.errors import DependencyUnavailableError, FairgateError, WrongStateError
from fairgate.http.models import ActRequest
from fairgate.service.operators.jobs import BREAKS_MAX, RUNS_MAX
from fairgate.service.shared.records.jobs import JobFile
from fairgate_ops.operate.api.doing import options_of, report_of, result_of, said_by
from fairgate_ops.operate.api.job_acts import JOB_ACTS
from fairgate_ops.operate.api.job_runs import JOB_RUNS
from fairgate_ops.operate.api.jobs import jobs_of
from fairgate_ops.operate.api.second import confirmed_by_two
from fairgate_ops.operate.api.system import system_of
from fairgate_ops.shared.json_text import json_text
from fairgate_ops.shared.progress import watched

if TYPE_CHECKING:
    from fairgate.bootstrap import Container
    from fairgate.service.operators.jobs import Jobs
    from fairgate.service.shared.records.jobs import Job
    from fairgate_ops.operate.cli.report import Report
    from fairgate_ops.operate.target import Target

Outcome = Literal["done", "failed", "handed on", "not ours"]
# Of a run's time: kept for a step that has begun, as a call to the provider with its further tries;
# and, after the act, for its files and the record.
STEP_S, END_S = 30.0, 30.0
RESULT_CHARS_MAX = 50_000  # of a record, whose list is read whole; what is longer becomes a file
RESULT_FILE = "result.json"
FILES_NOT_KEPT = "The act is done, but its files could not be kept. Ask for it again to get them."
_STEP_CHARS_MAX = 300

logger = logging.getLogger("fairgate.jobs")  # with the package's lines, which name no buyer


class OutOfTimeError(BaseException):
    """The next step would not end within the run's time.

    As KeyboardInterrupt it passes what keeps one failure from the others.
    """


class _End(Struct, frozen=True, kw_only=True):
    """What a run that did the act notes of it."""

    said: list[str]
    result: str
    files: list[JobFile]
    failed: bool


class _Watcher(Struct):
    """Notes how far the job is, and ends it before the run's time is over."""

    jobs: Jobs
    job: Job
    step: str = ""

    def tell(self, text: str) -> None:
        """Raises OutOfTimeError: another run has the job. A note that is not taken ends nothing."""
        self.step = text[:_STEP_CHARS_MAX]
        try:
            ours = self.jobs.say(self.job, self.step)
        except DependencyUnavailableError:
            return
        if not ours:
            raise OutOfTimeError

    def go_on(self, seconds: float = 0.0) -> None:
        if left_s() < STEP_S + seconds:
            raise OutOfTimeError


def do_job(world: Container, name: str) -> Outcome:
    """Do it as far as this run's time goes, if nobody else does or has done it.

    Raises DependencyUnavailableError: the table or the queue is away; it is delivered again.
    """
    jobs = jobs_of(world)
    job = jobs.begin(name, left_s())
    if job is None:
        return "not ours"
    watcher = _Watcher(jobs, job)
    try:
        end = _run(world, job, watcher)
    except OutOfTimeError:
        if JOB_ACTS[job.act].goes_on and not job.dry_run and job.runs < RUNS_MAX:
            jobs.hand_on(job, watcher.step)
            return "handed on"
        detail = "It takes longer than a job may take here: run it with the command."
        problem: dict[str, object] = {"code": "out-of-time", "detail": detail}
    except FairgateError as error:
        problem = {"code": error.code, "detail": error.detail, **error.fields}
    except Exception:  # a defect: the operator is told, the log has it, and no run repeats it
        logger.exception("job failed: %s, %s", job.name, job.act)
        problem = {"code": "internal", "detail": "Something is wrong here; the log has it."}
    else:  # outside of the above: an act that is done has not failed, it is begun again
        ended = jobs.done(job, end.said, end.result, end.files, failed=end.failed)
        return "done" if ended else "not ours"
    jobs.fail(job, problem)
    return "failed"


def _run(world: Container, job: Job, watcher: _Watcher) -> _End:
    """Raises OutOfTimeError, and as ``report_of``."""
    if job.breaks >= BREAKS_MAX:
        raise WrongStateError(f"It broke off {job.breaks} times without a word.")
    files, failed = list[JobFile](), False
    with tempfile.TemporaryDirectory() as folder:
        report = _in_time(world, job, folder, watcher)
        text, said = _result(report, folder), [_named(line, folder) for line in said_by(report)]
        try:
            files = _kept(world, job, Path(folder), report)
        except DependencyUnavailableError as error:  # what the act did is told all the same
            logger.warning("files not kept: %s, %s", job.name, error.detail)
            failed, said = True, [FILES_NOT_KEPT, *said]
    if len(text) > RESULT_CHARS_MAX:
        text = ""
    return _End(said=said, result=text, files=files, failed=failed or report.failed)


def _result(report: Report, folder: str) -> str:
    return _named(json_text(result_of(report)), folder)


def _named(text: str, folder: str) -> str:
    """Call files by their names, as the folder is nobody's to know."""
    return text.replace(f"{folder}/", "")


def _in_time(world: Container, job: Job, folder: str, watcher: _Watcher) -> Report:
    """Raises OutOfTimeError also where a call would not end in time."""
    with within(left_s() - END_S), watched(watcher):
        try:
            return _report(world, job, folder)
        except DependencyUnavailableError as error:
            if left_s() < STEP_S:
                raise OutOfTimeError from error
            raise


def _report(world: Container, job: Job, folder: str) -> Report:
    """Run the act as it was asked for. Raises as ``report_of``."""
    asked = ActRequest(
        act=job.act, arguments=job.given, dry_run=job.dry_run, confirm="" if job.dry_run else "yes"
    )
    system = _system(world, job)
    act = JOB_ACTS[job.act]
    names = act.files(vars(options_of(asked, system, act.writes)))
    paths = {option: str(Path(folder, name)) for option, name in names.items()}
    options = options_of(asked, system, paths)
    return report_of(job.act, JOB_RUNS[job.act], options, {})


def _system(world: Container, job: Job) -> Target:
    """What a job reaches: it has the provider's key, reads whole ledgers, and sends refunds."""
    system = replace(
        system_of(world, job.by),
        parts_max=None,
        sends_refunds=True,
        ticket_queue=lambda: world.ticket_queue,
    )
    asked = {"asked_by": job.asked_by, "request": job.request} if job.asked_by else {}
    return confirmed_by_two(system, {"job": job.name, **asked})


def _kept(world: Container, job: Job, folder: Path, report: Report) -> list[JobFile]:
    """Keep the files that the act wrote; a long result is one more."""
    text = _result(report, str(folder))
    if len(text) > RESULT_CHARS_MAX:
        (folder / RESULT_FILE).write_text(text, "utf-8")
    files = []
    for path in sorted(folder.iterdir()):
        world.job_files.write(job.name, path.name, str(path))
        files.append(JobFile(name=path.name, bytes=path.stat().st_size))
    return files
