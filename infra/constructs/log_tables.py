"""Logs in a bucket as tables, and the questions of the day after for Athena to answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Aws, CfnOutput, Stack
from aws_cdk import aws_athena as athena
from aws_cdk import aws_glue as glue
from aws_cdk import aws_iam as iam
from constructs import Construct

from infra.acknowledged import acknowledge, any_log_below
from infra.log_queries import COLUMNS, HOUR, questions
from infra.naming import log_reader, name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aws_cdk import aws_s3 as s3

PARQUET = "org.apache.hadoop.hive.ql.io.parquet"
ANSWERS = "answers"  # the prefix under which Athena writes; forgotten as the logs are
SCANNED_BYTES_MAX = 100 * 1024**3  # of one query: half a dollar


class LogTables(Construct):
    """A database of its own for each bucket: a query reads one table, in the bucket's region.

    Partitions are computed from the path and not listed anywhere, so no crawler runs. Source:
    Athena User Guide, "Use partition projection with Amazon Athena".

    Args:
        stage: whose functions may ask.
        prefixes: where the files of each table begin; then come year, month, day and hour.
        days: for so long files are kept.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        called: str,
        bucket: s3.Bucket,
        prefixes: Mapping[str, str],
        *,
        stage: str,
        days: int,
    ) -> None:
        super().__init__(scope, construct_id)
        self._bucket, self._days = bucket, days
        self.database_name = called.replace("-", "_")
        database = glue.CfnDatabase(
            self,
            "Database",
            catalog_id=Aws.ACCOUNT_ID,
            database_input=glue.CfnDatabase.DatabaseInputProperty(name=self.database_name),
        )
        self.tables = {name: self._table(name, prefix) for name, prefix in prefixes.items()}
        for table in self.tables.values():
            table.add_resource_dependency(database)
        self._questions(called, set(prefixes))
        self._reader(called, stage, prefixes)
        CfnOutput(self, "Workgroup", value=called, description="Where Athena has the questions")

    def _table(self, name: str, prefix: str) -> glue.CfnTable:
        where = f"s3://{self._bucket.bucket_name}/{prefix}"
        return glue.CfnTable(
            self,
            name.title().replace("_", ""),
            catalog_id=Aws.ACCOUNT_ID,
            database_name=self.database_name,
            table_input=glue.CfnTable.TableInputProperty(
                name=name,
                table_type="EXTERNAL_TABLE",
                partition_keys=[glue.CfnTable.ColumnProperty(name=HOUR, type="string")],
                parameters={
                    "EXTERNAL": "TRUE",
                    "classification": "parquet",
                    "projection.enabled": "true",
                    f"projection.{HOUR}.type": "date",
                    f"projection.{HOUR}.format": "yyyy/MM/dd/HH",
                    f"projection.{HOUR}.range": f"NOW-{self._days}DAYS,NOW",
                    f"projection.{HOUR}.interval": "1",
                    f"projection.{HOUR}.interval.unit": "HOURS",
                    "storage.location.template": f"{where}/${{{HOUR}}}",
                },
                storage_descriptor=glue.CfnTable.StorageDescriptorProperty(
                    location=f"{where}/",
                    columns=[
                        glue.CfnTable.ColumnProperty(name=column.lower(), type="string")
                        for column in COLUMNS[name]
                    ],
                    input_format=f"{PARQUET}.MapredParquetInputFormat",
                    output_format=f"{PARQUET}.MapredParquetOutputFormat",
                    serde_info=glue.CfnTable.SerdeInfoProperty(
                        serialization_library=f"{PARQUET}.serde.ParquetHiveSerDe"
                    ),
                ),
            ),
        )

    def _questions(self, called: str, tables: set[str]) -> None:
        group = athena.CfnWorkGroup(
            self,
            "Questions",
            name=called,
            description="Fairgate: the questions of the day after a sale",
            recursive_delete_option=True,
            work_group_configuration=athena.CfnWorkGroup.WorkGroupConfigurationProperty(
                enforce_work_group_configuration=True,
                publish_cloud_watch_metrics_enabled=False,
                bytes_scanned_cutoff_per_query=SCANNED_BYTES_MAX,
                result_configuration=athena.CfnWorkGroup.ResultConfigurationProperty(
                    output_location=f"s3://{self._bucket.bucket_name}/{ANSWERS}/",
                    encryption_configuration=athena.CfnWorkGroup.EncryptionConfigurationProperty(
                        encryption_option="SSE_S3"
                    ),
                ),
            ),
        )
        for question in questions():
            if question.table in tables:
                asked = athena.CfnNamedQuery(
                    self,
                    question.name.title().replace("_", ""),
                    name=question.name,
                    description=f"{question.title}. {question.meaning}",
                    database=self.database_name,
                    work_group=called,
                    query_string=question.sql,
                )
                asked.add_resource_dependency(group)

    def _reader(self, called: str, stage: str, prefixes: Mapping[str, str]) -> None:
        """Make the role as which the stage's functions ask, and which may do nothing else.

        A function cannot have these rights itself: the bucket's name is made up by AWS, in a stack
        that is deployed later and in another region.
        Source: Amazon Athena User Guide, "Access to workgroups and tags" and "Configure access to
        databases and tables in the AWS Glue Data Catalog".
        """
        stack, bucket = Stack.of(self), self._bucket

        def arn(service: str, resource: str, named: str) -> str:
            return stack.format_arn(service=service, resource=resource, resource_name=named)

        tables = [arn("glue", "table", f"{self.database_name}/{table}") for table in prefixes]
        catalog = stack.format_arn(service="glue", resource="catalog")
        may = {
            (
                "athena:GetNamedQuery",
                "athena:GetQueryExecution",
                "athena:GetQueryResults",
                "athena:ListNamedQueries",
                "athena:StartQueryExecution",
            ): [arn("athena", "workgroup", called)],
            ("glue:GetDatabase", "glue:GetPartitions", "glue:GetTable"): [
                catalog,
                arn("glue", "database", self.database_name),
                *tables,
            ],
            ("s3:GetBucketLocation", "s3:ListBucket"): [bucket.bucket_arn],
            ("s3:GetObject",): [bucket.arn_for_objects(f"{at}/*") for at in prefixes.values()],
            ("s3:AbortMultipartUpload", "s3:GetObject", "s3:PutObject"): [
                bucket.arn_for_objects(f"{ANSWERS}/*")
            ],
        }
        statements = [
            iam.PolicyStatement(actions=list(actions), resources=resources)
            for actions, resources in may.items()
        ]
        role = iam.Role(
            self,
            "Reader",
            # By name, because the functions are made before it.
            role_name=log_reader(called, stack.region),
            description="What a sale's report may ask of these logs",
            assumed_by=iam.AccountRootPrincipal().with_conditions(
                {"ArnLike": {"aws:PrincipalArn": self._role_of(stage)}}
            ),
            inline_policies={"Exact": iam.PolicyDocument(statements=statements)},
        )
        for prefix in (*prefixes.values(), ANSWERS):
            acknowledge(
                role, any_log_below(stack, bucket, prefix), "each hour has files of its own"
            )

    def _role_of(self, stage: str) -> str:
        """Match the roles of the stage's stacks, whose names begin with those of the stacks."""
        return f"arn:{Aws.PARTITION}:iam::{Aws.ACCOUNT_ID}:role/{name(stage, '*')}"
