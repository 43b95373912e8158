"""The stage of the HTTP API: what each route takes at most, its log, and its own host name."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from aws_cdk import ArnFormat, CfnOutput, Stack
from aws_cdk import aws_apigatewayv2 as apigatewayv2
from aws_cdk import aws_certificatemanager as acm
from constructs import Construct, IDependable

from infra.constructs.log_group import delivered_log_group
from infra.logs import API_FIELDS
from infra.throttles import throttles

if TYPE_CHECKING:
    from aws_cdk import aws_logs as logs

    from infra.config import Config


class ApiStage(Construct):
    """Made after the routes: API Gateway refuses a bound for a route that it does not have."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        config: Config,
        api: apigatewayv2.HttpApi,
        routes: IDependable,
    ) -> None:
        super().__init__(scope, construct_id)
        kept = delivered_log_group(self, "Log", config, "api")
        self.stage = apigatewayv2.CfnStage(
            self,
            "Stage",
            api_id=api.api_id,
            stage_name="$default",
            auto_deploy=True,
            access_log_settings=apigatewayv2.CfnStage.AccessLogSettingsProperty(
                destination_arn=self._log_arn(kept), format=json.dumps(API_FIELDS)
            ),
            route_settings={
                key: {
                    "ThrottlingBurstLimit": throttle.burst,
                    "ThrottlingRateLimit": throttle.rate,
                }
                for key, throttle in throttles(config.api_rate).items()
            },
        )
        self.stage.node.add_dependency(routes)
        if config.api_domain:
            self._own_domain(config, api)

    def _log_arn(self, kept: logs.LogGroup) -> str:
        """Name it without the ``:*`` of its own ARN, which API Gateway refuses."""
        return Stack.of(self).format_arn(
            service="logs",
            resource="log-group",
            resource_name=kept.log_group_name,
            arn_format=ArnFormat.COLON_RESOURCE_NAME,
        )

    def _own_domain(self, config: Config, api: apigatewayv2.HttpApi) -> None:
        domain = apigatewayv2.DomainName(
            self,
            "Domain",
            domain_name=config.api_domain,
            certificate=acm.Certificate.from_certificate_arn(
                self, "Certificate", config.api_certificate_arn
            ),
            security_policy=apigatewayv2.SecurityPolicy.TLS_1_2,
        )
        mapping = apigatewayv2.CfnApiMapping(
            self,
            "Mapping",
            api_id=api.api_id,
            domain_name=domain.name,
            stage=self.stage.ref,
        )
        mapping.node.add_dependency(self.stage)
        CfnOutput(
            self,
            "PointTo",
            value=domain.regional_domain_name,
            description=f"Where {config.api_domain} points to: a CNAME of yours",
        )
