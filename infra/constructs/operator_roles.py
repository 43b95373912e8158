"""Two roles for people: one that looks, one that also acts; both exactly what the command needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from aws_cdk import ArnFormat, CfnOutput, Duration, Stack
from aws_cdk import aws_iam as iam
from constructs import Construct

from fairgate.adapters.dynamodb.schema import GSI1, TABLES
from fairgate.service.shared.keys import (
    API_TOKENS,
    CATALOG_PK,
    CREATION,
    GRANTS,
    house_block_key,
)
from infra import operators
from infra.acknowledged import (
    ANY,
    acknowledge,
    any_alarm,
    any_layout,
    any_parameter,
    any_schedule,
    any_stack,
)
from infra.constructs.global_names import global_name
from infra.functions import PREWARMED, REBUILDER
from infra.naming import CACHE, PREWARM, live, name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fairgate.adapters.dynamodb.schema import Name
    from infra.config import Config
    from infra.constructs.tables import TableInUse

SESSION_H = 8  # a day of sale


@dataclass(frozen=True)
class Reach:
    """The ARNs of what the command reaches."""

    tables: Mapping[Name, TableInUse]
    queues: Sequence[str]
    dead_letters: Sequence[str]
    layouts: str
    kvs: str
    secrets: Sequence[str]


class OperatorRoles(Construct):
    """Anybody in this account who may assume roles can take one; nobody is named here.

    The one that looks sees no key: neither in the secrets nor in the values of gates, which have
    signing keys in them. So `fairgate doctor` tells it that it could not look at those.
    """

    def __init__(self, scope: Construct, construct_id: str, config: Config, reach: Reach) -> None:
        super().__init__(scope, construct_id)
        self._config, self._reach = config, reach
        looks = self._looks()
        acknowledge(self, ANY, "listing and describing, of which AWS knows no narrower resource")
        acknowledge(self, any_parameter(config), "the stage's own parameters, which all are read")
        acknowledge(self, any_layout(config), "a layout's name is the hash of what it holds")
        acknowledge(self, any_alarm(config), "`fairgate doctor` fires one of the stage's own")
        acknowledge(self, any_stack(config), "a stack's ARN ends in an id that AWS makes")
        acknowledge(self, any_schedule(config), "`fairgate prewarm` makes one an event and moment")
        self._role("Reader", "Looks at a sale with `fairgate`, and changes nothing", looks)
        self._role("Operator", "Runs a sale with `fairgate`", [*looks, *self._acts()])

    def _role(
        self, construct_id: str, purpose: str, statements: Sequence[iam.PolicyStatement]
    ) -> None:
        role = iam.Role(
            self,
            construct_id,
            assumed_by=iam.AccountRootPrincipal(),
            description=purpose,
            max_session_duration=Duration.hours(SESSION_H),
            inline_policies={"Exact": iam.PolicyDocument(statements=list(statements))},
        )
        CfnOutput(self, f"{construct_id}Role", value=role.role_arn, description=purpose)

    def _looks(self) -> list[iam.PolicyStatement]:
        reach = self._reach
        return [
            _allow(operators.PARAMETER_READ, self._arn("ssm", "parameter", self._of_stage("*"))),
            _allow(operators.TABLE_READ, *self._tables("seats", "reservations")),
            _allow(operators.TABLE_DESCRIBED, *(t.table_arn for t in reach.tables.values())),
            iam.PolicyStatement(
                actions=list(operators.CATALOG_READ),
                resources=[reach.tables["catalog"].table_arn],
                conditions={
                    "ForAllValues:StringLike": {
                        "dynamodb:LeadingKeys": [
                            CATALOG_PK,
                            CREATION,
                            GRANTS,
                            API_TOKENS,
                            house_block_key("*", "").pk,
                        ]
                    }
                },
            ),
            _allow(operators.QUEUE_COUNTED, *reach.queues, *reach.dead_letters),
            _allow(operators.LAYOUT_READ, f"{reach.layouts}/layouts/*"),
            _allow(operators.STORE_LOOKED_AT, reach.kvs),
            _allow(operators.CONCURRENCY_LOOKED_AT, *map(self._live, PREWARMED)),
            _allow(operators.API_ACCOUNT_LOOKED_AT, self._api_account()),
            _allow(operators.LOOKS, "*"),
        ]

    def _acts(self) -> list[iam.PolicyStatement]:
        reach = self._reach
        every = [table.table_arn for table in reach.tables.values()]
        return [
            _allow(operators.TABLE_WRITE, *every),
            _allow(
                operators.SEATS_REMOVED,
                reach.tables["seats"].table_arn,
                reach.tables["catalog"].table_arn,
            ),
            _allow(operators.CREATION_CHECKED, reach.tables["catalog"].table_arn),
            _allow(operators.CATALOG_READ, reach.tables["catalog"].table_arn),
            _allow(operators.QUEUE_SENT, *reach.queues),
            _allow(operators.DEAD_TAKEN, *reach.dead_letters),
            _allow(operators.LAYOUT_WRITTEN, f"{reach.layouts}/layouts/*"),
            _allow(operators.STORE_WRITTEN, reach.kvs),
            _allow(operators.SECRET, *reach.secrets),
            _allow(operators.REBUILD, self._live(REBUILDER)),
            _allow(operators.TABLE_WARMED, *every),
            _allow(operators.CONCURRENCY_PROVISIONED, *map(self._live, PREWARMED)),
            _allow(
                operators.CACHE_PREPARED,
                self._arn(
                    *("elasticache", "serverlesscache", name(self._config.stage, CACHE)),
                    ArnFormat.COLON_RESOURCE_NAME,
                ),
            ),
            _allow(
                operators.STACK_FROZEN,
                self._arn("cloudformation", "stack", f"{name(self._config.stage, '*')}/*"),
            ),
            _allow(
                operators.SCHEDULED,
                self._arn("scheduler", "schedule", f"{name(self._config.stage, PREWARM)}/*"),
            ),
            iam.PolicyStatement(
                actions=list(operators.ROLE_PASSED),
                resources=[self._prewarming_role()],
                conditions={"StringEquals": {"iam:PassedToService": "scheduler.amazonaws.com"}},
            ),
            _allow(
                operators.ALARM_TRIED,
                self._arn(
                    *("cloudwatch", "alarm", name(self._config.stage, "*")),
                    ArnFormat.COLON_RESOURCE_NAME,
                ),
            ),
        ]

    def _tables(self, *names: Name) -> list[str]:
        indexed = {table.name for table in TABLES if table.index}
        arns = {table: self._reach.tables[table].table_arn for table in names}
        return [*arns.values(), *(f"{arns[t]}/index/{GSI1}" for t in names if t in indexed)]

    def _live(self, function: str) -> str:
        named = live(self._config.stage, function)
        return self._arn("lambda", "function", named, ArnFormat.COLON_RESOURCE_NAME)

    def _api_account(self) -> str:
        """What API Gateway says of this account in the region; its ARN names no account."""
        stack = Stack.of(self)
        return f"arn:{stack.partition}:apigateway:{stack.region}::/account"

    def _prewarming_role(self) -> str:
        stack = Stack.of(self)
        named = global_name(self._config.stage, PREWARM)
        return f"arn:{stack.partition}:iam::{stack.account}:role/{named}"

    def _of_stage(self, what: str) -> str:
        return f"fairgate/{self._config.stage}/{what}"

    def _arn(
        self,
        service: str,
        resource: str,
        named: str,
        arn_format: ArnFormat = ArnFormat.SLASH_RESOURCE_NAME,
    ) -> str:
        return Stack.of(self).format_arn(
            service=service, resource=resource, resource_name=named, arn_format=arn_format
        )


def _allow(actions: Sequence[str], *resources: str) -> iam.PolicyStatement:
    return iam.PolicyStatement(actions=list(actions), resources=list(resources))
