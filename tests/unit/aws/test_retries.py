"""Further tries: few, apart, paid from one budget, and never beyond the request's time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError, ReadTimeoutError

from fairgate.adapters.aws.client import SdkClient
from fairgate.adapters.aws.retries import (
    FREE,
    NO_ANSWER_COST,
    THROTTLED_COST,
    TOKENS_MAX,
    OutOfTriesError,
    Retrier,
    RetryBudget,
    budget_of,
)
from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.adapters.dynamodb.codec import to_item
from fairgate.deadline import within
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.record import PK, SK, DamagedItemError, Key
from fairgate.ports.table import Put, TransactionRefusedError, Update
from fairgate.service.shared.records.seats import SeatRecord
from tests.support.world import NAMES, World

SILENT = ReadTimeoutError(endpoint_url="x")


def refusal(code: str, **more: Any) -> ClientError:
    response: Any = {"Error": {"Code": code, "Message": ""}, **more}
    return ClientError(response, "Any")


class Service:
    """Raises or answers what it is told, in turn, and then answers."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asked: list[dict[str, Any]] = []

    def __getattr__(self, _operation: str) -> Callable[..., dict[str, Any]]:
        return self._call

    def _call(self, **request: Any) -> dict[str, Any]:
        self.asked.append(request)
        answer = self.answers.pop(0) if self.answers else {}
        if isinstance(answer, Exception):
            raise answer
        return dict(answer)


def table_on(service: Service, **options: Any) -> DynamoTable:
    return DynamoTable(lambda: service, NAMES, **{"sleep": lambda _s: None, **options})


def put(table: DynamoTable) -> None:
    table.transact([Put("seats", {"PK": "a"})])


# --- the budget


def test_a_success_gives_back_what_its_last_try_cost_and_a_first_one_a_little() -> None:
    budget = RetryBudget(20)
    retrier = Retrier(budget, attempts_max=3, backoff_s=0, sleep=lambda _s: None)
    answers = iter([SILENT, None])

    def attempt() -> None:
        if (answer := next(answers, None)) is not None:
            raise answer

    retrier.run(attempt, lambda _e: 14)
    assert budget.spend(20)
    retrier.run(attempt, lambda _e: 14)
    assert [budget.spend(1), budget.spend(1)] == [True, False]


def test_a_stalled_service_is_asked_once_a_request_when_the_budget_is_spent() -> None:
    service = Service(*[SILENT] * 1_000)
    table = table_on(service)
    tries = []
    for _request in range(10):
        before = len(service.asked)
        with pytest.raises(DependencyUnavailableError):
            put(table)
        tries.append(len(service.asked) - before)
    assert tries == [5, 4, *[1] * 8]
    assert sum(tries) == 10 + TOKENS_MAX // NO_ANSWER_COST


def test_the_functions_own_table_shares_the_budget_of_the_process() -> None:
    service = Service(*[SILENT] * 1_000)
    tables = [table_on(service, budget=budget_of("dynamodb")) for _ in range(2)]
    for table in tables * 3:
        with pytest.raises(DependencyUnavailableError):
            put(table)
    assert len(service.asked) == 6 + TOKENS_MAX // NO_ANSWER_COST


def test_a_service_that_recovers_earns_its_tries_again() -> None:
    service = Service(*[SILENT] * 9, *[{}] * NO_ANSWER_COST, SILENT)
    table = table_on(service)
    for _request in range(2):
        with pytest.raises(DependencyUnavailableError):
            put(table)
    for _request in range(NO_ANSWER_COST):
        put(table)
    put(table)  # silent once, and tried again
    assert service.answers == []


def test_one_service_s_silence_costs_no_other_its_tries() -> None:
    assert budget_of("sqs") is budget_of("sqs")
    assert budget_of("sqs") is not budget_of("dynamodb")


def test_conflicts_cost_nothing_because_the_table_is_well() -> None:
    conflict = refusal(
        "TransactionCanceledException", CancellationReasons=[{"Code": "TransactionConflict"}]
    )
    budget = RetryBudget(0)
    service = Service(conflict, refusal("TransactionConflictException"), conflict, {})
    put(table_on(service, budget=budget))
    assert len(service.asked) == 4


@pytest.mark.parametrize(
    ("failure", "cost"),
    [
        (refusal("ThrottlingException"), THROTTLED_COST),
        (refusal("InternalServerError"), NO_ANSWER_COST),
        (SILENT, NO_ANSWER_COST),
        (
            refusal(
                "TransactionCanceledException",
                CancellationReasons=[{"Code": "None"}, {"Code": "ThrottlingError"}],
            ),
            THROTTLED_COST,
        ),
        (refusal("TransactionInProgressException"), FREE),
    ],
)
def test_another_try_costs_by_what_went_wrong(failure: Exception, cost: int) -> None:
    put(table_on(Service(failure), budget=RetryBudget(cost)))
    if cost:
        with pytest.raises(DependencyUnavailableError):
            put(table_on(Service(failure), budget=RetryBudget(cost - 1)))


# --- the request's time


def test_no_pause_is_begun_that_the_request_has_no_time_for() -> None:
    service = Service(*[SILENT] * 9)
    with within(0.04), pytest.raises(DependencyUnavailableError):
        put(table_on(service))
    assert len(service.asked) == 1


def test_tries_and_pauses_grow_apart() -> None:
    pauses: list[float] = []
    retrier = Retrier(RetryBudget(), attempts_max=5, backoff_s=0.025, sleep=pauses.append)

    def fails() -> None:
        raise SILENT

    with pytest.raises(OutOfTriesError):
        retrier.run(fails, lambda _e: 1)
    assert len(pauses) == 4
    assert all(0 <= pause <= 0.025 * 2**n for n, pause in enumerate(pauses, start=1))
    assert len(set(pauses)) == 4


# --- keys that were not read


def seat(name: str) -> dict[str, Any]:
    return to_item({"PK": name, "SK": "SEAT"})


def unprocessed(*names: str, **items: Any) -> dict[str, Any]:
    keys = [to_item({"PK": name, "SK": "SEAT"}) for name in names]
    return {"Responses": items, "UnprocessedKeys": {NAMES["seats"]: {"Keys": keys}}}


def batch(table: DynamoTable, *names: str) -> list[str]:
    keys = [Key(name, "SEAT") for name in names]
    return [item["PK"] for item in table._batch(SeatRecord.table, keys)]


def test_keys_that_were_not_read_are_asked_again_after_a_pause() -> None:
    name = NAMES["seats"]
    service = Service(
        unprocessed("b", "c", **{name: [seat("a")]}),
        unprocessed("c", **{name: [seat("b")]}),
        {"Responses": {name: [seat("c")]}, "UnprocessedKeys": {}},
    )
    pauses: list[float] = []
    assert batch(table_on(service, sleep=pauses.append), "a", "b", "c") == ["a", "b", "c"]
    asked = [
        [key["PK"]["S"] for key in request["RequestItems"][name]["Keys"]]
        for request in service.asked
    ]
    assert asked == [["a", "b", "c"], ["b", "c"], ["c"]]
    assert len(pauses) == 2
    assert all(pause > 0 for pause in pauses)


def test_one_throttled_partition_leaves_tries_to_the_calls_of_others() -> None:
    budget = budget_of("a service of this test")
    throttled = Service(*[refusal("ThrottlingException")] * 1_000)
    for _request in range(20):
        with pytest.raises(DependencyUnavailableError):
            put(table_on(throttled, budget=budget))
    asked = len(throttled.asked)
    with pytest.raises(DependencyUnavailableError):
        put(table_on(throttled, budget=budget))
    assert len(throttled.asked) == asked + 1  # no tokens for it any more
    put(table_on(Service(*[SILENT] * 3), budget=budget))


def test_keys_that_are_never_read_end_as_unavailable_and_spend_the_budget() -> None:
    service = Service(*[unprocessed("a")] * 1_000)
    table = table_on(service, budget=RetryBudget(6 * THROTTLED_COST))
    tries = []
    for _request in range(3):
        before = len(service.asked)
        with pytest.raises(DependencyUnavailableError):
            batch(table, "a")
        tries.append(len(service.asked) - before)
    assert tries == [5, 3, 1]


def test_no_key_costs_no_call() -> None:
    service = Service()
    assert batch(table_on(service)) == []
    assert service.asked == []


# --- by the SDK


def test_a_client_of_the_sdk_is_chosen_by_what_is_left() -> None:
    made: list[tuple[float, float, Any]] = []

    def make(config: Any) -> Service:
        made.append((config.connect_timeout, config.read_timeout, config.retries))
        return Service()

    sdk = SdkClient("s3", connect_s=1.0, read_s=3.0, make=make)
    for left in (60.0, 3.9, 2.1, 0.9):
        with within(left):
            sdk.call("get_object")
    assert [(connect, read) for connect, read, _ in made] == [(1, 3), (0.5, 1.5), (0.125, 0.375)]
    assert [retries for *_, retries in made] == [{"total_max_attempts": 1}] * 3
    with within(0.4), pytest.raises(DependencyUnavailableError):
        sdk.call("get_object")
    assert len(made) == 3


def test_the_sdk_s_last_error_is_the_answer() -> None:
    throttled = refusal("ThrottlingException")
    service = Service(SILENT, SILENT, throttled)
    sdk = SdkClient("s3", make=lambda _config: service, sleep=lambda _s: None)
    with pytest.raises(ClientError) as failure:
        sdk.call("get_object")
    assert failure.value is throttled
    assert len(service.asked) == 3


# --- what no try mends


UNFIT = "An operand in the update expression has an incorrect data type"
NO_NUMBER = Update("reservations", "gala#LIVE#1", "2026-01-01T00:10#1", add={"live": 1})
FULL_SEAT = Update("seats", "gala#floor#0", "GA", add={"version": 1})


def unfit(*codes: str) -> ClientError:
    reasons = [{"Code": code, **({} if code == "None" else {"Message": UNFIT})} for code in codes]
    return refusal("TransactionCanceledException", CancellationReasons=reasons)


@pytest.mark.parametrize(
    ("codes", "where"),
    [
        (("ValidationError", "None"), "(sort key 2026-01-01T00:10#1)"),
        (("None", "ValidationError"), "(partition key gala#floor#0)"),
        (("TransactionConflict", "ValidationError"), "(partition key gala#floor#0)"),
    ],
)
def test_an_item_that_does_not_take_its_update_is_named_and_not_tried_again(
    codes: tuple[str, str], where: str
) -> None:
    service = Service(unfit(*codes))
    with pytest.raises(DamagedItemError) as refused:
        table_on(service).transact([NO_NUMBER, FULL_SEAT])
    assert refused.value.detail == f"An item is damaged: {UNFIT} {where}"
    assert len(service.asked) == 1


def test_a_condition_that_failed_says_more_than_an_item_that_takes_no_update() -> None:
    with pytest.raises(TransactionRefusedError):
        table_on(Service(unfit("ConditionalCheckFailed", "ValidationError"))).transact(
            [NO_NUMBER, FULL_SEAT]
        )


def test_a_request_that_is_wrong_by_itself_is_no_damage() -> None:
    with pytest.raises(ClientError):
        table_on(Service(refusal("ValidationException"))).update(NO_NUMBER)


def test_the_tables_of_tests_name_what_takes_no_update_as_well(world: World) -> None:
    world.put_item("reservations", {PK: NO_NUMBER.pk, SK: NO_NUMBER.sk, "live": "many"})
    with pytest.raises(DamagedItemError, match="sort key 2026-01-01T00:10#1"):
        world.table.update(NO_NUMBER)
    with pytest.raises(DamagedItemError, match="sort key 2026-01-01T00:10#1"):
        world.table.transact([NO_NUMBER, FULL_SEAT])
