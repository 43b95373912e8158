"""The tables fit what is written below them, and Athena has every question."""

from __future__ import annotations

import json
from typing import Any

import pytest

from infra import logs
from infra.log_queries import COLUMNS, HOUR, questions

from .conftest import Assembly
from .stages import Stages

STACK_OF = {"edge_requests": "AccessLogs", "api_requests": "ApiLogs", "admissions": "ApiLogs"}


@pytest.fixture(scope="module")
def prod(stages: Stages) -> Assembly:
    return Assembly(stages.folder / "prod", "", gate_is_real=False)


def _of(prod: Assembly, stack: str, kind: str) -> list[dict[str, Any]]:
    found = prod.templates()[stack]["Resources"].values()
    return [one["Properties"] for one in found if one["Type"] == kind]


def _table(prod: Assembly, name: str) -> dict[str, Any]:
    [table] = [
        one["TableInput"]
        for one in _of(prod, STACK_OF[name], "AWS::Glue::Table")
        if one["TableInput"]["Name"] == name
    ]
    return dict(table)


@pytest.mark.parametrize("name", COLUMNS)
def test_a_table_has_the_columns_that_are_written(prod: Assembly, name: str) -> None:
    columns = [column["Name"] for column in _table(prod, name)["StorageDescriptor"]["Columns"]]
    assert columns == [column.lower() for column in COLUMNS[name]]


def test_cloudfront_writes_parquet_where_the_table_looks(prod: Assembly) -> None:
    [destination] = _of(prod, "AccessLogs", "AWS::Logs::DeliveryDestination")
    assert destination["OutputFormat"] == "parquet"
    # A replacement that would be named as what it replaces is refused.
    assert "parquet" in destination["Name"]
    [delivery] = _of(prod, "AccessLogs", "AWS::Logs::Delivery")
    assert delivery["S3SuffixPath"] == "{DistributionId}/{yyyy}/{MM}/{dd}/{HH}"
    fields = [field.replace("-", "_") for field in delivery["RecordFields"]]
    assert fields == list(COLUMNS["edge_requests"])
    template = json.dumps(_table(prod, "edge_requests")["Parameters"]["storage.location.template"])
    # AWS makes up a folder where none is said, and forgets it at the next update.
    folder = json.dumps(destination["DestinationResourceArn"]).rpartition("/")[2].partition('"')[0]
    assert folder == "edge_requests"
    assert template.endswith(f'/{folder}/E1ABCDEFGHIJKL/${{{HOUR}}}"]]}}')
    assert _table(prod, "edge_requests")["Parameters"]["projection.hour.format"] == "yyyy/MM/dd/HH"


@pytest.mark.parametrize("name", ["api_requests", "admissions"])
def test_firehose_writes_parquet_where_the_table_looks(prod: Assembly, name: str) -> None:
    streams = {
        stream["DeliveryStreamName"].removeprefix("fairgate-prod-api-logs-"): stream
        for stream in _of(prod, "ApiLogs", "AWS::KinesisFirehose::DeliveryStream")
    }
    target = streams[name.replace("_", "-")]["ExtendedS3DestinationConfiguration"]
    hour = "!{timestamp:yyyy}/!{timestamp:MM}/!{timestamp:dd}/!{timestamp:HH}/"
    assert target["Prefix"] == f"{name}/{hour}"
    template = json.dumps(_table(prod, name)["Parameters"]["storage.location.template"])
    assert template.endswith(f'/{name}/${{{HOUR}}}"]]}}')
    schema = target["DataFormatConversionConfiguration"]["SchemaConfiguration"]
    assert schema["TableName"] == name
    kinds = [one["Type"] for one in target["ProcessingConfiguration"]["Processors"]]
    assert kinds == ["Decompression", "CloudWatchLogProcessing"]


def test_the_groups_that_are_followed_are_those_that_are_written(prod: Assembly) -> None:
    subscribed = {
        one["LogGroupName"]: one["FilterPattern"]
        for one in _of(prod, "ApiLogs", "AWS::Logs::SubscriptionFilter")
    }
    groups = {one["LogGroupName"] for one in prod.properties("AWS::Logs::LogGroup")}
    assert subscribed.keys() <= groups
    assert subscribed == {
        "/aws/vendedlogs/fairgate-prod-api": "",
        "/aws/lambda/fairgate-prod-sessions": "{ $.WaitedSeconds >= 0 }",
    }
    [stage] = prod.properties("AWS::ApiGatewayV2::Stage")
    assert list(json.loads(stage["AccessLogSettings"]["Format"])) == list(COLUMNS["api_requests"])


def test_athena_has_every_question_once_and_bounds_what_it_reads(prod: Assembly) -> None:
    asked = {
        query["Name"]: (stack, query["QueryString"])
        for stack in ("AccessLogs", "ApiLogs")
        for query in _of(prod, stack, "AWS::Athena::NamedQuery")
    }
    assert asked == {one.name: (STACK_OF[one.table], one.sql) for one in questions()}
    for stack in ("AccessLogs", "ApiLogs"):
        [group] = _of(prod, stack, "AWS::Athena::WorkGroup")
        bounds = group["WorkGroupConfiguration"]
        assert bounds["EnforceWorkGroupConfiguration"] is True
        assert bounds["BytesScannedCutoffPerQuery"] <= 100 * 1024**3


def test_no_table_has_a_column_that_tells_of_a_buyer() -> None:
    held = {column for columns in COLUMNS.values() for column in columns}
    assert not held & {"c_ip", "cs_user_agent", "cs_cookie", "cs_uri_query", "cs_referer"}
    assert set(logs.API_FIELDS) == set(COLUMNS["api_requests"])


READS = {
    "AccessLogs": ("fairgate-prod-access-logs-e1abcdefghijkl", {"edge_requests"}),
    "ApiLogs": ("fairgate-prod-api-logs", {"api_requests", "admissions"}),
}


@pytest.mark.parametrize("stack", READS)
def test_who_asks_the_logs_may_do_that_alone(prod: Assembly, stack: str) -> None:
    group, tables = READS[stack]
    [role] = [one for one in _of(prod, stack, "AWS::IAM::Role") if "RoleName" in one]
    assert json.dumps(role["RoleName"]).count(group) == 1
    [trust] = role["AssumeRolePolicyDocument"]["Statement"]
    assert "role/fairgate-prod-*" in json.dumps(trust["Condition"]["ArnLike"])
    [policy] = role["Policies"]
    may: dict[str, str] = {}
    for statement in policy["PolicyDocument"]["Statement"]:
        actions = statement["Action"]
        for action in [actions] if isinstance(actions, str) else actions:
            may[action] = may.get(action, "") + json.dumps(statement["Resource"])
    assert {action.partition(":")[0] for action in may} == {"athena", "glue", "s3"}
    assert f"workgroup/{group}" in may["athena:StartQueryExecution"]
    database = group.replace("-", "_")
    assert all(f"table/{database}/{table}" in may["glue:GetTable"] for table in tables)
    assert may["s3:PutObject"].count("/answers/*") == 1
    assert "/*" not in may["s3:PutObject"].replace("/answers/*", "")
    assert '"*"' not in json.dumps(policy)


def test_the_jobs_take_on_these_roles_and_no_others(prod: Assembly) -> None:
    may, told = {}, ""
    for (stack, _), resource in prod.resources("AWS::Lambda::Function").items():
        function = resource["Properties"]
        role = function["Role"].get("Fn::GetAtt", [""])[0]
        statements = prod.statements(stack, role) if "FunctionName" in function else []
        assumed = [one["Resource"] for one in statements if "sts:AssumeRole" in one["Action"]]
        if assumed:
            may[function["FunctionName"]] = json.dumps(assumed)
            told = json.dumps(function["Environment"]["Variables"]["FAIRGATE_LOG_WORKGROUPS"])
    assert may.keys() == {"fairgate-prod-jobs"}
    assert "role/fairgate-prod-access-logs-e1abcdefghijkl-us-east-1" in may["fairgate-prod-jobs"]
    assert "role/fairgate-prod-api-logs-" in may["fairgate-prod-jobs"]
    assert "*" not in may["fairgate-prod-jobs"]
    assert "fairgate-prod-access-logs-e1abcdefghijkl us-east-1 arn:" in told
    assert "fairgate-prod-api-logs " in told
