"""Alarms on CloudFront, in the one region that has the figures of its functions."""

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
            description="Fairgate: alarms on the distribution and its functions",
            env=Environment(region=REGION),
        )
        self._stage, self._region = config.stage, config.region
        self._distribution = distribution
        alarms = Alarms(self, "Alarms", config, suffix=edge_suffix(distribution))
        for alarm_id, alarm in EDGE_ALARMS.items():
            alarms.add(
                alarm_id,
                self._sum(alarm) if alarm.function else self._share(alarm),
                alarm.meaning,
                severity=alarm.severity,
                threshold=alarm.threshold,
                minutes=alarm.minutes,
            )

    def _sum(self, alarm: EdgeAlarm) -> cloudwatch.Metric | cloudwatch.MathExpression:
        # As its own stack names it (infra/constructs/global_names.py).
        called = name(self._stage, f"{alarm.function}-{self._region}")
        dimensions = {"FunctionName": called, "Region": "Global"}
        figures = {
            f"figure{number}": metric(NAMESPACE, figure, dimensions, alarm.statistic)
            for number, figure in enumerate(alarm.figures)
        }
        if len(figures) == 1:
            return figures["figure0"]
        return cloudwatch.MathExpression(
            expression=" + ".join(f"FILL({figure}, 0)" for figure in figures),
            using_metrics=figures,
            label=f"{alarm.function}: {', '.join(alarm.figures)}",
            period=MINUTE,
        )

    def _share(self, alarm: EdgeAlarm) -> cloudwatch.MathExpression:
        dimensions = {"DistributionId": self._distribution, "Region": "Global"}
        [figure] = alarm.figures
        return cloudwatch.MathExpression(
            expression=f"IF(requests >= {REQUESTS_MIN}, share, 0)",
            using_metrics={
                "requests": metric(NAMESPACE, "Requests", dimensions),
                "share": metric(NAMESPACE, figure, dimensions, alarm.statistic),
            },
            label=f"{figure}, percent",
            period=MINUTE,
        )
