"""What functions reach, as the stacks that own it hand it on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aws_cdk import aws_s3 as s3
    from aws_cdk import aws_secretsmanager as secretsmanager
    from aws_cdk import aws_sqs as sqs

    from fairgate.adapters.dynamodb.schema import Name
    from fairgate.ports.world import SecretName
    from infra.constructs.network import Network
    from infra.constructs.tables import TableInUse


@dataclass(frozen=True)
class Backends:
    tables: Mapping[Name, TableInUse]
    secrets: Mapping[SecretName, secretsmanager.Secret]
    front_door: secretsmanager.Secret
    network: Network
    cache_url: str
    cache_arns: tuple[str, str]  # the cache and the user as whom the functions sign in
    kvs_arn: str
    layouts: s3.Bucket
    web: s3.Bucket
    public_url: str
    expiry: sqs.Queue
    mails: sqs.Queue
    tickets: sqs.Queue
    jobs: sqs.Queue
    job_files: s3.Bucket
