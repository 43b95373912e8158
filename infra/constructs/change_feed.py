"""A table's stream, filtered, into a queue: EventBridge Pipes carries, nothing of ours runs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from aws_cdk import Aws
from aws_cdk import aws_iam as iam
from aws_cdk import aws_pipes as pipes
from constructs import Construct

from infra.acknowledged import acknowledge
from infra.constructs.work_queue import WorkQueue, dead_letter_queue

STREAM_ACTIONS = (
    "dynamodb:DescribeStream",
    "dynamodb:GetRecords",
    "dynamodb:GetShardIterator",
    "dynamodb:ListStreams",
)
ATTEMPTS_MAX = 10
RECORD_AGE_MAX_S = 3600


class ChangeFeed(Construct):
    """Each change that passes the filter becomes one message: the stream record as JSON.

    Delivery is at least once and, by the queue, in no order; consumers compare versions. What
    the pipe itself cannot deliver leaves a note in ``undelivered`` that names shard and sequence
    numbers; the stream keeps the records for 24 hours.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        stream: str,
        patterns: Sequence[Mapping[str, Any]],
        consumer_timeout_s: int = 0,
        work: WorkQueue | None = None,
        since_it_is_there: bool = False,
    ) -> None:
        """Carry the changes into a queue of their own, or into ``work``.

        Args:
            since_it_is_there: nothing that was written before the pipe was made.
        """
        super().__init__(scope, construct_id)
        self.work = work or WorkQueue(self, "Work", consumer_timeout_s=consumer_timeout_s)
        self.undelivered = dead_letter_queue(self, "Undelivered")
        acknowledge(self.undelivered, "SQS3", "it is the pipe's dead-letter queue itself")
        role = iam.Role(
            self,
            "Role",
            # Only a pipe of this account may take it on.
            assumed_by=iam.ServicePrincipal(
                "pipes.amazonaws.com",
                conditions={"StringEquals": {"aws:SourceAccount": Aws.ACCOUNT_ID}},
            ),
            inline_policies={
                "Exact": iam.PolicyDocument(
                    statements=[
                        iam.PolicyStatement(actions=list(STREAM_ACTIONS), resources=[stream]),
                        iam.PolicyStatement(
                            actions=["sqs:SendMessage"],
                            resources=[self.work.queue.queue_arn, self.undelivered.queue_arn],
                        ),
                    ]
                )
            },
        )
        self.pipe = pipes.CfnPipe(
            self,
            "Pipe",
            role_arn=role.role_arn,
            source=stream,
            target=self.work.queue.queue_arn,
            source_parameters=_source(
                self.undelivered.queue_arn,
                patterns,
                # Else from the oldest record that is kept: one that was written before the pipe was
                # there, or while it was replaced, would otherwise never arrive. Consumers take a
                # record twice.
                starts="LATEST" if since_it_is_there else "TRIM_HORIZON",
            ),
        )


def _source(
    undelivered_arn: str, patterns: Sequence[Mapping[str, Any]], *, starts: str
) -> pipes.CfnPipe.PipeSourceParametersProperty:
    return pipes.CfnPipe.PipeSourceParametersProperty(
        dynamo_db_stream_parameters=pipes.CfnPipe.PipeSourceDynamoDBStreamParametersProperty(
            starting_position=starts,
            batch_size=10,  # one SendMessageBatch
            parallelization_factor=10,
            maximum_record_age_in_seconds=RECORD_AGE_MAX_S,
            maximum_retry_attempts=ATTEMPTS_MAX,
            on_partial_batch_item_failure="AUTOMATIC_BISECT",
            dead_letter_config=pipes.CfnPipe.DeadLetterConfigProperty(arn=undelivered_arn),
        ),
        filter_criteria=pipes.CfnPipe.FilterCriteriaProperty(
            filters=[
                pipes.CfnPipe.FilterProperty(pattern=json.dumps(pattern)) for pattern in patterns
            ]
        ),
    )
