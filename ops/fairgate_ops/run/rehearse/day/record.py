"""Record what an operator would see, every two seconds, a JSON line each, beside the tables.

A line is the page of `event show` and, as ``watch``, the document of `watch`.
"""

from __future__ import annotations

import json
import threading
import time
from collections import Counter, deque
from typing import IO, TYPE_CHECKING, Any, cast

from fairgate.domain.shared.times import epoch_ms
from fairgate.errors import FairgateError
from fairgate.service.watch.figures import PARTS
from fairgate_ops.operate.cli.main import parser, ran
from fairgate_ops.operate.doctor.site import fetch
from fairgate_ops.operate.target import target_of
from fairgate_ops.operate.watch.screen import Watched
from fairgate_ops.run.rehearse.day.compare import compare

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from fairgate_ops.operate.cli.report import Report
    from fairgate_ops.operate.target import Target
    from fairgate_ops.run.rehearse.day.compare import Compared
    from fairgate_ops.run.rehearse.day.reading import Reading

EVERY_S = 2.0
TABLES_EVERY_S = 10.0
_READINGS_KEPT = 6
_WRONG_KEPT = 200


def seen(run_file: Path, event: str) -> dict[str, Any]:
    """Return what ``fairgate event show EVENT --json`` shows."""
    return _shown(run_file, "event", "show", event)


def seen_once(run_file: Path, event: str) -> dict[str, Any]:
    """Return what ``fairgate watch EVENT --once --json`` shows."""
    return _shown(run_file, "watch", event, "--once")


def _shown(run_file: Path, *words: str) -> dict[str, Any]:
    typed = [*words, "--json", "--run-file", str(run_file)]
    options = parser(typed).parse_args(typed)
    return cast("Report", ran(options)).data


def target_of_run(run_file: Path) -> Target:
    """Return the running system as the command reaches it."""
    words = ["queue", "list", "--run-file", str(run_file)]
    return target_of(parser(words).parse_args(words))


class Screen:
    """What stands on an operator's screens: `event show`, and `watch` as it goes on."""

    def __init__(self, run_file: Path, event: str) -> None:
        self._run_file, self._event = run_file, event
        self._watched = Watched(target_of_run(run_file), fetch, "local", [event])

    def look(self) -> dict[str, Any]:
        self._watched.ask()
        return {**seen(self._run_file, self._event), "watch": self._watched.document()}


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


class Comparer(threading.Thread):
    """Reads the tables again and again, and compares each figure that was recorded in between.

    Attributes:
        lines: what was recorded; the recorder adds to it.
        compared: by figure, how often it was compared.
        wrong: what was shown and is not so.
        looks: how many makings of the figures were compared.
    """

    def __init__(self, read: Callable[[], Reading], lines: list[dict[str, Any]]) -> None:
        super().__init__(name="comparer", daemon=True)
        self._read, self.lines, self._next = read, lines, 0
        self._readings: deque[Reading] = deque(maxlen=_READINGS_KEPT)
        self._waiting: dict[str, tuple[float, dict[str, Any]]] = {}
        self._done: set[str] = set()
        self._ended = threading.Event()
        self.compared: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.looks = 0

    def run(self) -> None:
        while True:
            last = self._ended.is_set()
            try:
                self.take(self._read())
            except Exception as error:  # noqa: BLE001 the day goes on, and the verdict says so
                self._note(f"The tables could not be compared: {error!r}")
            if last:
                return
            self._ended.wait(TABLES_EVERY_S)

    def end(self) -> None:
        """Read once more, compare, and end."""
        self._ended.set()
        self.join()

    def take(self, reading: Reading) -> None:
        """Compare the figures that were seen before this reading began, with one before them."""
        lines, self._next = self.lines[self._next :], len(self.lines)
        for line in lines:
            self._meet(line)
        for made_at, (seen_ms, event) in list(self._waiting.items()):
            if seen_ms < reading.began_ms:
                del self._waiting[made_at]
                self._done.add(made_at)
                before = self._before(event)
                if before is not None:
                    self._compare(event, before, reading)
        self._readings.append(reading)

    def _meet(self, line: dict[str, Any]) -> None:
        """Keep each making of the figures as it was first seen."""
        document = line.get("watch") or {"events": []}
        for event in document["events"]:
            made_at = event["figures"]["made_at"]
            if made_at is not None and made_at not in self._done:
                self._waiting.setdefault(made_at, (epoch_ms(document["at"]), event))

    def _before(self, event: dict[str, Any]) -> Reading | None:
        """Find the newest reading that had ended when the figures began to be made."""
        parts = [event[name] for name in PARTS]
        moments = [epoch_ms(part["at"]) for part in parts if part["at"] and not part["error"]]
        ended = [one for one in self._readings if moments and one.ended_ms <= min(moments)]
        return ended[-1] if ended else None

    def _compare(self, event: dict[str, Any], before: Reading, after: Reading) -> None:
        self.looks += 1
        self.check(compare(event, before, after), event["figures"]["made_at"])

    def check(self, compared: Iterable[Compared], when: str) -> None:
        """Count what was compared, and keep what is not so."""
        for one in compared:
            self.compared[one.name] += 1
            if not one.is_true:
                self._note(f"{when}: {one}")

    def _note(self, text: str) -> None:
        if len(self.wrong) < _WRONG_KEPT:
            self.wrong.append(text)
