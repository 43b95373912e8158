"""The file that Locust runs: its users are the simulated buyers, one after another.

Locust starts, spreads, counts and stops them; what a buyer does is in buyer.py. Buyers
wait in asyncio and Locust in gevent, so one thread of each worker runs the buyers, and Locust must
leave a worker's standard library as it is: ``LOCUST_SKIP_MONKEY_PATCH=1``, as ``make load`` sets.
"""

from __future__ import annotations

import asyncio
import random
import threading
import time
from typing import TYPE_CHECKING, Any, TypeVar

import gevent
from gevent import monkey
from gevent.lock import BoundedSemaphore
from locust import User, constant, events, task
from locust.runners import MasterRunner

from fairgate_ops.run.crowd.buyer import Buyer, Outcome, client, draw_plan
from fairgate_ops.run.crowd.load_target import LoadTarget

if TYPE_CHECKING:
    from collections.abc import Coroutine

BUYER, STEP = "buyer", "step"  # the two kinds of rows in Locust's figures
LAST_FIGURES_S = 2.0  # from worker to master
LOOK_S = 0.02  # how often a waiting user looks whether its buyer has ended
CONNECTIONS_MAX = 1_000  # of one worker
T = TypeVar("T")


class BrokenBuyerError(Exception):
    """A buyer was answered as the contract does not allow, or never came to an end."""


class BuyersLoop:
    """The thread in which this process's buyers live, with their connections."""

    def __init__(self) -> None:
        if monkey.is_module_patched("threading"):
            raise RuntimeError("Set LOCUST_SKIP_MONKEY_PATCH=1: buyers run in asyncio.")
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True, name="buyers").start()
        self.http = self.wait(_connected())

    def wait(self, way: Coroutine[Any, Any, T]) -> T:
        """Let other users go on until ``way`` has ended. A user that is stopped takes it along."""
        running = asyncio.run_coroutine_threadsafe(way, self._loop)
        try:
            while not running.done():
                gevent.sleep(LOOK_S)
        finally:
            running.cancel()  # of no effect on what has ended
        return running.result()


async def _connected() -> Any:
    return client(CONNECTIONS_MAX)


class Worker:
    """What the users of one process share: the loop, the chance, and who is born next."""

    def __init__(self, environment: Any) -> None:
        options = environment.parsed_options
        LoadTarget(environment.host, options.go).permit()  # a worker believes no master
        index = getattr(environment.runner, "worker_index", 0)
        self.loop = BuyersLoop()
        self.chance = random.Random(f"{options.seed}/{index}")  # noqa: S311 a simulation, repeatable by its seed
        self._name, self._born = f"sim-{options.seed}-{index}", 0

    def next_name(self) -> str:
        self._born += 1
        return f"{self._name}-{self._born}"


_workers: list[Worker] = []
_one_at_a_time = BoundedSemaphore()


@events.test_start.add_listener
def _prepare(environment: Any, **_more: Any) -> None:
    """Be ready before the first user is, once the master has told what the options are."""
    if isinstance(environment.runner, MasterRunner):
        gevent.spawn(_end_when_all_have_gone, environment)
    else:
        _worker_of(environment)


def _end_when_all_have_gone(environment: Any) -> None:
    """Let nobody come any more after the time given, and wait until the last buyer has ended.

    Locust's own ``--run-time`` ends the master at once: buyers on their way are then not counted.
    """
    gevent.sleep(environment.parsed_options.seconds)
    environment.runner.stop()
    gevent.sleep(LAST_FIGURES_S)
    environment.runner.quit()


def _worker_of(environment: Any) -> Worker:
    with _one_at_a_time:
        if not _workers:
            _workers.append(Worker(environment))
    return _workers[0]


class SimulatedBuyer(User):
    """Comes, buys or leaves, and is followed by another."""

    wait_time = constant(0)

    def on_start(self) -> None:
        """Refuse a target that may not be put under load, before anybody queues there."""
        _worker_of(self.environment)

    @task
    def visit(self) -> None:
        gevent.sleep(0)  # who was told to stop between two buyers stops here, and none is cut off
        worker, options = _worker_of(self.environment), self.environment.parsed_options
        plan = draw_plan(
            worker.next_name(),
            worker.chance,
            patience_s=options.patience_s,
            think_s=options.think_s,
        )
        buyer = Buyer(worker.loop.http, self.host.rstrip("/"), options.event, plan)
        began = time.monotonic()
        try:
            outcome = worker.loop.wait(buyer.run())
        except gevent.GreenletExit:
            self._note(Outcome(plan.name, "broken", "cut-off", "It was stopped on its way."), began)
            raise
        self._note(outcome, began)

    def _note(self, outcome: Outcome, began: float) -> None:
        for step, seconds in outcome.steps:
            self._fire(STEP, step, seconds, None)
        broken = None
        if outcome.kind == "broken":
            broken = BrokenBuyerError(f"{outcome.code} {outcome.detail}".strip())
        self._fire(BUYER, f"{outcome.kind} {outcome.code}", time.monotonic() - began, broken)

    def _fire(self, kind: str, name: str, seconds: float, broken: Exception | None) -> None:
        self.environment.events.request.fire(
            request_type=kind,
            name=name,
            response_time=seconds * 1000,
            response_length=0,
            exception=broken,
            context={},
        )


@events.init_command_line_parser.add_listener
def _add_options(parser: Any) -> None:
    parser.add_argument("--event", default="demo", help="whose seats they want")
    parser.add_argument("--seconds", type=float, default=60.0, help="until nobody comes any more")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--patience-s", type=float, default=600.0, help="in the waiting room")
    parser.add_argument("--think-s", type=float, default=2.0, help="on average, before each choice")
    parser.add_argument("--go", default="", help="the target's host once more, where it is remote")
