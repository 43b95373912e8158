"""Nothing fails unheard; and each alarm, taken away or blunted, is missed."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from fairgate import metrics

from .conftest import ROOT, STAGE, Assembly
from .unheard import CARRIED, LOOKED_AT, PAGE, RUNS, TIMED, Templates, rows, unheard

Change = Callable[[dict[str, Any]], object]


def _alarms(templates: Templates) -> dict[str, dict[str, Any]]:
    """Resources by the alarm's short name."""
    return {
        resource["Properties"]["AlarmName"].removeprefix(f"fairgate-{STAGE}-"): resource
        for template in templates.values()
        for resource in template["Resources"].values()
        if resource["Type"] == "AWS::CloudWatch::Alarm"
    }


def _without(templates: Templates, kind: str, chosen: Callable[[Any], bool]) -> Templates:
    return {
        stack: {
            **template,
            "Resources": {
                logical_id: resource
                for logical_id, resource in template["Resources"].items()
                if not (resource["Type"] == kind and chosen(resource["Properties"]))
            },
        }
        for stack, template in templates.items()
    }


def _is_named(name: str) -> Callable[[Any], bool]:
    return lambda alarm: bool(alarm["AlarmName"].endswith(f"-{name}"))


def _changed(templates: Templates, alarm: str, **properties: Any) -> Templates:
    changed: Templates = copy.deepcopy(dict(templates))
    _alarms(changed)[alarm]["Properties"] |= properties
    return changed


def test_nothing_fails_unheard(assembly: Assembly) -> None:
    assert unheard(assembly.templates()) == []


def test_each_alarm_is_missed_when_it_is_gone(assembly: Assembly) -> None:
    templates = assembly.templates()
    names = list(_alarms(templates))
    assert len(names) > 60
    for name in names:
        kept = _without(templates, "AWS::CloudWatch::Alarm", _is_named(name))
        assert len(unheard(kept)) >= 1, name


def test_an_alarm_that_tells_nobody_is_missed(assembly: Assembly) -> None:
    templates = assembly.templates()
    silent = _changed(templates, "ManualTasksOpen", AlarmActions=[])
    assert unheard(silent)[:2] == [
        "fairgate-test-ManualTasksOpen tells nobody",
        "figure ManualTasksOpen",
    ]


@pytest.mark.parametrize(
    "blunted",
    [
        {"Effect": "Deny"},
        {"Principal": {"Service": "events.amazonaws.com"}},
        {"Action": "sns:Subscribe"},
        {"Condition": {"StringEquals": {"aws:SourceAccount": "111111111111"}}},
        {"Resource": {"Ref": "AnotherTopic"}},
    ],
)
def test_a_topic_that_refuses_cloudwatch_is_missed(
    assembly: Assembly, blunted: dict[str, Any]
) -> None:
    changed: Templates = copy.deepcopy(assembly.templates())
    statements = [
        statement
        for template in changed.values()
        for resource in template["Resources"].values()
        if resource["Type"] == "AWS::SNS::TopicPolicy"
        for statement in resource["Properties"]["PolicyDocument"]["Statement"]
        if statement["Effect"] == "Allow"
    ]
    assert statements
    for statement in statements:
        statement.update(blunted)
    names = [alarm["Properties"]["AlarmName"] for alarm in _alarms(changed).values()]
    assert {f"{name} tells nobody" for name in names} <= set(unheard(changed))


@pytest.mark.parametrize("timer", TIMED)
def test_a_timer_that_errs_once_or_falls_silent_is_heard(assembly: Assembly, timer: str) -> None:
    templates = assembly.templates()
    errors, silent = f"Errors{timer.capitalize()}", f"{timer.capitalize()}Silent"
    for blunted in ({"Threshold": 1}, {"EvaluationPeriods": 2}, {"Statistic": "Average"}):
        assert unheard(_changed(templates, errors, **blunted)) == [f"errors of {timer}"], blunted
    period_s = _alarms(templates)[silent]["Properties"]["Period"]
    for blunted in (
        {"TreatMissingData": "notBreaching"},
        {"TreatMissingData": "missing"},
        {"ComparisonOperator": "GreaterThanThreshold"},
        {"EvaluationPeriods": 1},
        {"EvaluationPeriods": 9},
        {"Period": 2 * period_s},
        {"Threshold": 0},
    ):
        assert unheard(_changed(templates, silent, **blunted)) == [f"silence of {timer}"], blunted


@pytest.mark.parametrize("figure", sorted(set(metrics.EMITTED_BY) - set(LOOKED_AT)))
def test_an_alarm_on_another_functions_figure_is_none(assembly: Assembly, figure: str) -> None:
    text = {"Name": "service", "Value": metrics.EMITTED_BY[figure]}
    changed: Templates = copy.deepcopy(assembly.templates())
    for alarm in _alarms(changed).values():
        for metric in _metrics(alarm["Properties"]):
            if metric["MetricName"] == figure:
                assert metric["Dimensions"] == [text]
                metric["Dimensions"] = [text | {"Value": "another"}]
    assert f"figure {figure}" in unheard(changed)


@pytest.mark.parametrize(
    ("figure", "service"),
    [
        (figure, one)
        for figure, several in metrics.EMITTED_BY_SEVERAL.items()
        for one in several
        if figure not in LOOKED_AT
    ],
)
def test_an_alarm_that_leaves_out_one_of_several_functions_is_none(
    assembly: Assembly, figure: str, service: str
) -> None:
    changed: Templates = copy.deepcopy(assembly.templates())
    found = 0
    for alarm in _alarms(changed).values():
        for metric in _metrics(alarm["Properties"]):
            if metric["MetricName"] == figure and metric["Dimensions"][0]["Value"] == service:
                metric["MetricName"], found = "Another", found + 1
    assert found == 1
    assert unheard(changed) == [f"figure {figure} of {service}"]


def _metrics(properties: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if "MetricName" in properties:
        yield properties
    for part in properties.get("Metrics", ()):
        if "MetricStat" in part:
            yield part["MetricStat"]["Metric"]


def test_a_batch_that_fails_whole_is_missed(assembly: Assembly) -> None:
    changed: Templates = copy.deepcopy(assembly.templates())
    mappings = [
        (logical_id, resource["Properties"])
        for logical_id, resource in changed["Events"]["Resources"].items()
        if resource["Type"] == "AWS::Lambda::EventSourceMapping"
    ]
    assert len(mappings) == 5  # expiry, invalidations, jobs, tickets, mails
    for logical_id, mapping in mappings:
        kept = mapping.pop("FunctionResponseTypes")
        assert unheard(changed) == [f"partial batches of {logical_id}"]
        mapping["FunctionResponseTypes"] = kept


@pytest.mark.parametrize("feed", sorted(CARRIED))
def test_a_pipe_that_stands_still_is_heard(assembly: Assembly, feed: str) -> None:
    templates = assembly.templates()
    kept = _without(templates, "AWS::CloudWatch::Alarm", _is_named(f"{feed}Silent"))
    assert [gap for gap in unheard(kept) if gap.startswith(f"silence of {feed}Pipe")]
    (pipe,) = [
        resource["Properties"]
        for logical_id, resource in copy.deepcopy(templates)["Events"]["Resources"].items()
        if resource["Type"] == "AWS::Pipes::Pipe" and logical_id.startswith(feed)
    ]
    events = templates["Events"]["Resources"]
    another = {"Type": "AWS::Pipes::Pipe", "Properties": pipe}
    more = {**templates, "Events": {"Resources": {**events, "AnotherPipe": another}}}
    assert "silence of AnotherPipe" in unheard(more)


def test_a_queue_whose_dead_letters_go_nowhere_is_missed(assembly: Assembly) -> None:
    changed: Templates = copy.deepcopy(assembly.templates())
    queues = {
        logical_id: resource["Properties"]
        for logical_id, resource in changed["Events"]["Resources"].items()
        if resource["Type"] == "AWS::SQS::Queue" and "RedrivePolicy" in resource["Properties"]
    }
    assert len(queues) == 5
    for logical_id, queue in queues.items():
        kept = queue.pop("RedrivePolicy")
        assert f"dead letters in {logical_id}" in unheard(changed)
        queue["RedrivePolicy"] = kept


def test_every_row_of_the_page_says_what_to_do_and_what_ends_it() -> None:
    for name, said in rows(PAGE.read_text("utf-8")).items():
        assert len(said) == 3, name
        assert all(said), name
        assert re.search(r"\b(itself|you)\b", said[2]), name


def test_a_figure_that_wakes_nobody_is_named_on_the_page() -> None:
    last = PAGE.read_text("utf-8").partition("Figures that wake nobody")[2]
    for figure in LOOKED_AT:
        assert f"`{figure}`" in last


def test_every_figure_is_emitted_by_its_function() -> None:
    """A heartbeat that nobody emits is an alarm that never ends."""
    names = {value: name for name, value in vars(metrics).items() if isinstance(value, str)}
    package = ROOT / "layers" / "core" / "python" / "fairgate"
    shared = [path for path in package.rglob("*.py") if path.name != "metrics.py"]
    texts = {path: path.read_text("utf-8") for path in shared}
    for figure, service in metrics.EMITTED_BY.items():
        own = (ROOT / "functions" / service / "handler.py").read_text("utf-8")
        used = re.compile(rf"\b(names|metrics)\.{names[figure]}\b")
        assert any(used.search(text) for text in (own, *texts.values())), figure


def test_every_timer_counts_its_runs() -> None:
    assert {timer: metrics.EMITTED_BY[figure] for timer, figure in RUNS.items()} == {
        timer: timer for timer in TIMED
    }
