"""The buckets behind CloudFront, pages and immutable layouts of venues; and one for their logs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from aws_cdk import Duration, RemovalPolicy
from aws_cdk import aws_s3 as s3
from constructs import Construct

if TYPE_CHECKING:
    from infra.config import Config


class LogBucket(Construct):
    """As private as the others; what it holds goes when logs of this stage go."""

    def __init__(self, scope: Construct, construct_id: str, config: Config) -> None:
        super().__init__(scope, construct_id)
        self.bucket = s3.Bucket(
            self,
            "Bucket",
            **PRIVATE,
            lifecycle_rules=[
                s3.LifecycleRule(
                    expiration=Duration.days(config.log_retention_days),
                    abort_incomplete_multipart_upload_after=Duration.days(1),
                )
            ],
        )


class PrivateBucket(Construct):
    """Encrypted, over TLS only, open to nobody; kept when the stack goes.

    Not when its first creation is rolled back: its name would be taken for the next one.

    Its log says who read and wrote past CloudFront, too. CloudFront asks without a query string,
    cookies or its viewers' headers, so no line holds what lets a buyer in.

    Args:
        days: after which a file is gone; None: it stays.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        logs: LogBucket,
        versioned: bool = False,
        days: int | None = None,
    ) -> None:
        super().__init__(scope, construct_id)
        self.bucket = s3.Bucket(
            self,
            "Bucket",
            **PRIVATE,
            versioned=versioned,
            server_access_logs_bucket=logs.bucket,
            server_access_logs_prefix=f"{construct_id.lower()}/",
            lifecycle_rules=None
            if days is None
            else [s3.LifecycleRule(expiration=Duration.days(days))],
        )


PRIVATE: Mapping[str, Any] = {
    "block_public_access": s3.BlockPublicAccess.BLOCK_ALL,
    "encryption": s3.BucketEncryption.S3_MANAGED,
    "object_ownership": s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
    "enforce_ssl": True,
    "minimum_tls_version": 1.2,
    "removal_policy": RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
}
