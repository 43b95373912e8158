"""The HTTP API's routes: one for each entry of ``infra.routes``, and one for everything else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import aws_apigatewayv2 as apigatewayv2
from aws_cdk import aws_apigatewayv2_integrations as integrations
from constructs import Construct

from infra.naming import pascal
from infra.routes import ROUTES, UNROUTED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from infra.constructs.function import ServiceFunction


class ApiRoutes(Construct):
    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        api: apigatewayv2.HttpApi,
        functions: Mapping[str, ServiceFunction],
        authorizer: apigatewayv2.IHttpRouteAuthorizer,
    ) -> None:
        super().__init__(scope, construct_id)
        lambdas = {
            function: integrations.HttpLambdaIntegration(
                pascal(function),
                service.live,
                payload_format_version=apigatewayv2.PayloadFormatVersion.VERSION_2_0,
                scope_permission_to_route=False,  # one permission a function, not one a route
            )
            for function, service in functions.items()
        }
        for route in ROUTES:
            if route.function is None:
                continue
            key = f"{route.method} {route.path}"
            apigatewayv2.HttpRoute(
                self,
                key.replace("/", "|"),
                http_api=api,
                route_key=apigatewayv2.HttpRouteKey.with_(
                    route.path, apigatewayv2.HttpMethod[route.method]
                ),
                integration=lambdas[route.function],
                authorizer=authorizer,
            )
        apigatewayv2.HttpRoute(
            self,
            "Unrouted",
            http_api=api,
            route_key=apigatewayv2.HttpRouteKey.DEFAULT,
            integration=lambdas[UNROUTED],
            authorizer=authorizer,
        )
