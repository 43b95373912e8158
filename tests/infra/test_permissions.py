"""Who may call a function: no emulator notices a permission that is missing or too wide."""

from __future__ import annotations

import json

from infra.routes import api_functions
from tests.infra.conftest import STAGE, Assembly

PERMISSION = "AWS::Lambda::Permission"


def test_the_api_may_call_each_function_behind_it_and_no_other_when_deployed(
    assembly: Assembly,
) -> None:
    resources = assembly.templates()["Api"]["Resources"]
    behind = {
        integration["Properties"]["IntegrationUri"]["Fn::GetAtt"][0]
        for (stack, _), integration in assembly.resources("AWS::ApiGatewayV2::Integration").items()
        if stack == "Api"
    }
    names = {resources[name]["Properties"]["FunctionName"] for name in behind}
    assert names == {f"fairgate-{STAGE}-{function}" for function in api_functions()}
    permitted = {
        permission["Properties"]["FunctionName"]["Fn::GetAtt"][0]
        for (stack, _), permission in assembly.resources(PERMISSION).items()
        if stack == "Api"
    }
    assert permitted == behind


def test_each_permission_is_for_our_own_api_alone_when_deployed(assembly: Assembly) -> None:
    permissions = assembly.properties(PERMISSION)
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
