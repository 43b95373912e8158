"""The firewall bounds each address and names the doubtful; it sends nobody's API call to a page."""

from __future__ import annotations

import copy
import json
import math
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest

from fairgate import settings
from fairgate.domain.gate.gate_config import SAMPLE_VIOLATIONS
from fairgate.http import paths
from infra import firewall, headers
from infra.functions import FUNCTIONS
from infra.option_values import ConfigError
from infra.routes import ROUTES, Route
from infra.throttles import API_RATE, throttles
from tests.support import needs, pages_build

from .conftest import ROOT
from .stages import Stages
from .test_synthesis import config_of

ANONYMOUS_WCU = 50
# Source: AWS WAF Developer Guide, "AWS WAF quotas".
RATE_RULES_MAX, PATTERN_CHARS_MAX = 10, 200


@pytest.fixture(scope="module")
def template() -> Any:
    stack = needs.cdk("infra.stacks.firewall").FirewallStack
    from aws_cdk import App
    from aws_cdk.assertions import Template

    config = SimpleNamespace(
        stage="test",
        region="eu-central-1",
        api_rate=API_RATE,
        log_retention_days=90,
        rule_versions=dict.fromkeys(firewall.VERSIONED, "Version_1.19"),
    )
    made = stack(App(), "Firewall", config)
    # Those of one stage in several regions all stand in this one.
    assert made.stack_name == "fairgate-test-firewall-eu-central-1"
    assert made.region == "us-east-1"
    return Template.from_stack(made)


@pytest.fixture(scope="module")
def acl(template: Any) -> dict[str, Any]:
    [found] = template.find_resources("AWS::WAFv2::WebACL").values()
    properties: dict[str, Any] = found["Properties"]
    return properties


def _rules(acl: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {rule["Name"]: rule for rule in acl["Rules"]}


def test_the_firewall_stands_before_cloudfront_and_lets_pass_what_no_rule_names(
    acl: dict[str, Any],
) -> None:
    assert (acl["Scope"], acl["DefaultAction"]) == ("CLOUDFRONT", {"Allow": {}})
    assert len(acl["Rules"]) == firewall.RULES
    assert [rule["Priority"] for rule in acl["Rules"]] == list(range(firewall.RULES))


def test_the_managed_rules_fit_the_basic_price(acl: dict[str, Any]) -> None:
    groups = {
        rule["Statement"]["ManagedRuleGroupStatement"]["Name"]: rule["OverrideAction"]
        for rule in acl["Rules"]
        if "ManagedRuleGroupStatement" in rule["Statement"]
    }
    assert groups.pop(firewall.ANONYMOUS) == {"Count": {}}
    assert groups == {name: {"None": {}} for name in firewall.MANAGED}
    assert sum(firewall.MANAGED.values()) + ANONYMOUS_WCU < 1_500


@pytest.mark.parametrize("rate", firewall.limits(), ids=lambda rate: rate.name)
def test_one_address_is_told_to_wait_when_it_asks_too_often(
    acl: dict[str, Any], rate: firewall.RateRule
) -> None:
    rule = _rules(acl)[f"Rate{rate.name}"]
    statement = rule["Statement"]["RateBasedStatement"]
    assert (statement["AggregateKeyType"], statement["EvaluationWindowSec"]) == ("IP", 60)
    assert statement["Limit"] == firewall.limits()[rate]
    answer = rule["Action"]["Block"]["CustomResponse"]
    assert answer["ResponseCode"] == 429
    said = {header["Name"]: header["Value"] for header in answer["ResponseHeaders"]}
    assert said == {"retry-after": "60", **headers.EVERYWHERE}
    assert "too-many-requests" in acl["CustomResponseBodies"]["Refused"]["Content"]


def test_one_sign_in_joins_ten_times_a_minute_whatever_spells_its_scheme(
    acl: dict[str, Any],
) -> None:
    statement = _rules(acl)[f"Rate{firewall.JOINS.name}"]["Statement"]["RateBasedStatement"]
    assert (statement["AggregateKeyType"], statement["Limit"]) == ("CUSTOM_KEYS", 10)
    [key] = statement["CustomKeys"]
    lower = {"Priority": 0, "Type": "LOWERCASE"}
    assert key == {"Header": {"Name": "authorization", "TextTransformations": [lower]}}
    pattern = statement["ScopeDownStatement"]["RegexMatchStatement"]["RegexString"]
    assert [r.path for r in ROUTES if re.search(pattern, r.path)] == [paths.QUEUE]


def test_no_managed_rule_looks_at_what_a_payment_provider_signs(acl: dict[str, Any]) -> None:
    for rule in acl["Rules"]:
        managed = rule["Statement"].get("ManagedRuleGroupStatement")
        if managed:
            left_out = managed["ScopeDownStatement"]["NotStatement"]["Statement"]
            pattern = left_out["RegexMatchStatement"]["RegexString"]
            looked_at = {r.path for r in ROUTES if not re.search(pattern, r.path)}
            assert {r.path for r in ROUTES} - looked_at == {paths.PAYMENT_WEBHOOK}


def matches(statement: dict[str, Any], path: str, query: str) -> bool:
    """Judge a scope-down statement of the template as AWS WAF does."""
    [(kind, said)] = statement.items()
    if kind == "RegexMatchStatement":
        looked_at = path if "UriPath" in said["FieldToMatch"] else query
        return re.search(said["RegexString"], looked_at) is not None
    if kind == "NotStatement":
        return not matches(said["Statement"], path, query)
    each = [matches(one, path, query) for one in said["Statements"]]
    return {"OrStatement": any, "AndStatement": all}[kind](each)


def taken(acl: dict[str, Any], path: str, query: str) -> tuple[float, str]:
    """How much one address takes of such requests: a second, and the rule that bounds it."""
    bounds = [(math.inf, "")]
    for rule in acl["Rules"]:
        rated = rule["Statement"].get("RateBasedStatement")
        by_address = rated and rated["AggregateKeyType"] == "IP"
        if by_address and matches(rated["ScopeDownStatement"], path, query):
            bounds.append((rated["Limit"] / rated["EvaluationWindowSec"], rule["Name"]))
    return min(bounds)


def answered_at_the_edge(key: str) -> bool:
    """Whether the gate decides, or a cache that has one answer for each event."""
    route = next((r for r in ROUTES if f"{r.method} {r.path}" == key), None)
    return route is not None and (
        route.gated or (route.cache != "none" and not {"{section}", "section"} & _chosen(route))
    )


def _chosen(route: Route) -> set[str]:
    return {*route.query, *re.findall(r"{\w+}", route.path)}


def starving(acl: dict[str, Any], fraction: float = firewall.FRACTION) -> list[str]:
    """Every route of which one address may take more than the fraction of its throttle."""
    found = []
    for key, throttle in throttles().items():
        path, query = firewall.asked(key)
        rate, rule = taken(acl, path, query)
        at_edge = answered_at_the_edge(key) and rate <= firewall.AT_THE_EDGE / 60
        stated = 0.25 if rule == "RatePayments" else fraction
        if not at_edge and rate > throttle.rate * stated:
            found.append(key)
    return found


def test_no_address_takes_more_of_a_route_than_the_stated_fraction(acl: dict[str, Any]) -> None:
    assert firewall.FRACTION == 0.1
    assert starving(acl) == []
    exempt = [rule.name for rule in firewall.RATES if rule.fraction != firewall.FRACTION]
    assert exempt == ["LookingAndWaiting", "Payments"]


@pytest.mark.parametrize("name", [rule.name for rule in firewall.limits()])
def test_a_route_that_loses_its_rule_or_gets_more_is_found(acl: dict[str, Any], name: str) -> None:
    without = {**acl, "Rules": [r for r in acl["Rules"] if r["Name"] != f"Rate{name}"]}
    raised = copy.deepcopy(acl)
    statement = _rules(raised)[f"Rate{name}"]["Statement"]["RateBasedStatement"]
    statement["Limit"] = 2 * statement["Limit"]
    assert starving(without) != []
    assert starving(raised) != []


def test_a_section_is_counted_however_it_is_asked_for(acl: dict[str, Any]) -> None:
    """A caller chooses it, so each guess passes the cache; an event's own answer is one of few."""
    for path in (paths.AVAILABILITY, paths.CHANGES):
        asked = path.replace("{event}", "final")
        assert taken(acl, asked, "section=a")[1] == "RateSections"
        assert taken(acl, asked, "a=b&section=a")[1] == "RateSections"
        assert taken(acl, asked, "")[1] == "RateLookingAndWaiting"


@pytest.mark.parametrize(
    "path", ["/api/nothing", "/api/orders//a", "/api/events/a/b", "/api/orders/a/tickets/b/c"]
)
def test_what_is_no_route_is_bounded_as_the_scarcest_of_the_rest(
    acl: dict[str, Any], path: str
) -> None:
    rate, rule = taken(acl, path, "")
    assert rule == "RateRest"
    assert rate < throttles()["$default"].rate / 10


def test_a_crowd_behind_one_address_may_wait_together(acl: dict[str, Any]) -> None:
    """5,000 pages that look every 15 seconds; and what of it the desk hears is little for it."""
    for path in ("/api/events/final", "/api/events/final/queue", "/api/events/final/admission"):
        rate, _ = taken(acl, path, "")
        assert rate >= 5_000 / 15
    heard = firewall.AT_THE_EDGE / 60 * SAMPLE_VIOLATIONS
    assert heard <= throttles()[f"POST {paths.DESK}"].rate * firewall.FRACTION


def test_the_rules_are_within_the_bounds_of_aws(acl: dict[str, Any]) -> None:
    rated = [r["Statement"]["RateBasedStatement"] for r in acl["Rules"] if "Rate" in r["Name"]]
    assert len(rated) == RATE_RULES_MAX
    assert min(rule["Limit"] for rule in rated) >= firewall.LIMIT_MIN
    patterns = re.findall(r'"RegexString": "([^"]+)"', json.dumps(acl))
    assert max(map(len, patterns)) <= PATTERN_CHARS_MAX
    # What WAF's expressions do not know: assertions, references, conditions.
    assert not [p for p in patterns if re.search(r"\(\?|\\\\\d", p)]
    assert capacity(acl) <= 1_500


def capacity(acl: dict[str, Any]) -> int:
    """Source: AWS WAF Developer Guide, WCUs of each statement."""
    text = json.dumps(acl["Rules"])
    units = {"RegexMatchStatement": 3, "RateBasedStatement": 2, "LabelMatchStatement": 1}
    units["ByteMatchStatement"] = 2
    counted = sum(units[kind] * text.count(f'"{kind}"') for kind in units)
    changed = text.count('"TextTransformations"') - text.count('"Type": "NONE"')
    return counted + 10 * changed + sum(firewall.MANAGED.values()) + ANONYMOUS_WCU


def test_an_account_with_more_lets_each_address_have_more() -> None:
    usual, tripled = firewall.limits(), firewall.limits(30_000)
    for rule, limit in usual.items():
        if rule.fraction:
            assert tripled[rule] >= 2.9 * limit


def test_the_desk_hears_of_a_doubtful_address_in_a_header(acl: dict[str, Any]) -> None:
    rule = _rules(acl)["TellTheDesk"]
    [header] = rule["Action"]["Count"]["CustomRequestHandling"]["InsertHeaders"]
    assert f"x-amzn-waf-{header['Name']}" == paths.HEADER_FIREWALL
    assert header["Value"] == firewall.LABEL_VALUE
    label = rule["Statement"]["LabelMatchStatement"]
    assert label == {"Scope": "NAMESPACE", "Key": firewall.ANONYMOUS_LABEL}
    names = list(_rules(acl))
    assert names.index("AnonymousIpList") < names.index("TellTheDesk")


def test_whoever_says_what_only_the_firewall_says_is_turned_away(acl: dict[str, Any]) -> None:
    rule = _rules(acl)["ForgedLabel"]
    assert rule["Priority"] == 0
    assert rule["Action"] == {"Block": {}}
    match = rule["Statement"]["ByteMatchStatement"]
    assert paths.HEADER_FIREWALL.startswith(match["SearchString"])
    assert (match["PositionalConstraint"], match["SearchString"]) == ("STARTS_WITH", "x-amzn-waf-")
    assert match["FieldToMatch"]["Headers"]["MatchScope"] == "KEY"
    assert match["FieldToMatch"]["Headers"]["MatchPattern"] == {"All": {}}
    assert match["TextTransformations"] == [{"Priority": 0, "Type": "LOWERCASE"}]


@pytest.mark.parametrize("web_acl_arn", ["", "arn:aws:wafv2:us-east-1:111122223333:global/x"])
def test_the_label_is_forwarded_and_heeded_only_where_a_firewall_makes_it(web_acl_arn: str) -> None:
    policies = needs.cdk("infra.constructs.cache_policies").EdgePolicies
    from aws_cdk import App, Stack
    from aws_cdk.assertions import Template

    from infra.constructs.function import environment

    config = MagicMock(
        stage="test",
        web_dir=pages_build.WEB,
        web_acl_arn=web_acl_arn,
        concurrency=None,
        api_rate=API_RATE,
        checkouts_per_s=25,
    )
    stack = Stack(App(), "Edge")
    policies(stack, "Policies", config)
    made = Template.from_stack(stack).find_resources("AWS::CloudFront::OriginRequestPolicy")
    kept_back = [
        policy["Properties"]["OriginRequestPolicyConfig"]["HeadersConfig"]["Headers"]
        for policy in made.values()
    ]
    assert len(kept_back) == 2
    for headers_ in kept_back:
        assert (paths.HEADER_FIREWALL in headers_) == (not web_acl_arn)
    heeding = [
        spec.name
        for spec in FUNCTIONS
        if settings.FIREWALL in environment(config, spec, MagicMock())
    ]
    assert heeding == (["desk"] if web_acl_arn else [])


def test_only_a_page_is_challenged(acl: dict[str, Any]) -> None:
    [challenge] = [rule for rule in acl["Rules"] if "Challenge" in rule.get("Action", {})]
    _, path = challenge["Statement"]["AndStatement"]["Statements"]
    pattern = path["RegexMatchStatement"]["RegexString"]
    assert [p for p in ("/", "/index.html") if not re.search(pattern, p)] == []
    assert not [r.path for r in ROUTES if r.function and re.search(pattern, r.path)]


def test_a_block_can_be_explained_and_no_credential_is_kept(
    acl: dict[str, Any], template: Any
) -> None:
    for seen in [acl, *acl["Rules"]]:
        assert seen["VisibilityConfig"]["SampledRequestsEnabled"] is True
    kept = {
        protection["Field"]["FieldType"]: protection
        for protection in acl["DataProtectionConfig"]["DataProtections"]
    }
    assert {protection["Action"] for protection in kept.values()} == {"SUBSTITUTION"}
    hidden = set(kept["SINGLE_HEADER"]["Field"]["FieldKeys"])
    assert hidden >= {"authorization", "cookie"}
    assert hidden >= {header for route in ROUTES for header in route.credentials}
    assert hidden >= {paths.HEADER_TOKEN, paths.HEADER_SLIP, paths.HEADER_EDGE}
    assert "QUERY_STRING" in kept
    [group] = template.find_resources("AWS::Logs::LogGroup").values()
    assert group["Properties"]["LogGroupName"] == "aws-waf-logs-fairgate-test-firewall-eu-central-1"
    assert group["Properties"]["RetentionInDays"] == 90
    [logging] = template.find_resources("AWS::WAFv2::LoggingConfiguration").values()
    told = logging["Properties"]
    assert ":*" not in json.dumps(told["LogDestinationConfigs"])
    assert told["LoggingFilter"]["DefaultBehavior"] == "DROP"
    [kept_filter] = told["LoggingFilter"]["Filters"]
    actions = {one["ActionCondition"]["Action"] for one in kept_filter["Conditions"]}
    assert actions == {"BLOCK", "CHALLENGE", "CAPTCHA"}


def test_versions_of_rules_are_the_contexts_and_a_wrong_one_is_refused(tmp_path: Path) -> None:
    versions = config_of(tmp_path, rule_versions="KnownBadInputsRuleSet=Version_1.2").rule_versions
    assert versions == firewall.VERSIONED | {"AWSManagedRulesKnownBadInputsRuleSet": "Version_1.2"}
    for wrong in ("CommonRuleSet", "CommonRuleSet=1.19", "IpReputationList=Version_1.1"):
        with pytest.raises(ConfigError, match="rule_versions has"):
            config_of(tmp_path, rule_versions=wrong)


def test_rules_of_aws_do_not_change_by_themselves(acl: dict[str, Any]) -> None:
    pinned = {
        managed["Name"]: managed.get("Version", "")
        for rule in acl["Rules"]
        if (managed := rule["Statement"].get("ManagedRuleGroupStatement"))
    }
    lists = {"AWSManagedRulesAmazonIpReputationList", firewall.ANONYMOUS}  # without versions
    assert {name for name, version in pinned.items() if not version} == lists
    assert all(re.fullmatch(r"Version_\d+\.\d+", pinned[name]) for name in pinned.keys() - lists)


def test_every_stage_that_sells_has_one_unless_it_is_declined(tmp_path: Path) -> None:
    assert config_of(tmp_path).waf
    assert not config_of(tmp_path, stage="dev").waf
    assert not config_of(tmp_path, waf="off").waf
    assert config_of(tmp_path, stage="dev", waf="on").waf


def said_of(stage: Path) -> dict[str, str]:
    """What the CDK's command says of the stack Edge: by its level."""
    kinds = {"aws:cdk:error": "error", "aws:cdk:warning": "warning"}
    artifact = json.loads((stage / "manifest.json").read_text("utf-8"))["artifacts"]["Edge"]
    metadata = artifact.get("metadata", {})
    if "additionalMetadataFile" in artifact:
        metadata |= json.loads((stage / artifact["additionalMetadataFile"]).read_text("utf-8"))
    entries = [entry for found in metadata.values() for entry in found if entry["type"] in kinds]
    return {kinds[entry["type"]]: entry["data"] for entry in entries if "firewall" in entry["data"]}


def test_a_stage_that_sells_is_not_deployed_before_its_firewall(stages: Stages) -> None:
    """`cdk deploy Firewall` passes: the command refuses only the stack that the error is about."""
    refused = said_of(stages.folder / "shop")["error"]
    assert "deploy the stack Firewall" in refused
    assert firewall.unbounded() in refused
    assert said_of(stages.folder / "prod") == {}
    assert said_of(stages.folder / "dev") == {}
    for stage, has in (("shop", True), ("prod", True), ("dev", False)):
        assert (stages.folder / stage / "Firewall.template.json").exists() is has


def test_an_operator_who_declines_it_is_told_what_is_unbounded(tmp_path: Path) -> None:
    say = needs.cdk("infra.constructs.front_door")._say_what_is_unbounded
    from aws_cdk import Annotations, App, Stack, assertions

    stack = Stack(App(), "Edge")
    say(Annotations.of(stack), config_of(tmp_path, waf="off"))
    found = assertions.Annotations.from_stack(stack)
    found.has_warning("*", assertions.Match.string_like_regexp("nothing bounds one address"))
    found.has_no_error("*", assertions.Match.any_value())


def test_what_is_unbounded_names_the_scarcest_routes() -> None:
    said = firewall.unbounded()
    for key in (f"GET {paths.OPERATOR_ACTS}", f"POST {paths.AUTH_EXCHANGE}"):
        assert f"{key} {throttles()[key].rate}" in said


def test_the_firewall_goes_after_the_distribution_that_names_it(stages: Stages) -> None:
    """WAF deletes none that a distribution still has."""
    manifest = json.loads((stages.folder / "prod" / "manifest.json").read_text("utf-8"))
    assert "Firewall" in manifest["artifacts"]["Edge"]["dependencies"]


def test_the_pages_policy_lets_the_challenge_run_and_nothing_else() -> None:
    page = '<script type="module" async>1;</script><script>2;</script>'
    closed = headers.content_security_policy(page)
    opened = headers.content_security_policy(page, firewall=True)
    assert closed.count("'sha256-") == 1
    assert "awswaf" not in closed
    assert "unsafe" not in opened
    assert opened.replace(f" {headers.CHALLENGE}", "") == closed
    assert f"script-src 'self' {headers.CHALLENGE} 'sha256-" in opened
    assert f"connect-src 'self' {headers.CHALLENGE};" in opened


def test_a_firewall_of_another_region_is_refused(tmp_path: Path) -> None:
    arn = "arn:aws:wafv2:{}:111122223333:global/webacl/x/y"
    with pytest.raises(ConfigError, match="web_acl_arn is of us-east-1"):
        config_of(tmp_path, web_acl_arn=arn.format("eu-central-1"))
    assert config_of(tmp_path, web_acl_arn=arn.format("us-east-1")).web_acl_arn


def test_what_it_costs_stands_on_the_page_as_it_is_modelled() -> None:
    assert firewall.cost_of(1_000_000, 600) == pytest.approx(360)
    page = (ROOT / "docs/deploying.md").read_text("utf-8")
    assert firewall.cost_table() in page
    assert firewall.limit_table() in page


@pytest.mark.parametrize("stack", ["Firewall", "SignIn"])
def test_no_metric_is_named_as_one_of_wafs_own(stages: Stages, stack: str) -> None:
    """WAF refuses such a list. Source: AWS WAF API Reference, VisibilityConfig, MetricName."""
    made = json.loads((stages.folder / "shop" / f"{stack}.template.json").read_text("utf-8"))
    lists = [r["Properties"] for r in made["Resources"].values() if r["Type"].endswith("::WebACL")]
    names = {one["VisibilityConfig"]["MetricName"] for acl in lists for one in (acl, *acl["Rules"])}
    assert names
    assert [name for name in names if not re.fullmatch(r"[A-Za-z0-9_-]{1,128}", name)] == []
    assert not {"All", "Default_Action"} & names
