"""Let `fairgate prewarm` prepare capacity before the sale starts and return it afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import ArnFormat, Aws, Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_scheduler as scheduler
from aws_cdk import aws_ssm as ssm
from constructs import Construct

from infra.constructs.global_names import global_name
from infra.functions import PREWARMED
from infra.naming import LIVE, PREWARM, name, prewarm_parameter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from infra.config import Config
    from infra.constructs.function import ServiceFunction

CONCURRENCY = (
    "lambda:DeleteProvisionedConcurrencyConfig",
    "lambda:PutProvisionedConcurrencyConfig",
)


class Prewarming(Construct):
    """A group of schedules, and the role as which EventBridge Scheduler calls AWS for them.

    Each schedule is one call at one moment, in AWS's own words: no code of ours has to run before
    doors, and nothing is in a template that the next deployment would set back. The tables' warm
    throughput is not among them: it cannot be given back, so it needs no schedule.
    Source: EventBridge Scheduler User Guide, Using universal targets.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        config: Config,
        *,
        functions: Mapping[str, ServiceFunction],
        cache_name: str,
    ) -> None:
        super().__init__(scope, construct_id)
        group = scheduler.CfnScheduleGroup(self, "Group", name=name(config.stage, PREWARM))
        cache_arn = Stack.of(self).format_arn(
            service="elasticache",
            resource="serverlesscache",
            resource_name=cache_name,
            arn_format=ArnFormat.COLON_RESOURCE_NAME,
        )
        role = iam.Role(
            self,
            "Role",
            # By name, because the operators' role is made before this one and may pass it on.
            role_name=global_name(config.stage, PREWARM),
            # Only the schedules of this group. Source: EventBridge Scheduler User Guide,
            # Confused deputy prevention.
            assumed_by=iam.ServicePrincipal(
                "scheduler.amazonaws.com",
                conditions={
                    "StringEquals": {
                        "aws:SourceAccount": Aws.ACCOUNT_ID,
                        "aws:SourceArn": group.attr_arn,
                    }
                },
            ),
            inline_policies={
                "Exact": iam.PolicyDocument(
                    statements=[
                        iam.PolicyStatement(
                            actions=list(CONCURRENCY),
                            resources=[functions[f].live.function_arn for f in PREWARMED],
                        ),
                        iam.PolicyStatement(
                            actions=["elasticache:ModifyServerlessCache"], resources=[cache_arn]
                        ),
                    ]
                )
            },
        )
        ssm.StringParameter(
            self,
            "Parameter",
            parameter_name=prewarm_parameter(config.stage),
            description="What `fairgate prewarm` can make ready, and as whom Scheduler does it",
            string_value=Stack.of(self).to_json_string(
                {
                    "alias": LIVE,
                    "functions": {f: name(config.stage, f) for f in PREWARMED},
                    "cache": cache_name,
                    "cache_ecpu_max": config.cache_ecpu_max,
                    "cache_ecpu_min": config.cache_ecpu_min or 0,
                    "schedule_group": group.ref,
                    "role_arn": role.role_arn,
                }
            ),
        )
