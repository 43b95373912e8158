"""The log of the distribution's requests, in the one region that CloudFront delivers it from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import ArnFormat, Aws, CfnOutput, Environment, Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_logs as logs

from infra.acknowledged import acknowledge
from infra.constructs.log_tables import LogTables
from infra.constructs.storage import LogBucket
from infra.logs import DISTRIBUTION_FIELDS, DISTRIBUTION_PATH, DISTRIBUTION_REGION
from infra.naming import access_logs, name

if TYPE_CHECKING:
    from constructs import Construct

    from infra.config import Config

FORMAT = "parquet"
# Where none is said, AWS makes up one for a new delivery, and forgets it when the delivery is
# updated. Source: CloudFormation's public coverage roadmap on GitHub, issue 2274.
FOLDER = "edge_requests"


class AccessLogsStack(Stack):
    """Standard logging (v2): the legacy one takes no list of fields, and logs query strings.

    Into a bucket: for a million lines a second, CloudWatch Logs costs some ten times as much
    (``infra/logs.py``). It is made after the distribution, whose id is in its names: a stage may
    exist in several regions, and all of them log from this one.
    """

    def __init__(self, scope: Construct, construct_id: str, config: Config) -> None:
        called = access_logs(config.stage, config.access_logs)
        super().__init__(
            scope,
            construct_id,
            stack_name=called,
            description="Fairgate: log of the distribution's requests",
            env=Environment(region=DISTRIBUTION_REGION),
        )
        bucket = LogBucket(self, "Logs", config).bucket
        acknowledge(bucket, "S1", "it holds a log, and a log of a log ends nowhere")
        source = logs.CfnDeliverySource(
            self,
            "Source",
            name=called,
            log_type="ACCESS_LOGS",
            resource_arn=self.format_arn(
                service="cloudfront",
                region="",
                resource="distribution",
                resource_name=config.access_logs,
            ),
        )
        bucket.add_to_resource_policy(self._may_write(bucket.bucket_arn, called))
        destination = logs.CfnDeliveryDestination(
            self,
            "Destination",
            # AWS changes neither a destination's format nor its folder. Another one needs another
            # name, or the stack is taken away first.
            name=name(config.stage, f"{FORMAT}-{config.access_logs.lower()}"),
            destination_resource_arn=f"{bucket.bucket_arn}/{FOLDER}",
            output_format=FORMAT,
        )
        delivery = logs.CfnDelivery(
            self,
            "Delivery",
            delivery_source_name=source.name,
            delivery_destination_arn=destination.attr_arn,
            record_fields=list(DISTRIBUTION_FIELDS),
            s3_suffix_path=DISTRIBUTION_PATH,
        )
        delivery.add_resource_dependency(source)
        if bucket.policy is not None:
            delivery.node.add_dependency(bucket.policy)
        CfnOutput(self, "LogBucket", value=bucket.bucket_name, description="Where the log lies")
        LogTables(
            self,
            "Tables",
            called,
            bucket,
            {"edge_requests": f"{FOLDER}/{config.access_logs}"},
            stage=config.stage,
            days=config.log_retention_days,
        )

    def _may_write(self, bucket: str, source: str) -> iam.PolicyStatement:
        """Source: CloudWatch Logs User Guide, "Logs sent to Amazon S3", V2 permissions."""
        return iam.PolicyStatement(
            principals=[iam.ServicePrincipal("delivery.logs.amazonaws.com")],
            actions=["s3:PutObject"],
            resources=[f"{bucket}/{FOLDER}/*"],
            conditions={
                "StringEquals": {
                    "s3:x-amz-acl": "bucket-owner-full-control",
                    "aws:SourceAccount": Aws.ACCOUNT_ID,
                },
                "ArnEquals": {
                    "aws:SourceArn": self.format_arn(
                        service="logs",
                        resource="delivery-source",
                        resource_name=source,
                        arn_format=ArnFormat.COLON_RESOURCE_NAME,
                    )
                },
            },
        )
