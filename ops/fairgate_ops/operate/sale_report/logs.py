"""Ask the logs in a folder by DuckDB: the same questions as Athena is asked in AWS."""

from __future__ import annotations

import csv
import importlib
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairgate.errors import MalformedInputError
from fairgate_ops.operate.sale_report.answers import Answer, value_of
from fairgate_ops.shared.log_names import API_REQUESTS, EDGE_REQUESTS, FUNCTIONS
from infra.log_queries import COLUMNS, EPOCH_S, HOUR, MACROS, Question, questions

if TYPE_CHECKING:
    from collections.abc import Iterator

# As the local run writes them. A function's log has lines of other kinds, and no JSON as well.
LOCAL = {"edge_requests": EDGE_REQUESTS, "api_requests": API_REQUESTS, "admissions": FUNCTIONS}
HOURS = {
    "edge_requests": """replace("date", '-', '/') || '/' || substr("time", 1, 2)""",
    "api_requests": f"strftime(make_timestamp({EPOCH_S} * 1000000), '%Y/%m/%d/%H')",
    "admissions": "strftime(make_timestamp(try_cast(at_ms AS BIGINT) * 1000), '%Y/%m/%d/%H')",
}
INSTALL = "`make setup` brings it"


class FolderLogs:
    """The logs below a folder: ``edge_requests/**/*.parquet`` of AWS, or those of the local run.

    Raises MalformedInputError: nothing of it is there, or DuckDB is not installed.
    """

    def __init__(self, folder: Path) -> None:
        try:
            duckdb = importlib.import_module("duckdb")
        except ImportError as error:
            raise MalformedInputError(f"DuckDB reads logs, and is missing: {INSTALL}.") from error
        self._folder, self._refused = folder, duckdb.Error
        self._tables = duckdb.connect()
        for macro in MACROS:
            self._tables.execute(macro)
        with self._read():
            self._logged = {table: self._open(table) for table in COLUMNS}
            self.unreadable = self._unreadable()
        answered = [one for one in questions() if self._saved(one).is_file()]
        if not (answered or any(self._logged.values())):
            raise MalformedInputError(
                f"{folder} has no logs: neither folders {', '.join(COLUMNS)} with Parquet in them,"
                f" nor {', '.join(dict.fromkeys(LOCAL.values()))}, nor Athena's answers as"
                f" {', '.join(f'{one.name}.csv' for one in questions())}."
            )

    def answers(self, event: str, first_hour: str, last_hour: str) -> dict[str, Answer]:
        """Answer every question, as ``ask``."""
        return {one.name: self.ask(one, event, first_hour, last_hour) for one in questions()}

    def ask(self, question: Question, event: str, first_hour: str, last_hour: str) -> Answer:
        """Answer it for an event and hours in UTC, such as 2026/11/27/09.

        An answer that Athena gave, saved under the question's name, is taken as it is.

        Raises MalformedInputError: a file cannot be read.
        """
        saved = self._saved(question)
        with self._read():
            asked = self._tables.execute(question.sql, [event, first_hour, last_hour])
            columns = tuple(column[0] for column in asked.description)
            if saved.is_file():
                return Answer(question, columns, _saved_rows(saved, columns), logged=True)
            return Answer(question, columns, asked.fetchall(), self._logged[question.table])

    def _unreadable(self) -> dict[str, tuple[int, int]]:
        """Return (lines that cannot be read, lines), of logs of which each line is a request."""
        found = {}
        for table, columns in COLUMNS.items():
            if LOCAL[table] == FUNCTIONS or not self._logged[table]:
                continue
            nothing = " AND ".join(f'"{name}" IS NULL' for name in columns)
            counted = self._tables.execute(
                f"SELECT count(*) FILTER ({nothing}), count(*) FROM {table}"  # noqa: S608 names of ours
            )
            wrong, lines = counted.fetchall()[0]
            found[table] = (wrong, lines)
        return found

    def _saved(self, question: Question) -> Path:
        return self._folder / f"{question.name}.csv"

    @contextmanager
    def _read(self) -> Iterator[None]:
        try:
            yield
        except self._refused as error:
            raise MalformedInputError(f"{self._folder} cannot be read: {error}") from error

    def _open(self, table: str) -> bool:
        """Make a view of the table, empty where its log is missing; return whether it is there."""
        columns = COLUMNS[table]
        parquet = self._folder / table
        local = self._folder / LOCAL[table]
        if any(parquet.rglob("*.parquet")):
            rows = f"read_parquet({_text(parquet / '**/*.parquet')}, union_by_name = true)"
        elif local.is_file():
            typed = ", ".join(f"{_text(name)}: 'VARCHAR'" for name in columns)
            rows = (
                f"read_json({_text(local)}, format = 'newline_delimited', ignore_errors = true,"
                f" columns = {{{typed}}})"
            )
        else:
            nothing = ", ".join(f'NULL AS "{name}"' for name in columns)
            rows = f"(SELECT {nothing} WHERE false)"
        names = ", ".join(f'CAST("{name}" AS VARCHAR) AS "{name}"' for name in columns)
        hour = f"coalesce({HOURS[table]}, '') AS {HOUR}"
        self._tables.execute(
            # Names of ours, and paths that `_text` quotes.
            f"CREATE VIEW {table} AS SELECT *, {hour} FROM (SELECT {names} FROM {rows})"  # noqa: S608
        )
        return not rows.startswith("(SELECT")


def _saved_rows(path: Path, columns: tuple[str, ...]) -> list[tuple[Any, ...]]:
    """Read a CSV file of Athena's. Raises MalformedInputError: it has other columns."""
    try:
        lines = list(csv.reader(path.read_text("utf-8-sig").splitlines()))
    except (OSError, ValueError, csv.Error) as error:
        raise MalformedInputError(f"{path} cannot be read: {error}") from error
    if not lines or tuple(lines[0]) != columns:
        raise MalformedInputError(f"{path} must begin with {','.join(columns)}.")
    if any(len(line) != len(columns) for line in lines):
        raise MalformedInputError(f"{path} has lines of another length than its first one.")
    return [tuple(map(value_of, line)) for line in lines[1:]]


def _text(value: str | Path) -> str:
    """Spell a value as SQL: a view takes no parameters."""
    return "'" + str(value).replace("'", "''") + "'"
