"""The doctor looks at what was deployed: zones, tables, concurrency, and who hears alarms."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from fairgate.ports.record import TableName
from fairgate_lab.engine.clock import START_MS
from fairgate_ops.operate.cli.words.sale import WITHIN_S
from fairgate_ops.operate.doctor import deployment
from fairgate_ops.operate.doctor.checks import IN_AWS, OF_AN_EVENT_IN_AWS
from fairgate_ops.operate.doctor.examine import looked_at
from tests.support.aws_stub import AwsStub
from tests.support.doctor_site import DEPLOYED, TOPICS, site_of, states
from tests.support.world import NAMES, World

NOW = datetime.fromtimestamp(START_MS / 1000, UTC)
ALARMS = ("CacheMemoryCritical", "CacheMemoryWarning")


def cache_in(aws: AwsStub, status: str, *zones: str) -> AwsStub:
    cache = {"Status": status, "SubnetIds": [f"subnet-{n}" for n in range(len(zones))]}
    aws.answer(
        "elasticache",
        "describe_serverless_caches",
        {"ServerlessCaches": [cache]},
        ServerlessCacheName=DEPLOYED["cache"],
    )
    subnets = [{"AvailabilityZoneId": zone} for zone in zones]
    return aws.answer("ec2", "describe_subnets", {"Subnets": subnets})


@pytest.mark.parametrize(
    ("status", "zones", "wrong"),
    [
        ("available", ("euc1-az1", "euc1-az2"), []),
        ("modifying", ("euc1-az1", "euc1-az2"), ["cache"]),
        ("available", ("euc1-az1", "euc1-az1"), ["zones"]),
    ],
)
def test_the_cache_is_there_and_in_two_zones(
    world: World, tmp_path: Path, status: str, zones: tuple[str, ...], wrong: list[str]
) -> None:
    site = site_of(world, tmp_path, cache_in(AwsStub(), status, *zones), deployed=DEPLOYED)
    found = states(list(deployment.zones(site)))
    assert set(found) == {"cache", "zones"}
    assert [subject for subject, state in found.items() if state == "wrong"] == wrong


def described(key: TableName, warm: dict[str, Any] | None, **changes: Any) -> dict[str, Any]:
    table: dict[str, Any] = {
        "TableName": NAMES[key],
        "TableStatus": "ACTIVE",
        "DeletionProtectionEnabled": True,
    }
    if warm is not None:
        table["WarmThroughput"] = warm
    if key != "catalog" and warm is not None:
        table["GlobalSecondaryIndexes"] = [{"IndexName": "gsi1", "WarmThroughput": warm}]
    return {"Table": table | changes}


def tables_are(warm: dict[str, Any] | None, recovery: str = "ENABLED", **changes: Any) -> AwsStub:
    aws = AwsStub()
    for key in NAMES:
        aws.answer("dynamodb", "describe_table", described(key, warm, **changes))
        backups = {
            "ContinuousBackupsDescription": {
                "ContinuousBackupsStatus": "ENABLED",
                "PointInTimeRecoveryDescription": {"PointInTimeRecoveryStatus": recovery},
            }
        }
        aws.answer("dynamodb", "describe_continuous_backups", backups)
    return aws


WARM = {"ReadUnitsPerSecond": 130_000, "WriteUnitsPerSecond": 110_000, "Status": "ACTIVE"}


def table_states(world: World, folder: Path, aws: AwsStub) -> dict[str, str]:
    return states(list(deployment.tables(site_of(world, folder, aws))))


def test_tables_are_ready_when_they_are_warm_protected_and_restorable(
    world: World, tmp_path: Path
) -> None:
    found = table_states(world, tmp_path, tables_are(WARM))
    assert set(found.values()) == {"ok"}
    assert {"table seats", "warm throughput of seats", "warm throughput of seats, index gsi1"} < (
        set(found)
    )
    assert "warm throughput of catalog" not in found


@pytest.mark.parametrize(
    "changes", [{"DeletionProtectionEnabled": False}, {"TableStatus": "UPDATING"}]
)
def test_a_table_that_may_be_deleted_or_changes_is_wrong(
    world: World, tmp_path: Path, changes: dict[str, Any]
) -> None:
    found = table_states(world, tmp_path, tables_are(WARM, **changes))
    assert found["table catalog"] == "wrong"


def test_a_table_that_cannot_be_restored_is_wrong(world: World, tmp_path: Path) -> None:
    assert table_states(world, tmp_path, tables_are(WARM, "DISABLED"))["table seats"] == "wrong"


@pytest.mark.parametrize(
    ("warm", "state"),
    [
        ({"WriteUnitsPerSecond": 4_000}, "wrong"),
        ({"ReadUnitsPerSecond": 12_000}, "wrong"),
        ({"Status": "UPDATING"}, "unseen"),
    ],
)
def test_a_cold_table_is_wrong_and_one_that_warms_is_not_yet_seen(
    world: World, tmp_path: Path, warm: dict[str, Any], state: str
) -> None:
    found = table_states(world, tmp_path, tables_are(WARM | warm))
    assert found["warm throughput of reservations"] == state


def test_warmth_that_nobody_says_is_not_called_good(world: World, tmp_path: Path) -> None:
    found = table_states(world, tmp_path, tables_are(None))
    assert found["warm throughput of seats"] == "unseen"


def provided(status: str, **changes: Any) -> dict[str, Any]:
    return {
        "RequestedProvisionedConcurrentExecutions": 50,
        "AllocatedProvisionedConcurrentExecutions": 50,
        "Status": status,
    } | changes


def provisioned_states(world: World, folder: Path, aws: AwsStub) -> set[str]:
    return {one.state for one in deployment.provisioned(site_of(world, folder, aws))}


@pytest.mark.parametrize(
    ("status", "state"), [("READY", "ok"), ("IN_PROGRESS", "unseen"), ("FAILED", "wrong")]
)
def test_provisioned_concurrency_is_ready_when_lambda_says_so(
    world: World, tmp_path: Path, status: str, state: str
) -> None:
    from fairgate.domain.shared.times import epoch_ms

    world.clock.ms = epoch_ms(world.event.sale_starts_at) - 7_200_000  # how many is asked nearer
    aws = AwsStub()
    for function in ("holds", "sessions"):
        aws.answer(
            "lambda",
            "get_provisioned_concurrency_config",
            provided(status),
            FunctionName=f"fairgate-prod-{function}",
            Qualifier="live",
        )
    assert provisioned_states(world, tmp_path, aws) == {state}


@pytest.mark.parametrize(
    ("before_s", "ready", "state"),
    [(1_800, 999, "wrong"), (1_800, 1_000, "ok"), (7_200, 1, "ok")],
)
def test_fewer_than_the_crowd_needs_are_wrong_when_the_sale_start_is_near(
    world: World, tmp_path: Path, before_s: int, ready: int, state: str
) -> None:
    from fairgate.domain.shared.times import epoch_ms

    world.clock.ms = epoch_ms(world.event.sale_starts_at) - before_s * 1000
    aws = AwsStub()
    for _ in range(2):
        config = provided("READY", AllocatedProvisionedConcurrentExecutions=ready)
        aws.answer("lambda", "get_provisioned_concurrency_config", config)
    site = site_of(world, tmp_path, aws)
    needed = {"holds": 1_000.0, "sessions": 1_000.0}
    site = replace(site, needs=replace(site.needs, concurrency=needed))
    assert {one.state for one in deployment.provisioned(site)} == {state}


@pytest.mark.parametrize(("before_s", "state"), [(1_800, "wrong"), (7_200, "off"), (-60, "off")])
def test_none_is_wrong_only_when_the_sale_start_is_near(
    world: World, tmp_path: Path, before_s: int, state: str
) -> None:
    from fairgate.domain.shared.times import epoch_ms

    world.clock.ms = epoch_ms(world.event.sale_starts_at) - before_s * 1000
    aws = AwsStub()
    for code in ("ProvisionedConcurrencyConfigNotFoundException", "ResourceNotFoundException"):
        aws.refuse("lambda", "get_provisioned_concurrency_config", code)
    assert provisioned_states(world, tmp_path, aws) == {state}


def heard_by(aws: AwsStub, severity: str, *arns: str) -> None:
    aws.answer(
        "sns",
        "list_subscriptions_by_topic",
        {"Subscriptions": [{"SubscriptionArn": arn} for arn in arns]},
        TopicArn=TOPICS[severity],
    )


def test_alarms_are_heard_when_a_subscription_of_each_topic_is_confirmed(
    world: World, tmp_path: Path
) -> None:
    aws = AwsStub()
    heard_by(aws, "critical", "PendingConfirmation", "arn:aws:sns:eu-central-1:0:topic:1")
    heard_by(aws, "warning", "PendingConfirmation")
    site = site_of(world, tmp_path, aws, deployed=DEPLOYED)
    assert [one.state for one in deployment.subscriptions(site)] == ["ok", "wrong"]
    aws = AwsStub()
    heard_by(aws, "critical")
    heard_by(aws, "warning", "Deleted")
    site = site_of(world, tmp_path, aws, deployed=DEPLOYED)
    assert [one.state for one in deployment.subscriptions(site)] == ["wrong", "wrong"]


def alarm(name: str, state: str = "OK", actions: tuple[str, ...] = ("arn",)) -> dict[str, Any]:
    return {
        "AlarmName": f"fairgate-prod-{name}",
        "StateValue": state,
        "ActionsEnabled": True,
        "AlarmActions": list(actions),
    }


def alarms_are(*alarms: dict[str, Any]) -> AwsStub:
    answer = {"MetricAlarms": list(alarms)}
    return AwsStub().answer("cloudwatch", "describe_alarms", answer)


def test_no_alarm_is_fired_unasked(world: World, tmp_path: Path) -> None:
    found = states(list(deployment.delivery(site_of(world, tmp_path, AwsStub()))))
    assert set(found.values()) == {"off"}
    assert len(found) == len(ALARMS)


def test_an_alarm_that_is_up_or_mute_is_named(world: World, tmp_path: Path) -> None:
    aws = alarms_are(alarm("HoldP99", "ALARM"), alarm("ManualTasksOpen", actions=()))
    found = {one.subject: one for one in deployment.alarms(site_of(world, tmp_path, aws))}
    assert (found["alarms"].state, found["alarms that are up"].state) == ("wrong", "wrong")
    assert "ManualTasksOpen" in found["alarms"].text
    assert "HoldP99" in found["alarms that are up"].text
    aws = alarms_are(*(alarm(name) for name in ALARMS))
    found = {one.subject: one for one in deployment.alarms(site_of(world, tmp_path, aws))}
    assert found["alarms"].state == "ok"
    assert "alarms that are up" not in found
    aws = alarms_are()
    found = {one.subject: one for one in deployment.alarms(site_of(world, tmp_path, aws))}
    assert found["alarms"].state == "wrong"


def test_the_edges_alarms_are_looked_at_by_the_id_of_its_distribution(
    world: World, tmp_path: Path
) -> None:
    def found(deployed: dict[str, Any], aws: AwsStub) -> dict[str, str]:
        return states(
            list(deployment.edge_alarms(site_of(world, tmp_path, aws, deployed=deployed)))
        )

    assert found({}, AwsStub()) == {"alarms of the edge": "off"}
    watched = {"edge_alarms": "E1ABC"}
    others = alarm("GateErrors-e2xyz", "ALARM"), alarm("HoldP99", "ALARM")
    assert found(watched, alarms_are(*others)) == {"alarms of the edge": "wrong"}
    aws = alarms_are(*others, alarm("GateErrors-e1abc"))
    assert found(watched, aws) == {"alarms of the edge": "ok"}
    aws = alarms_are(alarm("GateErrors-e1abc", "ALARM"))
    assert found(watched, aws)["alarms of the edge that are up"] == "wrong"


@pytest.mark.parametrize(
    ("deployed", "state"),
    [
        ({}, "unseen"),
        ({"firewall": True, "sells": True}, "ok"),
        ({"firewall": False, "sells": True}, "wrong"),
        ({"firewall": False, "sells": False}, "off"),
    ],
)
def test_a_stage_that_sells_without_a_firewall_is_named(
    world: World, tmp_path: Path, deployed: dict[str, Any], state: str
) -> None:
    site = site_of(world, tmp_path, AwsStub(), deployed=deployed)
    assert states(list(deployment.firewall(site))) == {"firewall": state}


def delivered(summary: str, age: timedelta = timedelta()) -> dict[str, Any]:
    item = {"Timestamp": NOW - age, "HistorySummary": summary}
    return {"AlarmHistoryItems": [item]}


@pytest.mark.parametrize(
    ("history", "state"),
    [
        (delivered("Successfully executed action arn:topic"), "ok"),
        (delivered("Failed to execute action arn:topic"), "wrong"),
        (delivered("Successfully executed action arn:topic", timedelta(hours=1)), "unseen"),
        ({"AlarmHistoryItems": []}, "unseen"),
    ],
)
def test_a_fired_alarm_is_followed_until_it_is_published(
    world: World, tmp_path: Path, history: dict[str, Any], state: str
) -> None:
    aws, seconds = AwsStub(), iter(range(0, 1_000, 20))
    for name in ALARMS:
        aws.answer(
            "cloudwatch",
            "set_alarm_state",
            {},
            AlarmName=f"fairgate-prod-{name}",
            StateValue="ALARM",
            StateReason="A test by `fairgate doctor`: nothing to do. It ends by itself.",
        )
    for _ in ALARMS:
        aws.answer("cloudwatch", "describe_alarm_history", history)
    site = site_of(
        world,
        tmp_path,
        aws,
        fire=True,
        pause=lambda _s: None,
        monotonic=lambda: float(next(seconds)),
    )
    found = states(list(deployment.delivery(site)))
    assert {found["a critical alarm's delivery"], found["a warning alarm's delivery"]} == {state}
    aws.all_asked()


def test_following_both_alarms_ends_before_the_doctor_stops_waiting() -> None:
    """Else the checks that know would be called unseen with those that do not."""
    assert deployment.DELIVERED_S <= WITHIN_S / 2
    assert deployment.delivery not in (IN_AWS["alarms"], *OF_AN_EVENT_IN_AWS.values())


@pytest.mark.parametrize(
    ("check", "service", "operation"),
    [
        (deployment.zones, "elasticache", "describe_serverless_caches"),
        (deployment.tables, "dynamodb", "describe_table"),
        (deployment.provisioned, "lambda", "get_provisioned_concurrency_config"),
        (deployment.subscriptions, "sns", "list_subscriptions_by_topic"),
        (deployment.alarms, "cloudwatch", "describe_alarms"),
    ],
)
def test_what_is_refused_is_never_called_good(
    world: World, tmp_path: Path, check: Any, service: str, operation: str
) -> None:
    aws = AwsStub().refuse(service, operation, "AccessDenied")
    site = site_of(world, tmp_path, aws, deployed=DEPLOYED)
    (found,) = looked_at(site, "it", check)
    assert found.state == "unseen"
    assert "You may not look" in found.text


def test_the_alarms_that_are_fired_are_looked_at_one_a_topic() -> None:
    assert list(deployment.FIRED) == ["critical", "warning"]
    assert tuple(deployment.FIRED.values()) == ALARMS
