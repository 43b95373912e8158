"""What must never be lost, and what a sale needs of the tables."""

from __future__ import annotations

from typing import Any

import pytest

from fairgate.adapters.dynamodb.schema import TABLES, TableSchema, create_table_request
from fairgate.adapters.valkey.access import access_string

from .conftest import ECPU_MIN, STAGE, WARM_WRITES, Assembly


def _tables(assembly: Assembly) -> dict[str, dict[str, Any]]:
    resources = assembly.resources("AWS::DynamoDB::GlobalTable").values()
    return {r["Properties"]["TableName"].removeprefix(f"fairgate-{STAGE}-"): r for r in resources}


def _sorted(attributes: list[dict[str, str]]) -> list[tuple[str, str]]:
    return sorted((a["AttributeName"], a["AttributeType"]) for a in attributes)


@pytest.mark.parametrize("schema", TABLES, ids=lambda schema: schema.name)
def test_table_equals_its_schema_when_deployed(assembly: Assembly, schema: TableSchema) -> None:
    table = _tables(assembly)[schema.name]["Properties"]
    wanted = create_table_request(schema, f"fairgate-{STAGE}-{schema.name}")
    assert table["BillingMode"] == wanted["BillingMode"]
    assert table["KeySchema"] == wanted["KeySchema"]
    assert _sorted(table["AttributeDefinitions"]) == _sorted(wanted["AttributeDefinitions"])
    assert table.get("StreamSpecification", {}).get("StreamViewType") == wanted.get(
        "StreamSpecification", {}
    ).get("StreamViewType")
    indexes = [
        {key: index[key] for key in ("IndexName", "KeySchema", "Projection")}
        for index in table.get("GlobalSecondaryIndexes", [])
    ]
    assert indexes == wanted.get("GlobalSecondaryIndexes", [])
    assert ("TimeToLiveSpecification" in table) == schema.ttl


@pytest.mark.parametrize("schema", TABLES, ids=lambda schema: schema.name)
def test_table_survives_mistakes_when_deployed(assembly: Assembly, schema: TableSchema) -> None:
    resource = _tables(assembly)[schema.name]
    table = resource["Properties"]
    assert resource["DeletionPolicy"] == "RetainExceptOnCreate"
    assert resource["UpdateReplacePolicy"] == "Retain"
    assert table["SSESpecification"]["SSEEnabled"] is True
    (replica,) = table["Replicas"]
    assert replica["DeletionProtectionEnabled"] is True
    assert replica["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"] is True


def test_change_feeds_see_old_and_new_when_they_read_the_streams(assembly: Assembly) -> None:
    views = {
        name: table["Properties"].get("StreamSpecification", {}).get("StreamViewType")
        for name, table in _tables(assembly).items()
    }
    assert views == {
        "seats": "NEW_AND_OLD_IMAGES",
        "reservations": "NEW_AND_OLD_IMAGES",
        "catalog": None,
    }


@pytest.mark.parametrize("name", ["seats", "reservations"])
def test_table_and_index_are_warm_when_the_context_asks(assembly: Assembly, name: str) -> None:
    table = _tables(assembly)[name]["Properties"]
    (index,) = table["GlobalSecondaryIndexes"]
    for warmed in (table, index):
        assert warmed["WarmThroughput"]["WriteUnitsPerSecond"] == WARM_WRITES


def test_secrets_are_kept_when_the_stack_goes(assembly: Assembly) -> None:
    kept = {secret["DeletionPolicy"] for _, secret in assembly.keys_secrets().values()}
    assert kept == {"RetainExceptOnCreate"}


def test_cache_is_bounded_and_reached_by_functions_alone_when_deployed(assembly: Assembly) -> None:
    cache = assembly.only("AWS::ElastiCache::ServerlessCache")
    assert cache["Engine"] == "valkey"
    assert cache["CacheUsageLimits"]["DataStorage"]["Maximum"] > 0
    assert cache["CacheUsageLimits"]["ECPUPerSecond"] == {"Maximum": 300_000, "Minimum": ECPU_MIN}
    assert len(cache["SubnetIds"]) == 2
    for rule in assembly.properties("AWS::EC2::SecurityGroupIngress"):
        assert "SourceSecurityGroupId" in rule
        assert "CidrIp" not in rule
    for group in assembly.properties("AWS::EC2::SecurityGroup"):
        assert "SecurityGroupIngress" not in group


def test_cache_has_one_user_without_a_password_when_deployed(assembly: Assembly) -> None:
    user = assembly.only("AWS::ElastiCache::User")
    assert user["UserId"] == user["UserName"] == f"fairgate-{STAGE}-functions"
    assert user["AuthenticationMode"] == {"Type": "iam"}
    assert user["AccessString"] == access_string()
    assert "+@" not in user["AccessString"]
    assert not {"Passwords", "NoPasswordRequired"} & set(user)
    group = assembly.only("AWS::ElastiCache::UserGroup")
    assert len(group["UserIds"]) == 1
    assert "UserGroupId" in assembly.only("AWS::ElastiCache::ServerlessCache")


def test_network_has_no_way_out_when_deployed(assembly: Assembly) -> None:
    assert not assembly.resources("AWS::EC2::NatGateway")
    assert not assembly.resources("AWS::EC2::InternetGateway")
    kinds = sorted(e["VpcEndpointType"] for e in assembly.properties("AWS::EC2::VPCEndpoint"))
    assert kinds == ["Gateway", "Gateway", "Interface"]


def test_bucket_is_private_and_encrypted_when_deployed(assembly: Assembly) -> None:
    buckets = assembly.properties("AWS::S3::Bucket")
    assert len(buckets) == 4  # pages, layouts, jobs' files, and their logs
    for bucket in buckets:
        assert set(bucket["PublicAccessBlockConfiguration"].values()) == {True}
        assert bucket["BucketEncryption"]
