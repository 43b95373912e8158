"""The report asks Athena the questions of the stacks of logs, each where it lies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

import boto3
import pytest
from botocore.exceptions import ClientError
from moto import mock_aws
from moto.athena.models import Execution, QueryResults, athena_backends

from fairgate.adapters.aws.client import SdkClient
from fairgate.errors import DependencyUnavailableError, WrongStateError
from fairgate_ops.operate.sale_report import athena
from fairgate_ops.operate.sale_report.answers import (
    ROWS_MAX,
    Answer,
    document_of,
    table_file,
    value_of,
)
from infra.log_queries import Question, questions

ACCOUNT = "123456789012"
ROLE = f"arn:aws:iam::{ACCOUNT}:role/fairgate-prod-"
EDGE = athena.Workgroup("fairgate-prod-access-logs-e1", "us-east-1", f"{ROLE}access-logs")
API = athena.Workgroup("fairgate-prod-api-logs", "eu-central-1", f"{ROLE}api-logs")
HOURS = ("2026/11/27/09", "2026/11/27/10")
HEAD = ("minute", "asked", "took_s", "why")
ROWS = [("2026-11-27 09:01", "12", "0.25", None), ("2026-11-27 09:02", "3", "1.0E-4", "late")]


def group_of(question: Question) -> athena.Workgroup:
    return EDGE if question.table == "edge_requests" else API


def _rows(rows: list[tuple[Any, ...]]) -> QueryResults:
    cells = [
        {"Data": [{} if cell is None else {"VarCharValue": cell} for cell in row]} for row in rows
    ]
    return QueryResults(cells, [])


@pytest.fixture
def deployed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    with mock_aws():
        for group in (EDGE, API):
            client = boto3.client("athena", region_name=group.region)
            client.create_work_group(Name=group.name)
            for one in questions():
                if group_of(one) == group:
                    client.create_named_query(
                        Name=one.name,
                        Database=group.database,
                        QueryString=one.sql,
                        WorkGroup=group.name,
                    )
                    backend = athena_backends[ACCOUNT][group.region]
                    backend.query_results_queue.append(_rows([HEAD, *ROWS]))
        yield


def _executions(group: athena.Workgroup) -> list[Execution]:
    return list(athena_backends[ACCOUNT][group.region].executions.values())


def _ask(*groups: athena.Workgroup, waits: list[float] | None = None) -> dict[str, Answer]:
    wait = waits.append if waits is not None else lambda _s: None
    return dict(athena.AthenaLogs(groups, athena.assumed, wait).answers("final", *HOURS))


@pytest.mark.usefixtures("deployed")
def test_every_question_is_asked_in_its_workgroup_with_its_parameters() -> None:
    answers = _ask(EDGE, API)
    assert set(answers) == {one.name for one in questions()}
    for group in (EDGE, API):
        asked = _executions(group)
        assert {one.query for one in asked} == {
            one.sql for one in questions() if group_of(one) == group
        }
        for one in asked:
            assert one.workgroup is not None
            assert one.workgroup.name == group.name
            context: object = one.context  # moto calls it a string
            assert context == {"Database": group.database}
            # Athena puts them in as they stand: without quotes an hour is a division.
            assert one.execution_parameters == ["'final'", *(f"'{hour}'" for hour in HOURS)]


@pytest.mark.usefixtures("deployed")
def test_an_answer_is_as_the_one_from_files() -> None:
    answer = _ask(EDGE)["refusals"]
    [question] = [one for one in questions() if one.name == "refusals"]
    assert answer.columns == HEAD
    assert answer.rows == [
        ("2026-11-27 09:01", 12, 0.25, None),
        ("2026-11-27 09:02", 3, 0.0001, "late"),
    ]
    assert (answer.question.title, answer.question.meaning) == (question.title, question.meaning)
    assert answer.logged


class Pages:
    """An answer of two pages: what asks for the second one has to name it."""

    def call(self, operation: str, **request: Any) -> dict[str, Any]:
        assert operation == "get_query_results"
        first = "NextToken" not in request
        assert first or request["NextToken"] == "second"
        rows = [HEAD, ROWS[0]] if first else [ROWS[1]]
        page = {"ResultSet": {"Rows": _rows(rows).rows}}
        return page | ({"NextToken": "second"} if first else {})


def test_an_answer_of_several_pages_is_read_to_its_end() -> None:
    [question, *_] = questions()
    named = athena.NamedQuestion(question.name, question.title, question.meaning, question.sql)
    answer = athena._answer(Pages(), named, "one")  # type: ignore[arg-type]
    assert [row[0] for row in answer.rows] == [ROWS[0][0], ROWS[1][0]]


def _document(columns: tuple[str, ...], rows: list[tuple[Any, ...]]) -> dict[str, Any]:
    [question, *_] = questions()
    [shown] = document_of({"x": Answer(question, columns, rows, logged=True)}).values()
    return dict(shown)


def test_a_document_of_a_long_sale_counts_every_minute() -> None:
    rows = [(f"2026-11-27 {n // 60:02}:{n % 60:02}", 2, float(n)) for n in range(1_200)]
    shown = _document(("minute", "asked", "p95_s"), rows)
    assert shown["step_min"] == 10
    assert len(shown["rows"]) == 120
    assert shown["rows"][1] == ["2026-11-27 00:10", 20, 19.0]
    assert sum(row[1] for row in shown["rows"]) == 2_400
    assert shown["more"] == 0


def test_a_document_says_how_many_rows_it_leaves_out() -> None:
    shown = _document(("asked_for", "requests"), [("GET /", n) for n in range(ROWS_MAX + 7)])
    assert (len(shown["rows"]), shown["more"], shown["step_min"]) == (ROWS_MAX, 7, 1)


@pytest.mark.usefixtures("deployed")
def test_a_query_that_is_refused_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def failed(self: Execution) -> None:
        self.status = "FAILED"

    monkeypatch.setattr(Execution, "advance", failed)
    with pytest.raises(WrongStateError, match="did not answer"):
        _ask(EDGE)


@pytest.mark.usefixtures("deployed")
def test_waiting_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    running = property(lambda _self: "RUNNING", lambda _self, _state: None)
    monkeypatch.setattr(Execution, "status", running)
    waits: list[float] = []
    with pytest.raises(DependencyUnavailableError, match="in time"):
        _ask(EDGE, waits=waits)
    assert athena.WAITED_S_MAX <= sum(waits) <= athena.WAITED_S_MAX + athena.EVERY_S


@pytest.mark.usefixtures("deployed")
@pytest.mark.parametrize("code", ["AccessDeniedException", "InvalidRequestException"])
def test_what_athena_refuses_is_told_with_its_reason(
    monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    def refuse(*_args: object, **_request: object) -> NoReturn:
        error: Any = {"Error": {"Code": code, "Message": "The workgroup is disabled."}}
        raise ClientError(error, "StartQueryExecution")

    monkeypatch.setattr(SdkClient, "call", refuse)
    with pytest.raises(WrongStateError, match="The workgroup is disabled"):
        athena._called(SdkClient("athena"), "start_query_execution")
    with pytest.raises(WrongStateError, match=code):
        athena.assumed(API)


@pytest.mark.usefixtures("deployed")
def test_a_role_service_that_is_throttled_is_asked_again_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def throttle(*_args: object, **_request: object) -> NoReturn:
        error: Any = {"Error": {"Code": "Throttling", "Message": "Rate exceeded"}}
        raise ClientError(error, "AssumeRole")

    monkeypatch.setattr(SdkClient, "call", throttle)
    with pytest.raises(DependencyUnavailableError, match="try again"):
        athena.assumed(API)


@pytest.mark.usefixtures("deployed")
def test_a_query_that_somebody_saved_beside_ours_is_left_out() -> None:
    client = boto3.client("athena", region_name=EDGE.region)
    saved = {"Name": "mine", "QueryString": "SELECT 1", "Database": EDGE.database}
    client.create_named_query(**saved, WorkGroup=EDGE.name)
    assert "mine" not in _ask(EDGE)


@pytest.mark.usefixtures("deployed")
def test_a_workgroup_without_questions_makes_no_empty_report() -> None:
    empty = API._replace(name="fairgate-prod-empty")
    boto3.client("athena", region_name=empty.region).create_work_group(Name=empty.name)
    with pytest.raises(WrongStateError, match="no questions"):
        _ask(empty)


@pytest.mark.parametrize("cell", ["1.2.3.4", ".", "1.0E999", "2026"])
def test_a_cell_is_a_number_or_a_text_whatever_stands_there(cell: str) -> None:
    rows = [(value_of(cell),)]
    [question, *_] = questions()
    table = table_file(Answer(question, ("x",), rows, logged=True))
    assert table.split()[1:] == [cell]


def test_without_logs_it_says_how_to_have_some() -> None:
    with pytest.raises(WrongStateError, match="access_logs"):
        _ask()
