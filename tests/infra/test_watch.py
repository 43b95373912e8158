"""Check that each failure that costs buyers something raises an alarm."""

from __future__ import annotations

import re
from typing import Any

import pytest

from fairgate import metrics
from fairgate_ops.operate.capacity.rest import ALARM_METRICS
from fairgate_ops.operate.capacity.watching import CANARY_ALARM_METRICS
from infra.edge_alarms import EDGE_ALARMS
from infra.functions import BY_NAME, FUNCTIONS

from .conftest import ROOT, STAGE, Assembly, named


def _alarms(assembly: Assembly) -> dict[str, dict[str, Any]]:
    alarms = assembly.properties("AWS::CloudWatch::Alarm")
    return {alarm["AlarmName"].removeprefix(f"fairgate-{STAGE}-"): alarm for alarm in alarms}


def _topics(assembly: Assembly) -> dict[str, dict[str, Any]]:
    """What an alarm says of each topic, by the topic's severity."""
    prefix = f"fairgate-{STAGE}-alarms-"
    return {
        topic["Properties"]["TopicName"].removeprefix(prefix): {"Ref": logical_id}
        for (_, logical_id), topic in assembly.resources("AWS::SNS::Topic").items()
    }


def test_every_alarm_tells_one_topic_when_it_rises_and_ends(assembly: Assembly) -> None:
    topics = _topics(assembly)
    assert set(topics) == {"critical", "warning"}
    both = assembly.properties("AWS::CloudWatch::CompositeAlarm")
    parts = {part for alarm in both for part in named(alarm["AlarmRule"])}
    alarms = assembly.resources("AWS::CloudWatch::Alarm").items()
    telling = [r["Properties"] for (_, logical_id), r in alarms if logical_id not in parts]
    assert len(parts) == 4
    for alarm in (*telling, *both):
        name = alarm["AlarmName"]
        assert len(alarm["AlarmActions"]) == 1, name
        assert alarm["AlarmActions"][0] in topics.values(), name
        assert alarm["OKActions"] == alarm["AlarmActions"], name
        assert alarm["AlarmDescription"], name


def test_what_harms_buyers_or_money_now_is_critical_as_the_page_says(assembly: Assembly) -> None:
    critical = _topics(assembly)["critical"]
    told = {n for n, a in _alarms(assembly).items() if a.get("AlarmActions") == [critical]}
    told |= {
        alarm["AlarmName"].removeprefix(f"fairgate-{STAGE}-")
        for alarm in assembly.properties("AWS::CloudWatch::CompositeAlarm")
        if alarm["AlarmActions"] == [critical]
    }
    told |= {name for name, alarm in EDGE_ALARMS.items() if alarm.severity == "critical"}
    page = (ROOT / "docs" / "alarms.md").read_text("utf-8")
    named = re.findall(r"`(\w+…?)`", page.partition("Critical:")[2].partition("\n\n")[0])
    families = tuple(name.removesuffix("…") for name in named if name.endswith("…"))
    assert {name for name in told if not name.startswith(families)} == {
        name for name in named if not name.endswith("…")
    }
    for family in families:
        members = {name for name in _alarms(assembly) if name.startswith(family)}
        assert members, family
        assert members <= told, family


def test_somebody_hears_each_topic_when_an_address_is_configured(assembly: Assembly) -> None:
    heard = assembly.properties("AWS::SNS::Subscription")
    assert {one["Protocol"] for one in heard} == {"email"}
    heard_by = {one["TopicArn"]["Ref"]: one["Endpoint"] for one in heard}
    assert heard_by == {
        topic["Ref"]: "operator@example.org" for topic in _topics(assembly).values()
    }


def test_one_double_booking_or_overdue_refund_wakes_somebody_when_reported(
    assembly: Assembly,
) -> None:
    for name, figure in (
        ("DoubleBooking", metrics.DOUBLE_BOOKINGS),
        ("RefundOverdue", metrics.REFUNDS_OVERDUE),
    ):
        alarm = _alarms(assembly)[name]
        assert alarm["MetricName"] == figure
        assert alarm["Namespace"] == f"Fairgate/{STAGE}"
        assert (alarm["Threshold"], alarm["EvaluationPeriods"]) == (0, 1)
        assert alarm["ComparisonOperator"] == "GreaterThanThreshold"


def test_figures_are_emitted_by_functions_that_exist_when_watched() -> None:
    several = {name for names in metrics.EMITTED_BY_SEVERAL.values() for name in names}
    assert set(metrics.EMITTED_BY.values()) | several <= set(BY_NAME)


@pytest.mark.parametrize(
    ("name", "figure", "emitting"),
    [
        (
            "CacheScriptDefects",
            metrics.CACHE_SCRIPT_DEFECTS,
            [s.name for s in FUNCTIONS if s.cache],
        ),
        (
            "PaymentsNotSetUp",
            metrics.PAYMENT_SETUP_ERRORS,
            [s.name for s in FUNCTIONS if s.payments],
        ),
        (
            "PaymentsAway",
            metrics.PAYMENTS_AWAY,
            [s.name for s in FUNCTIONS if s.payments],
        ),
        ("SeatsDamaged", metrics.SEATS_DAMAGED, metrics.EMITTED_BY_SEVERAL[metrics.SEATS_DAMAGED]),
    ],
)
def test_one_report_raises_the_alarm_when_any_of_several_functions_sends_it(
    assembly: Assembly, name: str, figure: str, emitting: list[str]
) -> None:
    alarm = _alarms(assembly)[name]
    assert (alarm["Threshold"], alarm["EvaluationPeriods"]) == (0, 1)
    assert alarm["ComparisonOperator"] == "GreaterThanThreshold"
    assert set(emitting) == set(metrics.EMITTED_BY_SEVERAL[figure])
    [total] = [part["Expression"] for part in alarm["Metrics"] if "Expression" in part]
    assert all(f"FILL({service}, 0)" in total for service in emitting)


def test_thresholds_are_those_asked_for_when_holds_or_cache_degrade(assembly: Assembly) -> None:
    alarms = _alarms(assembly)
    assert alarms["HoldFailuresWarning"]["Threshold"] == 5
    assert alarms["HoldFailuresCritical"]["Threshold"] == 10
    for name in ("HoldFailuresWarning", "HoldFailuresCritical"):
        [share] = [m["Expression"] for m in alarms[name]["Metrics"] if "Expression" in m]
        assert "attempts >= 20" in share  # one failure of two, at night, is no outage
    assert alarms["HoldP99"]["Threshold"] == 500
    assert alarms["HoldP99"]["ExtendedStatistic"] == "p99"
    limit = assembly.only("AWS::ElastiCache::ServerlessCache")["CacheUsageLimits"]["DataStorage"]
    full = limit["Maximum"] * 1024**3
    assert alarms["CacheMemoryWarning"]["Threshold"] == 0.6 * full
    assert alarms["CacheMemoryCritical"]["Threshold"] == 0.8 * full
    assert alarms["ServerErrors"]["MetricName"] == "5xx"


def test_a_good_sale_raises_no_critical_alarm(assembly: Assembly) -> None:
    """One payment in five is declined, half of the sessions buy nothing, ten million wait."""
    alarms = _alarms(assembly)
    assert alarms["PaymentsDeclinedCritical"]["Threshold"] >= 50
    assert alarms["PaymentsDeclinedWarning"]["Threshold"] >= 25
    assert alarms["QueueWaitingCritical"]["Threshold"] == 2 * 10_000_000
    assert alarms["QueueWaitingWarning"]["Threshold"] == 10_000_000
    assert alarms["SessionsExpired"]["AlarmActions"] != [_topics(assembly)["critical"]]


def test_a_late_map_raises_an_alarm_when_it_passes_each_bound(assembly: Assembly) -> None:
    alarms = _alarms(assembly)
    for level, age_ms in (("Warning", 2_000), ("Critical", 5_000)):
        alarm = alarms[f"UpdateAge{level}"]
        assert (alarm["MetricName"], alarm["Threshold"]) == (metrics.INVALIDATION_AGE, age_ms)
        assert alarm["ExtendedStatistic"] == "p99"
        assert alarm["Dimensions"] == [{"Name": "service", "Value": "invalidator"}]


def test_what_alarms_cost_at_rest_counts_the_metrics_that_they_read(assembly: Assembly) -> None:
    """CloudWatch charges an alarm on an expression for each metric in it."""
    read = sum(
        sum("MetricStat" in query for query in alarm["Metrics"]) if "Metrics" in alarm else 1
        for alarm in assembly.properties("AWS::CloudWatch::Alarm")
    )
    read -= CANARY_ALARM_METRICS
    read += sum(len(a.figures) + (not a.function) for a in EDGE_ALARMS.values())
    assert abs(read - ALARM_METRICS) <= 10, "docs/deploying.md says what they cost"
