"""Each request leaves a line, for as long as the context says; no line lets anybody in."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace
from typing import Any

import pytest

from fairgate.http import paths
from fairgate_ops.operate.capacity import cost
from infra import logs
from infra.option_values import ConfigError
from infra.routes import ROUTES
from tests.support import needs

from .conftest import ROOT, Assembly
from .test_synthesis import config_of

DISTRIBUTION = "E1ABCDEFGHIJKL"
DAYS = 90
# What a log of CloudFront could hold of a buyer or of what lets one in.
TELLING = ("cs-uri-query", "cs(cookie)", "cs(referer)", "cs(user-agent)", "c-ip", "x-forwarded-for")
IDS = {"event", "file+", "hold", "order", "section", "session", "ticket"}


@pytest.fixture(scope="module")
def access_logs() -> dict[str, dict[str, Any]]:
    """The stack's resources by type; there is one of each that is asked for."""
    stack = needs.cdk("infra.stacks.access_logs").AccessLogsStack
    from aws_cdk import App
    from aws_cdk.assertions import Template

    config = SimpleNamespace(stage="test", access_logs=DISTRIBUTION, log_retention_days=DAYS)
    made = stack(App(), "AccessLogs", config)
    assert made.region == "us-east-1"
    resources = Template.from_stack(made).to_json()["Resources"]
    return {resource["Type"]: resource for resource in resources.values()}


def test_the_distributions_log_holds_nothing_that_tells_of_a_buyer_or_lets_one_in(
    access_logs: dict[str, dict[str, Any]],
) -> None:
    fields = access_logs["AWS::Logs::Delivery"]["Properties"]["RecordFields"]
    assert not {field.lower() for field in fields} & set(TELLING)
    assert not [field for field in fields if field.lower().startswith(("cs(", "sc("))]
    assert {"x-edge-request-id", "cs-uri-stem", "sc-status", "time-taken"} <= set(fields)


def test_no_path_of_the_site_has_a_credential_in_it() -> None:
    """The log holds paths: what stands in one may open nothing."""
    assert {name for route in ROUTES for name in re.findall(r"\{(\w+\+?)\}", route.path)} == IDS


def test_cloudfront_delivers_that_log_into_a_private_bucket_which_forgets(
    access_logs: dict[str, dict[str, Any]],
) -> None:
    source = access_logs["AWS::Logs::DeliverySource"]["Properties"]
    assert source["LogType"] == "ACCESS_LOGS"
    assert f"distribution/{DISTRIBUTION}" in json.dumps(source["ResourceArn"])
    assert DISTRIBUTION.lower() in source["Name"]  # a stage may stand in two regions
    bucket = access_logs["AWS::S3::Bucket"]
    assert bucket["DeletionPolicy"] == "RetainExceptOnCreate"
    assert set(bucket["Properties"]["PublicAccessBlockConfiguration"].values()) == {True}
    [rule] = bucket["Properties"]["LifecycleConfiguration"]["Rules"]
    assert (rule["Status"], rule["ExpirationInDays"]) == ("Enabled", DAYS)


def test_only_that_delivery_may_write_into_the_bucket(
    access_logs: dict[str, dict[str, Any]],
) -> None:
    policy = access_logs["AWS::S3::BucketPolicy"]["Properties"]["PolicyDocument"]
    [allowed] = [s for s in policy["Statement"] if s["Effect"] == "Allow"]
    assert allowed["Principal"] == {"Service": "delivery.logs.amazonaws.com"}
    assert allowed["Action"] == "s3:PutObject"
    destination = access_logs["AWS::Logs::DeliveryDestination"]["Properties"]
    *bucket, folder = destination["DestinationResourceArn"]["Fn::Join"][1]
    assert allowed["Resource"]["Fn::Join"][1] == [*bucket, f"{folder}/*"]
    equals = allowed["Condition"]["StringEquals"]
    assert equals["aws:SourceAccount"] == {"Ref": "AWS::AccountId"}
    name = access_logs["AWS::Logs::DeliverySource"]["Properties"]["Name"]
    assert f":delivery-source:{name}" in json.dumps(allowed["Condition"]["ArnEquals"])


@pytest.mark.parametrize("wrong", ["on", "https://d1.cloudfront.example", "e1abcdefghijkl"])
def test_what_is_no_distributions_id_is_refused(tmp_path: Any, wrong: str) -> None:
    with pytest.raises(ConfigError, match="access_logs is the id of the distribution"):
        config_of(tmp_path, access_logs=wrong)
    assert config_of(tmp_path, access_logs=DISTRIBUTION).access_logs


def test_every_request_of_the_api_leaves_its_route_status_and_time(assembly: Assembly) -> None:
    settings = assembly.only("AWS::ApiGatewayV2::Stage")["AccessLogSettings"]
    told = json.loads(settings["Format"])
    assert {"request_id", "route", "status", "latency_ms"} <= set(told)
    assert all(re.fullmatch(r"\$context(\.[a-zA-Z]+)+", variable) for variable in told.values())
    # No address, device, path with ids, claim of a token, or answer of the authorizer.
    telling = r"identity|\.path|claims|domain|userAgent|sourceIp|authorizer\.(?!error)"
    assert not [variable for variable in told.values() if re.search(telling, variable)]
    assert ":*" not in json.dumps(settings["DestinationArn"])


def test_the_ten_second_schedule_logs_every_event_and_no_data(assembly: Assembly) -> None:
    machine = assembly.only("AWS::StepFunctions::StateMachine")
    logged = machine["LoggingConfiguration"]
    assert (logged["Level"], logged["IncludeExecutionData"]) == ("ALL", False)
    assert len(logged["Destinations"]) == 1
    assert machine["TracingConfiguration"] == {"Enabled": True}


def test_the_network_logs_what_it_refuses(assembly: Assembly) -> None:
    flow = assembly.only("AWS::EC2::FlowLog")
    assert (flow["ResourceType"], flow["TrafficType"]) == ("VPC", "REJECT")


@pytest.mark.parametrize(("days", "stage"), [(90, "assembly"), (30, "restored")])
def test_each_stage_keeps_its_logs_for_as_long_as_its_context_says(
    request: pytest.FixtureRequest, days: int, stage: str
) -> None:
    made: Assembly = request.getfixturevalue(stage)
    groups = {g["LogGroupName"]: g for g in made.properties("AWS::Logs::LogGroup")}
    delivered = {name.rpartition("/")[2] for name in groups if name.startswith("/aws/vendedlogs/")}
    assert delivered == {f"fairgate-test-{what}" for what in ("api", "network", "ten-seconds")}
    assert {group["RetentionInDays"] for group in groups.values()} == {days}
    [forgetting] = [
        b["LifecycleConfiguration"]["Rules"]
        for b in made.properties("AWS::S3::Bucket")
        if "LifecycleConfiguration" in b and "LoggingConfiguration" not in b
    ]
    assert forgetting[0]["ExpirationInDays"] == days


@pytest.mark.parametrize(("days", "stage"), [(90, "assembly"), (30, "restored")])
def test_the_edges_functions_forget_as_well(
    request: pytest.FixtureRequest, days: int, stage: str
) -> None:
    """CloudFront makes their groups, in one region, and for ever."""
    made: Assembly = request.getfixturevalue(stage)
    kept = made.properties("Custom::LogRetention")
    said = {(one["LogGroupRegion"], one["RetentionInDays"]) for one in kept}
    assert said == {("us-east-1", days)}
    groups = [one["LogGroupName"]["Fn::Join"][1] for one in kept]
    functions = [one["Name"]["Fn::Join"][1] for one in made.properties("AWS::CloudFront::Function")]
    assert sorted(map(str, groups)) == sorted(
        str([f"/aws/cloudfront/function/{first}", *rest]) for first, *rest in functions
    )


def test_whoever_says_so_may_touch_no_other_log(assembly: Assembly) -> None:
    [role] = [
        logical_id
        for stack, logical_id in assembly.resources("AWS::IAM::Role")
        if stack == "Watch" and logical_id.startswith("EdgeLogs")
    ]
    touched = [
        json.dumps(resource)
        for statement in assembly.statements("Watch", role)
        if "logs:PutRetentionPolicy" in statement["Action"]
        for resource in statement["Resource"]
    ]
    groups = [one for one in touched if ":log-group:/aws/cloudfront/function/fairgate-" in one]
    assert len(groups) == len(assembly.properties("AWS::CloudFront::Function"))
    [own] = set(touched) - set(groups)
    assert "/aws/lambda/*LogRetention*" in own
    # Without it IAM refuses: asked about a group, it names the group's `:log-stream:`.
    assert all(re.search(r'\*"\W*$', one) for one in touched)


def test_each_bucket_but_that_of_the_logs_has_a_log(assembly: Assembly) -> None:
    buckets = assembly.resources("AWS::S3::Bucket")
    logging = {
        logical_id: bucket["Properties"].get("LoggingConfiguration")
        for (_, logical_id), bucket in buckets.items()
    }
    [without] = [logical_id for logical_id, log in logging.items() if log is None]
    prefixes = [log["LogFilePrefix"] for log in logging.values() if log]
    assert sorted(prefixes) == ["jobfiles/", "layouts/", "web/"]
    assert {log["DestinationBucketName"]["Ref"] for log in logging.values() if log} == {without}
    assert all(b["DeletionPolicy"] == "RetainExceptOnCreate" for b in buckets.values())
    [policy] = [
        p["PolicyDocument"]["Statement"]
        for p in assembly.properties("AWS::S3::BucketPolicy")
        if p["Bucket"] == {"Ref": without}
    ]
    writers = [s for s in policy if s["Effect"] == "Allow"]
    assert {w["Principal"]["Service"] for w in writers} == {"logging.s3.amazonaws.com"}
    assert all("aws:SourceAccount" in w["Condition"]["StringEquals"] for w in writers)


def test_cloudfront_asks_the_buckets_without_what_a_log_must_not_hold(assembly: Assembly) -> None:
    """S3 logs the whole request line: no query string, cookie or viewer's header reaches it."""
    config = assembly.only("AWS::CloudFront::Distribution")["DistributionConfig"]
    buckets = {o["Id"] for o in config["Origins"] if "S3OriginConfig" in o}
    behaviours = [config["DefaultCacheBehavior"], *config["CacheBehaviors"]]
    to_buckets = [b for b in behaviours if b["TargetOriginId"] in buckets]
    policies = assembly.resources("AWS::CloudFront::CachePolicy")
    assert to_buckets
    for behaviour in to_buckets:
        assert "OriginRequestPolicyId" not in behaviour
        policy = policies["Edge", behaviour["CachePolicyId"]["Ref"]]["Properties"]
        key = policy["CachePolicyConfig"]["ParametersInCacheKeyAndForwardedToOrigin"]
        assert key["CookiesConfig"]["CookieBehavior"] == "none"
        assert key["HeadersConfig"]["HeaderBehavior"] == "none"
        assert key["QueryStringsConfig"]["QueryStringBehavior"] == "none"


def test_what_a_log_costs_stands_on_the_page_as_it_is_modelled() -> None:
    assert logs.gigabytes(1_000_000, 600) == pytest.approx(36)
    assert logs.cost_of(1_000_000, 600, days=90) == pytest.approx(36 * (0.28 + 0.023 * 3))
    assert logs.cost_table() in (ROOT / "docs/deploying.md").read_text("utf-8")


def test_every_credential_travels_in_a_header_that_no_log_holds() -> None:
    credentials = (
        *(paths.HEADER_AUTHORIZATION, paths.HEADER_TOKEN, paths.HEADER_SESSION),
        *(paths.HEADER_EDGE, paths.HEADER_FRONT_DOOR),
    )
    held = json.dumps([logs.DISTRIBUTION_FIELDS, logs.API_FIELDS]).lower()
    assert not [name for name in credentials if name in held]


def test_the_capacity_plan_prices_a_line_as_the_stage_does() -> None:
    assert (cost.EDGE_LOG_BYTES, cost.DELIVERED_LOG_GB) == (logs.RECORD_BYTES, logs.DELIVERED_GB)
