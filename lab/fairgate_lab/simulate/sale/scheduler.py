"""One task at a time, chosen by a seed: the same seed makes the same interleaving again.

Tasks are greenlets of one thread, which switch at every call to the outside world, so everything
between two calls is atomic and the order is the seed's alone. Time is virtual: it moves a little
with each step, and jumps when everybody waits.
"""

from __future__ import annotations

import contextlib
import random
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from greenlet import getcurrent, greenlet

STEP_MS_MAX = 4  # what a call to a neighbour takes


class CrashedError(BaseException):
    """The process is gone: no handler may catch this, and no further call is answered."""


class StoppedError(BaseException):
    """The simulation ends; every task unwinds."""


@dataclass(frozen=True)
class Global:
    """State that a library keeps once for a process and each task needs for itself."""

    owner: Any
    name: str


class Task:
    def __init__(self, number: int, name: str, run: Callable[[], object]) -> None:
        self.number, self.name, self.run = number, name, run
        self.greenlet: greenlet | None = None  # once it has begun
        self.due_ms = 0
        self.crashed = False
        self.finished = False
        self.daemon = False  # serves the others, and ends when they have
        self.process: Any = None  # whose code it is running, if anybody's


class Scheduler:
    """Deterministic from ``rng``.

    Args:
        steps_max: bound on the run; beyond it something loops.
        globals_: swapped with the tasks.
    """

    def __init__(
        self,
        rng: random.Random,
        start_ms: int,
        *,
        steps_max: int = 20_000,
        globals_: Sequence[Global] = (),
    ) -> None:
        self.rng = rng
        self.now_ms = start_ms
        self.steps = 0
        self.failures: list[str] = []
        self.trace: Callable[[str], None] | None = None
        self._steps_max = steps_max
        self._globals = globals_
        self._tasks: list[Task] = []
        self._count = 0
        self._current: Task | None = None
        self._stopping = False
        self._hub: greenlet | None = None  # where a task returns to that has ended

    @property
    def current(self) -> Task:
        if self._current is None:
            raise RuntimeError("no task is running")
        return self._current

    def spawn(
        self, name: str, run: Callable[[], object], *, after_ms: int = 0, daemon: bool = False
    ) -> Task:
        """A task that may start ``after_ms`` from now."""
        self._count += 1
        task = Task(self._count, name, run)
        task.due_ms = self.now_ms + after_ms
        task.daemon = daemon
        self._tasks.append(task)
        return task

    def run(self) -> None:
        """Return when every task has ended, or when one of them failed the run."""
        self._hub = getcurrent()
        while self._tasks:
            following = self._tasks[0] if self._stopping else self._choose()
            self._wake(following)  # until a task has ended, this one or another
        self._current = self._hub = None

    def pause(self, what: str, *, delay_ms: int = 0) -> None:
        """Let others go first, perhaps. Every call to the outside world begins with this."""
        me = self.current
        if me.crashed:
            raise CrashedError(what)
        self.note(what)
        self.steps += 1
        if self.steps > self._steps_max:
            self.fail(f"no end after {self._steps_max} steps; last: {me.name}: {what}")
        if self._stopping:
            raise StoppedError
        self.now_ms += self.rng.randint(0, STEP_MS_MAX)
        me.due_ms = self.now_ms + delay_ms
        chosen = self._choose()
        if chosen is me:
            return
        kept = [getattr(g.owner, g.name, None) for g in self._globals]
        process = me.process
        self._wake(chosen)
        for g, value in zip(self._globals, kept, strict=True):
            setattr(g.owner, g.name, value)
        me.process = process
        if self._stopping:
            raise StoppedError

    def sleep(self, delay_ms: int) -> None:
        self.pause("waits", delay_ms=delay_ms)

    def busy(self) -> bool:
        """Whether any task has not ended that is not a daemon."""
        return any(not task.daemon for task in self._tasks)

    def note(self, what: str) -> None:
        if self.trace is not None:
            self.trace(f"{self.now_ms} {self.current.name}: {what}")

    def fail(self, what: str) -> None:
        """Record a failure and end the run. Raises StoppedError."""
        self.failures.append(what)
        self._stopping = True
        raise StoppedError

    def _choose(self) -> Task:
        ready = [task for task in self._tasks if task.due_ms <= self.now_ms]
        if not ready:
            earliest = min(task.due_ms for task in self._tasks)
            self.now_ms = earliest
            ready = [task for task in self._tasks if task.due_ms <= earliest]
        return ready[0] if len(ready) == 1 else ready[int(self.rng.random() * len(ready))]

    def _wake(self, task: Task) -> None:
        """Go on with a task; return when another wakes this one, or ends and this is the hub."""
        self._current = task
        if task.greenlet is None:
            task.greenlet = greenlet(self._body, parent=self._hub)
            task.greenlet.switch(task)
        else:
            task.greenlet.switch()

    def _body(self, task: Task) -> None:
        try:
            with contextlib.suppress(StoppedError, CrashedError):
                if not self._stopping:
                    task.run()
        except BaseException:  # noqa: BLE001 whatever it is, the run has failed and says so
            self.failures.append(f"{task.name} died:\n{traceback.format_exc()}")
            self._stopping = True
        task.finished = True
        self._tasks.remove(task)
