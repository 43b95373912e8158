"""Who is told what, when. The thresholds are what the system is asked to meet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from aws_cdk import Duration, Stack
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_ssm as ssm

from fairgate import metrics
from fairgate.domain.gate.gate_config import VERSION
from infra.constructs.alarms import BELOW, MINUTE, SILENCE_IS_BAD, Alarms, Severity, metric
from infra.constructs.ten_second_schedule import STEPS_A_MINUTE
from infra.naming import gate_format_parameter, metrics_namespace, name, pascal

if TYPE_CHECKING:
    from constructs import Construct

    from infra.config import Config
    from infra.stacks.api import ApiStack
    from infra.stacks.cache import CacheStack
    from infra.stacks.data import DataStack
    from infra.stacks.edge import EdgeStack
    from infra.stacks.events import EventsStack

Levels = Mapping[Severity, int]  # from which figure on

HOLD_FAILURES_PERCENT: Levels = {"warning": 5, "critical": 10}
HOLD_P99_MS = 500
ERRORS_WARNING = 5  # a minute, of functions whose callers ask again
SWEPT_WARNING = 10  # a minute; single messages do get lost, that is what the sweeper is for
UPDATE_AGE_MS: Levels = {"warning": 2_000, "critical": 5_000}
FROM_TABLE_WARNING = 10  # a minute; a refill that is waited for too long is one now and then
CACHE_PERCENT: Levels = {"warning": 60, "critical": 80}


@dataclass(frozen=True)
class Heartbeat:
    """How a function that is called by the clock shows that it lives.

    Its own count of runs, and not Lambda's of invocations: one that is cut off before its end was
    invoked, too, and so is one whose figures nobody sees any more.

    Args:
        runs_min: fewer than that in a period are too few.
        minutes: of the metric's period, as the schedule is.
        periods: in a row; two at least, as a run that takes longer may fall into the next one.
    """

    figure: str
    meaning: str
    runs_min: float = 1
    minutes: int = 1
    periods: int = 3


TIMERS = {
    "controller": Heartbeat(
        metrics.CONTROLLER_RUNS,
        "The admission controller does not run as often as it should: epochs will run out.",
        runs_min=STEPS_A_MINUTE / 2,
    ),
    "sweeper": Heartbeat(
        metrics.SWEEPER_RUNS,
        "The sweeper does not run: what a lost message left behind stays, refunds wait.",
    ),
    "reconcile": Heartbeat(
        metrics.RECONCILE_RUNS,
        "The provider's books are not compared with the orders: a payment whose webhook never"
        " came is not noticed.",
        minutes=60,
        periods=2,
    ),
}


class WatchStack(Stack):
    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        config: Config,
        *,
        data: DataStack,
        cache: CacheStack,
        edge: EdgeStack,
        events: EventsStack,
        api: ApiStack,
    ) -> None:
        super().__init__(
            scope,
            construct_id,
            stack_name=name(config.stage, "watch"),
            description="Fairgate: alarms, and what is deployed",
        )
        self._config = config
        self._tell_gate_format(config.stage)
        self.alarms = Alarms(self, "Alarms", config)
        self._business()
        self._queues(events)
        self._functions(events, api)
        self._tables(data)
        self._cache(cache)
        self._availability()
        self._api(edge)
        self._timers()

    def _tell_gate_format(self, stage: str) -> None:
        """Say it in the stack that is deployed last, when gate and functions all read it."""
        ssm.StringParameter(
            self,
            "GateFormat",
            parameter_name=gate_format_parameter(stage),
            description="The newest format of a gate's value that this deployment reads",
            string_value=str(VERSION),
        )

    def _figure(
        self, figure: str, statistic: str = "Sum", period: Duration = MINUTE
    ) -> cloudwatch.Metric:
        service = metrics.EMITTED_BY[figure]
        namespace = metrics_namespace(self._config.stage)
        return metric(namespace, figure, {"service": service}, statistic, period)

    def _sum_of_each(self, figure: str) -> cloudwatch.MathExpression:
        """What all the functions that emit it say, together; a silent one says nothing."""
        namespace = metrics_namespace(self._config.stage)
        said = {
            service: metric(namespace, figure, {"service": service})
            for service in metrics.EMITTED_BY_SEVERAL[figure]
        }
        return cloudwatch.MathExpression(
            expression=" + ".join(f"FILL({service}, 0)" for service in said),
            using_metrics=said,
            label=figure,
            period=MINUTE,
        )

    def _business(self) -> None:
        self.alarms.add(
            "DoubleBooking",
            self._figure(metrics.DOUBLE_BOOKINGS),
            "A seat was sold or held twice. Pause the sale, then run the audit.",
            severity="critical",
        )
        self.alarms.add(
            "RefundOverdue",
            self._figure(metrics.REFUNDS_OVERDUE),
            "A captured payment without seats has waited over five minutes for its refund.",
            severity="critical",
        )
        self.alarms.add(
            "PaymentsRaised",
            self._figure(metrics.PAYMENTS_RAISED),
            "The provider's books and the orders differ in a way that only a person can judge:"
            " run `fairgate orders reconcile --dry-run`.",
        )
        self.alarms.add(
            "PaymentsNotSetUp",
            self._sum_of_each(metrics.PAYMENT_SETUP_ERRORS),
            "The payment provider takes neither our key nor our permission: nobody can pay, and no"
            " refund is sent. Mend the key: `fairgate keys payments`.",
            severity="critical",
        )
        self.alarms.add(
            "DutiesOpen",
            self._figure(metrics.DUTIES_OPEN, "Maximum"),
            "Something waits that only a person can do, such as a refund that the payment provider"
            " refuses for good: `fairgate orders duties` lists it.",
        )
        self.alarms.add(
            "EventsDamaged",
            self._figure(metrics.EVENTS_DAMAGED, "Maximum"),
            "An event of the catalogue cannot be read, so nothing is done for it any more:"
            " `fairgate event list` names it.",
            severity="critical",
        )
        self.alarms.add(
            "SessionsSwept",
            self._figure(metrics.SESSIONS_SWEPT),
            "Expiry messages are lost or late: the sweeper ends the sessions instead.",
            threshold=SWEPT_WARNING,
            minutes=5,
        )
        share = cloudwatch.MathExpression(
            expression="IF(attempts > 0, 100 * failures / attempts, 0)",
            using_metrics={
                "attempts": self._figure(metrics.HOLD_ATTEMPTS),
                "failures": self._figure(metrics.HOLD_FAILURES),
            },
            label="Failed holds, percent",
            period=MINUTE,
        )
        for level, percent in HOLD_FAILURES_PERCENT.items():
            self.alarms.add(
                f"HoldFailures{pascal(level)}",
                share,
                f"More than {percent} percent of the holds fail by our doing.",
                severity=level,
                threshold=percent,
                minutes=2,
            )

    def _queues(self, events: EventsStack) -> None:
        for queue_id, queue in events.dead_letters.items():
            self.alarms.add(
                f"DeadLetters{queue_id}",
                queue.metric_approximate_number_of_messages_visible(
                    period=MINUTE, statistic="Maximum"
                ),
                "Messages failed too often and wait to be looked at and sent again.",
                severity="critical",
            )

    def _functions(self, events: EventsStack, api: ApiStack) -> None:
        functions = {**events.functions, **api.functions}
        for function_name, service in sorted(functions.items()):
            construct_id = pascal(function_name)
            self.alarms.add(
                f"Throttles{construct_id}",
                service.function.metric_throttles(period=MINUTE),
                f"Lambda turns calls of {function_name} away: raise the account's concurrency.",
                minutes=2,
            )
            once = function_name in TIMERS  # nobody calls again when that fails
            self.alarms.add(
                f"Errors{construct_id}",
                service.function.metric_errors(period=MINUTE),
                f"The function {function_name} crashes or times out; its log group says why.",
                threshold=0 if once else ERRORS_WARNING,
                minutes=1 if once else 2,
            )
        self.alarms.add(
            "HoldP99",
            api.functions["holds"].function.metric_duration(period=MINUTE, statistic="p99"),
            "One hold in a hundred takes longer than half a second.",
            severity="critical",
            threshold=HOLD_P99_MS,
            minutes=3,
        )

    def _tables(self, data: DataStack) -> None:
        for table_name, table in data.tables.items():
            for kind in ("Read", "Write"):
                self.alarms.add(
                    f"Throttled{kind}s{pascal(table_name)}",
                    metric(
                        "AWS/DynamoDB",
                        f"{kind}ThrottleEvents",
                        {"TableName": table.table_name},
                    ),
                    f"DynamoDB throttles {table_name}: warm it before a sale, look for a hot key.",
                    minutes=2,
                )

    def _cache(self, cache: CacheStack) -> None:
        used = metric(
            "AWS/ElastiCache",
            "BytesUsedForCache",
            {"clusterId": cache.cache.name},
            statistic="Maximum",
        )
        for level, percent in CACHE_PERCENT.items():
            self.alarms.add(
                f"CacheMemory{pascal(level)}",
                used,
                f"The availability cache is {percent} percent full: raise cache_gb_max.",
                severity=level,
                threshold=cache.cache.bytes_max * percent / 100,
                minutes=3,
            )

    def _availability(self) -> None:
        for level, age_ms in UPDATE_AGE_MS.items():
            self.alarms.add(
                f"UpdateAge{pascal(level)}",
                self._figure(metrics.INVALIDATION_AGE, "p99"),
                f"One change in a hundred reaches the map after more than {age_ms // 1000} s.",
                severity=level,
                threshold=age_ms,
                minutes=3,
            )
        self.alarms.add(
            "CacheUnavailable",
            self._figure(metrics.CACHE_UNAVAILABLE),
            "Changes find the cache gone or slow. Once it is back: `fairgate queue redrive"
            " invalidations`, then `fairgate cache rebuild EVENT`.",
            minutes=2,
        )
        self.alarms.add(
            "MalformedSeatChanges",
            self._figure(metrics.SEAT_CHANGES_MALFORMED),
            "Changes of seats are not understood and end as dead letters: the map misses them.",
        )
        self.alarms.add(
            "SeatMapFromTable",
            self._figure(metrics.SEAT_MAP_FROM_TABLE),
            "Seat maps go round the cache: it is gone, slow, or too small. Holds do not notice.",
            threshold=FROM_TABLE_WARNING,
            minutes=2,
        )
        self.alarms.add(
            "CacheScriptDefects",
            self._sum_of_each(metrics.CACHE_SCRIPT_DEFECTS),
            "The cache takes a question of ours for wrong; holds and maps go on without it. The"
            " functions' logs say where: `fairgate cache rebuild EVENT --forget` mends a wrong key,"
            " a deployment a wrong script.",
        )
        self.alarms.add(
            "SeatsDamaged",
            self._sum_of_each(metrics.SEATS_DAMAGED),
            "A seat or a counter of an area cannot be read: it is shown as not available, and"
            " cannot be sold. `fairgate cache rebuild EVENT` names it.",
        )
        self.alarms.add(
            "TableReadsRefused",
            self._figure(metrics.TABLE_READS_REFUSED),
            "Without the cache, the limiter turns viewers away to keep the table for holds.",
            minutes=2,
        )

    def _api(self, edge: EdgeStack) -> None:
        self.alarms.add(
            "ServerErrors",
            metric("AWS/ApiGateway", "5xx", {"ApiId": edge.api.api_id}),
            "The API answers with 5xx.",
            severity="critical",
            threshold=10,
            minutes=2,
        )

    def _timers(self) -> None:
        for function_name, heartbeat in TIMERS.items():
            self.alarms.add(
                f"{pascal(function_name)}Silent",
                self._figure(heartbeat.figure, period=Duration.minutes(heartbeat.minutes)),
                heartbeat.meaning,
                severity="critical",
                threshold=heartbeat.runs_min,
                minutes=heartbeat.minutes * heartbeat.periods,
                comparison=BELOW,
                missing=SILENCE_IS_BAD,
            )
        for construct_id, figure, what in (
            ("BackstopFailures", metrics.BACKSTOP_FAILURES, "sweeper could not end or refund"),
            ("ReconcileFailures", metrics.RECONCILE_FAILURES, "reconciliation could not compare"),
            ("ControllerFailures", metrics.CONTROLLER_FAILURES, "controller could not plan for"),
        ):
            self.alarms.add(
                construct_id,
                self._figure(figure),
                f"Something that the {what}; the others of the run were done. Its log says which.",
            )
