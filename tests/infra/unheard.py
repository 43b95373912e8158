"""Find what may fail in a deployment without anybody hearing of it, from its templates."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from fairgate import metrics
from fairgate.adapters.dynamodb.schema import GSI1, TABLES
from infra.edge_alarms import EDGE_ALARMS
from infra.functions import FUNCTIONS
from infra.naming import pascal
from tests.infra.conftest import ROOT, STAGE

Templates = Mapping[str, Mapping[str, Any]]
Resource = Mapping[str, Any]
PAGE = ROOT / "docs" / "alarms.md"
# Figures that are looked at, and on which nobody must act.
LOOKED_AT = {
    metrics.PAYMENTS_REPAIRED: "what was repaired needs nobody",
    metrics.SEAT_CHANGES_APPLIED: "how much there is to do, not how well it goes",
    metrics.REQUESTS_LIMITED: "who asks too often is told when to ask again",
    metrics.LIMITS_SKIPPED: "the table did not answer, which its own alarms say",
    metrics.SESSIONS_LIVE: "the controller holds it to its target",
    metrics.SESSIONS_TARGET: "an operator sets it",
    metrics.MAILS_NOT_SENT: "each such order has a manual task, of which ManualTasksOpen tells",
    metrics.CLAIMS_SKIPPED: "holds go on without claims; CacheUnavailable says why",
}
RUNS = {
    "auditor": metrics.AUDITOR_RUNS,
    "controller": metrics.CONTROLLER_RUNS,
    "canary": metrics.CANARY_RUNS,
    "sweeper": metrics.SWEEPER_RUNS,
    "reconcile": metrics.RECONCILE_RUNS,
}
# What makes a change that each feed carries, and what counts it where it arrives.
CARRIED = {
    "SeatChanges": (metrics.HOLDS_MADE, metrics.SEAT_CHANGES_APPLIED),
    "PaidOrders": (metrics.ORDERS_PAID, metrics.ORDERS_TICKETED),
    "MailedChanges": (metrics.REFUNDS_MOVED, metrics.CHANGES_HEARD),
}
# Alarms that the example stage has not; tests/infra/test_watching.py looks at them.
BY_OPTION = {"BackupsSilent"}
TIMED = [spec.name for spec in FUNCTIONS if spec.trigger == "timer"]
MISSED_MAX = 3  # turns of a timer, until somebody hears that it is silent


def unheard(templates: Templates) -> list[str]:
    """Name each failure that no alarm hears, and each alarm that the page does not explain."""
    alarms = list(_of_type(templates, "AWS::CloudWatch::Alarm"))
    open_topics = set(_topics_of_cloudwatch(templates))
    both = list(_of_type(templates, "AWS::CloudWatch::CompositeAlarm"))
    told_by = {part for _, alarm in both if _tells(alarm, open_topics) for part in _parts(alarm)}
    heard = [a for name, a in alarms if _tells(a, open_topics) or name in told_by]
    silent = [a for name, a in (*alarms, *both) if not _tells(a, open_topics)]
    names = {name for name, _ in alarms}
    return [
        *(f"{a['AlarmName']} tells nobody" for a in silent if a not in heard),
        *(f"{a['AlarmName']} lacks a part" for _, a in both if set(_parts(a)) - names),
        *(f"burn rate of {window}" for window in _windows(heard)),
        *(f"figure {figure}" for figure in _figures(heard)),
        *(f"{kind} of {name}" for kind, name in _functions(heard)),
        *(f"silence of {name}" for name in TIMED if not _silence_is_heard(templates, heard, name)),
        *(f"throttling of {table}" for table in _tables(heard)),
        *(f"dead letters in {queue}" for queue in _dead_letters(templates, heard)),
        *(f"age of {queue}" for queue in _ages(templates, heard)),
        *(f"failures of {pipe}" for pipe in _pipes(templates, heard)),
        *(f"silence of {pipe}" for pipe in _silent_pipes(templates, heard)),
        *(f"partial batches of {name}" for name in _whole_batches(templates)),
        *_not_explained(
            {
                a["AlarmName"].removeprefix(f"fairgate-{STAGE}-")
                for a in (*heard, *dict(both).values())
            }
            | set(EDGE_ALARMS)
            | BY_OPTION
        ),
    ]


def _of_type(templates: Templates, kind: str) -> Iterator[tuple[str, Resource]]:
    for template in templates.values():
        for logical_id, resource in template["Resources"].items():
            if resource["Type"] == kind:
                yield logical_id, resource["Properties"]


# --- topics


def _tells(alarm: Resource, open_topics: set[str]) -> bool:
    """Say whether it has actions, and each of them a topic to which CloudWatch may publish."""
    told = [action["Ref"] for action in alarm.get("AlarmActions", ())]
    return bool(told) and set(told) <= open_topics


def _parts(composite: Resource) -> list[str]:
    """Return the logical ids of the alarms that a composite alarm needs, all of them."""
    pieces = composite["AlarmRule"]["Fn::Join"][1]
    words = {piece for piece in pieces if isinstance(piece, str)}
    assert words <= {'(ALARM("', '") AND ALARM("', '"))'}, words
    return [piece["Fn::GetAtt"][0] for piece in pieces if not isinstance(piece, str)]


def _windows(heard: list[Resource]) -> Iterator[str]:
    """Times over which no alarm compares the canary's failures with its runs.

    Source: The Site Reliability Workbook, chapter 5: 14.4 times for a page, 6 times for a ticket.
    """
    allowed = 0.5  # percent
    for times, minutes in ((14.4, 60), (14.4, 5), (6, 360), (6, 30)):
        if not any(
            alarm["Threshold"] == times * allowed
            and alarm["EvaluationPeriods"] == 1
            and alarm["ComparisonOperator"] == "GreaterThanThreshold"
            and {part["Expression"] for part in alarm["Metrics"] if "Expression" in part}
            == {"100 * failed / runs"}
            and {p["MetricStat"]["Period"] for p in alarm["Metrics"] if "MetricStat" in p}
            == {60 * minutes}
            and {m["MetricName"] for m in _metrics_of(alarm)}
            == {metrics.CANARY_FAILURES, metrics.CANARY_RUNS}
            for alarm in heard
            if "Metrics" in alarm
        ):
            yield f"{minutes} minutes"


def _topics_of_cloudwatch(templates: Templates) -> Iterator[str]:
    """Topics whose own policy lets CloudWatch in: with any policy, SNS's default is gone."""
    for _, policy in _of_type(templates, "AWS::SNS::TopicPolicy"):
        for statement in policy["PolicyDocument"]["Statement"]:
            if (
                statement["Effect"] == "Allow"
                and statement["Principal"] == {"Service": "cloudwatch.amazonaws.com"}
                and statement["Action"] == "sns:Publish"
                and statement.get("Condition", _THIS_ACCOUNT) == _THIS_ACCOUNT
                and {"Ref": (topic := statement["Resource"]["Ref"])} in policy["Topics"]
            ):
                yield topic


_THIS_ACCOUNT = {"StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}}


# --- our own figures


def _metrics_of(alarm: Resource) -> Iterator[Resource]:
    if "MetricName" in alarm:
        yield alarm
    for part in alarm.get("Metrics", ()):
        if "MetricStat" in part:
            yield part["MetricStat"]["Metric"]


def _is_of(metric: Resource, figure: str, service: str = "") -> bool:
    """Args: service: who emits it, for a figure of several functions."""
    dimension = {"Name": "service", "Value": service or metrics.EMITTED_BY[figure]}
    return (
        metric["MetricName"] == figure
        and metric["Namespace"] == f"Fairgate/{STAGE}"
        and metric["Dimensions"] == [dimension]
    )


def _figures(heard: list[Resource]) -> Iterator[str]:
    for figure in metrics.EMITTED_BY:
        watched = any(_is_of(metric, figure) for alarm in heard for metric in _metrics_of(alarm))
        if not watched and figure not in LOOKED_AT:
            yield figure
    for figure, services in metrics.EMITTED_BY_SEVERAL.items():
        for service in () if figure in LOOKED_AT else services:
            watching = (_metrics_of(alarm) for alarm in heard)
            if not any(_is_of(metric, figure, service) for one in watching for metric in one):
                yield f"{figure} of {service}"


# --- functions


def _functions(heard: list[Resource]) -> Iterator[tuple[str, str]]:
    for spec in FUNCTIONS:
        for kind in ("Errors", "Throttles"):
            alarms = [a for a in heard if _is_about(a, kind, spec.name)]
            if kind == "Errors" and spec.name in TIMED:
                alarms = [a for a in alarms if _hears_one(a)]
            if not alarms:
                yield kind.lower(), spec.name


def _is_about(alarm: Resource, kind: str, function: str) -> bool:
    return (
        alarm.get("Namespace") == "AWS/Lambda"
        and alarm["MetricName"] == kind
        and re.search(rf"\b(ExportsOutputRef|){pascal(function)}Function", json.dumps(alarm))
        is not None
    )


def _hears_one(alarm: Resource) -> bool:
    return (
        alarm["Threshold"] == 0
        and alarm["ComparisonOperator"] == "GreaterThanThreshold"
        and alarm["EvaluationPeriods"] == 1
        and alarm["Statistic"] == "Sum"
    )


def _silence_is_heard(templates: Templates, heard: list[Resource], function: str) -> bool:
    schedule_s = _schedule_s(templates, function)
    return any(
        alarm["ComparisonOperator"] == "LessThanThreshold"
        and alarm["TreatMissingData"] == "breaching"
        and alarm["Statistic"] == "Sum"
        and alarm["Threshold"] > 0
        and alarm["Period"] == schedule_s
        and 2 <= alarm["EvaluationPeriods"] <= MISSED_MAX
        for alarm in heard
        if "MetricName" in alarm and _is_of(alarm, RUNS[function])
    )


def _schedule_s(templates: Templates, function: str) -> int:
    """How often its schedule fires. The controller's is that of the workflow that calls it."""
    name = "Beat" if function == "controller" else pascal(function)
    (rate,) = [
        schedule["ScheduleExpression"]
        for _, schedule in _of_type(templates, "AWS::Scheduler::Schedule")
        if name in json.dumps(schedule["Target"]["Arn"])
    ]
    matched = re.fullmatch(r"rate\((\d+) minutes?\)", rate)
    assert matched is not None, rate
    return 60 * int(matched[1])


# --- tables


def _tables(heard: list[Resource]) -> Iterator[str]:
    for schema in TABLES:
        for kind in ("Read", "Write"):
            throttled = [
                alarm["Dimensions"]
                for alarm in heard
                if alarm.get("MetricName") == f"{kind}ThrottleEvents"
                and f"fairgate-{STAGE}-{schema.name}" in json.dumps(alarm["Dimensions"])
            ]
            if not any(len(dimensions) == 1 for dimensions in throttled):
                yield schema.name
            if schema.index and not any(GSI1 in json.dumps(one) for one in throttled):
                yield f"{schema.name}'s index"


# --- queues


def _given_up_into(value: Any) -> Iterator[str]:
    """Queues to which anything, another queue or a pipe, sends what it gives up on."""
    if isinstance(value, list):
        for part in value:
            yield from _given_up_into(part)
    elif isinstance(value, dict):
        for name, part in value.items():
            if name in {"deadLetterTargetArn", "DeadLetterConfig"}:
                yield part.get("Arn", part)["Fn::GetAtt"][0]
            yield from _given_up_into(part)


def _dead_letters(templates: Templates, heard: list[Resource]) -> Iterator[str]:
    """Dead-letter queues that nobody watches, and queues that have none."""
    found = set(_given_up_into(dict(templates)))
    assert found
    for name in sorted(found):
        if not any(_shows_one(alarm, name) for alarm in heard):
            yield name
    for logical_id, queue in _of_type(templates, "AWS::SQS::Queue"):
        if logical_id not in found and "RedrivePolicy" not in queue:
            yield logical_id


def _ages(templates: Templates, heard: list[Resource]) -> Iterator[str]:
    """Queues that nobody hears when what is in them is not taken."""
    for logical_id, queue in _of_type(templates, "AWS::SQS::Queue"):
        if "RedrivePolicy" in queue and not any(
            alarm.get("MetricName") == "ApproximateAgeOfOldestMessage"
            and logical_id in json.dumps(alarm["Dimensions"])
            for alarm in heard
        ):
            yield logical_id


def _pipes(templates: Templates, heard: list[Resource]) -> Iterator[str]:
    for logical_id, _ in _of_type(templates, "AWS::Pipes::Pipe"):
        watched = {
            metric["MetricName"]
            for alarm in heard
            for metric in _metrics_of(alarm)
            if metric["Namespace"] == "AWS/EventBridge/Pipes"
            and logical_id in json.dumps(metric["Dimensions"])
        }
        if watched != {"ExecutionFailed", "ExecutionTimeout", "ExecutionThrottled"}:
            yield logical_id


def _silent_pipes(templates: Templates, heard: list[Resource]) -> Iterator[str]:
    """Pipes that may stand still without anybody hearing: one that is stopped fails nowhere."""
    for logical_id, _ in _of_type(templates, "AWS::Pipes::Pipe"):
        figures = [f for feed, f in CARRIED.items() if logical_id.startswith(feed)]
        if not any(
            {figures[0][1], figures[0][0]} == {m["MetricName"] for m in _metrics_of(alarm)}
            and any(
                part.get("Expression") == "IF(FILL(carried, 0) > 0, 0, FILL(made, 0))"
                for part in alarm.get("Metrics", ())
            )
            for alarm in heard
            if figures
        ):
            yield logical_id


def _shows_one(alarm: Resource, queue: str) -> bool:
    return (
        alarm.get("MetricName") == "ApproximateNumberOfMessagesVisible"
        and queue in json.dumps(alarm["Dimensions"])
        and (alarm["Threshold"], alarm["Statistic"]) == (0, "Maximum")
    )


def _whole_batches(templates: Templates) -> Iterator[str]:
    for logical_id, mapping in _of_type(templates, "AWS::Lambda::EventSourceMapping"):
        if mapping.get("FunctionResponseTypes") != ["ReportBatchItemFailures"]:
            yield logical_id


# --- the page that says what to do


def rows(page: str) -> dict[str, list[str]]:
    """What the page says of each alarm; a name that ends in … stands for one a function."""
    cells = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in page.splitlines()
        if line.startswith("| `")
    ]
    return {name.strip("`"): said for first, *said in cells for name in first.split(", ")}


def _not_explained(names: set[str]) -> Iterator[str]:
    explained = rows(PAGE.read_text("utf-8"))
    families = tuple(row.removesuffix("…") for row in explained if row.endswith("…"))
    single = {row for row in explained if not row.endswith("…")}
    for name in sorted(names - single):
        if not name.startswith(families):
            yield f"alarm {name} is not on the page"
    for row in sorted(single - names):
        yield f"the page explains {row}, which is no alarm"
