"""Refuse whatever did not come through the distribution, before any function of a route runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Aws, Fn, Stack
from aws_cdk import aws_apigatewayv2 as apigatewayv2
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from fairgate.http import paths

if TYPE_CHECKING:
    from infra.constructs.function import ServiceFunction

IDENTITY_SOURCE = f"$request.header.{paths.HEADER_FRONT_DOOR}"
# API Gateway's maximum. The distribution sends one value, so the function is called about once an
# hour; a flood of the API's own address with other values disturbs nobody until then.
KEPT_S = 3_600


class ApiAuthorizer(Construct):
    """A cached request authorizer: one call a value, then none for an hour.

    A request without the header is refused with 401, and no function is called. Source: API
    Gateway Developer Guide, "Control access to HTTP APIs with AWS Lambda authorizers".
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        api: apigatewayv2.HttpApi,
        service: ServiceFunction,
    ) -> None:
        super().__init__(scope, construct_id)
        function = service.live
        # By hand: the CDK's own would stand in the API's stack, and that one would then need this.
        authorizer = apigatewayv2.CfnAuthorizer(
            self,
            "Authorizer",
            api_id=api.api_id,
            name="front-door",
            authorizer_type="REQUEST",
            authorizer_payload_format_version="2.0",
            enable_simple_responses=True,
            identity_source=[IDENTITY_SOURCE],
            authorizer_result_ttl_in_seconds=KEPT_S,
            authorizer_uri=Fn.join(
                "",
                [
                    f"arn:{Aws.PARTITION}:apigateway:{Aws.REGION}:lambda:path/2015-03-31/functions/",
                    function.function_arn,
                    "/invocations",
                ],
            ),
        )
        lambda_.CfnPermission(
            self,
            "Permission",
            action="lambda:InvokeFunction",
            function_name=function.function_arn,
            principal="apigateway.amazonaws.com",
            source_arn=Stack.of(self).format_arn(
                service="execute-api",
                resource=api.api_id,
                resource_name=f"authorizers/{authorizer.ref}",
            ),
        )
        self.of_routes = apigatewayv2.HttpAuthorizer.from_http_authorizer_attributes(
            self, "OfRoutes", authorizer_id=authorizer.ref, authorizer_type="CUSTOM"
        )
