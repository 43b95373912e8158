"""Register the pages with Cognito, and publish the user pool's names to the other stacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Aws, Duration
from aws_cdk import aws_cognito as cognito
from aws_cdk import aws_ssm as ssm
from constructs import Construct

from fairgate.settings import signed_in_uris
from infra.cognito_plans import CHEAPEST
from infra.identity import Provider, cognito_provider, named_provider
from infra.naming import name, sign_in_parameter

if TYPE_CHECKING:
    from infra.config import Config

# Its identity token is looked at once, at once; no other token of it is used.
TOKEN_MINUTES = 5
SESSION_MINUTES = 15  # the most: somebody looks for a code in their mail
REFRESH_MINUTES = 60  # the least that Cognito knows


class UserPoolClient(Construct):
    """A public client of the user pool, for the code flow with a proof key.

    It stands with the distribution, not with the pool: Cognito wants the address to return to, and
    CloudFront makes that name up. So one deployment is enough. It has no secret: a proof key ties
    the code to the browser that asked for it, and no template can tell what nobody has.
    """

    def __init__(
        self, scope: Construct, construct_id: str, config: Config, *, public_url: str
    ) -> None:
        super().__init__(scope, construct_id)
        pool_id = _told(self, config, "pool")
        back = list(signed_in_uris(public_url))
        client = cognito.UserPoolClient(
            self,
            "Client",
            user_pool=cognito.UserPool.from_user_pool_id(self, "Pool", pool_id),
            user_pool_client_name=name(config.stage, "pages"),
            generate_secret=False,
            auth_flows=cognito.AuthFlow(user_srp=True),  # no password in the clear
            auth_session_validity=Duration.minutes(SESSION_MINUTES),
            o_auth=cognito.OAuthSettings(
                flows=cognito.OAuthFlows(authorization_code_grant=True),
                scopes=[cognito.OAuthScope.OPENID],
                callback_urls=back,
                logout_urls=back,
            ),
            supported_identity_providers=[cognito.UserPoolClientIdentityProvider.COGNITO],
            prevent_user_existence_errors=True,
            enable_token_revocation=True,
            id_token_validity=Duration.minutes(TOKEN_MINUTES),
            access_token_validity=Duration.minutes(TOKEN_MINUTES),
            refresh_token_validity=Duration.minutes(REFRESH_MINUTES),
        )
        if config.cognito_plan != CHEAPEST:
            # Without a style the pages of managed login answer nobody.
            cognito.CfnManagedLoginBranding(
                self,
                "Style",
                user_pool_id=pool_id,
                client_id=client.user_pool_client_id,
                use_cognito_provided_values=True,
            )
        ssm.StringParameter(
            self,
            "Told",
            parameter_name=sign_in_parameter(config.stage, "client"),
            description="The client as which buyers sign in",
            string_value=client.user_pool_client_id,
        )


def provider_in_use(scope: Construct, config: Config) -> Provider:
    """Return the identity provider: as the context says, or as the stacks before have told.

    By parameters, not by exports: CloudFormation changes none that is in use, and a deployment
    could never change over to another provider.
    """
    if config.sign_in != "cognito":
        return named_provider(config)
    pool, domain, client = (_told(scope, config, what) for what in ("pool", "domain", "client"))
    return cognito_provider(Aws.REGION, pool, domain, client)


def keys_in_use(scope: Construct, config: Config) -> str:
    """Return where that provider publishes its keys; it reads no parameter that this needs not."""
    if config.sign_in != "cognito":
        return config.oidc_jwks_url
    return cognito_provider(Aws.REGION, _told(scope, config, "pool"), "", "").jwks_url


def _told(scope: Construct, config: Config, what: str) -> str:
    parameter = sign_in_parameter(config.stage, what)
    return ssm.StringParameter.value_for_string_parameter(scope, parameter)
