"""A stage that sells can sell; two regions and two tries do not stand in each other's way."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from infra.config import REFUSED_ZONES, TEST_STAGES
from infra.option_values import ConfigError

from .conftest import Assembly
from .stages import ZONES
from .test_synthesis import IDENTITY, config_of

# What an account has once, and the property that names it. Sources: CloudFormation's reference of
# each; CloudFront, IAM, budgets and dashboards are not of a region.
GLOBAL_NAMES = {
    "AWS::Budgets::Budget": ("Budget", "BudgetName"),
    "AWS::CloudWatch::Dashboard": ("DashboardName",),
    "AWS::CloudFront::CachePolicy": ("CachePolicyConfig", "Name"),
    "AWS::CloudFront::Function": ("Name",),
    "AWS::CloudFront::KeyValueStore": ("Name",),
    "AWS::CloudFront::OriginAccessControl": ("OriginAccessControlConfig", "Name"),
    "AWS::CloudFront::OriginRequestPolicy": ("OriginRequestPolicyConfig", "Name"),
    "AWS::CloudFront::ResponseHeadersPolicy": ("ResponseHeadersPolicyConfig", "Name"),
    "AWS::IAM::ManagedPolicy": ("ManagedPolicyName",),
    "AWS::IAM::Role": ("RoleName",),
    "AWS::IAM::User": ("UserName",),
    "AWS::IAM::Group": ("GroupName",),
    "AWS::IAM::InstanceProfile": ("InstanceProfileName",),
    "AWS::S3::Bucket": ("BucketName",),
}
REGIONAL = ("AWS::CloudFront::Distribution",)  # no name at all


def _text(value: Any, region: str) -> str:
    """What CloudFormation makes of a name in this region."""
    if isinstance(value, str):
        return value
    if "Ref" in value:
        return region if value["Ref"] == "AWS::Region" else f"<{value['Ref']}>"
    separator, parts = value["Fn::Join"]
    return str(separator).join(_text(part, region) for part in parts)


def _global_names(assembly: Assembly, region: str) -> Iterator[tuple[str, str]]:
    for kind, path in GLOBAL_NAMES.items():
        for properties in assembly.properties(kind):
            value: Any = properties
            for step in path:
                value = value.get(step, {})
            if value:
                yield kind, _text(value, region)


def test_no_global_name_is_taken_when_the_stage_stands_in_two_regions(assembly: Assembly) -> None:
    here, there = (set(_global_names(assembly, r)) for r in ("eu-central-1", "us-east-1"))
    assert len(here) >= 10
    assert not here & there


def test_every_kind_of_the_edge_and_of_iam_is_looked_at_for_its_name(assembly: Assembly) -> None:
    kinds = {
        resource["Type"]
        for template in assembly.templates().values()
        for resource in template["Resources"].values()
    }
    spaces = ("AWS::CloudFront::", "AWS::IAM::")
    unnamed = {"AWS::IAM::Policy", *REGIONAL}  # an inline policy is its role's
    assert {k for k in kinds if k.startswith(spaces)} <= set(GLOBAL_NAMES) | unnamed


def test_what_is_kept_is_not_kept_from_a_first_try_that_failed(assembly: Assembly) -> None:
    kept = [
        (stack, logical_id, resource)
        for stack, template in assembly.templates().items()
        for logical_id, resource in template["Resources"].items()
        if resource.get("DeletionPolicy", "Delete") != "Delete"
        # The CDK's own, of the function that copies the pages, whose name AWS makes each time.
        and not logical_id.startswith("CustomCDKBucketDeployment")
    ]
    assert len(kept) >= 7  # tables, secret, store, buckets
    for stack, logical_id, resource in kept:
        assert resource["DeletionPolicy"] == "RetainExceptOnCreate", f"{stack}/{logical_id}"
        assert resource["UpdateReplacePolicy"] == "Retain", f"{stack}/{logical_id}"
    assert "AWS::CloudFront::KeyValueStore" in {r["Type"] for _, _, r in kept}


def test_the_zones_are_those_that_the_context_names(assembly: Assembly) -> None:
    subnets = assembly.properties("AWS::EC2::Subnet")
    assert [subnet.get("AvailabilityZoneId") for subnet in subnets] == list(ZONES)
    assert not any("AvailabilityZone" in subnet for subnet in subnets)


@pytest.mark.parametrize("zone", REFUSED_ZONES)
def test_a_zone_that_aws_refuses_is_refused_before_anything_is_deployed(
    tmp_path: Path, zone: str
) -> None:
    with pytest.raises(ConfigError, match=f"refuse the zone {zone}"):
        config_of(tmp_path, zones=f"{zone[:-1]}1,{zone}")


@pytest.mark.parametrize(
    "zones", ["euc1-az1", "euc1-az1,euc1-az1", "euc1-az1,euc1-az2,euc1-az3", "eu-central-1a,b"]
)
def test_zones_are_two_ids(tmp_path: Path, zones: str) -> None:
    with pytest.raises(ConfigError, match=r"two ids|no id of a zone"):
        config_of(tmp_path, zones=zones)


@pytest.mark.parametrize("stage", ["prod", "dev"])
def test_a_stage_names_its_zones_where_aws_refuses_some(tmp_path: Path, stage: str) -> None:
    with pytest.raises(ConfigError, match="-c zones="):
        config_of(tmp_path, "us-east-1", stage=stage)
    assert config_of(tmp_path, "us-east-1", stage=stage, zones="use1-az1,use1-az2").zones
    assert config_of(tmp_path, "eu-central-1", stage=stage).zones == ()


@pytest.mark.parametrize("missing", [*IDENTITY, "payments_provider"])
def test_a_stage_that_sells_is_refused_when_nobody_could_buy(tmp_path: Path, missing: str) -> None:
    value = "sandbox" if missing == "payments_provider" else ""
    with pytest.raises(ConfigError, match=f"nobody could sign in and pay: set -c {missing}="):
        config_of(tmp_path, **{missing: value})
    assert not config_of(tmp_path, stage="dev", **{missing: value}).sells


@pytest.mark.parametrize("stage", ["prod", "live", "fairgate", "production", "tests"])
def test_a_stage_sells_unless_it_is_named_as_a_tests(tmp_path: Path, stage: str) -> None:
    assert stage not in TEST_STAGES
    assert config_of(tmp_path, stage=stage).sells
    assert not config_of(tmp_path, stage=stage, test_stages=f"dev,{stage}").sells


def test_concurrency_is_refused_when_it_is_too_little_to_share_out(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="at least 400"):
        config_of(tmp_path, concurrency="399")
    assert config_of(tmp_path, concurrency="400").concurrency == 400
    assert config_of(tmp_path).concurrency is None


def test_a_domain_of_the_apis_own_needs_its_certificate(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="api_domain and api_certificate_arn go together"):
        config_of(tmp_path, api_domain="api.example.org")


def test_templates_name_no_region(assembly: Assembly) -> None:
    for stack, template in assembly.templates().items():
        text = json.dumps({**template, "Mappings": {}})
        assert '"eu-central-1"' not in text, stack


@pytest.mark.parametrize(
    "given", [{"stage": "prod"}, {"stage": "dev", "payments_provider": "stripe"}]
)
def test_simulated_buyers_come_to_no_stage_where_money_may_be_real(
    tmp_path: Path, given: dict[str, str]
) -> None:
    with pytest.raises(ConfigError, match="never with real money"):
        config_of(tmp_path, rehearsal_buyers="500", **given)
    on = {"stage": "dev", "payments_provider": "sandbox", "rehearsal_buyers": "500"}
    assert config_of(tmp_path, **on).rehearsal_buyers == 500
