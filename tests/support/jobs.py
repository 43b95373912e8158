"""The functions of operators' acts and jobs over one small world."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fairgate import deadline
from fairgate_ops.operate.api import do_job, system
from fairgate_ops.shared import progress
from functions.jobs import handler as jobs
from functions.operator import handler as operator
from tests.support.world import NAMES, World

GIVEN_S = 900.0


def serve(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let both functions work on this world, also past the port."""
    for module in (operator, jobs):
        monkeypatch.setattr(module, "container", lambda: world.container)
    monkeypatch.setattr(system, "dynamodb_client", lambda: world.client)
    monkeypatch.setattr(progress, "sleep", world.clock.tick)
    names = {f"{table}_table": name for table, name in NAMES.items()}
    monkeypatch.setattr(
        world.container, "settings", world.container.settings._replace(**names), raising=True
    )


def deliver(world: World, given_s: float = GIVEN_S) -> list[str]:
    """Let the function do what was sent; return the jobs that come again."""
    sent, world.job_queue.sent = world.job_queue.sent, []
    records = [{"messageId": name, "body": json.dumps({"job": name})} for name in sent]
    with deadline.within(given_s):
        answer: Any = jobs.handler({"Records": records}, object())
    return [one["itemIdentifier"] for one in answer["batchItemFailures"]]


def run(world: World, name: str, given_s: float = GIVEN_S) -> do_job.Outcome:
    """Do the job once."""
    with deadline.within(given_s):
        return do_job.do_job(world.container, name)
