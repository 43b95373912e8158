"""The API's log and the admissions as Parquet in S3, beside CloudWatch Logs, and their tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import ArnFormat, Aws, CfnOutput, Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kinesisfirehose as firehose
from aws_cdk import aws_logs as logs

from fairgate import metrics
from infra.acknowledged import acknowledge, any_log_file
from infra.constructs.log_group import delivered_log_group
from infra.constructs.log_tables import LogTables
from infra.constructs.storage import LogBucket
from infra.naming import API_LOG_TABLES, api_logs, delivery_name, name, pascal

if TYPE_CHECKING:
    from aws_cdk import aws_s3 as s3
    from constructs import Construct

    from infra.config import Config

# An HTTP API logs to CloudWatch Logs alone (API Gateway Developer Guide, "Configure logging for
# HTTP APIs"), from where a subscription carries it on. No request waits for any of it.
BUFFER_S, BUFFER_MB = 300, 64  # Firehose's least for Parquet is 64 MB


class ApiLogsStack(Stack):
    """Made after the API, whose log groups it names."""

    def __init__(self, scope: Construct, construct_id: str, config: Config) -> None:
        called, self._stage = api_logs(config.stage), config.stage
        super().__init__(
            scope,
            construct_id,
            stack_name=called,
            description="Fairgate: log of the API's requests as tables",
        )
        bucket = LogBucket(self, "Logs", config).bucket
        acknowledge(bucket, "S1", "it holds a log, and a log of a log ends nowhere")
        groups = (
            (f"/aws/vendedlogs/{name(config.stage, 'api')}", ""),
            (
                f"/aws/lambda/{name(config.stage, metrics.EMITTED_BY[metrics.WAITED])}",
                f"{{ $.{metrics.WAITED} >= 0 }}",
            ),
        )
        sources = dict(zip(API_LOG_TABLES, groups, strict=True))
        self._tables = LogTables(
            self,
            "Tables",
            called,
            bucket,
            {table: table for table in sources},
            stage=config.stage,
            days=config.log_retention_days,
        )
        # What Firehose cannot write it says there.
        errors = delivered_log_group(self, "Errors", config, "api-logs")
        errors.add_stream("Stream", log_stream_name="delivery")
        writer = self._writer(bucket, errors, called)
        sender = iam.Role(
            self,
            "Sender",
            assumed_by=iam.ServicePrincipal(
                "logs.amazonaws.com",
                conditions={"StringLike": {"aws:SourceArn": self._log_arn("*")}},
            ),
            description="What CloudWatch Logs may do with its lines",
        )
        for table, (group, pattern) in sources.items():
            stream = self._stream(table, bucket, writer, errors)
            sender.add_to_policy(
                iam.PolicyStatement(
                    actions=["firehose:PutRecord", "firehose:PutRecordBatch"],
                    resources=[stream.attr_arn],
                )
            )
            subscription = logs.CfnSubscriptionFilter(
                self,
                f"{pascal(table)}Subscription",
                log_group_name=group,
                filter_pattern=pattern,
                destination_arn=stream.attr_arn,
                role_arn=sender.role_arn,
            )
            subscription.node.add_dependency(sender)
        CfnOutput(self, "LogBucket", value=bucket.bucket_name, description="Where the logs lie")

    def _stream(
        self,
        table: str,
        bucket: s3.Bucket,
        writer: iam.Role,
        errors: logs.LogGroup,
    ) -> firehose.CfnDeliveryStream:
        """Unpack what CloudWatch Logs sends, take its messages, and write them as the table has it.

        Source: Amazon Data Firehose Developer Guide, "Decompress CloudWatch Logs", "Convert input
        data format".
        """
        Stream = firehose.CfnDeliveryStream  # noqa: N806 a class by a shorter name
        hour = "!{timestamp:yyyy}/!{timestamp:MM}/!{timestamp:dd}/!{timestamp:HH}"
        stream = Stream(
            self,
            pascal(table),
            delivery_stream_name=delivery_name(self._stage, table),
            delivery_stream_type="DirectPut",
            delivery_stream_encryption_configuration_input=Stream.DeliveryStreamEncryptionConfigurationInputProperty(
                key_type="AWS_OWNED_CMK"
            ),
            extended_s3_destination_configuration=Stream.ExtendedS3DestinationConfigurationProperty(
                bucket_arn=bucket.bucket_arn,
                role_arn=writer.role_arn,
                prefix=f"{table}/{hour}/",
                error_output_prefix=f"errors/{table}/!{{firehose:error-output-type}}/",
                buffering_hints=Stream.BufferingHintsProperty(
                    interval_in_seconds=BUFFER_S, size_in_m_bs=BUFFER_MB
                ),
                cloud_watch_logging_options=Stream.CloudWatchLoggingOptionsProperty(
                    enabled=True, log_group_name=errors.log_group_name, log_stream_name="delivery"
                ),
                processing_configuration=Stream.ProcessingConfigurationProperty(
                    enabled=True,
                    processors=[
                        _processor("Decompression", CompressionFormat="GZIP"),
                        _processor("CloudWatchLogProcessing", DataMessageExtraction="true"),
                    ],
                ),
                data_format_conversion_configuration=_to_parquet(
                    self._tables.database_name, table, writer.role_arn
                ),
            ),
        )
        stream.node.add_dependency(writer, self._tables)
        return stream

    def _writer(self, bucket: s3.Bucket, errors: logs.LogGroup, called: str) -> iam.Role:
        """Source: Firehose Developer Guide, "Grant Firehose access to an Amazon S3 destination"."""
        glue = [
            self.format_arn(service="glue", resource=kind, resource_name=what)
            for kind, what in (
                ("catalog", None),
                ("database", self._tables.database_name),
                *(("table", f"{self._tables.database_name}/{t}") for t in self._tables.tables),
            )
        ]
        role = iam.Role(
            self,
            "Writer",
            assumed_by=iam.ServicePrincipal(
                "firehose.amazonaws.com",
                conditions={"StringEquals": {"sts:ExternalId": Aws.ACCOUNT_ID}},
            ),
            description=f"What Firehose may do for {called}",
            inline_policies={
                "Exact": iam.PolicyDocument(
                    statements=[
                        iam.PolicyStatement(
                            actions=["s3:AbortMultipartUpload", "s3:PutObject"],
                            resources=[bucket.arn_for_objects("*")],
                        ),
                        iam.PolicyStatement(
                            actions=["s3:GetBucketLocation", "s3:ListBucketMultipartUploads"],
                            resources=[bucket.bucket_arn],
                        ),
                        iam.PolicyStatement(
                            actions=[
                                "glue:GetTable",
                                "glue:GetTableVersion",
                                "glue:GetTableVersions",
                            ],
                            resources=glue,
                        ),
                        iam.PolicyStatement(
                            actions=["logs:PutLogEvents"], resources=[errors.log_group_arn]
                        ),
                    ]
                )
            },
        )
        acknowledge(role, any_log_file(self, bucket), "files are named by the minute")
        return role

    def _log_arn(self, what: str) -> str:
        return self.format_arn(service="logs", resource=what, arn_format=ArnFormat.NO_RESOURCE_NAME)


def _processor(kind: str, **parameters: str) -> firehose.CfnDeliveryStream.ProcessorProperty:
    return firehose.CfnDeliveryStream.ProcessorProperty(
        type=kind,
        parameters=[
            firehose.CfnDeliveryStream.ProcessorParameterProperty(
                parameter_name=parameter, parameter_value=value
            )
            for parameter, value in parameters.items()
        ],
    )


def _to_parquet(
    database: str, table: str, role: str
) -> firehose.CfnDeliveryStream.DataFormatConversionConfigurationProperty:
    Stream = firehose.CfnDeliveryStream  # noqa: N806 a class by a shorter name
    return Stream.DataFormatConversionConfigurationProperty(
        enabled=True,
        input_format_configuration=Stream.InputFormatConfigurationProperty(
            deserializer=Stream.DeserializerProperty(
                open_x_json_ser_de=Stream.OpenXJsonSerDeProperty()
            )
        ),
        output_format_configuration=Stream.OutputFormatConfigurationProperty(
            serializer=Stream.SerializerProperty(parquet_ser_de=Stream.ParquetSerDeProperty())
        ),
        schema_configuration=Stream.SchemaConfigurationProperty(
            catalog_id=Aws.ACCOUNT_ID,
            database_name=database,
            table_name=table,
            region=Aws.REGION,
            role_arn=role,
            version_id="LATEST",
        ),
    )
