"""A crowd in one place takes nothing from those in another."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fairgate import settings
from fairgate.http import paths
from infra.behaviours import DEFAULT, behaviours
from infra.concurrency import UNRESERVED_MIN, reserved
from infra.config import CONCURRENCY_MIN
from infra.functions import BY_NAME, FUNCTIONS
from infra.routes import ROUTES
from infra.throttles import API_RATE, throttles

from .conftest import CONCURRENCY, Assembly

LOOKING = {"catalog", "seatmap"}
SELLING = {"checkout", "holds", "orders", "sessions"}


def _distribution(assembly: Assembly) -> dict[str, Any]:
    config: dict[str, Any] = assembly.only("AWS::CloudFront::Distribution")["DistributionConfig"]
    return config


def _behaviour(assembly: Assembly, pattern: str) -> dict[str, Any]:
    config = _distribution(assembly)
    if pattern == DEFAULT.pattern:
        default: dict[str, Any] = config["DefaultCacheBehavior"]
        return default
    [found] = [b for b in config["CacheBehaviors"] if b["PathPattern"] == pattern]
    return dict(found)


@pytest.mark.parametrize("spec", FUNCTIONS, ids=lambda spec: spec.name)
def test_each_function_has_its_own_share_when_lambda_is_shared_out(
    assembly: Assembly, spec: Any
) -> None:
    _, function = assembly.functions()[spec.name]
    assert function["ReservedConcurrentExecutions"] == reserved(CONCURRENCY)[spec.name] > 0


@pytest.mark.parametrize("account", [CONCURRENCY_MIN, CONCURRENCY, 10_000, 100_003])
def test_those_who_look_never_take_what_sells_when_lambda_is_shared_out(account: int) -> None:
    shares = reserved(account)
    assert set(shares) == set(BY_NAME)
    assert sum(shares.values()) <= account - UNRESERVED_MIN
    paying = shares["checkout"] + shares["orders"]
    assert sum(shares[name] for name in LOOKING) < min(shares["holds"], paying)
    assert sum(shares[name] for name in SELLING) > (account - UNRESERVED_MIN) / 4


@pytest.mark.parametrize(
    ("account", "kept"), [(CONCURRENCY_MIN, 10), (1_000, 10), (12_000, 120), (100_003, 1_000)]
)
def test_the_door_has_ten_or_a_hundredth_of_every_account(account: int, kept: int) -> None:
    """All callers wait for it, and guesses at its value reach it: one environment was too few."""
    assert reserved(account)["authorizer"] == kept


def test_nothing_is_reserved_when_the_account_is_not_named() -> None:
    assert reserved(None) == {}


def test_a_queue_calls_no_more_often_than_its_function_may_run(assembly: Assembly) -> None:
    functions = assembly.resources("AWS::Lambda::Function")
    aliases = {
        logical_id: json.dumps(alias["Properties"]["FunctionName"])
        for (_, logical_id), alias in assembly.resources("AWS::Lambda::Alias").items()
    }
    called: dict[str, int] = {}
    for mapping in assembly.properties("AWS::Lambda::EventSourceMapping"):
        text = json.dumps(mapping["FunctionName"])
        for alias, owner in aliases.items():
            text = owner if f'"{alias}"' in text else text
        [function] = [f["Properties"] for (_, i), f in functions.items() if f'"{i}"' in text]
        name = function["FunctionName"]
        called[name] = called.get(name, 0) + mapping["ScalingConfig"]["MaximumConcurrency"]
        assert called[name] <= function["ReservedConcurrentExecutions"], name
    assert len(called) == 4


def test_each_route_has_its_own_bound_when_deployed(assembly: Assembly) -> None:
    stage = assembly.only("AWS::ApiGatewayV2::Stage")
    assert stage["StageName"] == "$default"
    keys = {route["RouteKey"] for route in assembly.properties("AWS::ApiGatewayV2::Route")}
    assert set(stage["RouteSettings"]) == keys
    for key, bound in throttles().items():
        assert stage["RouteSettings"][key] == {
            "ThrottlingBurstLimit": bound.burst,
            "ThrottlingRateLimit": bound.rate,
        }


def test_the_stage_waits_for_the_routes_that_it_names(assembly: Assembly) -> None:
    [((stack, _), stage)] = assembly.resources("AWS::ApiGatewayV2::Stage").items()
    routes = {i for s, i in assembly.resources("AWS::ApiGatewayV2::Route") if s == stack}
    assert len(routes) == len(assembly.resources("AWS::ApiGatewayV2::Route"))
    assert routes <= set(stage["DependsOn"])


@pytest.mark.parametrize("quota", [API_RATE, 2_000, 100_000])
def test_no_route_uses_up_what_others_need_when_flooded(quota: int) -> None:
    bounds = throttles(quota)
    assert sum(bound.rate for bound in bounds.values()) <= quota
    assert sum(bound.burst for bound in bounds.values()) <= quota / 2
    assert all(bound.rate > 0 and bound.burst > 0 for bound in bounds.values())
    looking = sum(bounds[f"{r.method} {r.path}"].rate for r in ROUTES if r.function in LOOKING)
    assert looking <= quota / 5


@pytest.mark.parametrize("behaviour", [*behaviours(), DEFAULT], ids=lambda b: b.pattern)
def test_what_is_kept_is_asked_for_by_one_cache_for_the_world(
    assembly: Assembly, behaviour: Any
) -> None:
    wanted = _behaviour(assembly, behaviour.pattern)["TargetOriginId"]
    [origin] = [o for o in _distribution(assembly)["Origins"] if o["Id"] == wanted]
    shared = behaviour.origin == "api" and behaviour.cache != "none"
    assert origin.get("OriginShield", {}).get("Enabled", False) is shared
    assert ("CustomOriginConfig" in origin) == (behaviour.origin == "api")


def test_the_shield_stands_near_the_stage_when_no_region_is_chosen(assembly: Assembly) -> None:
    [shield] = [
        o["OriginShield"]["OriginShieldRegion"]
        for o in _distribution(assembly)["Origins"]
        if o.get("OriginShield")
    ]
    name, region, key = shield["Fn::FindInMap"]
    assert region == {"Ref": "AWS::Region"}
    mapping = assembly.templates()["Edge"]["Mappings"][name]
    assert mapping["eu-central-1"][key] == "eu-central-1"
    assert mapping["eu-north-1"][key] == "eu-west-2"
    assert all(mapping[near[key]][key] == near[key] for near in mapping.values())


@pytest.mark.parametrize(
    "behaviour", [b for b in behaviours() if b.cache == "none"], ids=lambda b: b.pattern
)
def test_no_buyer_sees_anothers_error_when_cloudfront_keeps_it(
    assembly: Assembly, behaviour: Any
) -> None:
    """The key is whatever tells two callers apart: who shares it sent the same credentials."""
    reference = _behaviour(assembly, behaviour.pattern)["CachePolicyId"]
    policies = assembly.resources("AWS::CloudFront::CachePolicy")
    config = policies["Edge", reference["Ref"]]["Properties"]["CachePolicyConfig"]
    assert (config["MinTTL"], config["DefaultTTL"]) == (0, 0)
    assert 0 < config["MaxTTL"] <= 1  # without any, a key may name no header
    key = config["ParametersInCacheKeyAndForwardedToOrigin"]
    assert key["HeadersConfig"]["HeaderBehavior"] == "whitelist"
    assert set(key["HeadersConfig"]["Headers"]) == {
        "authorization",
        "x-fairgate-session",
        "x-fairgate-token",
    }
    assert set(key["QueryStringsConfig"]["QueryStrings"]) >= {"after", "unit"}


def test_the_table_is_read_within_one_bound_when_the_cache_is_gone(assembly: Assembly) -> None:
    """Each environment has its share, and there are no more of them than are reserved."""
    shares = {}
    for name, (_, function) in assembly.functions().items():
        share = function["Environment"]["Variables"].get(settings.TABLE_READS_PER_S)
        if share is not None:
            shares[name] = int(share) * function["ReservedConcurrentExecutions"]
    assert set(shares) == {"holds", "seatmap"}
    assert all(0 < total <= 5_000 for total in shares.values())


def test_no_place_is_lost_to_a_stalling_provider_but_those_of_new_sign_ins() -> None:
    """What asks the identity provider waits for it, and has its places to itself."""
    asking = [r.path for r in ROUTES if r.function and BY_NAME[r.function].identity]
    assert asking == [paths.AUTH_EXCHANGE]
