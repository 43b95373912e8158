"""The functions of operators' acts and jobs over one small world."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from fairgate import deadline
from fairgate_ops.operate.api import do_job, system
from functions.jobs import handler as jobs
from functions.operator import handler as operator
from tests.support.world import NAMES, World

GIVEN_S = 900.0


def serve(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let both functions work on this world, also past the port."""
    for module in (operator, jobs):
        monkeypatch.setattr(module, "container", lambda: world.container)
    monkeypatch.setattr(system, "dynamodb_client", lambda: world.client)
    monkeypatch.setattr(time, "sleep", world.clock.tick)
    names: dict[str, Any] = {f"{table}_table": name for table, name in NAMES.items()}
    settings = world.container.settings._replace(**names)
    monkeypatch.setattr(world.container, "settings", settings)


class _Payments:
    """The one secret that the function of jobs may read is the payment provider's."""

    def __getattr__(self, name: str) -> Any:
        raise PermissionError(f"no job reads the secret {name}")


@contextmanager
def _in_function(world: World, given_s: float) -> Iterator[None]:
    """Give what the function is given: so much time, and no secret but the provider's."""
    secrets = world.container.__dict__["secrets"]
    world.container.__dict__["secrets"] = _Payments()
    try:
        with deadline.within(given_s):
            yield
    finally:
        world.container.__dict__["secrets"] = secrets


def deliver(world: World, given_s: float = GIVEN_S) -> list[str]:
    """Let the function do what was sent; return the jobs that come again."""
    sent, world.job_queue.sent = world.job_queue.sent, []
    records = [{"messageId": name, "body": json.dumps({"job": name})} for name in sent]
    with _in_function(world, given_s):
        answer: Any = jobs.handler({"Records": records}, object())
    return [one["itemIdentifier"] for one in answer["batchItemFailures"]]


def run(world: World, name: str, given_s: float = GIVEN_S) -> do_job.Outcome:
    """Do the job once."""
    with _in_function(world, given_s):
        return do_job.do_job(world.container, name)
