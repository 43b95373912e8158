"""Alarms on AWS's figures: functions, queues, pipes, tables, the cache, the API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import aws_cloudwatch as cloudwatch

from fairgate.adapters.dynamodb.schema import GSI1, TABLES
from infra.constructs.alarms import MINUTE, Alarms, Severity, Thresholds, metric
from infra.constructs.own_alarms import TIMERS
from infra.functions import AUTHORIZER
from infra.naming import API_LOG_TABLES, delivery_name, pascal

if TYPE_CHECKING:
    from infra.config import Config
    from infra.stacks.api import ApiStack
    from infra.stacks.cache import CacheStack
    from infra.stacks.edge import EdgeStack
    from infra.stacks.events import EventsStack

HOLD_P99_MS = 500
LOGS_LATE_S = 900  # three times the time for which the delivery gathers lines
ERRORS_WARNING = 5  # a minute, of functions whose callers ask again
CACHE_PERCENT: Thresholds = {"warning": 60, "critical": 80}
# For so long a message may wait: a seat shows late, tickets are waited for, mail is not.
QUEUE_AGE_S = {"expiry": 120, "invalidations": 30, "jobs": 3_600, "mails": 900, "tickets": 60}
PIPE_FAILURES = {
    "failed": "ExecutionFailed",
    "timeouts": "ExecutionTimeout",
    "throttled": "ExecutionThrottled",
}


def watch_queues(alarms: Alarms, events: EventsStack) -> None:
    for queue_id, queue in events.dead_letters.items():
        alarms.add(
            f"DeadLetters{queue_id}",
            queue.metric_approximate_number_of_messages_visible(period=MINUTE, statistic="Maximum"),
            "Messages failed too often and wait to be looked at and sent again.",
            severity="critical",
        )
    for queue_id, queue in events.queues.items():
        late_s = QUEUE_AGE_S[queue_id]
        alarms.add(
            f"QueueAge{pascal(queue_id)}",
            queue.metric_approximate_age_of_oldest_message(period=MINUTE, statistic="Maximum"),
            f"A message has waited for more than {late_s} s: nobody takes them, or too slowly.",
            severity="warning" if queue_id in ("jobs", "mails") else "critical",
            threshold=late_s,
            minutes=3,
        )


def watch_pipes(alarms: Alarms, events: EventsStack) -> None:
    for construct_id, pipe in events.pipes.items():
        alarms.add(
            f"PipeFailures{construct_id}",
            cloudwatch.MathExpression(
                expression="FILL(failed, 0) + FILL(timeouts, 0) + FILL(throttled, 0)",
                using_metrics={
                    variable: metric("AWS/EventBridge/Pipes", figure, {"PipeName": pipe.ref})
                    for variable, figure in PIPE_FAILURES.items()
                },
                label="Executions of the pipe that failed",
                period=MINUTE,
            ),
            "A pipe cannot carry changes on: is it stopped, or its role changed?",
            minutes=2,
        )


def watch_functions(alarms: Alarms, events: EventsStack, api: ApiStack) -> None:
    functions = {**events.functions, **api.functions}
    for function_name, service in sorted(functions.items()):
        construct_id = pascal(function_name)
        # No request is answered without the authorizer, once its kept answer has ended.
        severity: Severity = "critical" if function_name == AUTHORIZER else "warning"
        alarms.add(
            f"Throttles{construct_id}",
            service.function.metric_throttles(period=MINUTE),
            f"Lambda refuses calls of {function_name}: raise the account's concurrency.",
            severity=severity,
            minutes=2,
        )
        once = function_name in TIMERS  # nobody calls again when that fails
        alarms.add(
            f"Errors{construct_id}",
            service.function.metric_errors(period=MINUTE),
            f"The function {function_name} crashes or times out; its log group says why.",
            severity=severity,
            threshold=0 if once else ERRORS_WARNING,
            minutes=1 if once else 2,
        )
    alarms.add(
        "HoldP99",
        api.functions["holds"].function.metric_duration(period=MINUTE, statistic="p99"),
        "One hold in a hundred takes longer than half a second.",
        severity="critical",
        threshold=HOLD_P99_MS,
        minutes=3,
    )


def watch_tables(alarms: Alarms, config: Config) -> None:
    for table_name, deployed in config.tables.items():
        for kind in ("Read", "Write"):
            alarms.add(
                f"Throttled{kind}s{pascal(table_name)}",
                metric(
                    "AWS/DynamoDB",
                    f"{kind}ThrottleEvents",
                    {"TableName": deployed},
                ),
                f"DynamoDB throttles {table_name}: warm it before a sale, look for a hot key.",
                minutes=2,
            )
    for schema in (table for table in TABLES if table.index):
        index = {
            "TableName": config.tables[schema.name],
            "GlobalSecondaryIndexName": GSI1,
        }
        for kind in ("Read", "Write"):
            alarms.add(
                f"Throttled{kind}s{pascal(schema.name)}Index",
                metric("AWS/DynamoDB", f"{kind}ThrottleEvents", index),
                f"DynamoDB throttles the index of {schema.name}; a starved index throttles its"
                " table's writes.",
                minutes=2,
            )


def watch_cache(alarms: Alarms, cache: CacheStack) -> None:
    used = metric(
        "AWS/ElastiCache",
        "BytesUsedForCache",
        {"clusterId": cache.cache.name},
        statistic="Maximum",
    )
    for severity, percent in CACHE_PERCENT.items():
        alarms.add(
            f"CacheMemory{pascal(severity)}",
            used,
            f"The availability cache is {percent} percent full: raise cache_gb_max.",
            severity=severity,
            threshold=cache.cache.bytes_max * percent / 100,
            minutes=3,
        )

    alarms.add(
        "CacheThrottled",
        metric("AWS/ElastiCache", "ThrottledCmds", {"clusterId": cache.cache.name}),
        "The cache refuses commands: load rose faster than it grows. Set its minimum before the"
        " sale starts.",
        minutes=2,
    )
    alarms.add(
        "CacheProcessing",
        metric("AWS/ElastiCache", "ElastiCacheProcessingUnits", {"clusterId": cache.cache.name}),
        f"The cache does {CACHE_PERCENT['critical']} percent of what it may: raise cache_ecpu_max.",
        threshold=cache.cache.ecpu_max * 60 * CACHE_PERCENT["critical"] / 100,
        minutes=3,
    )


def watch_api(alarms: Alarms, edge: EdgeStack) -> None:
    alarms.add(
        "ServerErrors",
        metric("AWS/ApiGateway", "5xx", {"ApiId": edge.api.api_id}),
        "The API answers with 5xx.",
        severity="critical",
        threshold=10,
        minutes=2,
    )


def watch_logs(alarms: Alarms, stage: str) -> None:
    """Watch the delivery of the logs that become tables.

    Source: Amazon Data Firehose Developer Guide, "Monitor with CloudWatch metrics", "Implement
    best practices with CloudWatch alarms". Firehose tries a write for a day, and so does CloudWatch
    Logs where Firehose takes no more.
    """
    for table in API_LOG_TABLES:
        stream = {"DeliveryStreamName": delivery_name(stage, table)}
        alarms.add(
            f"LogsLost{pascal(table)}",
            metric("AWS/Firehose", "FailedConversion.Records", stream),
            f"Lines of the log {table} are in no table: they lie under errors/{table}/ of its"
            " bucket.",
            minutes=1,
        )
        alarms.add(
            f"LogsLate{pascal(table)}",
            cloudwatch.MathExpression(
                expression=f"IF(FILL(age, 0) > {LOGS_LATE_S}, 1, 0) + FILL(throttled, 0)",
                using_metrics={
                    "age": metric("AWS/Firehose", "DeliveryToS3.DataFreshness", stream, "Maximum"),
                    "throttled": metric("AWS/Firehose", "ThrottledRecords", stream),
                },
                label="Late or throttled",
                period=MINUTE,
            ),
            f"The log {table} does not reach its bucket; after a day what waits is lost.",
            minutes=LOGS_LATE_S // 60,
        )
