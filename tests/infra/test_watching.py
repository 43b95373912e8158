"""Who hears alarms beside mail, what is measured, and what is kept apart: each by its option."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from infra.functions import CANARY, SIGNS_CANARY_IN
from infra.naming import live
from infra.option_values import ConfigError

from .conftest import Assembly
from .stages import NAGGED, Stages
from .test_synthesis import config_of

OPTIONAL = ("Backup::", "Chatbot::", "CloudWatch::CompositeAlarm")


@pytest.fixture(scope="module")
def prod(stages: Stages) -> Assembly:
    return Assembly(stages.folder / "prod", "", gate_is_real=False)


def _kinds(made: Assembly) -> set[str]:
    return {r["Type"] for t in made.templates().values() for r in t["Resources"].values()}


def _canary(made: Assembly) -> tuple[str, dict[str, Any]]:
    [found] = [
        (stack, r["Properties"])
        for (stack, _), r in made.resources("AWS::Lambda::Function").items()
        if r["Properties"].get("FunctionName") == f"fairgate-prod-{CANARY}"
    ]
    return found


def test_what_costs_is_not_there_without_its_option(restored: Assembly) -> None:
    """`restored` names none of them."""
    found = {kind for kind in _kinds(restored) if any(part in kind for part in OPTIONAL)}
    assert found == set()
    assert CANARY not in restored.functions()
    assert "SloBurn" not in json.dumps(restored.templates()["Watch"])


def test_the_address_hears_critical_alarms_and_the_channel_all(prod: Assembly) -> None:
    watch = prod.templates()["Watch"]["Resources"]
    named = {
        logical_id: topic["Properties"]["TopicName"].rpartition("-")[2]
        for logical_id, topic in watch.items()
        if topic["Type"] == "AWS::SNS::Topic"
    }
    heard = [r["Properties"] for r in watch.values() if r["Type"] == "AWS::SNS::Subscription"]
    https = [named[one["TopicArn"]["Ref"]] for one in heard if one["Protocol"] == "https"]
    assert https == ["critical"]
    [slack] = [r["Properties"] for r in watch.values() if "Chatbot" in r["Type"]]
    own, edge = slack["SnsTopicArns"][:2], slack["SnsTopicArns"][2:]
    assert {named[one["Ref"]] for one in own} == {"critical", "warning"}
    topics = [
        topic["Properties"]["TopicName"]
        for topic in prod.templates()["EdgeAlarms"]["Resources"].values()
        if topic["Type"] == "AWS::SNS::Topic"
    ]
    assert [one["Fn::Join"][1][-1].rpartition(":")[2] for one in edge] == topics
    assert all(":sns:us-east-1:" in json.dumps(one["Fn::Join"][1]) for one in edge)


def test_an_account_configures_the_channel_once_when_its_topics_are_there(prod: Assembly) -> None:
    """A second one is refused, in whatever region: "has already been configured"."""
    assert len(prod.resources("AWS::Chatbot::SlackChannelConfiguration")) == 1
    manifest = json.loads((prod.folder / "manifest.json").read_text("utf-8"))["artifacts"]
    assert "EdgeAlarms" in manifest["Watch"]["dependencies"]


def test_nobody_in_the_channel_can_ask_aws_for_anything(prod: Assembly) -> None:
    watch = prod.templates()["Watch"]["Resources"]
    [slack] = [r["Properties"] for r in watch.values() if "Chatbot" in r["Type"]]
    role = watch[slack["IamRoleArn"]["Fn::GetAtt"][0]]["Properties"]
    assert "Policies" not in role
    assert "ManagedPolicyArns" not in role
    assert ["AWSDenyAll" in json.dumps(one) for one in slack["GuardrailPolicies"]] == [True]


def test_backups_of_every_table_are_made_daily_and_kept(prod: Assembly) -> None:
    [vault] = prod.resources("AWS::Backup::BackupVault").values()
    assert vault["Properties"]["LockConfiguration"] == {"MinRetentionDays": 35}  # it sells
    assert vault["DeletionPolicy"] == "RetainExceptOnCreate"
    [rule] = prod.only("AWS::Backup::BackupPlan")["BackupPlan"]["BackupPlanRule"]
    assert rule["Lifecycle"] == {"DeleteAfterDays": 35}
    assert rule["ScheduleExpression"] == "cron(0 3 * * ? *)"
    chosen = prod.only("AWS::Backup::BackupSelection")["BackupSelection"]["Resources"]
    tables = {arn["Fn::Join"][1][-1] for arn in chosen}
    assert tables == {
        f":table/fairgate-prod-{name}" for name in ("seats", "reservations", "catalog")
    }


def test_a_backup_that_fails_is_told(prod: Assembly) -> None:
    [rule] = prod.properties("AWS::Events::Rule")
    vault = prod.only("AWS::Backup::BackupVault")["BackupVaultName"]
    assert rule["EventPattern"]["detail"]["backupVaultName"] == [vault]
    assert {"FAILED", "EXPIRED", "ABORTED"} <= set(rule["EventPattern"]["detail"]["state"])
    [topic] = [target["Arn"]["Ref"] for target in rule["Targets"]]
    policies = prod.properties("AWS::SNS::TopicPolicy")
    allowed = [
        one["Principal"]
        for policy in policies
        if policy["Topics"] == [{"Ref": topic}]
        for one in policy["PolicyDocument"]["Statement"]
        if one["Effect"] == "Allow"
    ]
    assert {"Service": "events.amazonaws.com"} in allowed


def test_days_without_a_backup_and_logs_lost_or_late_are_told(prod: Assembly) -> None:
    alarms = {one["AlarmName"]: one for one in prod.properties("AWS::CloudWatch::Alarm")}
    silent = alarms["fairgate-prod-BackupsSilent"]
    vault = prod.only("AWS::Backup::BackupVault")["BackupVaultName"]
    assert silent["Dimensions"] == [{"Name": "BackupVaultName", "Value": vault}]
    assert (silent["Period"], silent["EvaluationPeriods"]) == (86_400, 2)
    assert (silent["ComparisonOperator"], silent["Threshold"]) == ("LessThanThreshold", 1)
    assert silent["TreatMissingData"] == "breaching"
    lost = {
        one["Dimensions"][0]["Value"]
        for one in alarms.values()
        if one.get("MetricName") == "FailedConversion.Records"
    }
    streams = prod.properties("AWS::KinesisFirehose::DeliveryStream")
    names = {one["DeliveryStreamName"] for one in streams}
    assert lost == names
    late = [alarm for name, alarm in alarms.items() if "-LogsLate" in name]
    read = {
        (one["Metric"]["MetricName"], one["Metric"]["Dimensions"][0]["Value"], one["Stat"])
        for alarm in late
        for one in (query["MetricStat"] for query in alarm["Metrics"] if "MetricStat" in query)
    }
    figures = {("DeliveryToS3.DataFreshness", "Maximum"), ("ThrottledRecords", "Sum")}
    assert read == {(figure, name, how) for figure, how in figures for name in names}
    # Gathering alone makes lines five minutes old.
    buffered_s = max(
        one["ExtendedS3DestinationConfiguration"]["BufferingHints"]["IntervalInSeconds"]
        for one in streams
    )
    for alarm in late:
        assert alarm["EvaluationPeriods"] * 60 > 2 * buffered_s
        [rule] = [query["Expression"] for query in alarm["Metrics"] if "Expression" in query]
        age_s = re.search(r"IF\(FILL\(age, 0\) > (\d+), 1, 0\) \+ FILL\(throttled, 0\)", rule)
        assert age_s is not None
        assert int(age_s[1]) > 2 * buffered_s


def test_the_canary_may_have_itself_signed_in_and_nothing_else(prod: Assembly) -> None:
    stack, function = _canary(prod)
    statements = prod.statements(stack, function["Role"]["Fn::GetAtt"][0])
    calls = [one for one in statements if one["Action"] == "lambda:InvokeFunction"]
    assert [json.dumps(c["Resource"]).count(live("prod", SIGNS_CANARY_IN)) for c in calls] == [1]
    told = function["Environment"]["Variables"]
    assert told["FAIRGATE_CANARY_EVENT"] == NAGGED["prod"]["canary_event"]
    assert not [name for name in told if "SECRET" in name or "TABLE" in name]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"canary_event": "Not an id"}, "canary_event is the id"),
        ({"alarm_https": "http://pager.example"}, "alarm_https is an https address"),
        ({"alarm_https": "https://a:b@pager.example"}, "alarm_https is an https address"),
        ({"slack_workspace": "T0123ABCDEF"}, "go together"),
        ({"slack_workspace": "my team", "slack_channel": "C0123ABCDEF"}, "slack_workspace is"),
        ({"slack_workspace": "T0123ABCDEF", "slack_channel": "#sale"}, "slack_channel is"),
        ({"backup_days": "0"}, "backup_days must be"),
        ({"backup_days": "40000"}, "backup_days must be at most"),
    ],
)
def test_what_aws_would_refuse_later_is_refused_at_once(
    tmp_path: Path, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(ConfigError, match=said):
        config_of(tmp_path, **options)
