"""Alarms on CloudFront: gate and distribution, in the one region that has their figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Environment, Stack
from aws_cdk import aws_cloudwatch as cloudwatch

from infra.constructs.alarms import MINUTE, Alarms, metric
from infra.edge_alarms import EDGE_ALARMS, NAMESPACE, REGION, REQUESTS_MIN, EdgeAlarm, edge_suffix
from infra.naming import name

if TYPE_CHECKING:
    from constructs import Construct

    from infra.config import Config


class EdgeAlarmsStack(Stack):
    """To the people of the stack Watch, by topics of their own: an alarm tells none elsewhere.

    A stage may exist in several regions, and all of them are watched from this one: the id of the
    distribution is part of the names.
    """

    def __init__(self, scope: Construct, construct_id: str, config: Config) -> None:
        distribution = config.edge_alarms
        super().__init__(
            scope,
            construct_id,
            stack_name=name(config.stage, f"edge-alarms{edge_suffix(distribution)}"),
            description="Fairgate: alarms on gate and distribution",
            env=Environment(region=REGION),
        )
        self._gate = name(config.stage, f"gate-{config.region}")  # as its own stack names it
        self._distribution = distribution
        alarms = Alarms(self, "Alarms", config, suffix=edge_suffix(distribution))
        for alarm_id, alarm in EDGE_ALARMS.items():
            alarms.add(
                alarm_id,
                self._figure(alarm.figure, alarm.statistic)
                if alarm.of_gate
                else self._share(alarm),
                alarm.meaning,
                severity=alarm.severity,
                threshold=alarm.threshold,
                minutes=alarm.minutes,
            )

    def _figure(self, figure: str, statistic: str) -> cloudwatch.Metric:
        return metric(
            NAMESPACE, figure, {"FunctionName": self._gate, "Region": "Global"}, statistic
        )

    def _share(self, alarm: EdgeAlarm) -> cloudwatch.MathExpression:
        dimensions = {"DistributionId": self._distribution, "Region": "Global"}
        return cloudwatch.MathExpression(
            expression=f"IF(requests >= {REQUESTS_MIN}, share, 0)",
            using_metrics={
                "requests": metric(NAMESPACE, "Requests", dimensions),
                "share": metric(NAMESPACE, alarm.figure, dimensions, alarm.statistic),
            },
            label=f"{alarm.figure}, percent",
            period=MINUTE,
        )
