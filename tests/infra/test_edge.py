"""The way in: each route has its behaviour, its cache and, where it should, the gate."""

from __future__ import annotations

import ast
import json
import re
from typing import Any

import pytest

from fairgate import settings
from fairgate_ops.operate.cli.words.system import QUEUES
from infra.behaviours import DEFAULT, behaviours
from infra.carried import carried
from infra.functions import REBUILDER
from infra.headers import HSTS_MAX_AGE_S
from infra.routes import CACHING, ROUTES

from .conftest import ROOT, STAGE, Assembly
from .stages import NAGGED, Stages


def _distribution(assembly: Assembly) -> dict[str, Any]:
    config: dict[str, Any] = assembly.only("AWS::CloudFront::Distribution")["DistributionConfig"]
    return config


def _behaviours(assembly: Assembly) -> dict[str, dict[str, Any]]:
    config = _distribution(assembly)
    ordered = {b["PathPattern"]: b for b in config["CacheBehaviors"]}
    return {**ordered, DEFAULT.pattern: config["DefaultCacheBehavior"]}


def _named(assembly: Assembly, kind: str, reference: Any) -> dict[str, Any]:
    properties: dict[str, Any] = assembly.resources(kind)["Edge", reference["Ref"]]["Properties"]
    return properties


def test_behaviours_stand_in_the_order_of_their_specificity_when_deployed(
    assembly: Assembly,
) -> None:
    patterns = [b["PathPattern"] for b in _distribution(assembly)["CacheBehaviors"]]
    assert patterns == [b.pattern for b in behaviours()]


def test_every_api_route_is_a_route_of_the_http_api_when_deployed(assembly: Assembly) -> None:
    keys = {route["RouteKey"] for route in assembly.properties("AWS::ApiGatewayV2::Route")}
    assert keys == {f"{r.method} {r.path}" for r in ROUTES if r.function} | {"$default"}


@pytest.mark.parametrize("route", [r for r in ROUTES if r.function], ids=lambda r: r.path)
def test_route_leads_to_its_function_when_called(assembly: Assembly, route: Any) -> None:
    resources = assembly.templates()["Api"]["Resources"]
    (found,) = [
        properties
        for properties in assembly.properties("AWS::ApiGatewayV2::Route")
        if properties["RouteKey"] == f"{route.method} {route.path}"
    ]
    integration = resources[found["Target"]["Fn::Join"][1][1]["Ref"]]["Properties"]
    assert assembly.behind_alias("Api", integration["IntegrationUri"]["Ref"]) == route.function
    assert integration["PayloadFormatVersion"] == "2.0"


def _function(assembly: Assembly, name: str) -> dict[str, Any]:
    [found] = [
        function
        for function in assembly.properties("AWS::CloudFront::Function")
        if f"fairgate-{STAGE}-{name}-" in str(function["Name"])
    ]
    return found


def test_a_function_stands_before_each_route_of_the_api_and_the_pages(assembly: Assembly) -> None:
    """The gate before gated routes and no others; what it does not decide is screened."""
    found, functions = _behaviours(assembly), assembly.resources("AWS::CloudFront::Function")
    for wanted in (*behaviours(), DEFAULT):
        associations = found[wanted.pattern].get("FunctionAssociations", [])
        assert len(associations) == (wanted.origin == "api" or wanted == DEFAULT), wanted.pattern
        for association in associations:
            assert association["EventType"] == "viewer-request"
            named = association["FunctionARN"]["Fn::GetAtt"][0]
            name = "gate" if wanted.gated else "screen" if wanted.origin == "api" else "addresses"
            assert functions["Edge", named]["Properties"] == _function(assembly, name)
    assert sum(b.gated for b in behaviours()) == 3  # joining, admission, and the desk's own path


@pytest.mark.parametrize("name", ["gate", "screen", "addresses"])
def test_function_fits_cloudfront_and_reads_the_store_when_deployed(
    assembly: Assembly, name: str
) -> None:
    function = _function(assembly, name)
    assert function["FunctionConfig"]["Runtime"] == "cloudfront-js-2.0"
    assert len(function["FunctionConfig"]["KeyValueStoreAssociations"]) == 1
    assert function["AutoPublish"] is True
    if name == "gate" and not assembly.gate_is_real:
        pytest.skip("the gate's build needs `npm ci`: its size is not known here")
    assert len(function["FunctionCode"].encode()) < 10_240
    assert "async function handler(" in function["FunctionCode"]


@pytest.mark.parametrize(
    "behaviour", [b for b in behaviours() if b.cache == "none"], ids=lambda b: b.pattern
)
def test_named_parameters_alone_reach_the_api_and_the_key(
    assembly: Assembly, behaviour: Any
) -> None:
    found, taken = _behaviours(assembly)[behaviour.pattern], {"after", "event", "unit"}
    assert taken == {name for r in ROUTES if r.cache == "none" for name in r.query}
    key = _named(assembly, "AWS::CloudFront::CachePolicy", found["CachePolicyId"])
    sent = _named(assembly, "AWS::CloudFront::OriginRequestPolicy", found["OriginRequestPolicyId"])
    for strings in (
        key["CachePolicyConfig"]["ParametersInCacheKeyAndForwardedToOrigin"]["QueryStringsConfig"],
        sent["OriginRequestPolicyConfig"]["QueryStringsConfig"],
    ):
        assert strings["QueryStringBehavior"] == "whitelist"
        assert set(strings["QueryStrings"]) == taken


@pytest.mark.parametrize("behaviour", [*behaviours(), DEFAULT], ids=lambda b: b.pattern)
def test_answers_are_kept_as_the_routes_say_when_cached(assembly: Assembly, behaviour: Any) -> None:
    found = _behaviours(assembly)[behaviour.pattern]
    caching = CACHING[behaviour.cache]
    if caching is None:
        return  # no answer is: test_isolation.py
    policy = _named(assembly, "AWS::CloudFront::CachePolicy", found["CachePolicyId"])
    config = policy["CachePolicyConfig"]
    assert (config["MinTTL"], config["DefaultTTL"], config["MaxTTL"]) == (
        0,
        caching.default_ttl_s,
        caching.ttl_max_s,
    )
    key = config["ParametersInCacheKeyAndForwardedToOrigin"]
    # Each accepted encoding is kept apart, reaches the API, and CloudFront compresses what it can.
    assert found["Compress"]
    assert (key["EnableAcceptEncodingGzip"], key["EnableAcceptEncodingBrotli"]) == (True, True)
    strings = tuple(key["QueryStringsConfig"].get("QueryStrings", ()))
    assert strings == caching.query_strings
    # What one buyer is answered goes to all: nothing of theirs may reach the origin.
    assert key["HeadersConfig"]["HeaderBehavior"] == "none"
    assert key["CookiesConfig"]["CookieBehavior"] == "none"
    assert "OriginRequestPolicyId" not in found


def test_an_error_is_kept_for_a_second_when_the_api_fails(assembly: Assembly) -> None:
    errors = _distribution(assembly)["CustomErrorResponses"]
    kept = {error["ErrorCode"]: error["ErrorCachingMinTTL"] for error in errors}
    # All that CloudFront keeps whatever the answer says, which else is for ten seconds.
    assert kept == dict.fromkeys((404, 414, 500, 501, 502, 503, 504), 1)
    assert all("ResponsePagePath" not in error for error in errors)  # the API's problem stays


@pytest.mark.parametrize(
    "behaviour", [b for b in behaviours() if b.cache == "none"], ids=lambda b: b.pattern
)
def test_only_the_gate_speaks_for_the_gate_when_headers_are_forwarded(
    assembly: Assembly, behaviour: Any
) -> None:
    found = _behaviours(assembly)[behaviour.pattern]
    policy = _named(
        assembly, "AWS::CloudFront::OriginRequestPolicy", found["OriginRequestPolicyId"]
    )
    headers = policy["OriginRequestPolicyConfig"]["HeadersConfig"]
    # All but these: Authorization and the other x-fairgate headers are on their way.
    assert headers["HeaderBehavior"] == "allExcept"
    # Nor does anybody speak for a firewall that is not there.
    kept_back = {"host", "x-amzn-waf-fairgate-label"}
    kept_back |= set() if behaviour.gated else {"x-fairgate-edge"}
    assert set(headers["Headers"]) == kept_back


def test_changing_requests_reach_the_api_when_it_is_the_origin(assembly: Assembly) -> None:
    found = _behaviours(assembly)
    for behaviour in behaviours():
        methods = set(found[behaviour.pattern]["AllowedMethods"])
        assert ("POST" in methods and "DELETE" in methods) == (behaviour.origin == "api")


def test_every_answer_carries_the_security_headers_when_sent(assembly: Assembly) -> None:
    security = _security_policy(assembly)["SecurityHeadersConfig"]
    csp = security["ContentSecurityPolicy"]["ContentSecurityPolicy"]
    assert "default-src 'none'" in csp
    assert "frame-ancestors 'none'" in csp
    assert "unsafe" not in csp
    assert security["StrictTransportSecurity"]["AccessControlMaxAgeSec"] >= 31_536_000
    for pattern, behaviour in _behaviours(assembly).items():
        assert "ResponseHeadersPolicyId" in behaviour, pattern
        assert behaviour["ViewerProtocolPolicy"] in {"https-only", "redirect-to-https"}


def _security_policy(assembly: Assembly) -> dict[str, Any]:
    policies = assembly.properties("AWS::CloudFront::ResponseHeadersPolicy")
    configs = [policy["ResponseHeadersPolicyConfig"] for policy in policies]
    [security] = [config for config in configs if "CustomHeadersConfig" in config]
    return security


def test_what_the_api_answers_behind_the_gate_has_the_headers_of_the_gates_own_answers(
    assembly: Assembly,
) -> None:
    """Or a sampled account could tell. What CloudFront itself says of its cache stays."""
    resources = assembly.resources("AWS::CloudFront::ResponseHeadersPolicy")
    policies = {logical_id: found["Properties"] for (_, logical_id), found in resources.items()}
    found = _behaviours(assembly)
    for behaviour in behaviours():
        used = found[behaviour.pattern]["ResponseHeadersPolicyId"]["Ref"]
        config = policies[used]["ResponseHeadersPolicyConfig"]
        assert ("CustomHeadersConfig" in config) != behaviour.gated, behaviour.pattern
        if behaviour.gated:
            removed = config["RemoveHeadersConfig"]["Items"]
            assert set(config) == {"Name", "RemoveHeadersConfig", "SecurityHeadersConfig"}
            assert config["SecurityHeadersConfig"] == {
                "ContentTypeOptions": {"Override": True},
                "StrictTransportSecurity": {
                    "AccessControlMaxAgeSec": HSTS_MAX_AGE_S,
                    "Override": True,
                },
            }
            assert removed == [{"Header": "apigw-requestid"}]


def _headers_set_by_answers() -> set[str]:
    """What stands as a key of a dictionary, or before a value, in all code that answers HTTP."""
    core = ROOT / "layers" / "core" / "python" / "fairgate"
    sources = [*(ROOT / "functions").rglob("*.py"), *(core / "http").rglob("*.py")]
    keys = [
        key.value
        for source in sources
        for node in ast.walk(ast.parse(source.read_text("utf-8")))
        for key in _keys(node)
        if isinstance(key, ast.Constant) and isinstance(key.value, str)
    ]
    return {key.lower() for key in keys if re.fullmatch(r"etag|vary|\w+(-\w+)+", key)}


def _keys(node: ast.AST) -> list[ast.expr | None]:
    if isinstance(node, ast.Dict):
        return node.keys
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
        return [node.slice]
    return []


def _replaced(config: dict[str, Any]) -> set[str]:
    """The headers that CloudFront's policy writes over, or takes away."""
    by_property = {
        "ContentSecurityPolicy": "content-security-policy",
        "ContentTypeOptions": "x-content-type-options",
        "FrameOptions": "x-frame-options",
        "ReferrerPolicy": "referrer-policy",
        "StrictTransportSecurity": "strict-transport-security",
        "XSSProtection": "x-xss-protection",
    }
    security = config["SecurityHeadersConfig"]
    custom = config["CustomHeadersConfig"]["Items"]
    removed = config.get("RemoveHeadersConfig", {}).get("Items", [])
    return (
        {by_property[name] for name, said in security.items() if said["Override"]}
        | {item["Header"].lower() for item in custom if item["Override"]}
        | {item["Header"].lower() for item in removed}
    )


def test_no_policy_writes_over_a_header_that_an_answer_sets_itself(assembly: Assembly) -> None:
    own = _headers_set_by_answers()
    assert own >= {
        "cache-control",
        "content-disposition",
        "content-security-policy",
        "retry-after",
        "x-content-type-options",
    }
    replaced = _replaced(_security_policy(assembly))
    assert "strict-transport-security" in replaced
    assert own & replaced == set()


def test_buckets_answer_cloudfront_alone_when_deployed(assembly: Assembly) -> None:
    found = [
        [s for s in policy["PolicyDocument"]["Statement"] if s["Effect"] == "Allow"]
        for policy in assembly.properties("AWS::S3::BucketPolicy")
    ]
    logs = "logging.s3.amazonaws.com"  # into the bucket for that, and nobody reads there
    # The bucket of what jobs write lets nobody in but by signed addresses, so it allows nothing.
    policies = [each for each in found if {s["Principal"]["Service"] for s in each} - {logs}]
    assert (len(found), len(policies)) == (4, 2)
    for allowed in policies:
        assert {s["Principal"]["Service"] for s in allowed} == {"cloudfront.amazonaws.com"}
        for statement in allowed:
            assert "AWS:SourceArn" in statement["Condition"]["StringEquals"]


def _parameter(assembly: Assembly, name: str) -> dict[str, Any]:
    (parameter,) = [
        p
        for p in assembly.properties("AWS::SSM::Parameter")
        if p["Name"] == f"/fairgate/{STAGE}/{name}"
    ]
    parts = parameter["Value"]["Fn::Join"][1]
    value: dict[str, Any] = json.loads("".join(p if isinstance(p, str) else "x" for p in parts))
    return value


def test_queue_commands_find_each_queue_and_its_dead_letters_when_they_read_the_parameter(
    assembly: Assembly,
) -> None:
    queues = _parameter(assembly, "queues")
    assert set(queues) == set(QUEUES)
    assert {frozenset(urls) for urls in queues.values()} == {frozenset({"url", "dead"})}


def test_the_stack_that_is_deployed_last_says_which_format_the_gate_reads(
    assembly: Assembly,
) -> None:
    from fairgate.domain.gate.gate_config import VERSION

    name = f"/fairgate/{STAGE}/gate-format"
    [((stack, _id), said)] = [
        (key, resource["Properties"])
        for key, resource in assembly.resources("AWS::SSM::Parameter").items()
        if resource["Properties"]["Name"] == name
    ]
    assert stack == "Watch"
    assert said["Value"] == str(VERSION)


def test_the_command_finds_the_brand_of_a_stage_that_has_one(
    stages: Stages, assembly: Assembly
) -> None:
    def brands(of: Assembly, stage: str) -> list[str]:
        parameters = [one["Properties"] for one in of.resources("AWS::SSM::Parameter").values()]
        return [one["Value"] for one in parameters if one["Name"] == f"/fairgate/{stage}/brand"]

    prod = Assembly(stages.folder / "prod", "", gate_is_real=False)
    assert brands(prod, "prod") == [(ROOT / NAGGED["prod"]["brand"]).read_text("utf-8")]
    assert brands(assembly, STAGE) == []
    ((stack, operator),) = [
        (key[0], resource["Properties"])
        for key, resource in prod.resources("AWS::Lambda::Function").items()
        if str(resource["Properties"].get("FunctionName")).endswith("-operator")
    ]
    told = operator["Environment"]["Variables"]["FAIRGATE_BRAND_PARAMETER"]
    assert told == "/fairgate/prod/brand"
    statements = json.dumps(prod.statements(stack, operator["Role"]["Fn::GetAtt"][0]))
    assert ":parameter/fairgate/prod/brand" in statements


def test_functions_go_by_what_the_command_says_of_the_stage(assembly: Assembly) -> None:
    limits = _parameter(assembly, "operator")["limits"]
    share = carried(limits["api_rate"], limits["payments_per_s"]).of_event()

    def told(function: str, name: str) -> str:
        _, found = assembly.functions()[function]
        return str(found["Environment"]["Variables"].get(name, "0"))

    assert told("holds", settings.EVENT_HOLDS_PER_S) == str(int(share.holds_per_s))
    assert told("controller", settings.EVENT_ADMISSIONS_PER_S) == str(int(share.admissions_per_s))
    assert told("checkout", settings.PAYMENTS_PER_S) == str(limits["payments_per_s"])


def test_operator_tools_find_the_deployment_when_they_read_the_parameter(
    assembly: Assembly,
) -> None:
    value = _parameter(assembly, "operator")
    assert set(value) == {
        "region",
        "tables",
        "kvs_arn",
        "layouts_bucket",
        "public_url",
        "rebuilder",
        "functions",
        "payments_provider",
        "payments_url",
        "backup_days",
        "limits",
        "rehearsal_buyers",
    }
    assert set(value["tables"]) == {"seats", "reservations", "catalog"}
    assert value["rebuilder"].removeprefix(f"fairgate-{STAGE}-") == f"{REBUILDER}:live"
    assert value["public_url"] == "https://x"
