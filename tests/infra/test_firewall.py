"""The firewall bounds each address and names the doubtful; it sends nobody's API call to a page."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest

from fairgate import settings
from fairgate.http import paths
from infra import firewall, headers
from infra.functions import FUNCTIONS
from infra.option_values import ConfigError
from infra.routes import ROUTES
from infra.throttles import throttles
from tests.support import needs

from .conftest import ROOT
from .test_synthesis import config_of


@pytest.fixture(scope="module")
def acl() -> dict[str, Any]:
    stack = needs.cdk("infra.stacks.firewall").FirewallStack
    from aws_cdk import App
    from aws_cdk.assertions import Template

    made = stack(App(), "Firewall", SimpleNamespace(stage="test", region="eu-central-1"))
    # Those of one stage in several regions all stand in this one.
    assert made.stack_name == "fairgate-test-firewall-eu-central-1"
    assert made.region == "us-east-1"
    [found] = Template.from_stack(made).find_resources("AWS::WAFv2::WebACL").values()
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
    assert sum(firewall.MANAGED.values()) + 50 < 1_500


@pytest.mark.parametrize("rate", firewall.RATES, ids=lambda rate: rate.name)
def test_one_address_is_told_to_wait_when_it_asks_too_often(
    acl: dict[str, Any], rate: firewall.RateRule
) -> None:
    rule = _rules(acl)[f"Rate{rate.name}"]
    statement = rule["Statement"]["RateBasedStatement"]
    assert (statement["AggregateKeyType"], statement["Limit"]) == ("IP", rate.limit)
    answer = rule["Action"]["Block"]["CustomResponse"]
    assert answer["ResponseCode"] == 429
    assert answer["ResponseHeaders"] == [{"Name": "retry-after", "Value": "60"}]
    assert "too-many-requests" in acl["CustomResponseBodies"]["Refused"]["Content"]


def test_no_managed_rule_looks_at_what_a_payment_provider_signs(acl: dict[str, Any]) -> None:
    for rule in acl["Rules"]:
        managed = rule["Statement"].get("ManagedRuleGroupStatement")
        if managed:
            left_out = managed["ScopeDownStatement"]["NotStatement"]["Statement"]
            pattern = left_out["RegexMatchStatement"]["RegexString"]
            looked_at = {r.path for r in ROUTES if not re.search(pattern, r.path)}
            assert {r.path for r in ROUTES} - looked_at == {paths.PAYMENT_WEBHOOK}


def test_every_route_of_the_api_is_under_a_rate_and_the_dearest_under_their_own() -> None:
    first = {}
    for route in ROUTES:
        if route.function is None:
            continue
        path = re.sub(r"\{\w+\+?\}", "x1", route.path)
        first[route.path] = next(r.name for r in firewall.RATES if re.search(r.paths, path))
    assert first[paths.AUTH_EXCHANGE] == "SignIn"
    assert first[paths.QUEUE] == first[paths.ADMISSION] == "WaitingRoom"
    assert first[paths.HOLDS] == first[paths.CHECKOUT] == "Sessions"
    assert first[paths.PAYMENT_WEBHOOK] == first[paths.HELD_TICKETS] == "Api"
    assert first[paths.TICKETS_LINK] == first[paths.FOUND_SVG] == "FindTickets"


def test_one_address_cannot_use_up_what_finds_lost_tickets() -> None:
    """Nobody signs in there, so nothing else tells one caller from all others."""
    (rate,) = [r for r in firewall.RATES if re.search(r.paths, paths.TICKETS_LINK)][:1]
    a_second = rate.limit / firewall.WINDOW_S
    assert a_second < throttles()[f"POST {paths.TICKETS_LINK}"].rate / 5


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

    config = MagicMock(stage="test", web_acl_arn=web_acl_arn, concurrency=None)
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


def test_no_request_is_sampled_with_its_credentials(acl: dict[str, Any]) -> None:
    for seen in [acl, *acl["Rules"]]:
        assert seen["VisibilityConfig"]["SampledRequestsEnabled"] is False


def test_the_pages_policy_lets_the_challenge_run_and_nothing_else() -> None:
    closed = headers.content_security_policy(firewall=False)
    opened = headers.content_security_policy(firewall=True)
    assert closed == headers.CONTENT_SECURITY_POLICY
    assert "awswaf" not in closed
    assert "unsafe" not in opened
    assert opened.replace(f" {headers.CHALLENGE}", "") == closed
    assert f"script-src 'self' {headers.CHALLENGE};" in opened
    assert f"connect-src 'self' {headers.CHALLENGE};" in opened


def test_a_firewall_of_another_region_is_refused(tmp_path: Path) -> None:
    arn = "arn:aws:wafv2:{}:111122223333:global/webacl/x/y"
    with pytest.raises(ConfigError, match="web_acl_arn is of us-east-1"):
        config_of(tmp_path, web_acl_arn=arn.format("eu-central-1"))
    assert config_of(tmp_path, web_acl_arn=arn.format("us-east-1")).web_acl_arn


def test_what_it_costs_stands_on_the_page_as_it_is_modelled() -> None:
    assert firewall.cost_of(1_000_000, 600) == pytest.approx(360)
    assert firewall.cost_table() in (ROOT / "docs/deploying.md").read_text("utf-8")
