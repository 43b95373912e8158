"""The API answers what came through the distribution; what did not reaches no function."""

from __future__ import annotations

import json
from typing import Any

from fairgate.http import paths
from infra.functions import AUTHORIZER

from .conftest import STAGE, Assembly


def _authorizer(assembly: Assembly) -> tuple[str, dict[str, Any]]:
    [((_, logical_id), resource)] = assembly.resources("AWS::ApiGatewayV2::Authorizer").items()
    return logical_id, resource["Properties"]


def _api_origins(assembly: Assembly) -> list[dict[str, Any]]:
    config = assembly.only("AWS::CloudFront::Distribution")["DistributionConfig"]
    return [origin for origin in config["Origins"] if "CustomOriginConfig" in origin]


def test_every_route_asks_the_authorizer_when_called(assembly: Assembly) -> None:
    logical_id, _ = _authorizer(assembly)
    routes = assembly.properties("AWS::ApiGatewayV2::Route")
    assert any(route["RouteKey"] == "$default" for route in routes)
    for route in routes:
        assert route["AuthorizationType"] == "CUSTOM", route["RouteKey"]
        assert route["AuthorizerId"] == {"Ref": logical_id}, route["RouteKey"]


def test_a_request_without_the_header_calls_no_function_when_it_is_the_identity_source(
    assembly: Assembly,
) -> None:
    _, authorizer = _authorizer(assembly)
    assert authorizer["IdentitySource"] == [f"$request.header.{paths.HEADER_FRONT_DOOR}"]
    assert authorizer["AuthorizerType"] == "REQUEST"
    assert authorizer["AuthorizerPayloadFormatVersion"] == "2.0"
    assert authorizer["EnableSimpleResponses"] is True
    assert 0 < authorizer["AuthorizerResultTtlInSeconds"] <= 3_600  # API Gateway's maximum
    called = json.dumps(authorizer["AuthorizerUri"])
    functions = assembly.resources("AWS::Lambda::Function")
    [name] = {f["Properties"]["FunctionName"] for (_, i), f in functions.items() if i in called}
    assert name == f"fairgate-{STAGE}-{AUTHORIZER}"


def test_api_gateway_may_call_the_authorizer_for_this_api_alone(assembly: Assembly) -> None:
    logical_id, _ = _authorizer(assembly)
    [permission] = [
        p
        for p in assembly.properties("AWS::Lambda::Permission")
        if "/authorizers/" in json.dumps(p.get("SourceArn", ""))
    ]
    assert permission["Principal"] == "apigateway.amazonaws.com"
    assert {"Ref": logical_id} in permission["SourceArn"]["Fn::Join"][1]


def test_cloudfront_sends_the_value_when_it_asks_the_api(assembly: Assembly) -> None:
    secrets = assembly.resources("AWS::SecretsManager::Secret")
    [secret] = [logical_id for stack, logical_id in secrets if stack == "Edge"]
    origins = _api_origins(assembly)
    assert origins
    for origin in origins:
        [header] = origin["OriginCustomHeaders"]
        assert header["HeaderName"] == paths.HEADER_FRONT_DOOR
        assert header["HeaderValue"] == {
            "Fn::Join": [
                "",
                ["{{resolve:secretsmanager:", {"Ref": secret}, ":SecretString:::}}"],
            ]
        }


def test_the_value_is_long_and_under_no_name_that_is_taken(assembly: Assembly) -> None:
    from fairgate.service.shared.front_door import VALUE_CHARS_MIN

    [secret] = [
        resource["Properties"]
        for (stack, _), resource in assembly.resources("AWS::SecretsManager::Secret").items()
        if stack == "Edge"
    ]
    assert secret["GenerateSecretString"]["PasswordLength"] >= VALUE_CHARS_MIN
    assert secret["GenerateSecretString"]["ExcludePunctuation"] is True  # it travels in a header
    assert "Name" not in secret


def test_the_apis_own_address_is_open_when_it_has_no_other(assembly: Assembly) -> None:
    assert assembly.only("AWS::ApiGatewayV2::Api")["DisableExecuteApiEndpoint"] is False
