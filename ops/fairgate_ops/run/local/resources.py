"""Tables, queues and a bucket of the local run, from the same definitions as in AWS."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.adapters.dynamodb.schema import TABLES as SCHEMAS
from fairgate.adapters.dynamodb.schema import create_table_request
from fairgate_ops.run.local.environment import JOB_FILES, QUEUES, REGION, TABLES
from fairgate_ops.run.local.ministack import local_client
from fairgate_ops.run.local.pump import VISIBILITY_S, create_queue
from infra.functions import BY_NAME

if TYPE_CHECKING:
    from collections.abc import Mapping


HIDDEN_S = {"jobs": BY_NAME["jobs"].timeout_s + 60}  # a run is longer than the others


def create_tables(endpoint: str) -> None:
    client = local_client("dynamodb", endpoint)
    for schema in SCHEMAS:
        client.create_table(**create_table_request(schema, TABLES[schema.name]))


def create_queues(endpoint: str) -> dict[str, str]:
    """Each queue with its dead-letter queue; name → URL."""
    client = local_client("sqs", endpoint)
    return {
        name: create_queue(client, queue, visibility_s=HIDDEN_S.get(name, VISIBILITY_S)).url
        for name, queue in QUEUES.items()
    }


def create_buckets(endpoint: str) -> None:
    where = {"LocationConstraint": REGION}
    local_client("s3", endpoint).create_bucket(Bucket=JOB_FILES, CreateBucketConfiguration=where)


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
