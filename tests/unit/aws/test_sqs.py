"""Messages go in batches, and what a queue did not take is said."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fairgate.adapters.aws.sqs import SqsExpiryQueue, SqsTicketQueue
from fairgate.errors import DependencyUnavailableError


def queue(answer: dict[str, Any]) -> tuple[SqsExpiryQueue, list[tuple[str, dict[str, Any]]]]:
    calls: list[tuple[str, dict[str, Any]]] = []

    def call(operation: str, **request: Any) -> dict[str, Any]:
        calls.append((operation, request))
        return answer

    made = SqsExpiryQueue("https://queue")
    made.__dict__["_call"] = call
    return made, calls


def test_sessions_are_sent_ten_a_call_each_once() -> None:
    made, calls = queue({"Successful": []})
    sessions = [f"ses_{number}" for number in range(23)]
    made.remind_all(sessions)
    assert [operation for operation, _ in calls] == ["SendMessageBatch"] * 3
    assert [len(request["Entries"]) for _, request in calls] == [10, 10, 3]
    entries = [entry for _, request in calls for entry in request["Entries"]]
    messages = [json.loads(entry["MessageBody"]) for entry in entries]
    assert messages == [{"session": session, "handed": True} for session in sessions]
    for _, request in calls:
        assert len({entry["Id"] for entry in request["Entries"]}) == len(request["Entries"])


def test_a_batch_that_was_not_taken_whole_is_an_outage() -> None:
    made, _ = queue({"Failed": [{"Id": "0", "Code": "InternalError", "SenderFault": False}]})
    with pytest.raises(DependencyUnavailableError):
        made.remind_all(["ses_1"])


def test_an_order_is_asked_for_by_its_id() -> None:
    calls: list[tuple[str, dict[str, Any]]] = []

    def call(operation: str, **request: Any) -> dict[str, Any]:
        calls.append((operation, request))
        return {}

    SqsTicketQueue("https://queue", call).ask("ord_1")
    assert calls == [
        ("SendMessage", {"QueueUrl": "https://queue", "MessageBody": '{"order": "ord_1"}'})
    ]
