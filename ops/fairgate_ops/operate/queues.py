"""Count the messages of the queues, and send again those that were given up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate_ops.operate.target import QueueUrls

_TOGETHER = 10  # SQS, batches
_HIDDEN_S = 60  # a message that was not moved in this time shows again where it was


class QueueCounts(NamedTuple):
    """Messages of one queue, about."""

    waiting: int
    given_up: int


def count_messages(sqs: Any, queues: Mapping[str, QueueUrls]) -> dict[str, QueueCounts]:
    """Count what waits and what was given up, queue by queue."""
    return {
        name: QueueCounts(_waiting(sqs, urls.url), _waiting(sqs, urls.dead))
        for name, urls in sorted(queues.items())
    }


def redrive(sqs: Any, urls: QueueUrls, messages_max: int) -> int:
    """Send messages that were given up once more; how many.

    Each message is sent before it is deleted: it may come twice, and is never lost.
    """
    moved = 0
    while moved < messages_max:
        batch = _receive(sqs, urls.dead, min(_TOGETHER, messages_max - moved))
        if not batch:
            break
        for message in batch:
            sqs.send_message(QueueUrl=urls.url, MessageBody=message["Body"])
            sqs.delete_message(QueueUrl=urls.dead, ReceiptHandle=message["ReceiptHandle"])
            moved += 1
    return moved


def _receive(sqs: Any, url: str, count: int) -> list[dict[str, Any]]:
    answer = sqs.receive_message(
        QueueUrl=url, MaxNumberOfMessages=count, WaitTimeSeconds=1, VisibilityTimeout=_HIDDEN_S
    )
    return list(answer.get("Messages", ()))


def _waiting(sqs: Any, url: str) -> int:
    name = "ApproximateNumberOfMessages"
    answer = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=[name])
    return int(answer["Attributes"][name])
