"""The tables, from the one schema that the local run and the tests also use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from aws_cdk import ArnFormat, RemovalPolicy, Stack
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk import aws_ssm as ssm
from constructs import Construct

from fairgate.adapters.dynamodb import schema
from fairgate.ports.record import GSI1PK, GSI1SK, PK, SK
from infra.naming import name, pascal, stream_parameter

if TYPE_CHECKING:
    from infra.config import Config


@dataclass(frozen=True)
class TableInUse:
    """A table as everything but its own stack knows it: by its name.

    An export of the table's would hold it in place: CloudFormation changes none that is in use,
    and a table that was restored under another name could not take over.
    """

    table_name: str
    table_arn: str


def tables_in_use(scope: Construct, config: Config) -> dict[schema.Name, TableInUse]:
    stack = Stack.of(scope)
    return {
        key: TableInUse(
            table_name,
            stack.format_arn(
                service="dynamodb",
                resource="table",
                resource_name=table_name,
                arn_format=ArnFormat.SLASH_RESOURCE_NAME,
            ),
        )
        for key, table_name in config.tables.items()
    }


def stream_in_use(scope: Construct, config: Config, table: schema.Name) -> str:
    """The ARN of a table's stream: as the context says, or as the table's own stack tells."""
    return config.streams[table] or ssm.StringParameter.value_for_string_parameter(
        scope, stream_parameter(config.stage, table)
    )


class Tables(Construct):
    """On demand, encrypted, restorable to any second, protected against deletion.

    A first creation that is rolled back takes them along, so that the next one finds their names
    free. CloudFormation cannot delete a protected one (docs/deploying.md).
    """

    def __init__(self, scope: Construct, construct_id: str, config: Config) -> None:
        super().__init__(scope, construct_id)
        self.by_name: dict[schema.Name, dynamodb.TableV2] = {
            table.name: self._table(table, config) for table in schema.TABLES
        }

        for table in schema.TABLES:
            if table.stream:
                ssm.StringParameter(
                    self,
                    f"{pascal(table.name)}Stream",
                    parameter_name=stream_parameter(config.stage, table.name),
                    description="The stream that the change feed reads",
                    string_value=str(self.by_name[table.name].table_stream_arn),
                )

    def _table(self, table: schema.TableSchema, config: Config) -> dynamodb.TableV2:
        sale = table.name != "catalog"  # what a sale hits; the catalogue is read through a cache
        warm = _warm(config) if sale else None
        return dynamodb.TableV2(
            self,
            pascal(table.name),
            table_name=name(config.stage, table.name),
            partition_key=_string(PK),
            sort_key=_string(SK),
            billing=dynamodb.Billing.on_demand(),
            global_secondary_indexes=[_index(table, warm)] if table.index else None,
            dynamo_stream=dynamodb.StreamViewType.NEW_AND_OLD_IMAGES if table.stream else None,
            time_to_live_attribute=schema.TTL if table.ttl else None,
            warm_throughput=warm,
            encryption=dynamodb.TableEncryptionV2.aws_managed_key(),
            point_in_time_recovery_specification=dynamodb.PointInTimeRecoverySpecification(
                point_in_time_recovery_enabled=True
            ),
            deletion_protection=True,
            removal_policy=RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
        )


def _index(
    table: schema.TableSchema, warm: dynamodb.WarmThroughput | None
) -> dynamodb.GlobalSecondaryIndexPropsV2:
    attributes = table.index_attributes
    return dynamodb.GlobalSecondaryIndexPropsV2(
        index_name=schema.GSI1,
        partition_key=_string(GSI1PK),
        sort_key=_string(GSI1SK),
        projection_type=dynamodb.ProjectionType.INCLUDE
        if attributes
        else dynamodb.ProjectionType.KEYS_ONLY,
        non_key_attributes=list(attributes) or None,
        warm_throughput=warm,  # a starved index throttles its table
    )


def _warm(config: Config) -> dynamodb.WarmThroughput | None:
    if config.warm_reads is None and config.warm_writes is None:
        return None
    return dynamodb.WarmThroughput(
        read_units_per_second=config.warm_reads, write_units_per_second=config.warm_writes
    )


def _string(attribute: str) -> dynamodb.Attribute:
    return dynamodb.Attribute(name=attribute, type=dynamodb.AttributeType.STRING)
