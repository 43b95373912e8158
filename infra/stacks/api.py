"""The functions that answer HTTP, and the routes that lead to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Stack

from infra.constructs.api_authorizer import ApiAuthorizer
from infra.constructs.api_routes import ApiRoutes
from infra.constructs.api_stage import ApiStage
from infra.constructs.function import ServiceFunction
from infra.constructs.layers import Layers
from infra.constructs.prewarming import Prewarming
from infra.functions import AUTHORIZER, BY_NAME
from infra.naming import CACHE, name, pascal
from infra.routes import api_functions

if TYPE_CHECKING:
    from aws_cdk import aws_apigatewayv2 as apigatewayv2
    from constructs import Construct

    from infra.config import Config
    from infra.constructs.backends import Backends


class ApiStack(Stack):
    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        config: Config,
        *,
        backends: Backends,
        api: apigatewayv2.HttpApi,
    ) -> None:
        super().__init__(
            scope,
            construct_id,
            stack_name=name(config.stage, "api"),
            description="Fairgate: HTTP functions and their routes",
        )
        layers = Layers(self, "Layers", config)
        self.functions = {
            function: ServiceFunction(
                self,
                pascal(function),
                config,
                spec=BY_NAME[function],
                layers=layers,
                backends=backends,
            )
            for function in (AUTHORIZER, *api_functions())
        }
        authorizer = ApiAuthorizer(self, "Authorized", api, self.functions[AUTHORIZER])
        answering = {function: self.functions[function] for function in api_functions()}
        routes = ApiRoutes(self, "Routes", api, answering, authorizer.of_routes)
        ApiStage(self, "Stage", config, api, routes)
        Prewarming(
            self,
            "Prewarming",
            config,
            functions=self.functions,
            cache_name=name(config.stage, CACHE),
        )
