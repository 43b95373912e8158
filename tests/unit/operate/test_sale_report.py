"""The report asks the logs of AWS and those of the local run the same questions."""

from __future__ import annotations

import csv
import json
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest

from fairgate.errors import MalformedInputError
from fairgate_ops.operate.sale_report.answers import Answer, table_file
from fairgate_ops.operate.sale_report.logs import LOCAL, FolderLogs
from fairgate_ops.operate.sale_report.page import DRAWN, report_page
from infra.log_queries import COLUMNS, questions
from tests.support.sale import EVENT as SOLD
from tests.support.sale import Sale
from tests.support.world import World

duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed (requirements/dev.txt)")

EVENT = "final"
HOURS = ("2026/11/27/09", "2026/11/27/10")
SESSION = "/api/sessions/ses_" + "0" * 31
NINE_MS = 1_795_770_000_000  # 2026-11-27 09:00 UTC
Row = dict[str, str]


def edge(at: str, method: str, stem: str, status: int, **more: str) -> Row:
    """A line of the distribution's log."""
    day, time = at.split()
    line = dict.fromkeys(COLUMNS["edge_requests"], "-")
    line |= {"date": day, "time": f"{time}:07", "cs_method": method, "cs_uri_stem": stem}
    line |= {"sc_status": str(status), "time_taken": "0.020", "c_country": "DE"}
    return line | {"cs_protocol_version": "HTTP/3.0"} | more


def lines() -> dict[str, list[Row]]:
    """A small sale: two join and come in; one holds, one is refused, one asks like a machine."""
    nine = "2026-11-27 09:01"
    requests = [
        edge(nine, "POST", "/api/events/final/queue", 200),
        edge(nine, "POST", "/api/events/final/queue", 429, c_country="US"),
        edge(nine, "POST", "/api/events/other/queue", 200),
        edge("2026-11-27 09:02", "POST", "/api/events/final/admission", 201),
        edge("2026-11-27 09:02", "POST", f"{SESSION}1/holds", 201),
        edge("2026-11-27 09:02", "POST", f"{SESSION}2/holds/best-available", 409),
        *(edge("2026-11-27 09:03", "POST", f"{SESSION}3/holds", 409) for _ in range(9)),
        edge("2026-11-27 09:03", "DELETE", f"{SESSION}1/holds/hld_1", 204),
        edge("2026-11-27 09:04", "GET", "/api/events/final/availability", 200),
        edge("2026-11-27 09:04", "GET", "/api/events", 502),
        edge("2026-11-27 12:00", "POST", "/api/events/final/queue", 200),  # another hour
    ]
    answers = [
        {
            "at_epoch": str(NINE_MS // unit),
            "route": "POST /x",
            "status": status,
            "latency_ms": took,
            "error": why,
        }
        for status, took, why, unit in (  # seconds as HTTP APIs write them, and milliseconds
            ("200", "10", "-", 1),
            ("200", "30", "-", 1_000),
            ("429", "-", "THROTTLED", 1_000),
        )
    ]
    came = [
        {"at_ms": str(NINE_MS + 120_000), "event": event, "WaitedSeconds": waited}
        for event, waited in ((EVENT, "60"), (EVENT, "70"), ("other", "5"))
    ]
    return {"edge_requests": requests, "api_requests": answers, "admissions": came}


def as_local(folder: Path) -> Path:
    """As the local run writes them; the functions print other things, too."""
    folder.mkdir()
    for table, rows in lines().items():
        text = "".join(json.dumps(row) + "\n" for row in rows)
        noise = 'ready: 2 workers\n{"level":"INFO","message":"answered"}\n'
        (folder / LOCAL[table]).write_text(text + (noise if table == "admissions" else ""))
    return folder


def as_parquet(folder: Path) -> Path:
    """As AWS writes them: texts under small letters, a folder an hour."""
    tables = duckdb.connect()
    for table, rows in lines().items():
        columns = COLUMNS[table]
        below = folder / table / "2026/11/27/09"
        below.mkdir(parents=True)
        named = ", ".join(f'"{column.lower()}" VARCHAR' for column in columns)
        tables.execute(f"CREATE TABLE {table} ({named})")
        for row in rows:
            marks = ", ".join("?" * len(columns))
            values = [row.get(column) for column in columns]
            tables.execute(f"INSERT INTO {table} VALUES ({marks})", values)  # noqa: S608 names of ours
        tables.execute(f"COPY {table} TO '{below}/part.parquet' (FORMAT parquet)")
    return folder


def asked(folder: Path) -> dict[str, Answer]:
    logs = FolderLogs(folder)
    return {one.name: logs.ask(one, EVENT, *HOURS) for one in questions()}


@pytest.fixture
def answers(tmp_path: Path) -> dict[str, Answer]:
    return asked(as_local(tmp_path / "logs"))


def rows(answer: Answer) -> list[dict[str, Any]]:
    return [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]


def test_both_kinds_of_files_give_the_same_answers(
    tmp_path: Path, answers: dict[str, Answer]
) -> None:
    assert asked(as_parquet(tmp_path / "aws")) == answers
    assert all(answer.rows for answer in answers.values())  # each question has something to find


def test_arrivals_and_waits_are_of_the_event_and_the_hours_alone(
    answers: dict[str, Answer],
) -> None:
    arrivals = rows(answers["arrivals_by_minute"])
    assert [(r["minute"], r["joined"], r["came_in"], r["refused"]) for r in arrivals] == [
        ("2026-11-27 09:01", 1, 0, 1),
        ("2026-11-27 09:02", 0, 1, 0),
    ]
    [waits, later] = rows(answers["waits_by_arrival"])
    assert (waits["minute"], waits["buyers"], waits["median_s"]) == ("2026-11-27 09:00", 1, 70)
    assert (later["minute"], later["buyers"], later["median_s"]) == ("2026-11-27 09:01", 1, 60)


def test_seats_refusals_and_robots_are_counted(answers: dict[str, Answer]) -> None:
    seats = rows(answers["seats_by_minute"])
    assert [(r["asked"], r["held"], r["taken"], r["given_back"]) for r in seats] == [
        (2, 1, 1, 0),
        (9, 0, 9, 1),
    ]
    refused = {(r["asked_for"], r["status"]): r for r in rows(answers["refusals"])}
    one = refused["POST /api/sessions/{id}/holds", 409]
    assert (one["why"], one["sessions"], one["requests"]) == (
        "taken by others, or not in this state",
        1,
        9,
    )
    assert ("POST /api/events/{event}/queue", 429) in refused
    [steps] = rows(answers["sessions_by_step"])
    assert steps == {"asked": 3, "held": 1, "went_to_pay": 0}
    [robot] = rows(answers["robots"])
    assert (robot["session"][-1], robot["in_busiest_minute"]) == ("3", 9)
    [route] = rows(answers["answers_by_route"])
    assert (route["median_ms"], route["throttled"]) == (20, 1)


def test_the_page_needs_nothing_else_and_runs_nothing(answers: dict[str, Answer]) -> None:
    page = report_page("<script>alert(1)</script>", "today", answers, UTC)
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "http" not in page.replace("http-equiv", "").replace("HTTP/", "")
    for answer in answers.values():
        assert answer.question.title in page
    assert page.count("<svg") == len(DRAWN)


def test_answers_that_athena_gave_make_the_same_report(
    tmp_path: Path, answers: dict[str, Answer]
) -> None:
    saved = tmp_path / "saved"
    saved.mkdir()
    for name, answer in answers.items():
        (saved / f"{name}.csv").write_text(table_file(answer))
    assert asked(saved) == answers
    (saved / "robots.csv").write_text('"session","asked"\n"ses_1","9"\n')
    with pytest.raises(MalformedInputError, match="must begin with session,protocol"):
        asked(saved)


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    with pytest.raises(MalformedInputError, match="has no logs"):
        FolderLogs(tmp_path)
    local = as_local(tmp_path / "logs")
    (local / LOCAL["admissions"]).unlink()
    answers = asked(local)
    assert not answers["waits_by_arrival"].logged
    assert "This log is not among the files." in report_page("x", "today", answers, UTC)


def test_a_file_that_is_no_parquet_is_refused(tmp_path: Path) -> None:
    folder = as_parquet(tmp_path / "aws")
    (folder / "edge_requests/2026/11/27/09/part.parquet").write_text("not that")
    with pytest.raises(MalformedInputError, match="cannot be read"):
        asked(folder)


def test_a_table_is_csv_without_formulas(answers: dict[str, Answer]) -> None:
    answer = answers["origins"]._replace(columns=("country", "requests"), rows=[("=1+1", 2.0)])
    [head, row] = csv.reader(table_file(answer).removeprefix("\ufeff").splitlines())
    assert (head, row) == (["country", "requests"], ["'=1+1", "2"])


@pytest.fixture
def sale(world: World, tmp_path: Path) -> Sale:
    return Sale(world, tmp_path)


def report(sale: Sale, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    capsys.readouterr()
    return sale.run(f"report {SOLD}", *words), capsys.readouterr().out


def test_a_dry_run_writes_nothing(
    sale: Sale, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sale.create()
    logs, out = as_local(tmp_path / "logs"), tmp_path / "out"
    words = ("--logs", str(logs), "--out", str(out))
    assert report(sale, capsys, *words, "--dry-run")[0] == 0
    assert not out.exists()
    assert report(sale, capsys, *words)[0] == 0
    assert (out / "report.html").is_file()


def test_lines_that_cannot_be_read_are_counted(
    sale: Sale, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sale.create(publish=False)
    logs, out = as_local(tmp_path / "logs"), tmp_path / "out"
    words, edge_log = ("--logs", str(logs), "--out", str(out)), logs / LOCAL["edge_requests"]
    whole = edge_log.read_text()
    edge_log.write_text(whole + "junk\n{\n")
    code, said = report(sale, capsys, *words)
    total = len(whole.splitlines()) + 2
    assert (code, f"edge_requests: 2 of {total} lines cannot be read" in said) == (0, True), said
    assert "its sale has not started" in said
    edge_log.write_text("junk\n[1]\n")
    code, said = report(sale, capsys, *words)
    assert (code, "edge_requests: 2 of 2 lines cannot be read" in said) == (1, True), said
    page = (out / "report.html").read_text()
    assert "2 of 2 lines cannot be read" in page
    assert "its sale has not started" in page
    assert "0 %" not in page
