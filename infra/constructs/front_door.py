"""The distribution: every path of the site, each with the cache and the gate that it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aws_cdk import Annotations, Aws, Duration
from aws_cdk import aws_certificatemanager as acm
from aws_cdk import aws_cloudfront as cloudfront
from aws_cdk import aws_cloudfront_origins as origins
from constructs import Construct

from fairgate.http import paths
from infra.acknowledged import acknowledge
from infra.behaviours import DEFAULT, Behaviour, behaviours
from infra.constructs.global_names import global_name
from infra.constructs.origin_shield import origin_shield_region
from infra.firewall import unbounded
from infra.naming import name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aws_cdk import aws_apigatewayv2 as apigatewayv2
    from aws_cdk import aws_s3 as s3

    from infra.behaviours import BehaviourOrigin
    from infra.config import Config
    from infra.constructs.cache_policies import EdgePolicies
    from infra.constructs.gate import Gate

ORIGIN_TIMEOUT_S = 30  # API Gateway's own limit for an HTTP API's integration
# CloudFront keeps an error, or the old answer that it shows instead, for ten seconds unless told
# otherwise: one hiccup would make a seat map as old. Source: CloudFront Developer Guide, "How
# CloudFront processes HTTP 4xx and 5xx status codes from your origin".
PASSING_ERRORS = (500, 501, 502, 503, 504)
# A ticket, an order or a session that is not there may be there a moment later.
MISSING = (404, 414)
ERROR_S = 1


class FrontDoor(Construct):
    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        config: Config,
        *,
        api: apigatewayv2.HttpApi,
        front_door_value: str,
        web: s3.Bucket,
        layouts: s3.Bucket,
        gate: Gate,
        policies: EdgePolicies,
    ) -> None:
        super().__init__(scope, construct_id)
        self._gate = gate
        self._policies = policies
        self._buckets: Mapping[BehaviourOrigin, cloudfront.IOrigin] = {
            "web": self._bucket_origin("Web", web, config),
            "layouts": self._bucket_origin("Layouts", layouts, config),
        }
        self._api = self._api_origin(api, front_door_value, config)
        # All of CloudFront's caches ask through one: one request a second is one for the world.
        # Only what is kept goes that way; a buyer's own request would only travel further.
        self._shielded_api = self._api_origin(
            api,
            front_door_value,
            config,
            origin_shield_region=origin_shield_region(self, config.origin_shield_region),
        )
        self.distribution = cloudfront.Distribution(
            self,
            "Distribution",
            comment=name(config.stage, "front door"),
            default_behavior=self._behaviour(DEFAULT),
            additional_behaviors={b.pattern: self._behaviour(b) for b in behaviours()},
            default_root_object="index.html",
            error_responses=[
                cloudfront.ErrorResponse(http_status=status, ttl=Duration.seconds(ERROR_S))
                for status in (*MISSING, *PASSING_ERRORS)
            ],
            web_acl_id=config.web_acl_arn or None,
            http_version=cloudfront.HttpVersion.HTTP2_AND_3,
            # CloudFront's own certificate brings a policy of its own, which cannot be raised.
            minimum_protocol_version=cloudfront.SecurityPolicyProtocol.TLS_V1_2_2021
            if config.certificate_arn
            else None,
            domain_names=[config.domain] if config.domain else None,
            certificate=acm.Certificate.from_certificate_arn(
                self, "Certificate", config.certificate_arn
            )
            if config.certificate_arn
            else None,
        )
        Annotations.of(self.distribution).acknowledge_warning(
            "@aws-cdk/aws-cloudfront-origins:listBucketSecurityRisk",
            "the root serves index.html, so no request reaches a bucket's listing",
        )
        _explain(self.distribution, config)
        if config.sells and not config.web_acl_arn:
            _say_what_is_unbounded(Annotations.of(self.distribution), config)
        self.public_url = f"https://{config.domain or self.distribution.distribution_domain_name}"

    def _api_origin(
        self, api: apigatewayv2.HttpApi, value: str, config: Config, **options: Any
    ) -> cloudfront.IOrigin:
        return origins.HttpOrigin(
            config.api_domain or f"{api.api_id}.execute-api.{Aws.REGION}.{Aws.URL_SUFFIX}",
            # In the place of whatever a caller sends under that name.
            custom_headers={paths.HEADER_FRONT_DOOR: value},
            protocol_policy=cloudfront.OriginProtocolPolicy.HTTPS_ONLY,
            origin_ssl_protocols=[cloudfront.OriginSslPolicy.TLS_V1_2],
            read_timeout=Duration.seconds(ORIGIN_TIMEOUT_S),
            **options,
        )

    def _origin(self, behaviour: Behaviour) -> cloudfront.IOrigin:
        if behaviour.origin == "api":
            return self._api if behaviour.cache == "none" else self._shielded_api
        return self._buckets[behaviour.origin]

    def _bucket_origin(
        self, construct_id: str, bucket: s3.Bucket, config: Config
    ) -> cloudfront.IOrigin:
        access = cloudfront.S3OriginAccessControl(
            self,
            f"{construct_id}Access",
            origin_access_control_name=global_name(config.stage, construct_id.lower()),
            signing=cloudfront.Signing.SIGV4_ALWAYS,
        )
        return origins.S3BucketOrigin.with_origin_access_control(
            bucket,
            origin_access_control=access,
            # With LIST a missing page is a 404; without it S3 answers 403.
            origin_access_levels=[cloudfront.AccessLevel.READ, cloudfront.AccessLevel.LIST],
        )

    def _behaviour(self, behaviour: Behaviour) -> cloudfront.BehaviorOptions:
        api = behaviour.origin == "api"
        forwarded = None
        if api and behaviour.cache == "none":
            forwarded = self._policies.gated if behaviour.gated else self._policies.ungated
        decides = self._gate.pages if behaviour == DEFAULT else None
        if api:
            decides = self._gate.function if behaviour.gated else self._gate.screen
        first = cloudfront.FunctionEventType.VIEWER_REQUEST
        return cloudfront.BehaviorOptions(
            origin=self._origin(behaviour),
            # A wrong method is answered by the API, as a problem, and not by CloudFront's page.
            allowed_methods=cloudfront.AllowedMethods.ALLOW_ALL
            if api
            else cloudfront.AllowedMethods.ALLOW_GET_HEAD,
            viewer_protocol_policy=cloudfront.ViewerProtocolPolicy.HTTPS_ONLY
            if api
            else cloudfront.ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
            cache_policy=self._policies.caching[behaviour.cache],
            origin_request_policy=forwarded,
            response_headers_policy=self._policies.gate_response
            if behaviour.gated
            else self._policies.response,
            function_associations=[
                cloudfront.FunctionAssociation(function=decides, event_type=first)
            ]
            if decides
            else None,
            compress=True,
        )


def _say_what_is_unbounded(said: Annotations, config: Config) -> None:
    """Refuse the stack Edge until it has its firewall; an operator who declined one is told."""
    if config.waf:
        said.add_error(
            f"the stage {config.stage} sells, and its distribution has no firewall: deploy the"
            " stack Firewall, then all with -c web_acl_arn=<its output WebAclArn>. Or decline it"
            f" with -c waf=off: {unbounded(config.api_rate)}"
        )
    else:
        said.add_warning_v2("fairgate:firewall", unbounded(config.api_rate))


def _explain(distribution: cloudfront.Distribution, config: Config) -> None:
    acknowledge(distribution, "CFR1", "buyers come from everywhere, and travel")
    acknowledge(
        distribution,
        "CFR3",
        "that rule knows the legacy log, which holds query strings; infra/stacks/access_logs.py",
    )
    if not config.web_acl_arn:
        acknowledge(distribution, "CFR2", "a stage that sells nothing, or by choice: -c waf=off")
    if not config.certificate_arn:
        acknowledge(
            distribution, "CFR4", "CloudFront's own certificate has a policy that cannot be raised"
        )
