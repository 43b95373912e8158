"""``fairgate queue …``: what was tried too often, looked at and sent again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate.errors import NotFoundError
from fairgate_ops.operate.cli.report import Report

if TYPE_CHECKING:
    import argparse

    from fairgate_ops.operate.target import Target

_TOGETHER = 10  # SQS, batches
_HIDDEN_S = 60  # a message that was not moved in this time shows again where it was


def run_list(_options: argparse.Namespace, target: Target) -> Report:
    sqs, found = target.sqs(), {}
    for name, urls in sorted(target.queues().items()):
        found[name] = {"waiting": _waiting(sqs, urls.url), "given_up": _waiting(sqs, urls.dead)}
    lines = [
        f"{name:<14} {figures['waiting']:>6} waiting {figures['given_up']:>6} given up"
        for name, figures in found.items()
    ]
    return Report({"queues": found}, lines)


def run_redrive(options: argparse.Namespace, target: Target) -> Report:
    """Each message is sent before it is deleted: it may come twice, and is never lost."""
    urls = target.queues().get(options.queue)
    if urls is None:
        raise NotFoundError(f"There is no queue {options.queue} here.")
    sqs = target.sqs()
    if options.dry_run:
        count = _waiting(sqs, urls.dead)
        data = {"queue": options.queue, "moved": 0, "given_up": count, "dry_run": True}
        return Report(data, [f"Dry run, nothing sent: {count} messages of {options.queue}."])
    moved = 0
    while moved < options.max:
        batch = _receive(sqs, urls.dead, min(_TOGETHER, options.max - moved))
        if not batch:
            break
        for message in batch:
            sqs.send_message(QueueUrl=urls.url, MessageBody=message["Body"])
            sqs.delete_message(QueueUrl=urls.dead, ReceiptHandle=message["ReceiptHandle"])
            moved += 1
    data = {"queue": options.queue, "moved": moved, "dry_run": False}
    return Report(data, [f"{moved} messages of {options.queue} sent again."])


def _receive(sqs: Any, url: str, count: int) -> list[dict[str, Any]]:
    answer = sqs.receive_message(
        QueueUrl=url, MaxNumberOfMessages=count, WaitTimeSeconds=1, VisibilityTimeout=_HIDDEN_S
    )
    return list(answer.get("Messages", ()))


def _waiting(sqs: Any, url: str) -> int:
    name = "ApproximateNumberOfMessages"
    answer = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=[name])
    return int(answer["Attributes"][name])
