"""Say very many records of an event while they are read: lines, rows or one document."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, Generic, NamedTuple

from botocore.exceptions import BotoCoreError, ClientError

from fairgate.domain.shared.labels import harmless
from fairgate.errors import FairgateError
from fairgate.ports.record import R
from fairgate.service.shared.readable import Readable
from fairgate_ops.operate.cli.command import INTERRUPTED
from fairgate_ops.operate.cli.report import Report, refusal_document, refusal_of
from fairgate_ops.shared.json_text import json_text
from fairgate_ops.shared.progress import progress
from fairgate_ops.shared.spreadsheet import csv_writer

PARTS_MAX = 100  # of a hundred records each: some seconds
ENOUGH = 25  # records of an answer, which the last part may exceed


class Shape(NamedTuple, Generic[R]):
    """How records of a kind are said; ``nouns`` name one of them, and several."""

    nouns: tuple[str, str]
    columns: Sequence[str]
    as_json: Callable[[R], dict[str, Any]]
    as_row: Callable[[R], Sequence[str | int]]
    as_line: Callable[[R], str]


def after(options: argparse.Namespace) -> str:
    """Return where to begin: only a function, whose answers are bounded, takes it."""
    return getattr(options, "after", "") or ""


class RecordStream(Generic[R]):
    """Says records as they come, and never holds more of them than are read at once.

    Attributes:
        failed: an item was damaged, or not all could be read.
    """

    def __init__(
        self, options: argparse.Namespace, found: Iterable[Readable[R]], shape: Shape[R]
    ) -> None:
        self._options, self._found, self._shape = options, found, shape
        self._count, self._damaged = 0, list[str]()
        self.failed = False

    @classmethod
    def begun(
        cls, options: argparse.Namespace, found: Iterator[Readable[R]], shape: Shape[R]
    ) -> RecordStream[R]:
        """Read the first before anything is said: what is refused at all is refused plainly."""
        first = next(found, None)
        return cls(options, chain([] if first is None else [first], found), shape)

    def say(self, *, as_json: bool) -> None:
        """Raise the error of reading, unless the document contains it."""
        if as_json:
            self._say_json()
            return
        if self._options.csv:
            self._say_csv()
        else:
            self._say_lines()
        for where in self._damaged:
            print(harmless(f"Left out, as it is damaged: {where}"), file=sys.stderr)

    def document(self) -> Report:
        """Return parts until there are ENOUGH records, and where the next begins.

        It looks at PARTS_MAX parts at most.
        """
        records, behind, looked_at = list[R](), "", 0
        for some in islice(self._found, PARTS_MAX):
            records += some.records
            behind = some.after
            looked_at += some.looked_at
            self._damaged += [f"{key.pk} {key.sk}" for key in some.damaged]
            if len(records) >= ENOUGH or self._damaged:
                break
        self.failed = bool(self._damaged)
        about = getattr(self._options, "event", "")
        data: dict[str, Any] = {
            **({"event": about} if about else {}),
            self._shape.nouns[1]: [self._shape.as_json(one) for one in records],
            "count": len(records),
            "looked_at": looked_at or len(records),
            "damaged": self._damaged,
            "complete": not behind,
            "after": behind or None,
        }
        more = ["There are more: give the answer's “after”."] if behind else []
        return Report(data, [*map(self._shape.as_line, records), *more], failed=self.failed)

    def write(self, path: str) -> Report:
        """Write a row a record into a file, and say how many there are."""
        with Path(path).open("w", newline="", encoding="utf-8") as file:
            rows = csv_writer(file)
            rows.writerow(self._shape.columns)
            with progress(f"Writing {self._shape.nouns[1]}") as step:
                for record in self._records():
                    rows.writerow(self._shape.as_row(record))
                    step(1)
        damaged = [f"Left out, as it is damaged: {where}" for where in self._damaged]
        data = {"count": self._count, "damaged": self._damaged}
        return Report(data, [self._counted(), *damaged], failed=self.failed)

    def _records(self) -> Iterator[R]:
        """What was said of some is seen before the next are read."""
        for some in self._found:
            yield from some.records
            self._count += len(some.records)
            self._damaged += [f"{key.pk} {key.sk}" for key in some.damaged]
            self.failed = bool(self._damaged)
            sys.stdout.flush()

    def _say_lines(self) -> None:
        for record in self._records():
            print(harmless(self._shape.as_line(record)))
        print(self._counted())

    def _counted(self) -> str:
        one, several = self._shape.nouns
        count = f"1 {one}" if self._count == 1 else f"{self._count:,} {several}"
        about = getattr(self._options, "event", "")
        return f"{count} of {about}." if about else f"{count}."

    def _say_csv(self) -> None:
        rows = csv_writer(sys.stdout)
        rows.writerow(self._shape.columns)
        for record in self._records():
            rows.writerow(self._shape.as_row(record))

    def _say_json(self) -> None:
        """One document, whole also where the reading broke off."""
        ended: dict[str, Any] = {}
        interrupted = False
        about = getattr(self._options, "event", "")
        event = f'"event": {json_text(about)}, ' if about else ""
        print(f'{{{event}"{self._shape.nouns[1]}": [', end="")
        try:
            for number, record in enumerate(self._records()):
                print(",\n" if number else "\n", end="")
                print(json_text(self._shape.as_json(record)), end="")
        except (FairgateError, ClientError, BotoCoreError) as error:
            self.failed = True
            ended = refusal_document(refusal_of(error, self._options.target))
        except KeyboardInterrupt:
            interrupted = True
            ended = {"error": {"code": "interrupted", "detail": "Interrupted."}}
        rest = {"count": self._count, "damaged": self._damaged, "complete": not ended, **ended}
        print(f"\n], {json_text(rest)[1:]}")
        if interrupted:
            print("Interrupted.", file=sys.stderr)
            raise SystemExit(INTERRUPTED)
