"""Nothing that happens without a request is lost, and the controller is called in time."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fairgate.service.checkout.end_checkout import ASK_AGAIN_S, TRIED_S
from infra.functions import BY_NAME

from .conftest import STAGE, Assembly, listed, named

CHAIN_MAX = 16  # messages, until Lambda's recursive loop detection ends a chain


def _is_dead_letter_queue(logical_id: str) -> bool:
    return "DeadLetters" in logical_id or "Undelivered" in logical_id


def test_every_queue_has_a_dead_letter_queue_when_deployed(assembly: Assembly) -> None:
    queues = assembly.resources("AWS::SQS::Queue")
    working = {key: q for key, q in queues.items() if not _is_dead_letter_queue(key[1])}
    assert len(working) == 5
    for (stack, logical_id), queue in working.items():
        redrive = queue["Properties"]["RedrivePolicy"]
        target = redrive["deadLetterTargetArn"]["Fn::GetAtt"][0]
        assert (stack, target) in queues, logical_id
        assert _is_dead_letter_queue(target)


def test_messages_are_encrypted_and_kept_two_weeks_when_dead(assembly: Assembly) -> None:
    for (_, logical_id), queue in assembly.resources("AWS::SQS::Queue").items():
        assert queue["Properties"]["SqsManagedSseEnabled"] is True
        if _is_dead_letter_queue(logical_id):
            assert queue["Properties"]["MessageRetentionPeriod"] == 14 * 24 * 3600


def test_message_stays_hidden_for_six_timeouts_when_a_function_has_it(assembly: Assembly) -> None:
    resources = assembly.templates()["Events"]["Resources"]
    mappings = assembly.properties("AWS::Lambda::EventSourceMapping")
    functions = assembly.functions()
    fed = {}
    for mapping in mappings:
        _, function = functions[assembly.behind_alias("Events", *named(mapping["FunctionName"]))]
        queue = resources[mapping["EventSourceArn"]["Fn::GetAtt"][0]]["Properties"]
        name = function["FunctionName"].rpartition("-")[2]
        # A job whose run died does not wait for six times a quarter of an hour.
        hidden_s = (1 if name == "jobs" else 6) * function["Timeout"]
        assert queue["VisibilityTimeout"] == hidden_s + (60 if name == "jobs" else 0)
        assert mapping["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
        fed[name] = mapping
    assert set(fed) == {spec.name for spec in BY_NAME.values() if spec.trigger == "queue"}
    # Seat maps are to be one or two seconds old.
    assert fed["invalidator"]["MaximumBatchingWindowInSeconds"] <= 1


def test_lambda_breaks_no_chain_of_messages_that_is_meant(assembly: Assembly) -> None:
    """It stops a function that its own messages call for the 17th time, unless it is allowed."""
    functions, fed_by_itself = assembly.functions(), set()
    for mapping in assembly.properties("AWS::Lambda::EventSourceMapping"):
        name = assembly.behind_alias("Events", *named(mapping["FunctionName"]))
        (role,) = named(functions[name][1]["Role"])
        sends_to = [
            named(resource)
            for statement in assembly.statements("Events", role)
            if "sqs:SendMessage" in listed(statement["Action"])
            for resource in listed(statement["Resource"])
        ]
        if named(mapping["EventSourceArn"]) in sends_to:
            fed_by_itself.add(name)
    # The ticketer asks itself for an order's mail, once: no message of a mail makes another.
    assert fed_by_itself == {"expiry", "jobs", "ticketer"}
    allowed = {n for n, (_, f) in functions.items() if f.get("RecursiveLoop") == "Allow"}
    assert allowed == {"expiry", "jobs"}
    assert {n for n, (_, f) in functions.items() if "RecursiveLoop" in f} == allowed
    assert TRIED_S / ASK_AGAIN_S > CHAIN_MAX


def _pipes(assembly: Assembly) -> dict[str, dict[str, Any]]:
    """By the construct that made them."""
    return {
        logical_id.partition("Pipe")[0]: pipe["Properties"]
        for (_, logical_id), pipe in assembly.resources("AWS::Pipes::Pipe").items()
    }


@pytest.mark.parametrize(
    ("feed", "table", "queue"),
    [
        ("SeatChanges", "seats", "SeatChangesWorkQueue"),
        ("PaidOrders", "reservations", "PaidOrdersWorkQueue"),
        ("MailedChanges", "reservations", "MailsQueue"),
    ],
)
def test_pipe_reads_its_own_stream_and_keeps_what_it_cannot_deliver(
    assembly: Assembly, feed: str, table: str, queue: str
) -> None:
    pipe = _pipes(assembly)[feed]
    (parameter,) = named(pipe["Source"])
    told = assembly.templates()["Events"]["Parameters"][parameter]
    assert told["Default"] == f"/fairgate/{STAGE}/streams/{table}"
    assert pipe["Target"]["Fn::GetAtt"][0].startswith(queue)
    stream = pipe["SourceParameters"]["DynamoDBStreamParameters"]
    assert stream["DeadLetterConfig"]["Arn"]["Fn::GetAtt"][0].startswith(f"{feed}Undelivered")
    assert stream["OnPartialBatchItemFailure"] == "AUTOMATIC_BISECT"


def _matches(pattern: Any, value: Any) -> bool:
    """The part of EventBridge's patterns that the feeds use."""
    if isinstance(pattern, dict):
        return isinstance(value, dict) and all(
            key in value and _matches(wanted, value[key]) for key, wanted in pattern.items()
        )
    return any(_allows(choice, value) for choice in pattern)


def _allows(choice: Any, value: Any) -> bool:
    if isinstance(choice, str):
        return bool(choice == value)
    if "prefix" in choice:
        return isinstance(value, str) and value.startswith(choice["prefix"])
    return value not in choice["anything-but"]


def _order(before: str | None, after: str | None, sort_key: str = "O#ord_1") -> dict[str, Any]:
    images: dict[str, Any] = {"Keys": {"PK": {"S": "ses_1"}, "SK": {"S": sort_key}}}
    if before:
        images["OldImage"] = {"state": {"S": before}}
    if after:
        images["NewImage"] = {"state": {"S": after}}
    name = "INSERT" if before is None else "REMOVE" if after is None else "MODIFY"
    return {"eventName": name, "dynamodb": images}


@pytest.mark.parametrize(
    ("record", "passes"),
    [
        (_order("pending", "paid"), True),
        (_order("paid", "paid"), False),
        (_order("paid", "ticketed"), False),
        (_order("pending", "refund_due"), False),
        (_order(None, "pending"), False),
        (_order("paid", None), False),
        (_order("pending", "paid", "S#ses_1"), False),
    ],
)
def test_order_reaches_the_ticketer_only_when_it_becomes_paid(
    assembly: Assembly, record: dict[str, Any], passes: bool
) -> None:
    filters = _pipes(assembly)["PaidOrders"]["SourceParameters"]["FilterCriteria"]["Filters"]
    assert any(_matches(json.loads(f["Pattern"]), record) for f in filters) == passes


def test_a_pipe_has_no_more_patterns_than_it_takes(assembly: Assembly) -> None:
    # Source: EventBridge User Guide, Amazon EventBridge Pipes quotas.
    for pipe in _pipes(assembly).values():
        assert 1 <= len(pipe["SourceParameters"]["FilterCriteria"]["Filters"]) <= 5


@pytest.mark.parametrize(("name", "passes"), [("MODIFY", True), ("INSERT", False)])
def test_seats_reach_the_invalidator_when_they_change_and_not_as_they_are_made(
    assembly: Assembly, name: str, passes: bool
) -> None:
    filters = _pipes(assembly)["SeatChanges"]["SourceParameters"]["FilterCriteria"]["Filters"]
    assert any(_matches(json.loads(f["Pattern"]), {"eventName": name}) for f in filters) == passes


def test_controller_is_called_every_ten_seconds_when_a_minute_begins(assembly: Assembly) -> None:
    (schedule,) = [
        s
        for s in assembly.properties("AWS::Scheduler::Schedule")
        if "Beat" in json.dumps(s["Target"]["Arn"])
    ]
    assert schedule["ScheduleExpression"] == "rate(1 minute)"
    assert schedule["FlexibleTimeWindow"] == {"Mode": "OFF"}
    machine = assembly.only("AWS::StepFunctions::StateMachine")
    assert machine["StateMachineType"] == "EXPRESS"
    parts = machine["DefinitionString"]["Fn::Join"][1]
    definition = json.loads("".join(p if isinstance(p, str) else "ARN" for p in parts))
    calls, waited_s, state = [], 0, definition["StartAt"]
    while True:
        step = definition["States"][state]
        if step["Type"] == "Wait":
            waited_s += step["Seconds"]
        else:
            calls.append(waited_s)
            assert step["Parameters"]["InvocationType"] == "Event"  # a slow step delays no other
            for catch in step.get("Catch", []):
                assert catch["Next"] == step["Next"]  # a failed call skips no other
        if step.get("End"):
            break
        state = step["Next"]
    assert calls == [0, 10, 20, 30, 40, 50]


def test_controller_step_ends_before_the_next_when_it_hangs(assembly: Assembly) -> None:
    _, controller = assembly.functions()["controller"]
    assert controller["Timeout"] < 10
    retries = assembly.properties("AWS::Lambda::EventInvokeConfig")
    assert {config["MaximumRetryAttempts"] for config in retries} == {0}


@pytest.mark.parametrize(
    ("name", "rate"), [("Sweeper", "rate(1 minute)"), ("Reconcile", "rate(60 minutes)")]
)
def test_what_runs_by_the_clock_is_called_in_time_and_nothing_else(
    assembly: Assembly, name: str, rate: str
) -> None:
    (schedule,) = [
        s
        for s in assembly.properties("AWS::Scheduler::Schedule")
        if json.dumps(s["Target"]["Arn"]).find(name) >= 0
    ]
    assert schedule["ScheduleExpression"] == rate
    role = schedule["Target"]["RoleArn"]["Fn::GetAtt"][0]
    (statement,) = assembly.statements("Events", role)
    assert statement["Action"] == "lambda:InvokeFunction"
    assert name in json.dumps(statement["Resource"])


def test_a_run_ends_before_the_next_one_when_it_hangs(assembly: Assembly) -> None:
    functions = assembly.functions()
    assert functions["sweeper"][1]["Timeout"] < 60
    assert functions["reconcile"][1]["Timeout"] < 900
