"""Build the dashboard: waiting room, sessions and their target, holds, money, feeds, cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Duration, Stack
from aws_cdk import aws_cloudwatch as cloudwatch
from constructs import Construct

from fairgate import metrics
from infra.constructs.alarms import MINUTE, metric
from infra.constructs.global_names import global_name
from infra.constructs.slo_alarms import SLO_PERCENT
from infra.naming import metrics_namespace

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aws_cdk import aws_sqs as sqs

    from fairgate.adapters.dynamodb.schema import Name
    from infra.config import Config

WIDTH, HEIGHT = 8, 6
# CloudFront and AWS's bill have their figures in us-east-1 alone.
GLOBAL_REGION = "us-east-1"
BILL_PERIOD = Duration.hours(6)  # how often AWS adds the bill up
WRITE_UNIT, HTTP_API_REQUEST = 0.625e-6, 1e-6  # dollars, as fairgate_ops.operate.capacity.cost
CLOUDFRONT_REQUEST = 1e-6


class Dashboard(Construct):
    """Three rows that one reads from the left: buyers, money, machines."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        config: Config,
        *,
        queues: Mapping[str, sqs.Queue],
        tables: Mapping[Name, str],
        api_id: str,
        distribution_id: str,
    ) -> None:
        super().__init__(scope, construct_id)
        self._namespace = metrics_namespace(config.stage)
        rows: list[list[cloudwatch.IWidget]] = [
            [self._room(), self._sessions(), self._holds()],
            [self._money(), self._trouble(), self._feeds(queues)],
            [self._traffic(distribution_id, api_id), self._cost(tables, api_id, distribution_id)],
        ]
        if config.canary_event:
            rows.append([self._promise(), self._journey()])
        cloudwatch.Dashboard(
            self,
            "Board",
            dashboard_name=global_name(config.stage, "sale"),
            default_interval=Duration.hours(3),
            widgets=rows,
        )

    def _room(self) -> cloudwatch.GraphWidget:
        return _graph(
            "Room: who waits, and for how long",
            [self._figure(metrics.QUEUE_WAITING, "Maximum", "people who wait")],
            [
                self._figure(metrics.WAIT_EXPECTED, "Maximum", "seconds for who joins now"),
                self._figure(metrics.WAITED, "p95", "seconds that one in twenty waited"),
            ],
        )

    def _sessions(self) -> cloudwatch.GraphWidget:
        return _graph(
            "Sessions against their target",
            [
                self._figure(metrics.SESSIONS_LIVE, "Sum", "live"),
                self._figure(metrics.SESSIONS_TARGET, "Sum", "target"),
            ],
        )

    def _holds(self) -> cloudwatch.GraphWidget:
        return _graph(
            "Holds a minute",
            [
                self._figure(metrics.HOLDS_MADE, "Sum", "made"),
                self._figure(metrics.HOLD_ATTEMPTS, "Sum", "asked for"),
                self._figure(metrics.HOLD_FAILURES, "Sum", "failed by our doing"),
            ],
        )

    def _promise(self) -> cloudwatch.GraphWidget:
        """Of the time shown, so that 30 days show what is promised for them."""
        succeeded = cloudwatch.MathExpression(
            expression="100 * (1 - RUNNING_SUM(failed) / RUNNING_SUM(runs))",
            using_metrics={
                "failed": self._figure(metrics.CANARY_FAILURES, "Sum", "failed"),
                "runs": self._figure(metrics.CANARY_RUNS, "Sum", "runs"),
            },
            label="succeeded since the left end, percent",
            period=MINUTE,
        )
        return _graph(
            f"Canary: journeys, {SLO_PERCENT:g} percent are promised",
            [succeeded],
            [self._figure(metrics.CANARY_FAILURES, "Sum", "failed")],
            width=2 * WIDTH,
        )

    def _journey(self) -> cloudwatch.GraphWidget:
        return _graph(
            "Canary: milliseconds for all answers",
            [
                self._figure(metrics.CANARY_ANSWERING, "p50", "half of the journeys"),
                self._figure(metrics.CANARY_ANSWERING, "p90", "nine in ten"),
            ],
        )

    def _money(self) -> cloudwatch.GraphWidget:
        return _graph(
            "Money: orders a minute",
            [
                self._figure(metrics.ORDERS_PAID, "Sum", "paid"),
                self._figure(metrics.ORDERS_TICKETED, "Sum", "ticketed"),
                self._figure(metrics.PAYMENTS_DECLINED, "Sum", "declined"),
                self._figure(metrics.SESSIONS_EXPIRED, "Sum", "ran out of time"),
            ],
        )

    def _trouble(self) -> cloudwatch.SingleValueWidget:
        """Each of these is 0 on a good day."""
        return cloudwatch.SingleValueWidget(
            title="0 on a good day",
            width=WIDTH,
            height=HEIGHT,
            set_period_to_time_range=True,
            metrics=[
                self._figure(metrics.DOUBLE_BOOKINGS, "Sum", "double bookings"),
                self._figure(metrics.REFUNDS_OVERDUE, "Maximum", "refunds overdue"),
                self._figure(metrics.MANUAL_TASKS_OPEN, "Maximum", "tasks open"),
                self._figure(metrics.PAYMENTS_RAISED, "Sum", "payments to judge"),
                self._figure(metrics.MAILS_NOT_SENT, "Sum", "mails not sent"),
            ],
        )

    def _feeds(self, queues: Mapping[str, sqs.Queue]) -> cloudwatch.GraphWidget:
        return _graph(
            "Feeds: milliseconds to the map, seconds in a queue",
            [self._figure(metrics.INVALIDATION_AGE, "p99", "map, p99")],
            [
                queue.metric_approximate_age_of_oldest_message(
                    period=MINUTE, statistic="Maximum", label=queue_id
                )
                for queue_id, queue in queues.items()
            ],
        )

    def _traffic(self, distribution_id: str, api_id: str) -> cloudwatch.GraphWidget:
        return _graph(
            "Requests a minute: edge, and what passes it",
            [_edge_requests(distribution_id)],
            [metric("AWS/ApiGateway", "Count", {"ApiId": api_id})],
            width=2 * WIDTH,
        )

    def _cost(
        self, tables: Mapping[Name, str], api_id: str, distribution_id: str
    ) -> cloudwatch.GraphWidget:
        """An estimate from the three largest rates, running; the bill follows hours later."""
        writes = {
            f"w{number}": metric("AWS/DynamoDB", "ConsumedWriteCapacityUnits", {"TableName": table})
            for number, table in enumerate(tables.values())
        }
        units = " + ".join(f"FILL({variable}, 0)" for variable in writes)
        so_far = cloudwatch.MathExpression(
            expression=f"RUNNING_SUM({CLOUDFRONT_REQUEST:.9f} * FILL(edge, 0)"
            f" + {HTTP_API_REQUEST:.9f} * FILL(api, 0) + {WRITE_UNIT:.9f} * ({units}))",
            using_metrics={
                **writes,
                "edge": _edge_requests(distribution_id),
                "api": metric("AWS/ApiGateway", "Count", {"ApiId": api_id}),
            },
            label="dollars in the time shown: edge, API, writes",
            period=MINUTE,
        )
        bill = cloudwatch.Metric(
            namespace="AWS/Billing",
            metric_name="EstimatedCharges",
            dimensions_map={"Currency": "USD"},
            statistic="Maximum",
            period=BILL_PERIOD,
            region=GLOBAL_REGION,
            label="the account's bill this month",
        )
        return _graph("Cost so far, dollars (an estimate)", [so_far], [bill])

    def _figure(self, figure: str, statistic: str, label: str) -> cloudwatch.Metric:
        service = metrics.EMITTED_BY[figure]
        return metric(self._namespace, figure, {"service": service}, statistic).with_(label=label)


def _edge_requests(distribution_id: str) -> cloudwatch.Metric:
    return cloudwatch.Metric(
        namespace="AWS/CloudFront",
        metric_name="Requests",
        dimensions_map={"DistributionId": distribution_id, "Region": "Global"},
        statistic="Sum",
        period=MINUTE,
        region=GLOBAL_REGION,
        label="edge",
    )


def _graph(
    title: str,
    left: list[cloudwatch.IMetric],
    right: list[cloudwatch.IMetric] | None = None,
    *,
    width: int = WIDTH,
) -> cloudwatch.GraphWidget:
    return cloudwatch.GraphWidget(
        title=title,
        left=left,
        right=right or [],
        width=width,
        height=HEIGHT,
        left_y_axis=cloudwatch.YAxisProps(min=0),
    )


def dashboard_address(scope: Construct, stage: str) -> str:
    """Where one reads it, for a stack's output."""
    region = Stack.of(scope).region
    return (
        f"https://{region}.console.aws.amazon.com/cloudwatch/home?region={region}"
        f"#dashboards/dashboard/{global_name(stage, 'sale')}"
    )
