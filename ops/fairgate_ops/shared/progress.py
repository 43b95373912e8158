"""Progress on standard error for whatever takes longer than two seconds, silence for the rest.

A terminal gets Rich's bar, a log a line now and then. Inside ``watched`` it goes to who watches,
who may also end the work between two steps.
"""

from __future__ import annotations

import io
import sys
import time
from abc import ABC, abstractmethod
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock
from typing import TYPE_CHECKING, Protocol, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

QUIET_S = 2.0
LINE_INTERVAL_S = 5.0  # in a log, where each report stays

_PLAIN: ContextVar[bool] = ContextVar("plain_progress", default=False)


class Watcher(Protocol):
    """Is told how far work is. It may stop the work: it raises an error."""

    def tell(self, text: str) -> None:
        """Hear how far it is, now and then."""
        ...

    def go_on(self, seconds: float = 0.0) -> None:
        """Raise where the next step, or so long a pause, has no time left."""
        ...


_WATCHER: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


class Progress(ABC):
    """Counts steps; call it with how many were done, from any thread."""

    def __init__(
        self, label: str, total: int | None, out: TextIO, monotonic: Callable[[], float]
    ) -> None:
        self._label = label
        self._total = total
        self._out = out
        self._monotonic = monotonic
        self._started = monotonic()
        self._next = self._started + QUIET_S
        self._done = 0
        self._lock = Lock()

    def __call__(self, steps: int = 1) -> None:
        with self._lock:
            self._done += steps
            now = self._monotonic()
            if now >= self._next:
                self._show(now)

    @abstractmethod
    def finish(self) -> None:
        """Say the last count, if anything was said before."""

    @abstractmethod
    def _show(self, now: float) -> None:
        """Say the count, and set when it is said next."""


class Lines(Progress):
    """A line every five seconds, for logs and pipes."""

    _shown = False

    def finish(self) -> None:
        if self._shown:
            self._show(self._monotonic())

    def _show(self, now: float) -> None:
        self._shown, self._next = True, now + LINE_INTERVAL_S
        elapsed_s = now - self._started
        text = f"{self._label}: {self._done:,}"
        if self._total:
            text += f" of {self._total:,} ({min(100, 100 * self._done // self._total)} %)"
            if 0 < self._done < self._total:
                left_s = elapsed_s * (self._total - self._done) / self._done
                text += f", about {left_s:.0f} s left"
        text += f", {elapsed_s:.0f} s"
        self._out.write(f"{text}\n")
        self._out.flush()


class Told(Lines):
    """A line every five seconds, for who watches."""

    def __init__(
        self, label: str, total: int | None, watcher: Watcher, monotonic: Callable[[], float]
    ) -> None:
        super().__init__(label, total, _Ear(watcher), monotonic)
        self._watcher = watcher

    def __call__(self, steps: int = 1) -> None:
        self._watcher.go_on()
        super().__call__(steps)


class _Ear(io.StringIO):
    def __init__(self, watcher: Watcher) -> None:
        super().__init__()
        self._watcher = watcher

    def write(self, text: str, /) -> int:
        self._watcher.tell(text.strip())
        return len(text)


class Bar(Progress):
    """A bar that is redrawn, at a terminal. Rich is imported once there is something to show."""

    _bar: RichProgress | None = None
    _task: TaskID

    def finish(self) -> None:
        if self._bar is not None:
            self._bar.update(self._task, completed=self._done)
            self._bar.stop()

    def _show(self, now: float) -> None:
        self._next = now  # Rich redraws by its own clock
        if self._bar is None:
            self._bar = _rich_bar(self._out, self._total, self._monotonic)
            self._task = self._bar.add_task(self._label, total=self._total)
            self._bar.tasks[0].start_time = self._started
            self._bar.start()
        self._bar.update(self._task, completed=self._done)


def _rich_bar(out: TextIO, total: int | None, monotonic: Callable[[], float]) -> RichProgress:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    label = TextColumn("{task.description}", markup=False)
    counted = [BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()] if total else []
    plain = [] if total else [TextColumn("{task.completed:,.0f}")]
    console = Console(file=out)
    return Progress(
        label, *counted, *plain, TimeElapsedColumn(), console=console, get_time=monotonic
    )


@contextmanager
def plain_progress(*, plain: bool = True) -> Iterator[None]:
    """Show lines within, even at a terminal, for a command that prints only data."""
    before = _PLAIN.set(plain)
    try:
        yield
    finally:
        _PLAIN.reset(before)


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Tell ``watcher`` about the work inside this context. It may stop that work."""
    before = _WATCHER.set(watcher)
    try:
        yield
    finally:
        _WATCHER.reset(before)


def notice(text: str) -> None:
    """Say something about the work: on standard error, or to who watches."""
    watcher = _WATCHER.get()
    if watcher is None:
        print(text, file=sys.stderr, flush=True)
    else:
        watcher.tell(text)


def pause(seconds: float) -> None:
    """Wait. Raises what who watches raises, where so much time is not left."""
    if (watcher := _WATCHER.get()) is not None:
        watcher.go_on(seconds)
    time.sleep(seconds)


@contextmanager
def progress(
    label: str,
    total: int | None = None,
    *,
    out: TextIO | None = None,
    monotonic: Callable[[], float] = time.monotonic,
) -> Iterator[Progress]:
    """``with progress("Loading seats", 12_000) as step: … step(100)``.

    Args:
        label: what is being done.
        total: of the steps, when it is known.
        out: standard error unless given.
        monotonic: the clock.
    """
    watcher = _WATCHER.get()
    step: Progress
    if watcher is not None and out is None:
        step = Told(label, total, watcher, monotonic)
    else:
        out = sys.stderr if out is None else out
        kind = Bar if out.isatty() and not _PLAIN.get() else Lines
        step = kind(label, total, out, monotonic)
    try:
        yield step
    finally:
        step.finish()
