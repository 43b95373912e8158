"""Tables and queues of the local run, from the same definitions as in AWS."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.adapters.dynamodb.schema import TABLES as SCHEMAS
from fairgate.adapters.dynamodb.schema import create_table_request
from fairgate_ops.run.local.environment import QUEUES, TABLES
from fairgate_ops.run.local.ministack import local_client
from fairgate_ops.run.local.pump import create_queue

if TYPE_CHECKING:
    from collections.abc import Mapping


def create_tables(endpoint: str) -> None:
    client = local_client("dynamodb", endpoint)
    for schema in SCHEMAS:
        client.create_table(**create_table_request(schema, TABLES[schema.name]))


def create_queues(endpoint: str) -> dict[str, str]:
    """Each queue with its dead-letter queue; name → URL."""
    client = local_client("sqs", endpoint)
    return {name: create_queue(client, queue).url for name, queue in QUEUES.items()}


def dead_letters(endpoint: str, queues: Mapping[str, str]) -> dict[str, int]:
    """How many messages each queue has given up on."""
    client = local_client("sqs", endpoint)
    counts = {}
    for name, url in queues.items():
        answer = client.get_queue_attributes(
            QueueUrl=f"{url}-dead", AttributeNames=["ApproximateNumberOfMessages"]
        )
        counts[name] = int(answer["Attributes"]["ApproximateNumberOfMessages"])
    return counts
