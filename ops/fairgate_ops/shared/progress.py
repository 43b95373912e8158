"""Progress on standard error for whatever takes longer than two seconds, silence for the rest."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

QUIET_S = 2.0
INTERVAL_S = 0.2  # on a terminal, where a line is redrawn
LINE_INTERVAL_S = 5.0  # in a log, where each report stays


class Progress:
    """Counts steps; call it with how many were done."""

    def __init__(
        self, label: str, total: int | None, out: TextIO, monotonic: Callable[[], float]
    ) -> None:
        self._label = label
        self._total = total
        self._out = out
        self._monotonic = monotonic
        self._terminal = out.isatty()
        self._started = monotonic()
        self._next = self._started + QUIET_S
        self._done = 0
        self._shown = False

    def __call__(self, steps: int = 1) -> None:
        self._done += steps
        now = self._monotonic()
        if now >= self._next:
            self._next = now + (INTERVAL_S if self._terminal else LINE_INTERVAL_S)
            self._show(now)

    def finish(self) -> None:
        """Says the last count, if anything was said before."""
        if self._shown:
            self._show(self._monotonic())
            if self._terminal:
                self._out.write("\n")
                self._out.flush()

    def _show(self, now: float) -> None:
        self._shown = True
        elapsed_s = now - self._started
        text = f"{self._label}: {self._done:,}"
        if self._total:
            text += f" of {self._total:,} ({min(100, 100 * self._done // self._total)} %)"
            if 0 < self._done < self._total:
                left_s = elapsed_s * (self._total - self._done) / self._done
                text += f", about {left_s:.0f} s left"
        text += f", {elapsed_s:.0f} s"
        self._out.write(f"\r{text}\x1b[K" if self._terminal else f"{text}\n")
        self._out.flush()


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
    step = Progress(label, total, sys.stderr if out is None else out, monotonic)
    try:
        yield step
    finally:
        step.finish()
