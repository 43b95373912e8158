"""Call a function every ten seconds, which EventBridge Scheduler alone does not have (docs/adr)."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from aws_cdk import Duration
from aws_cdk import aws_scheduler as scheduler
from aws_cdk import aws_stepfunctions as sfn
from aws_cdk import aws_stepfunctions_tasks as tasks
from constructs import Construct

from infra.acknowledged import ANY, acknowledge
from infra.constructs.log_group import delivered_log_group
from infra.constructs.scheduler_role import scheduler_role

if TYPE_CHECKING:
    from aws_cdk import aws_lambda as lambda_

    from infra.config import Config

PERIOD_S = 10
STEPS_A_MINUTE = 60 // PERIOD_S


class TenSecondSchedule(Construct):
    """Each minute the scheduler starts one express workflow that calls the function six times,
    ten seconds apart, without waiting for its answer: a slow or failing step delays no other.

    The function sees ``{"beat": 0…5}``. A step that fails is not tried again; the next one is
    due before a retry would be.
    """

    def __init__(
        self, scope: Construct, construct_id: str, config: Config, function: lambda_.IFunction
    ) -> None:
        super().__init__(scope, construct_id)
        function.configure_async_invoke(
            retry_attempts=0,
            max_event_age=Duration.minutes(1),  # Lambda's minimum
        )
        self.machine = sfn.StateMachine(
            self,
            "Minute",
            state_machine_type=sfn.StateMachineType.EXPRESS,
            definition_body=sfn.DefinitionBody.from_chainable(self._minute(function)),
            timeout=Duration.seconds(70),
            # Every event, in every stage: an express workflow has no other history, and one start a
            # minute is as much everywhere, some 0.8 GB a month. What it hands on is not logged.
            logs=sfn.LogOptions(
                destination=delivered_log_group(self, "Log", config, "ten-seconds"),
                level=sfn.LogLevel.ALL,
                include_execution_data=False,
            ),
            tracing_enabled=True,
        )
        acknowledge(
            self.machine, ANY, "log delivery and X-Ray have no resource that IAM could name"
        )
        role = scheduler_role(
            self, action="states:StartExecution", resource=self.machine.state_machine_arn
        )
        scheduler.CfnSchedule(
            self,
            "EveryMinute",
            schedule_expression="rate(1 minute)",
            flexible_time_window=scheduler.CfnSchedule.FlexibleTimeWindowProperty(mode="OFF"),
            target=scheduler.CfnSchedule.TargetProperty(
                arn=self.machine.state_machine_arn,
                role_arn=role.role_arn,
                input="{}",
                # A minute that cannot be started is over when it would be tried again.
                retry_policy=scheduler.CfnSchedule.RetryPolicyProperty(
                    maximum_retry_attempts=0, maximum_event_age_in_seconds=60
                ),
            ),
        )

    def _minute(self, function: lambda_.IFunction) -> sfn.IChainable:
        steps = [
            tasks.LambdaInvoke(
                self,
                f"Step{number}",
                lambda_function=function,
                invocation_type=tasks.LambdaInvocationType.EVENT,
                payload=sfn.TaskInput.from_object({"beat": number}),
                result_path=sfn.JsonPath.DISCARD,
                retry_on_service_exceptions=False,
            )
            for number in range(STEPS_A_MINUTE)
        ]
        for number, (step, following) in enumerate(pairwise(steps)):
            pause = sfn.Wait(
                self, f"Wait{number}", time=sfn.WaitTime.duration(Duration.seconds(PERIOD_S))
            )
            step.add_catch(pause, result_path=sfn.JsonPath.DISCARD)
            step.next(pause).next(following)
        return steps[0]
