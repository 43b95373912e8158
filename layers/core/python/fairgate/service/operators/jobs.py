"""Keep operators' jobs: asked for once, done by one run at a time, and for a month thereafter.

    waiting ──► running ──► done     as the act is: also if what it found is not as it must be
                  │  ▲ └──► failed   refused, or broken off too often
                  └──┘               handed on to the next run, before a run's own time is over

A run takes the job until the end of the time that its function has, so no second one works beside
it, and a run that died is followed by another one then. Each later write names its run.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from msgspec import Struct, structs

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import IdempotencyMismatchError
from fairgate.ports.table import Put, TransactionRefusedError, Update
from fairgate.service.operators.own_run import write_as_run
from fairgate.service.shared.conditions import JOB_IS_FREE, JOB_IS_OURS, JOB_SENT_AS_READ
from fairgate.service.shared.keys import JOBS, job_key
from fairgate.service.shared.records.jobs import Job, JobFile

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fairgate.ports.outside import JobQueue
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock, Ids

KEPT_S = 30 * 86_400
BREAKS_MAX = 3
RUNS_MAX = 100  # a job that never ends would cost for ever; the largest cancellation needs twenty
QUIET_S = 60  # a message is delivered within seconds; after that it is sent again
_NAME_CHARS = 12
_SPARE_S = 5  # clocks differ


class Jobs(Struct, frozen=True):
    """The jobs of a stage."""

    table: Table
    clock: Clock
    ids: Ids
    queue: JobQueue

    def ask(self, job: Job) -> Job:
        """Write a new job, or find it as it was written before, and send it.

        Raises DependencyUnavailableError: perhaps it is written and not sent; ask again.
        """
        try:
            self.table.transact([Put.of(job)])
        except TransactionRefusedError as refused:
            before = refused.reasons[0].old(Job)
            if before is None:
                raise
            if _asked(before) != _asked(job):
                raise IdempotencyMismatchError("Another job has this name.") from refused
            job = before
        if job.state == "waiting":
            self.queue.send(job.name)
        return job

    def new(
        self,
        act: str,
        event: str,
        arguments: Mapping[str, Any],
        by: str,
        *,
        dry_run: bool,
        seed: str,
        asked: Mapping[str, str],
    ) -> Job:
        """Make a job's record. The same ``by`` and ``seed`` give it the same name.

        Args:
            asked: ``asked_by`` and ``request``, where two people asked for it; else empty.
        """
        now_ms = self.clock.now_ms()
        named = hashlib.sha256(f"{by}\n{seed}\n{dry_run}".encode()).hexdigest()[:_NAME_CHARS]
        return Job(
            *job_key(f"job_{named}"),
            act=act,
            event_id=event,
            arguments=json.dumps(arguments, sort_keys=True, separators=(",", ":")),
            dry_run=dry_run,
            by=by,
            at=rfc3339(now_ms),
            state="waiting",
            sent_at=rfc3339(now_ms),
            run="",
            busy_until="",
            ttl=now_ms // 1000 + KEPT_S,
            asked_by=asked.get("asked_by", ""),
            request=asked.get("request", ""),
        )

    def find(self, name: str) -> Job | None:
        return self.table.find(Job, job_key(name))

    def all(self) -> list[Job]:
        """Read every job of the last month, the newest first."""
        return sorted(self.table.query(Job, JOBS), key=lambda job: job.at, reverse=True)

    def remind(self, job: Job) -> None:
        """Send it again where nobody does it a minute after it was sent.

        Its message may never have been sent, or be given up. Another one does no harm.
        Raises DependencyUnavailableError.
        """
        now_ms = self.clock.now_ms()
        now, before = rfc3339(now_ms), rfc3339(now_ms - QUIET_S * 1000)
        if job.ended or job.busy_until >= now or job.sent_at >= before:
            return
        write = Update(
            "reservations",
            *job.key,
            condition=JOB_SENT_AS_READ,
            values={"before": job.sent_at},
            set={"sentAt": now},
        )
        with suppress(TransactionRefusedError):  # somebody else has just done so
            self.table.update(write)
            self.queue.send(job.name)

    def begin(self, name: str, within_s: float) -> Job | None:
        """Take the job for a run that ends within that time.

        None: there is no such job, another run has it, or it has ended.
        """
        before = self.find(name)
        if before is None or before.ended:
            return None
        now_ms = self.clock.now_ms()
        now = rfc3339(now_ms)
        taken = {
            "state": "running",
            "run": self.ids.hex32(),
            "busyUntil": rfc3339(now_ms + int((within_s + _SPARE_S) * 1000)),
            "breaks": before.breaks + bool(before.busy_until),
            "startedAt": before.started_at or now,
            "runs": before.runs + 1,
        }
        write = Update(
            "reservations",
            *before.key,
            condition=JOB_IS_FREE,
            values={"now": now},
            set=taken,
        )
        try:
            self.table.update(write)
        except TransactionRefusedError as refused:
            now_there = refused.reasons[0].old(Job)
            if now_there is None or now_there.run != taken["run"]:
                return None  # else it is our own write, whose answer was lost
        return structs.replace(
            before,
            state="running",
            run=taken["run"],
            busy_until=taken["busyUntil"],
            breaks=taken["breaks"],
            started_at=taken["startedAt"],
            runs=taken["runs"],
        )

    def say(self, ours: Job, step: str) -> bool:
        """Note how far it is; False: another run has the job."""
        return self._written(ours, step=step)

    def hand_on(self, ours: Job, step: str) -> None:
        """Leave the rest to the next run. Raises DependencyUnavailableError: it is not sent."""
        now = rfc3339(self.clock.now_ms())
        if self._written(ours, step=step, busyUntil="", sentAt=now):
            self.queue.send(ours.name)

    def done(
        self,
        ours: Job,
        said: Sequence[str],
        result: str,
        files: Sequence[JobFile],
        *,
        failed: bool,
    ) -> bool:
        """End it as done; False: another run has the job."""
        listed = [{"name": file.name, "bytes": file.bytes} for file in files]
        return self._ended(
            ours, state="done", failed=failed, said=list(said), result=result, files=listed
        )

    def fail(self, ours: Job, problem: Mapping[str, Any]) -> bool:
        """End it as failed."""
        return self._ended(ours, state="failed", failed=True, problem=json.dumps(problem))

    def _ended(self, ours: Job, **attributes: object) -> bool:
        now = rfc3339(self.clock.now_ms())
        return self._written(ours, endedAt=now, busyUntil="", step="", **attributes)

    def _written(self, ours: Job, **attributes: object) -> bool:
        return write_as_run(self.table, ours, JOB_IS_OURS, **attributes)


def _asked(job: Job) -> tuple[str, str, str, bool]:
    return job.act, job.arguments, job.by, job.dry_run
