"""The answers to the questions of a report: from DuckDB on this machine, from Athena in AWS."""

from __future__ import annotations

import io
import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from fairgate_ops.shared.spreadsheet import csv_writer, no_formula

if TYPE_CHECKING:
    from collections.abc import Mapping

HOUR = "%Y/%m/%d/%H"  # in UTC, as a question takes it
# Of an answer in a document, which is kept in an item of a table; files have all rows.
MINUTES_MAX, ROWS_MAX = 150, 60
_MINUTE = "%Y-%m-%d %H:%M"
_STEPS_MIN = (1, 2, 5, 10, 15, 30, 60, 120, 240, 720, 1_440)
_MOST = ("_s", "_ms")  # of these columns the greatest counts, and not the sum


class Asked(Protocol):
    """A question: its name, and what its answer means."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def meaning(self) -> str: ...


class Answer(NamedTuple):
    """Rows of a question; ``logged`` is false where there is no such log."""

    question: Asked
    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    logged: bool


class SaleLogs(Protocol):
    """The logs of a sale's requests."""

    def answers(self, event: str, first_hour: str, last_hour: str) -> Mapping[str, Answer]:
        """Answer every question for an event and hours in UTC, such as 2026/11/27/09.

        Raises FairgateError: the logs cannot be asked.
        """
        ...


def value_of(cell: str | None) -> Any:
    """Return a cell of a CSV file, or of Athena's answer, as a number if it is one."""
    if cell is None:
        return None
    if re.fullmatch(r"-?[0-9]+", cell):
        return int(cell)
    return float(cell) if re.fullmatch(r"-?[0-9]+\.[0-9]+(E-?[0-9]{1,2})?", cell) else cell or None


def table_file(answer: Answer) -> str:
    """Return an answer as CSV."""
    file = io.StringIO()
    writer = csv_writer(file)
    writer.writerow(answer.columns)
    writer.writerows([[_cell(cell) for cell in row] for row in answer.rows])
    return file.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, float) and value == int(value):
        return int(value)
    return "" if value is None else no_formula(value) if isinstance(value, str) else value


def document_of(answers: Mapping[str, Answer]) -> dict[str, Any]:
    """Return answers for a page, each with the most rows that it has there.

    What is by minute has a row for each ``step_min`` minutes: counts are added up, and of times the
    greatest stands. Of the others ``more`` rows are left out.
    """
    return {name: _document(answer) for name, answer in answers.items()}


def _document(answer: Answer) -> dict[str, Any]:
    rows, step_min = answer.rows, 1
    if answer.columns[:1] == ("minute",):
        step_min = _step_min([str(row[0]) for row in rows])
        rows = _gathered(answer, step_min) if step_min > 1 else rows
    else:
        rows = rows[:ROWS_MAX]
    return {
        "title": answer.question.title,
        "meaning": answer.question.meaning,
        "columns": list(answer.columns),
        "rows": [list(row) for row in rows],
        "step_min": step_min,
        "more": len(answer.rows) - len(rows) if step_min == 1 else 0,
        "logged": answer.logged,
    }


def _step_min(minutes: list[str]) -> int:
    """Return the least step with which they fit."""
    if not minutes:
        return 1
    first, last = (datetime.strptime(one, _MINUTE) for one in (min(minutes), max(minutes)))  # noqa: DTZ007 both are in UTC
    span_min = (last - first) / timedelta(minutes=1) + 1
    return next((step for step in _STEPS_MIN if span_min / step <= MINUTES_MAX), _STEPS_MIN[-1])


def _gathered(answer: Answer, step_min: int) -> list[tuple[Any, ...]]:
    """Put minutes together, beginning with those of whole steps of the day."""
    found: dict[str, list[Any]] = {}
    for minute, *values in sorted(answer.rows, key=lambda row: str(row[0])):
        at = datetime.strptime(minute, _MINUTE)  # noqa: DTZ007 the same
        at -= timedelta(minutes=(at.hour * 60 + at.minute) % step_min)
        name = at.strftime(_MINUTE)
        before = found.setdefault(name, [None] * len(values))
        found[name] = [
            _both(column, one, other)
            for column, one, other in zip(answer.columns[1:], before, values, strict=True)
        ]
    return [(name, *values) for name, values in found.items()]


def _both(column: str, one: Any, other: Any) -> Any:
    if one is None or other is None:
        return one if other is None else other
    return max(one, other) if column.endswith(_MOST) else one + other
