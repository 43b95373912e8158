"""For how long the logs of the functions at CloudFront are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import ArnFormat, Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_logs as logs
from constructs import Construct

from infra.acknowledged import acknowledge, any_line_of, any_log_of
from infra.constructs.global_names import global_name
from infra.constructs.log_group import retention
from infra.edge_alarms import EDGE_ALARMS, REGION
from infra.naming import pascal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from infra.config import Config

_PROVIDER = "LogRetention"  # the CDK's function, whose name CloudFormation makes of this


class EdgeLogs(Construct):
    """CloudFront makes a function's log group at its first line, and forgets nothing in it.

    A log group of the template would be refused where there is one already; the CDK's function
    takes it as it is, or makes it. Source: CloudFront Developer Guide, "Edge function logs".
    """

    def __init__(self, scope: Construct, construct_id: str, config: Config) -> None:
        super().__init__(scope, construct_id)
        functions = dict.fromkeys(a.function for a in EDGE_ALARMS.values() if a.function)
        groups = {
            function: f"/aws/cloudfront/function/{global_name(config.stage, function)}"
            for function in functions
        }
        # Asked about a group, IAM names what is in it, as `…:log-stream:`. Source: CloudWatch Logs
        # User Guide, "Overview of managing access permissions", log group.
        role = self._role([self._arn(f"{group}:*", REGION) for group in groups.values()])
        for function in functions:
            acknowledge(role, any_line_of(config, function), "a group is allowed by what is in it")
        for function, group in groups.items():
            logs.LogRetention(
                self,
                pascal(function),
                log_group_name=group,
                log_group_region=REGION,
                retention=retention(config.log_retention_days),
                role=role.without_policy_updates(),  # the CDK's would name every log group
            ).node.add_dependency(role)

    def _role(self, groups: Sequence[str]) -> iam.Role:
        own = self._arn(f"/aws/lambda/*{_PROVIDER}*")
        role = iam.Role(
            self,
            "Role",
            assumed_by=iam.ServicePrincipal("lambda.amazonaws.com"),
            description="What may say for how long the edge's functions' logs are kept",
            inline_policies={
                "Exact": iam.PolicyDocument(
                    statements=[
                        iam.PolicyStatement(
                            actions=["logs:CreateLogGroup", "logs:PutRetentionPolicy"],
                            resources=[*groups, own],
                        ),
                        iam.PolicyStatement(
                            actions=["logs:CreateLogStream", "logs:PutLogEvents"],
                            resources=[f"{own}:*"],
                        ),
                    ]
                )
            },
        )
        for found in any_log_of(_PROVIDER):
            acknowledge(role, found, "its own log, whose name CloudFormation makes")
        return role

    def _arn(self, group: str, region: str | None = None) -> str:
        return Stack.of(self).format_arn(
            service="logs",
            region=region,
            resource="log-group",
            resource_name=group,
            arn_format=ArnFormat.COLON_RESOURCE_NAME,
        )
