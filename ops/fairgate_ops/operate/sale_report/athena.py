"""Ask Athena about a sale: the named queries of the workgroups that the stacks of logs have.

Each workgroup lies in the region of its logs and is asked as its own role, which the stack has
made for that: where the stack is not deployed, there is no such role.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from fairgate.adapters.aws.client import SdkClient, unavailable_as
from fairgate.errors import DependencyUnavailableError, WrongStateError
from fairgate_ops.operate.sale_report.answers import Answer, value_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from botocore.exceptions import ClientError

READ_S = 20.0
WAITED_S_MAX = 600.0  # for all answers together
EVERY_S = 2.0
ROWS_MAX = 20_000  # of an answer: two weeks by minute
_PAGE_ROWS = 1_000  # the most that a call returns
_GOES_ON = ("QUEUED", "RUNNING")
_FORBIDDEN = "AccessDenied"
_TITLED = re.compile("-- .+\n-- .+\n")  # the first two lines of each question of a stack
_AWAY = "Athena does not answer. Please try again."


class Workgroup(NamedTuple):
    """Where the questions about some logs are asked.

    Attributes:
        name: also of the database, with ``_`` for ``-``.
        role: the ARN of the role that may ask there.
    """

    name: str
    region: str
    role: str

    @property
    def database(self) -> str:
        return self.name.replace("-", "_")


class NamedQuestion(NamedTuple):
    """A named query of a workgroup."""

    name: str
    title: str
    meaning: str
    sql: str


class AthenaLogs:
    """Implements SaleLogs.

    Args:
        client: makes a client of Athena for a workgroup. Raises DependencyUnavailableError,
            WrongStateError: there is no such role.
        wait: sleeps, and tells how far it is.
    """

    def __init__(
        self,
        workgroups: Sequence[Workgroup],
        client: Callable[[Workgroup], SdkClient],
        wait: Callable[[float], None],
    ) -> None:
        self._workgroups, self._client, self._wait = workgroups, client, wait

    def answers(self, event: str, first_hour: str, last_hour: str) -> Mapping[str, Answer]:
        """Start every query, then wait for all. Cost: what the queries read.

        Raises:
            WrongStateError: no logs are deployed, or a query was refused or ended by its bound.
            DependencyUnavailableError: Athena does not answer, or not in time.
        """
        if not self._workgroups:
            raise WrongStateError(
                "No logs are switched on for this stage: deploy the options access_logs and"
                " api_logs. Only what is logged from then on can be counted."
            )
        given = [_literal(text) for text in (event, first_hour, last_hour)]
        started = [one for group in self._workgroups for one in self._start(group, given)]
        left_s = WAITED_S_MAX
        answers = {}
        for athena, question, execution in started:
            left_s = self._ended(athena, question, execution, left_s)
            answers[question.name] = _answer(athena, question, execution)
        return answers

    def _start(
        self, group: Workgroup, given: Sequence[str]
    ) -> Iterator[tuple[SdkClient, NamedQuestion, str]]:
        athena = self._client(group)
        for question in _questions(athena, group):
            begun = _called(
                athena,
                "start_query_execution",
                QueryString=question.sql,
                QueryExecutionContext={"Database": group.database},
                WorkGroup=group.name,
                ExecutionParameters=list(given),
            )
            yield athena, question, begun["QueryExecutionId"]

    def _ended(
        self, athena: SdkClient, question: NamedQuestion, execution: str, left_s: float
    ) -> float:
        """Wait for the end of a query; return how much of the time is left."""
        while True:
            found = _called(athena, "get_query_execution", QueryExecutionId=execution)
            status = found["QueryExecution"]["Status"]
            if status["State"] == "SUCCEEDED":
                return left_s
            if status["State"] not in _GOES_ON:
                why = status.get("StateChangeReason") or "it says no reason"
                raise WrongStateError(f"Athena did not answer “{question.title}”: {why}")
            if left_s <= 0:
                raise DependencyUnavailableError(
                    f"Athena has not answered “{question.title}” in time. Please try again later."
                )
            self._wait(EVERY_S)
            left_s -= EVERY_S


def assumed(group: Workgroup) -> SdkClient:
    """Return a client of Athena in the workgroup's region, as the role that may ask there.

    Raises:
        WrongStateError: there is no such role, or AWS refuses it otherwise.
        DependencyUnavailableError.
    """
    from botocore.exceptions import ClientError

    try:
        with unavailable_as("The logs cannot be asked now. Please try again."):
            answer = SdkClient("sts").call(
                "assume_role", RoleArn=group.role, RoleSessionName="fairgate-report"
            )
    except ClientError as error:
        if error.response["Error"]["Code"] != _FORBIDDEN:
            text = f"The logs of {group.name} cannot be asked: AWS refuses {_refusal(error)}"
            raise WrongStateError(text) from error
        raise WrongStateError(
            f"The logs of {group.name} cannot be asked: its stack is not deployed here, or is older"
            " than this release. Deploy it, then make the report again."
        ) from error
    keys = answer["Credentials"]
    return SdkClient("athena", read_s=READ_S, make=lambda config: _client(group, keys, config))


def _client(group: Workgroup, keys: Mapping[str, str], config: Any) -> Any:
    from botocore.session import get_session

    return get_session().create_client(
        "athena",
        region_name=group.region,
        aws_access_key_id=keys["AccessKeyId"],
        aws_secret_access_key=keys["SecretAccessKey"],
        aws_session_token=keys["SessionToken"],
        config=config,
    )


def _questions(athena: SdkClient, group: Workgroup) -> list[NamedQuestion]:
    """Read the workgroup's named queries; a stack has fewer than a page of them.

    Those that people saved there beside them do not begin with a title, and are left out. Raises
    WrongStateError: none is left.
    """
    listed = _called(athena, "list_named_queries", WorkGroup=group.name)["NamedQueryIds"]
    found = [_called(athena, "get_named_query", NamedQueryId=one)["NamedQuery"] for one in listed]
    made = [
        _question(one["Name"], one["QueryString"])
        for one in found
        if _TITLED.match(one["QueryString"])
    ]
    if not made:
        raise WrongStateError(
            f"The workgroup {group.name} has no questions: its stack is older than this release."
            " Deploy it, then make the report again."
        )
    return sorted(made, key=lambda one: one.name)


def _question(name: str, sql: str) -> NamedQuestion:
    """Read title and meaning, which are the first two lines of the SQL."""
    title, meaning, _ = sql.split("\n", 2)
    return NamedQuestion(name, title.removeprefix("-- "), meaning.removeprefix("-- "), sql)


def _answer(athena: SdkClient, question: NamedQuestion, execution: str) -> Answer:
    rows: list[tuple[Any, ...]] = []
    more: dict[str, str] = {}
    while len(rows) <= ROWS_MAX:
        page = _called(
            athena,
            "get_query_results",
            QueryExecutionId=execution,
            MaxResults=_PAGE_ROWS,
            **more,
        )
        rows += [
            tuple(cell.get("VarCharValue") for cell in row["Data"])
            for row in page["ResultSet"]["Rows"]
        ]
        if not page.get("NextToken"):
            break
        more = {"NextToken": page["NextToken"]}
    # The first row of the first page names the columns.
    columns = tuple(str(cell) for cell in rows[0]) if rows else ()
    kept = [tuple(map(value_of, row)) for row in rows[1 : ROWS_MAX + 1]]
    return Answer(question, columns, kept, logged=True)


def _literal(text: str) -> str:
    """Spell a parameter: Athena puts it in the query as it stands there.

    Source: Amazon Athena User Guide, "Use parameterized queries": a text has its quotes.
    """
    return "'" + text.replace("'", "''") + "'"


def _called(athena: SdkClient, operation: str, **request: Any) -> dict[str, Any]:
    """Raises DependencyUnavailableError; WrongStateError: AWS refuses it, and how."""
    from botocore.exceptions import ClientError

    try:
        with unavailable_as(_AWAY):
            return athena.call(operation, **request)
    except ClientError as error:
        raise WrongStateError(f"Athena refuses {_refusal(error)}") from error


def _refusal(error: ClientError) -> str:
    """Say what AWS refused, and its reason."""
    why = error.response["Error"]
    return f"{error.operation_name} ({why['Code']}): {why.get('Message') or 'it says no reason'}"
