"""Resources that CloudFormation would refuse, each for one reason: who else notices?"""

from __future__ import annotations

import json
from typing import Any

_ROLE = "arn:aws:iam::000000000000:role/none"
_CODE = {"ZipFile": "def handler(event, context): pass"}


def _function(**properties: Any) -> dict[str, Any]:
    return {
        "Type": "AWS::Lambda::Function",
        "Properties": {
            "Role": _ROLE,
            "Code": _CODE,
            "Handler": "index.handler",
            "Runtime": "python3.13",
            **properties,
        },
    }


def _table(attributes: list[str], key: str) -> dict[str, Any]:
    defined = [{"AttributeName": name, "AttributeType": "S"} for name in attributes]
    return {
        "Type": "AWS::DynamoDB::Table",
        "Properties": {
            "AttributeDefinitions": defined,
            "KeySchema": [{"AttributeName": key, "KeyType": "HASH"}],
            "BillingMode": "PAY_PER_REQUEST",
        },
    }


def _rate(limit: int) -> dict[str, Any]:
    seen = {
        "CloudWatchMetricsEnabled": True,
        "SampledRequestsEnabled": True,
        "MetricName": "m",
    }
    rule = {
        "Name": "Rate",
        "Priority": 0,
        "Action": {"Block": {}},
        "VisibilityConfig": seen,
        "Statement": {"RateBasedStatement": {"AggregateKeyType": "IP", "Limit": limit}},
    }
    return {
        "Type": "AWS::WAFv2::WebACL",
        "Properties": {
            "Scope": "REGIONAL",
            "DefaultAction": {"Allow": {}},
            "VisibilityConfig": seen,
            "Rules": [rule],
        },
    }


def _cache_policy(max_ttl: int) -> dict[str, Any]:
    headers = {"HeaderBehavior": "whitelist", "Headers": ["authorization"]}
    return {
        "Type": "AWS::CloudFront::CachePolicy",
        "Properties": {
            "CachePolicyConfig": {
                "Name": "wrong",
                "MinTTL": 0,
                "DefaultTTL": 0,
                "MaxTTL": max_ttl,
                "ParametersInCacheKeyAndForwardedToOrigin": {
                    "CookiesConfig": {"CookieBehavior": "none"},
                    "HeadersConfig": headers,
                    "QueryStringsConfig": {"QueryStringBehavior": "none"},
                    "EnableAcceptEncodingGzip": False,
                },
            }
        },
    }


WRONG: dict[str, dict[str, Any]] = {
    "a property that does not exist": {
        "Type": "AWS::SQS::Queue",
        "Properties": {"VisibilityTimeOut": 30},
    },
    "a number beyond its bounds": {
        "Type": "AWS::SQS::Queue",
        "Properties": {"VisibilityTimeout": 50_000},
    },
    "a runtime that does not exist": _function(Runtime="python9.9"),
    "less memory than Lambda takes": _function(MemorySize=64),
    "a period that logs are not kept for": {
        "Type": "AWS::Logs::LogGroup",
        "Properties": {"RetentionInDays": 91},
    },
    "a key that is no attribute": _table(["pk"], "sk"),
    "a required property that is missing": {
        "Type": "AWS::SNS::Subscription",
        "Properties": {"Protocol": "email", "Endpoint": "a@example.org"},
    },
    "a rate below WAF's least": _rate(5),
    "a cache key with headers where nothing is kept": _cache_policy(0),
}

# All others it "creates" (lab/tests/emulator/test_emulator_accepts.py).
REFUSED_BY_THE_EMULATOR = {"a number beyond its bounds"}
# It knows each property; what one says of another is a rule of ours (tests/infra/test_lint.py).
UNKNOWN_TO_THE_LINTER = {"a cache key with headers where nothing is kept"}


def template(resource: dict[str, Any]) -> str:
    return json.dumps({"Resources": {"Wrong": resource}})
