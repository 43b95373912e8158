"""The firewall before the distribution, in the one region where CloudFront takes it from."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from aws_cdk import ArnFormat, CfnOutput, Environment, Stack
from aws_cdk import aws_wafv2 as waf

from infra import firewall
from infra.constructs.log_group import log_group
from infra.headers import EVERYWHERE
from infra.naming import name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from constructs import Construct

    from infra.config import Config

REGION = "us-east-1"  # Source: AWS WAF API Reference, CreateWebACL: Scope CLOUDFRONT
LOG_PREFIX = "aws-waf-logs-"  # AWS WAF Developer Guide, "CloudWatch Logs": no other name is taken
LOGGED = ("BLOCK", "CHALLENGE", "CAPTCHA")
REFUSED = "Refused"
RETRY_AFTER_S = 60
Rule = waf.CfnWebACL.RuleProperty
Statement = waf.CfnWebACL.StatementProperty
PATH = waf.CfnWebACL.FieldToMatchProperty(uri_path={})
QUERY = waf.CfnWebACL.FieldToMatchProperty(query_string={})


class FirewallStack(Stack):
    """Its output goes to the other stacks as ``-c web_acl_arn=…``.

    A stage may exist in several regions, and all their firewalls in this one: the stage's region is
    part of the name.
    """

    def __init__(self, scope: Construct, construct_id: str, config: Config) -> None:
        super().__init__(
            scope,
            construct_id,
            stack_name=name(config.stage, f"firewall-{config.region}".rstrip("-")),
            description="Fairgate: web application firewall of the distribution",
            env=Environment(region=REGION),
        )
        acl = waf.CfnWebACL(
            self,
            "Acl",
            scope="CLOUDFRONT",
            default_action=waf.CfnWebACL.DefaultActionProperty(allow={}),
            visibility_config=_seen("Firewall"),
            custom_response_bodies={
                REFUSED: waf.CfnWebACL.CustomResponseBodyProperty(
                    content_type="APPLICATION_JSON", content=json.dumps(_PROBLEM)
                )
            },
            rules=_rules(config.api_rate, config.rule_versions),
            data_protection_config=_without_secrets(),
        )
        self._log(acl, config)
        CfnOutput(self, "WebAclArn", value=acl.attr_arn, description="For -c web_acl_arn=…")

    def _log(self, acl: waf.CfnWebACL, config: Config) -> None:
        """Keep what was refused or challenged: what passed would be a line for each request."""
        kept = log_group(self, "Log", config, f"{LOG_PREFIX}{self.stack_name}")
        waf.CfnLoggingConfiguration(
            self,
            "Logging",
            resource_arn=acl.attr_arn,
            # Without the ``:*`` of the group's own ARN.
            log_destination_configs=[
                self.format_arn(
                    service="logs",
                    resource="log-group",
                    resource_name=kept.log_group_name,
                    arn_format=ArnFormat.COLON_RESOURCE_NAME,
                )
            ],
            logging_filter={
                "DefaultBehavior": "DROP",
                "Filters": [
                    {
                        "Behavior": "KEEP",
                        "Requirement": "MEETS_ANY",
                        "Conditions": [
                            {"ActionCondition": {"Action": action}} for action in LOGGED
                        ],
                    }
                ],
            },
        )
        CfnOutput(self, "LogGroup", value=kept.log_group_name, description="What was refused")


_PROBLEM = {
    "type": "urn:fairgate:problem:too-many-requests",
    "title": "Too Many Requests",
    "status": 429,
    "detail": "That was a lot at once. Nothing is lost; please try again in a moment.",
    "code": "too-many-requests",
}


def _rules(api_rate: int, versions: Mapping[str, str]) -> list[Rule]:
    """Forgers, then rates: what is over them is looked at no further."""
    made = [
        _forged(),
        _rate(firewall.JOINS, firewall.JOINS_A_MINUTE, by="authorization"),
        *[_rate(rule, limit) for rule, limit in firewall.limits(api_rate).items()],
        *[_managed(group, versions.get(group, "")) for group in firewall.MANAGED],
        _managed(firewall.ANONYMOUS, count=True),
        _labelled(),
        _challenge(),
    ]
    return [_ranked(rule, priority) for priority, rule in enumerate(made)]


def _ranked(rule: dict[str, object], priority: int) -> Rule:
    return Rule(priority=priority, visibility_config=_seen(str(rule["name"])), **rule)  # type: ignore[arg-type]


def _forged() -> dict[str, object]:
    """Refuse requests that carry a header that only the firewall may set."""
    headers = waf.CfnWebACL.FieldToMatchProperty(
        headers=waf.CfnWebACL.HeadersProperty(
            match_pattern=waf.CfnWebACL.HeaderMatchPatternProperty(all={}),
            match_scope="KEY",
            # One hidden behind too many others speaks against its sender's own account alone.
            oversize_handling="CONTINUE",
        )
    )
    lower = waf.CfnWebACL.TextTransformationProperty(priority=0, type="LOWERCASE")
    return {
        "name": "ForgedLabel",
        "action": waf.CfnWebACL.RuleActionProperty(block={}),
        "statement": Statement(
            byte_match_statement=waf.CfnWebACL.ByteMatchStatementProperty(
                search_string=firewall.LABEL_PREFIX,
                positional_constraint="STARTS_WITH",
                field_to_match=headers,
                text_transformations=[lower],
            )
        ),
    }


def _rate(rule: firewall.RateRule, limit: int, by: str = "") -> dict[str, object]:
    """Make the rule for each address, or for each value of the header ``by``."""
    refused = waf.CfnWebACL.CustomResponseProperty(
        response_code=429,
        custom_response_body_key=REFUSED,
        response_headers=[
            waf.CfnWebACL.CustomHTTPHeaderProperty(name=header, value=value)
            for header, value in {"retry-after": str(RETRY_AFTER_S), **EVERYWHERE}.items()
        ],
    )
    return {
        "name": f"Rate{rule.name}",
        "action": waf.CfnWebACL.RuleActionProperty(
            block=waf.CfnWebACL.BlockActionProperty(custom_response=refused)
        ),
        "statement": Statement(
            rate_based_statement=waf.CfnWebACL.RateBasedStatementProperty(
                **_key(by),
                limit=limit,
                evaluation_window_sec=firewall.WINDOW_S,
                scope_down_statement=_counted(rule),
            )
        ),
    }


def _counted(rule: firewall.RateRule) -> Statement:
    path = _matched(rule.paths, PATH)
    if rule.query:
        return _any([path, _matched(rule.query, QUERY)])
    if rule is not firewall.REST:
        return path
    others = _any([_matched(other.paths, PATH) for other in firewall.RATES])
    none = Statement(not_statement=waf.CfnWebACL.NotStatementProperty(statement=others))
    return Statement(and_statement=waf.CfnWebACL.AndStatementProperty(statements=[path, none]))


def _key(by: str) -> dict[str, Any]:
    if not by:
        return {"aggregate_key_type": "IP"}
    # The gate takes any spelling of the scheme, so all of them are one key.
    header = waf.CfnWebACL.RateLimitHeaderProperty(
        name=by,
        text_transformations=[
            waf.CfnWebACL.TextTransformationProperty(priority=0, type="LOWERCASE")
        ],
    )
    key = waf.CfnWebACL.RateBasedStatementCustomKeyProperty(header=header)
    return {"aggregate_key_type": "CUSTOM_KEYS", "custom_keys": [key]}


def _managed(group: str, version: str = "", *, count: bool = False) -> dict[str, object]:
    action = waf.CfnWebACL.OverrideActionProperty
    return {
        "name": group.removeprefix("AWSManagedRules"),
        "override_action": action(count={}) if count else action(none={}),
        "statement": Statement(
            managed_rule_group_statement=waf.CfnWebACL.ManagedRuleGroupStatementProperty(
                vendor_name="AWS",
                name=group,
                version=version or None,
                scope_down_statement=Statement(
                    not_statement=waf.CfnWebACL.NotStatementProperty(
                        statement=_matched(firewall.NOT_LOOKED_AT, PATH)
                    )
                ),
            )
        ),
    }


def _labelled() -> dict[str, object]:
    """Tell the desk: it judges, the firewall only names."""
    header = waf.CfnWebACL.CustomHTTPHeaderProperty(
        name=firewall.LABEL_HEADER, value=firewall.LABEL_VALUE
    )
    handled = waf.CfnWebACL.CustomRequestHandlingProperty(insert_headers=[header])
    return {
        "name": "TellTheDesk",
        "action": waf.CfnWebACL.RuleActionProperty(
            count=waf.CfnWebACL.CountActionProperty(custom_request_handling=handled)
        ),
        "statement": _anonymous(),
    }


def _challenge() -> dict[str, object]:
    both = waf.CfnWebACL.AndStatementProperty(
        statements=[_anonymous(), _matched(firewall.PAGES, PATH)]
    )
    return {
        "name": "ChallengePages",
        "action": waf.CfnWebACL.RuleActionProperty(challenge={}),
        "statement": Statement(and_statement=both),
    }


def _anonymous() -> Statement:
    return Statement(
        label_match_statement=waf.CfnWebACL.LabelMatchStatementProperty(
            scope="NAMESPACE", key=firewall.ANONYMOUS_LABEL
        )
    )


def _any(statements: list[Statement]) -> Statement:
    return Statement(or_statement=waf.CfnWebACL.OrStatementProperty(statements=statements))


def _matched(pattern: str, part: waf.CfnWebACL.FieldToMatchProperty) -> Statement:
    as_sent = waf.CfnWebACL.TextTransformationProperty(priority=0, type="NONE")
    return Statement(
        regex_match_statement=waf.CfnWebACL.RegexMatchStatementProperty(
            regex_string=pattern, field_to_match=part, text_transformations=[as_sent]
        )
    )


def _without_secrets() -> waf.CfnWebACL.DataProtectionConfigProperty:
    """Replace what lets somebody in, in log and samples alike; a log's own redaction leaves these.

    Source: AWS WAF Developer Guide, "Data protection".
    """

    def replaced(kind: str, *keys: str) -> waf.CfnWebACL.DataProtectProperty:
        field = waf.CfnWebACL.FieldToProtectProperty(field_type=kind, field_keys=list(keys) or None)
        return waf.CfnWebACL.DataProtectProperty(action="SUBSTITUTION", field=field)

    return waf.CfnWebACL.DataProtectionConfigProperty(
        data_protections=[
            replaced("SINGLE_HEADER", *firewall.SECRET_HEADERS),
            replaced("QUERY_STRING"),  # a sign-in comes back with its code in it
        ]
    )


def _seen(metric: str) -> waf.CfnWebACL.VisibilityConfigProperty:
    return waf.CfnWebACL.VisibilityConfigProperty(
        cloud_watch_metrics_enabled=True, metric_name=metric, sampled_requests_enabled=True
    )
