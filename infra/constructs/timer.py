"""A function that is called every so many minutes, at least once each time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Duration
from aws_cdk import aws_scheduler as scheduler
from constructs import Construct

from infra.constructs.scheduler_role import scheduler_role

if TYPE_CHECKING:
    from aws_cdk import aws_lambda as lambda_


class Timer(Construct):
    """EventBridge Scheduler calls ``function``; what fails is not tried again, as the next call
    does what this one left.
    """

    def __init__(
        self, scope: Construct, construct_id: str, function: lambda_.IFunction, *, minutes: int
    ) -> None:
        super().__init__(scope, construct_id)
        function.configure_async_invoke(
            retry_attempts=0, max_event_age=Duration.minutes(max(1, minutes // 2))
        )
        role = scheduler_role(self, action="lambda:InvokeFunction", resource=function.function_arn)
        unit = "minute" if minutes == 1 else "minutes"
        scheduler.CfnSchedule(
            self,
            "Schedule",
            schedule_expression=f"rate({minutes} {unit})",
            flexible_time_window=scheduler.CfnSchedule.FlexibleTimeWindowProperty(mode="OFF"),
            target=scheduler.CfnSchedule.TargetProperty(
                arn=function.function_arn,
                role_arn=role.role_arn,
                input="{}",
                retry_policy=scheduler.CfnSchedule.RetryPolicyProperty(
                    maximum_retry_attempts=0, maximum_event_age_in_seconds=60
                ),
            ),
        )
