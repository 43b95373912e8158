"""What CloudFront keeps, forwards and adds: policies made from ``infra.routes``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Duration
from aws_cdk import aws_cloudfront as cloudfront
from constructs import Construct

from fairgate.http import paths
from infra import headers
from infra.constructs.global_names import global_name
from infra.routes import CACHING, ROUTES, CachePolicy, Caching

if TYPE_CHECKING:
    from infra.config import Config


# Whatever tells one caller of a private path from another.
CREDENTIALS = (paths.HEADER_AUTHORIZATION, paths.HEADER_SESSION, paths.HEADER_TOKEN)
# All parameters that a path without a cache takes; the screen leaves each route its own.
PARAMETERS = sorted({name for route in ROUTES if route.cache == "none" for name in route.query})

_HTTPS_ONLY = cloudfront.ResponseHeadersStrictTransportSecurity(
    access_control_max_age=Duration.seconds(headers.HSTS_MAX_AGE_S), override=True
)


class EdgePolicies(Construct):
    """One cache policy per entry of ``CACHING``, two ways to forward, one set of headers.

    Answers that are cached go to the origin without the viewer's headers, so no buyer's
    credential can colour what another one sees.
    """

    def __init__(self, scope: Construct, construct_id: str, config: Config) -> None:
        super().__init__(scope, construct_id)
        self._stage = config.stage
        self.caching: dict[CachePolicy, cloudfront.ICachePolicy] = {
            policy: self._cache_policy(policy, caching) if caching else self._private()
            for policy, caching in CACHING.items()
        }
        # Host must be the origin's own. Everything else passes, Authorization too, which no list
        # of allowed headers may name. Source: CloudFront API Reference,
        # OriginRequestPolicyHeadersConfig.
        # What a firewall says, a caller may not say where there is none.
        left_out = ["host"] if config.web_acl_arn else ["host", paths.HEADER_FIREWALL]
        self.gated = self._forward("Gated", *left_out)
        # Only the gate may say what the gate decided.
        self.ungated = self._forward("Ungated", *left_out, paths.HEADER_EDGE)
        self.response = self._response_headers(
            headers.content_security_policy(
                (config.web_dir / "index.html").read_text("utf-8"),
                firewall=bool(config.web_acl_arn),
            )
        )

        # A policy adds nothing to what the gate answers itself, and a sampled account, which the
        # API answers, must not be told by its headers: this one adds what the gate says itself.
        # Source: CloudFront Developer Guide, "Add or remove HTTP headers in CloudFront responses
        # with a policy".
        self.gate_response = cloudfront.ResponseHeadersPolicy(
            self,
            "GateResponse",
            response_headers_policy_name=global_name(self._stage, "gate"),
            remove_headers=["apigw-requestid"],
            security_headers_behavior=cloudfront.ResponseSecurityHeadersBehavior(
                content_type_options=cloudfront.ResponseHeadersContentTypeOptions(override=True),
                strict_transport_security=_HTTPS_ONLY,
            ),
        )

    def _cache_policy(self, policy: CachePolicy, caching: Caching) -> cloudfront.CachePolicy:
        query = cloudfront.CacheQueryStringBehavior
        return cloudfront.CachePolicy(
            self,
            policy.capitalize(),
            cache_policy_name=global_name(self._stage, policy),
            min_ttl=Duration.seconds(0),
            default_ttl=Duration.seconds(caching.default_ttl_s),
            max_ttl=Duration.seconds(caching.ttl_max_s),
            query_string_behavior=query.allow_list(*caching.query_strings)
            if caching.query_strings
            else query.none(),
            header_behavior=cloudfront.CacheHeaderBehavior.none(),
            cookie_behavior=cloudfront.CacheCookieBehavior.none(),
            enable_accept_encoding_brotli=True,
            enable_accept_encoding_gzip=True,
        )

    def _private(self) -> cloudfront.CachePolicy:
        """Keep no answer; and the errors, which CloudFront keeps all the same, for each caller.

        Its own policy without caching has the path alone as the key: of `…/session`, one buyer's
        404 or 503 would be shown to all. A key may name headers only where something could be
        kept, hence the second; what the API answers says no-store.
        """
        return cloudfront.CachePolicy(
            self,
            "Private",
            cache_policy_name=global_name(self._stage, "private"),
            min_ttl=Duration.seconds(0),
            default_ttl=Duration.seconds(0),
            max_ttl=Duration.seconds(1),
            query_string_behavior=cloudfront.CacheQueryStringBehavior.allow_list(*PARAMETERS),
            header_behavior=cloudfront.CacheHeaderBehavior.allow_list(*CREDENTIALS),
            cookie_behavior=cloudfront.CacheCookieBehavior.none(),
        )

    def _forward(self, construct_id: str, *left_out: str) -> cloudfront.OriginRequestPolicy:
        return cloudfront.OriginRequestPolicy(
            self,
            construct_id,
            origin_request_policy_name=global_name(self._stage, construct_id.lower()),
            header_behavior=cloudfront.OriginRequestHeaderBehavior.deny_list(*left_out),
            query_string_behavior=cloudfront.OriginRequestQueryStringBehavior.allow_list(
                *PARAMETERS
            ),
            cookie_behavior=cloudfront.OriginRequestCookieBehavior.none(),
        )

    def _response_headers(self, policy: str) -> cloudfront.ResponseHeadersPolicy:
        def replaces(header: str) -> bool:
            return header not in headers.AN_ANSWERS_OWN

        return cloudfront.ResponseHeadersPolicy(
            self,
            "Response",
            response_headers_policy_name=global_name(self._stage, "security"),
            security_headers_behavior=cloudfront.ResponseSecurityHeadersBehavior(
                content_security_policy=cloudfront.ResponseHeadersContentSecurityPolicy(
                    content_security_policy=policy, override=replaces("content-security-policy")
                ),
                content_type_options=cloudfront.ResponseHeadersContentTypeOptions(
                    override=replaces("x-content-type-options")
                ),
                frame_options=cloudfront.ResponseHeadersFrameOptions(
                    frame_option=cloudfront.HeadersFrameOption.DENY, override=True
                ),
                referrer_policy=cloudfront.ResponseHeadersReferrerPolicy(
                    referrer_policy=cloudfront.HeadersReferrerPolicy.STRICT_ORIGIN_WHEN_CROSS_ORIGIN,
                    override=True,
                ),
                strict_transport_security=_HTTPS_ONLY,
            ),
            custom_headers_behavior=cloudfront.ResponseCustomHeadersBehavior(
                custom_headers=[
                    cloudfront.ResponseCustomHeader(
                        header="permissions-policy",
                        value=headers.PERMISSIONS_POLICY,
                        override=True,
                    )
                ]
            ),
        )
