"""A queue whose consumer may fail: what fails too often is kept aside, never lost."""

from __future__ import annotations

from aws_cdk import Duration
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_lambda_event_sources as sources
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.feeds import ATTEMPTS_MAX

KEPT_DAYS = 14  # SQS's maximum: a week-end and a holiday to look at a dead letter


def dead_letter_queue(scope: Construct, construct_id: str) -> sqs.Queue:
    return sqs.Queue(
        scope,
        construct_id,
        encryption=sqs.QueueEncryption.SQS_MANAGED,
        enforce_ssl=True,
        retention_period=Duration.days(KEPT_DAYS),
    )


class WorkQueue(Construct):
    """An encrypted queue with its dead-letter queue.

    Args:
        consumer_timeout_s: of the function that will consume it. A message stays hidden for six
            of them. Source: Lambda Developer Guide, Using Lambda with Amazon SQS.
        hidden_s: instead of that. Six leave room for calls that Lambda refuses because too many
            run; the least is one.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        consumer_timeout_s: int,
        hidden_s: int | None = None,
    ) -> None:
        super().__init__(scope, construct_id)
        self.dead_letters = dead_letter_queue(self, "DeadLetters")
        self.queue = sqs.Queue(
            self,
            "Queue",
            encryption=sqs.QueueEncryption.SQS_MANAGED,
            enforce_ssl=True,
            visibility_timeout=Duration.seconds(hidden_s or 6 * consumer_timeout_s),
            retention_period=Duration.days(4),
            dead_letter_queue=sqs.DeadLetterQueue(
                queue=self.dead_letters, max_receive_count=ATTEMPTS_MAX
            ),
        )

    def feed(
        self,
        function: lambda_.IFunction,
        *,
        batch_size: int,
        window_s: int = 0,
        concurrency_max: int | None = None,
    ) -> None:
        """Deliver batches to ``function``; only the messages that it reports failed come again."""
        function.add_event_source(
            sources.SqsEventSource(
                self.queue,
                batch_size=batch_size,
                max_batching_window=Duration.seconds(window_s) if window_s else None,
                max_concurrency=concurrency_max,
                report_batch_item_failures=True,
            )
        )
