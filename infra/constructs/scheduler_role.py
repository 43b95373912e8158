"""What EventBridge Scheduler may do for us: one action on one thing, in this account only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Aws
from aws_cdk import aws_iam as iam

if TYPE_CHECKING:
    from constructs import Construct


def scheduler_role(scope: Construct, *, action: str, resource: str) -> iam.Role:
    statement = iam.PolicyStatement(actions=[action], resources=[resource])
    return iam.Role(
        scope,
        "SchedulerRole",
        assumed_by=iam.ServicePrincipal(
            "scheduler.amazonaws.com",
            conditions={"StringEquals": {"aws:SourceAccount": Aws.ACCOUNT_ID}},
        ),
        inline_policies={"Exact": iam.PolicyDocument(statements=[statement])},
    )
