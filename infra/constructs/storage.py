"""The two buckets behind CloudFront: the pages, and the immutable layouts of venues."""

from __future__ import annotations

from aws_cdk import RemovalPolicy
from aws_cdk import aws_s3 as s3
from constructs import Construct


class PrivateBucket(Construct):
    """Encrypted, over TLS only, open to nobody; kept when the stack goes.

    Not when its first creation is rolled back: its name would be taken for the next one.
    """

    def __init__(self, scope: Construct, construct_id: str, *, versioned: bool = False) -> None:
        super().__init__(scope, construct_id)
        self.bucket = s3.Bucket(
            self,
            "Bucket",
            block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
            encryption=s3.BucketEncryption.S3_MANAGED,
            object_ownership=s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
            enforce_ssl=True,
            minimum_tls_version=1.2,
            versioned=versioned,
            removal_policy=RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
        )
