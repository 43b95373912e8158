"""Amazon Cognito as the identity provider: an option, so that a new account can sell at once.

It stands behind Edge, whose address its client sends buyers back to, and before the functions that
redeem its codes. So it writes ``config.json`` itself, and nothing leans on anything in a circle.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from aws_cdk import Aws, CfnOutput, Duration, Fn, RemovalPolicy, Stack
from aws_cdk import aws_cognito as cognito
from aws_cdk import aws_s3_deployment as deployment

from fairgate.settings import signed_in_uri
from infra.acknowledged import acknowledge
from infra.constructs.log_group import log_group
from infra.constructs.web_pages import kept_as_pages
from infra.identity import PAGES_CONFIG, pages_config
from infra.naming import name

if TYPE_CHECKING:
    from constructs import Construct

    from infra.config import Config
    from infra.stacks.edge import EdgeStack

PASSWORD_CHARS_MIN = 12
# The page of the sign-in stays good for so long, also for who looks for a code in their mail first.
SESSION_MINUTES = 15  # Cognito takes 3 to 15


class SignInStack(Stack):
    """``config`` names the provider made here, for the stacks that come after."""

    def __init__(
        self, scope: Construct, construct_id: str, config: Config, *, edge: EdgeStack
    ) -> None:
        super().__init__(
            scope,
            construct_id,
            stack_name=name(config.stage, "sign-in"),
            description="Fairgate: who buyers are, by Amazon Cognito",
            termination_protection=config.sells,
        )
        pool = _pool(self, config)
        home = signed_in_uri(edge.public_url)
        client = pool.add_client(
            "Pages",
            user_pool_client_name=name(config.stage, "pages"),
            generate_secret=False,  # a page keeps none; the proof key stands for it
            auth_flows=cognito.AuthFlow(user_srp=True),
            auth_session_validity=Duration.minutes(SESSION_MINUTES),
            o_auth=cognito.OAuthSettings(
                flows=cognito.OAuthFlows(authorization_code_grant=True),
                scopes=[cognito.OAuthScope.OPENID],
                callback_urls=[home],
                logout_urls=[home],
            ),
            supported_identity_providers=[cognito.UserPoolClientIdentityProvider.COGNITO],
            prevent_user_existence_errors=True,
            enable_token_revocation=True,
        )
        domain = pool.add_domain(
            "Domain",
            cognito_domain=cognito.CognitoDomainOptions(domain_prefix=_prefix(config)),
            managed_login_version=cognito.ManagedLoginVersion.NEWER_MANAGED_LOGIN,
        )
        cognito.CfnManagedLoginBranding(
            self,
            "Branding",
            user_pool_id=pool.user_pool_id,
            client_id=client.user_pool_client_id,
            use_cognito_provided_values=True,
        )
        # By the domain, not by what it was made of: another stack has another id.
        pages = f"https://{domain.domain_name}.auth.{Aws.REGION}.amazoncognito.com"
        issuer = pool.user_pool_provider_url
        self.config = replace(
            config,
            oidc_issuer=issuer,
            oidc_client_id=client.user_pool_client_id,
            oidc_audience=client.user_pool_client_id,
            oidc_authorize_url=f"{pages}/oauth2/authorize",
            oidc_token_url=f"{pages}/oauth2/token",
            oidc_jwks_url=f"{issuer}/.well-known/jwks.json",
            # Its logout wants a name of its own for where to go then.
            # Source: Cognito Developer Guide, "The managed login sign-out endpoint".
            oidc_sign_out_url=f"{pages}/logout?logout_uri={home}",
        )
        self._tell_pages(edge)
        CfnOutput(self, "UserPool", value=pool.user_pool_id, description="Whom buyers sign in at")

    def _tell_pages(self, edge: EdgeStack) -> None:
        log_name = f"/aws/lambda/{name(self.config.stage, 'sign-in')}"
        told = deployment.BucketDeployment(
            self,
            "Tell",
            destination_bucket=edge.web,
            sources=[deployment.Source.json_data(PAGES_CONFIG, pages_config(self.config))],
            prune=False,  # the pages lie beside it
            cache_control=[kept_as_pages()],
            log_group=log_group(self, "Log", self.config, log_name),
        )
        _explain(told, self.config)


def _pool(scope: Stack, config: Config) -> cognito.UserPool:
    protected = config.threat_protection
    pool = cognito.UserPool(
        scope,
        "Buyers",
        user_pool_name=name(config.stage, "buyers"),
        feature_plan=cognito.FeaturePlan.PLUS if protected else cognito.FeaturePlan.ESSENTIALS,
        standard_threat_protection_mode=cognito.StandardThreatProtectionMode.FULL_FUNCTION
        if protected
        else None,
        self_sign_up_enabled=True,
        sign_in_aliases=cognito.SignInAliases(email=True),
        sign_in_case_sensitive=False,
        auto_verify=cognito.AutoVerifiedAttrs(email=True),
        keep_original=cognito.KeepOriginalAttrs(email=True),  # until the new one is verified
        standard_attributes=cognito.StandardAttributes(
            email=cognito.StandardAttribute(required=True, mutable=True)
        ),
        mfa=cognito.Mfa.OPTIONAL,
        mfa_second_factor=cognito.MfaSecondFactor(otp=True, sms=False),
        account_recovery=cognito.AccountRecovery.EMAIL_ONLY,
        password_policy=cognito.PasswordPolicy(
            min_length=PASSWORD_CHARS_MIN,
            require_digits=False,
            require_lowercase=False,
            require_symbols=False,
            require_uppercase=False,
        ),
        deletion_protection=config.sells,
        removal_policy=RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE
        if config.sells
        else RemovalPolicy.DESTROY,
    )
    _send_by_ses(pool, config)
    acknowledge(pool, "COG1", "length, not composition: NIST SP 800-63B, section 5.1.1.2")
    acknowledge(pool, "COG2", "buyers may have a second factor; to demand it keeps people out")
    if not protected:
        acknowledge(pool, "COG8", "an option: it costs by the buyer (docs/deploying.md)")
    return pool


def _send_by_ses(pool: cognito.UserPool, config: Config) -> None:
    """Cognito's own mail is for trying out: 50 a day."""
    if not config.mail_sender:
        return
    template = pool.node.default_child
    if not isinstance(template, cognito.CfnUserPool):
        raise TypeError("the user pool is not what the CDK makes of one")
    template.email_configuration = cognito.CfnUserPool.EmailConfigurationProperty(
        email_sending_account="DEVELOPER",
        from_=config.mail_sender,
        source_arn=f"arn:{Aws.PARTITION}:ses:{Aws.REGION}:{Aws.ACCOUNT_ID}"
        f":identity/{config.mail_identity}",
    )


def _prefix(config: Config) -> str:
    """Name the sign-in's host: no other in the region has it, and no account's number is in it."""
    stack = Fn.select(2, Fn.split("/", Aws.STACK_ID))
    return f"{name(config.stage, 'id')}-{Fn.select(0, Fn.split('-', stack))}"


def _explain(told: deployment.BucketDeployment, config: Config) -> None:
    """The function that copies is the CDK's, with a role that the CDK writes."""
    function = told.handler_role.node.scope
    if function is None:
        raise ValueError("the role of the function that copies stands alone")
    acknowledge(function, "L1", "its runtime is what the CDK tests it with")
    managed = "arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"
    acknowledge(function, f"IAM4[Policy::{managed}]", "the CDK's own: it may write its log")
    bucket = f"{name(config.stage, 'edge')}:ExportsOutputFnGetAttWebBucketE51352C0Arn57C8897A"
    for wildcard in (*_WILDCARDS, f"Resource::{bucket}/*"):
        acknowledge(function, f"IAM5[{wildcard}]", "the CDK's own: one file into the pages' bucket")


_ASSETS = "cdk-hnb659fds-assets-<AWS::AccountId>-<AWS::Region>"
_WILDCARDS = (
    *(f"Action::s3:{action}*" for action in ("Abort", "DeleteObject")),
    *(f"Action::s3:{action}*" for action in ("GetBucket", "GetObject", "List")),
    f"Resource::arn:<AWS::Partition>:s3:::{_ASSETS}/*",
)
