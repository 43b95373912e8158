"""The logs as tables, and the questions of the day after a sale: one SQL for Athena and DuckDB.

It imports nothing of the CDK. A question is a file of this folder: its first line is its title, the
second says what it means and what it cannot tell. Both engines know its functions, DuckDB two of
them by ``MACROS``. All columns are texts as their writers wrote them; ``TYPED`` reads them, and
what is no number there is NULL.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fairgate import metrics
from infra.logs import API_FIELDS, DISTRIBUTION_FIELDS

FOLDER = Path(__file__).parent
# Of the lines that the function `sessions` writes for each admission; names of columns have no
# case in either engine.
ADMISSION_FIELDS = ("at_ms", "event", "request_id", metrics.WAITED)
# Columns by table. CloudFront writes its fields so into Parquet. Source: Athena User Guide, "Create
# a table for CloudFront logs in Athena using manual partitioning with Parquet".
COLUMNS: dict[str, tuple[str, ...]] = {
    "edge_requests": tuple(field.replace("-", "_") for field in DISTRIBUTION_FIELDS),
    "api_requests": tuple(API_FIELDS),
    "admissions": ADMISSION_FIELDS,
}
# Each table is parted by the hour of the request in UTC: 2026/11/27/09.
HOUR = "hour"
# What Athena has under this name, and DuckDB under another.
MACROS = (
    "CREATE MACRO approx_percentile(x, p) AS quantile_cont(x, p)",
    "CREATE MACRO from_unixtime(s) AS make_timestamp(CAST(s * 1000000 AS BIGINT))",
)
# A session's id is in its path, an event's in others: a request of a session names no event.
_IDS = {
    "^/api/events/[^/]+": "/api/events/{event}",
    "^/api/sessions/[^/]+": "/api/sessions/{id}",
    "^/api/orders/[^/]+": "/api/orders/{id}",
    "/holds/hld_[^/]+": "/holds/{id}",
    "/sections/[^/]+": "/sections/{id}",
    "/tickets/tkt_[^/]+": "/tickets/{id}",
}
# Seconds of a time in either unit: milliseconds have been above this number since 1973.
EPOCH_S = (
    "CAST(try_cast(at_epoch AS double)"
    " / CASE WHEN try_cast(at_epoch AS double) > 100000000000 THEN 1000 ELSE 1 END AS bigint)"
)
_ROUTE = "cs_uri_stem"
for _pattern, _name in _IDS.items():
    _ROUTE = f"regexp_replace({_ROUTE}, '{_pattern}', '{_name}')"
TYPED = {
    "edge_requests": """edge AS (
  SELECT "date" || ' ' || substr("time", 1, 5) AS minute,
    cs_method AS method,
    ROUTE AS route,
    coalesce(regexp_extract(cs_uri_stem, '^/api/events/([^/]+)', 1), '') AS event,
    coalesce(regexp_extract(cs_uri_stem, '^/api/sessions/([^/]+)', 1), '') AS session,
    try_cast(sc_status AS integer) AS status,
    try_cast(time_taken AS double) AS took_s,
    x_edge_result_type AS result,
    cs_protocol_version AS protocol,
    c_country AS country
  FROM edge_requests WHERE hour BETWEEN ? AND ?
)""".replace("ROUTE", _ROUTE),
    "api_requests": """api AS (
  SELECT substr(CAST(from_unixtime(EPOCH_S) AS varchar), 1, 16) AS minute,
    route,
    try_cast(status AS integer) AS status,
    try_cast(latency_ms AS double) AS took_ms,
    function_status,
    error
  FROM api_requests WHERE hour BETWEEN ? AND ?
)""".replace("EPOCH_S", EPOCH_S),
    "admissions": """came AS (
  SELECT substr(CAST(from_unixtime(try_cast(at_ms AS bigint) / 1000
      - try_cast(WaitedSeconds AS bigint)) AS varchar), 1, 16) AS arrived,
    event,
    try_cast(WaitedSeconds AS double) AS waited_s
  FROM admissions WHERE hour BETWEEN ? AND ?
)""",
}


@dataclass(frozen=True)
class Question:
    """One query.

    Attributes:
        table: the one that it reads.
        sql: with three parameters: the event, the first hour and the last one.
    """

    name: str
    title: str
    meaning: str
    table: str
    sql: str


@cache
def questions() -> tuple[Question, ...]:
    """Read all questions, in the order of their files' names."""
    return tuple(_read(path) for path in sorted(FOLDER.glob("*.sql")))


def _read(path: Path) -> Question:
    title, meaning, body = path.read_text("utf-8").split("\n", 2)
    [table] = [name for name, typed in TYPED.items() if f"FROM {typed.split()[0]}" in body]
    asked = "asked AS (SELECT CAST(? AS varchar) AS event)"
    sql = f"{title}\n{meaning}\nWITH {asked},\n{TYPED[table]}\n{body.strip()}\n"
    name = path.stem.partition("_")[2]
    return Question(name, title.removeprefix("-- "), meaning.removeprefix("-- "), table, sql)
