"""What goes wrong at CloudFront is heard, where its figures are, by those who hear all else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from infra.edge_alarms import EDGE_ALARMS, REQUESTS_MIN
from infra.option_values import ConfigError
from tests.support import needs

from .conftest import Assembly
from .test_synthesis import config_of

DISTRIBUTION = "E1ABCDEFGHIJKL"
END = f"-{DISTRIBUTION.lower()}"


@pytest.fixture(scope="module")
def resources() -> list[dict[str, Any]]:
    stack = needs.cdk("infra.stacks.edge_alarms").EdgeAlarmsStack
    from aws_cdk import App
    from aws_cdk.assertions import Template

    config = SimpleNamespace(
        stage="test",
        region="eu-central-1",
        edge_alarms=DISTRIBUTION,
        alarm_email="operator@example.org",
        critical_alarm_email="night@example.org",
        alarm_https="",
        slack_channel="",
    )
    made = stack(App(), "EdgeAlarms", config)
    assert (made.region, made.stack_name) == ("us-east-1", f"fairgate-test-edge-alarms{END}")
    return list(Template.from_stack(made).to_json()["Resources"].values())


def _of(resources: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [one["Properties"] for one in resources if one["Type"] == kind]


def _alarms(resources: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {
        alarm["AlarmName"].removeprefix("fairgate-test-").removesuffix(END): alarm
        for alarm in _of(resources, "AWS::CloudWatch::Alarm")
    }


def test_every_function_is_watched_by_the_name_that_the_edge_gives_it(
    resources: list[dict[str, Any]], assembly: Assembly
) -> None:
    alarms = _alarms(resources)
    assert set(alarms) == set(EDGE_ALARMS)
    functions = assembly.properties("AWS::CloudFront::Function")
    names = {
        "".join("eu-central-1" if part == {"Ref": "AWS::Region"} else part for part in given)
        for given in (function["Name"]["Fn::Join"][1] for function in functions)
    }
    watched: dict[str, set[str]] = {}
    for alarm in alarms.values():
        for figure, function, statistic in _figures(alarm):
            assert statistic == ("Average" if figure.endswith("Utilization") else "Sum")
            watched.setdefault(function, set()).add(figure)
    figures = {
        "FunctionExecutionErrors",
        "FunctionValidationErrors",
        "FunctionThrottles",
        "FunctionComputeUtilization",
    }
    assert watched == {name.replace("-prod-", "-test-"): figures for name in names}


def _figures(alarm: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Name each figure of a function that an alarm reads, with the function and its statistic."""
    alone = (
        [
            {"Metric": alarm, "Stat": alarm["Statistic"]},
        ]
        if "MetricName" in alarm
        else []
    )
    several = [one["MetricStat"] for one in alarm.get("Metrics", ()) if "MetricStat" in one]
    for one in (*alone, *several):
        dimensions = {d["Name"]: d["Value"] for d in one["Metric"]["Dimensions"]}
        if "FunctionName" in dimensions:
            assert dimensions["Region"] == "Global"
            yield one["Metric"]["MetricName"], dimensions["FunctionName"], one["Stat"]


def test_a_function_that_answers_wrongly_counts_as_one_that_fails(
    resources: list[dict[str, Any]],
) -> None:
    alarm = _alarms(resources)["ScreenErrors"]
    [added] = [part["Expression"] for part in alarm["Metrics"] if "Expression" in part]
    assert added == "FILL(figure0, 0) + FILL(figure1, 0)"


def test_errors_at_the_edge_are_a_share_of_enough_requests(resources: list[dict[str, Any]]) -> None:
    alarm = _alarms(resources)["EdgeErrors"]
    (share,) = [part["Expression"] for part in alarm["Metrics"] if "Expression" in part]
    assert share == f"IF(requests >= {REQUESTS_MIN}, share, 0)"
    read = [part["MetricStat"] for part in alarm["Metrics"] if "MetricStat" in part]
    assert {one["Metric"]["MetricName"]: one["Stat"] for one in read} == {
        "Requests": "Sum",
        "5xxErrorRate": "Average",
    }
    assert all(DISTRIBUTION in json.dumps(one["Metric"]["Dimensions"]) for one in read)


def test_the_same_people_hear_them_by_topics_of_that_region(
    resources: list[dict[str, Any]],
) -> None:
    topics = [one["TopicName"] for one in _of(resources, "AWS::SNS::Topic")]
    assert sorted(topics) == [f"fairgate-test-alarms-{s}{END}" for s in ("critical", "warning")]
    heard = {
        "critical" if "Critical" in one["TopicArn"]["Ref"] else "warning": one["Endpoint"]
        for one in _of(resources, "AWS::SNS::Subscription")
    }
    assert heard == {"critical": "night@example.org", "warning": "operator@example.org"}
    for alarm_id, alarm in _alarms(resources).items():
        (told,) = alarm["AlarmActions"]
        assert alarm["OKActions"] == [told]
        assert EDGE_ALARMS[alarm_id].severity.capitalize() in told["Ref"]
        assert alarm["TreatMissingData"] == "notBreaching"


def test_the_edge_is_watched_only_with_its_id_and_its_region(tmp_path: Any) -> None:
    with pytest.raises(ConfigError, match="edge_alarms is the id of the distribution"):
        config_of(tmp_path, "eu-central-1", edge_alarms="on")
    with pytest.raises(ConfigError, match=re.escape("edge_alarms needs the stage's region")):
        config_of(tmp_path, edge_alarms=DISTRIBUTION)
    assert config_of(tmp_path, "eu-central-1", edge_alarms=DISTRIBUTION).edge_alarms
