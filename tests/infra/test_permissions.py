"""Who may call a function: no emulator notices a permission that is missing or too wide."""

from __future__ import annotations

import json
from typing import Any

from infra.routes import api_functions

from .conftest import Assembly, named


def _of_routes(assembly: Assembly) -> list[dict[str, Any]]:
    """The permissions of the API's routes; the authorizer's has its own test."""
    return [
        permission
        for permission in assembly.properties("AWS::Lambda::Permission")
        if "/authorizers/" not in json.dumps(permission.get("SourceArn", ""))
    ]


def test_the_api_may_call_each_function_behind_it_and_no_other_when_deployed(
    assembly: Assembly,
) -> None:
    aliases = {name for stack, name in assembly.resources("AWS::Lambda::Alias") if stack == "Api"}
    behind = set[str]()
    for integration in assembly.properties("AWS::ApiGatewayV2::Integration"):
        behind |= named(integration["IntegrationUri"]) & aliases
    assert {assembly.behind_alias("Api", alias) for alias in behind} == set(api_functions())
    permitted = set[str]()
    for permission in _of_routes(assembly):
        permitted |= named(permission["FunctionName"]) & aliases
    assert permitted == behind


def test_each_permission_is_for_our_own_api_alone_when_deployed(assembly: Assembly) -> None:
    permissions = _of_routes(assembly)
    assert permissions
    for permission in permissions:
        assert permission["Action"] == "lambda:InvokeFunction", permission
        assert permission["Principal"] == "apigateway.amazonaws.com", permission
        source = json.dumps(permission["SourceArn"])
        assert ":execute-api:" in source, permission
        assert "AWS::AccountId" in source, permission
        assert "ExportsOutputRefApi" in source, permission  # the one API, in the stack Edge


def test_each_integration_of_a_route_is_there_when_deployed(assembly: Assembly) -> None:
    integrations = {name for _, name in assembly.resources("AWS::ApiGatewayV2::Integration")}
    for route in assembly.properties("AWS::ApiGatewayV2::Route"):
        _separator, parts = route["Target"]["Fn::Join"]
        assert parts[-1]["Ref"] in integrations, route
