"""Record what an operator would see, every two seconds, a JSON line each."""

from __future__ import annotations

import json
import threading
import time
from typing import IO, TYPE_CHECKING, Any

from fairgate.errors import FairgateError
from fairgate_ops.operate.cli.main import parser

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

EVERY_S = 2.0


def seen(run_file: Path, event: str) -> dict[str, Any]:
    """Return what ``fairgate event show EVENT --json`` shows."""
    words = ["event", "show", event, "--json", "--run-file", str(run_file)]
    options = parser(words).parse_args(words)
    data: dict[str, Any] = options.run(options).data
    return data


class Recorder(threading.Thread):
    """Looks until it is told to end; a look that fails is a line as well.

    Attributes:
        lines: what was recorded: ``at_s`` from the start, and what was seen or ``error``.
    """

    def __init__(self, look: Callable[[], dict[str, Any]], to: IO[str], start_s: float) -> None:
        super().__init__(name="recorder", daemon=True)
        self._look, self._to, self._start_s = look, to, start_s
        self._ended = threading.Event()
        self.lines: list[dict[str, Any]] = []

    def run(self) -> None:
        due_s = time.monotonic()
        while not self._ended.wait(max(0.0, due_s - time.monotonic())):
            due_s = max(due_s + EVERY_S, time.monotonic())
            at_s = round(time.monotonic() - self._start_s, 3)
            try:
                line = {"at_s": at_s, **self._look()}
            except FairgateError as error:  # a part that stands still: the next look follows
                line = {"at_s": at_s, "error": error.code}
            except Exception as error:  # noqa: BLE001 the day goes on, and the verdict says so
                line = {"at_s": at_s, "error": repr(error)}
            self.lines.append(line)
            self._to.write(json.dumps(line) + "\n")
            self._to.flush()

    def end(self) -> None:
        self._ended.set()
        self.join()
