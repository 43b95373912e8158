"""Amazon Cognito as the identity provider: who the buyers are, and the pages where they say so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Aws, CfnOutput, Duration, Fn, RemovalPolicy, Stack
from aws_cdk import aws_cognito as cognito
from aws_cdk import aws_ssm as ssm
from aws_cdk import aws_wafv2 as waf

from infra.acknowledged import acknowledge
from infra.cognito_plans import CHEAPEST, PROTECTED
from infra.firewall import USER_POOL_LIMIT, USER_POOL_UNCOUNTED, WINDOW_S
from infra.naming import name, sign_in_parameter

if TYPE_CHECKING:
    from constructs import Construct

    from infra.config import Config

PASSWORD_MIN = 10
CODE_DAYS = 1  # of an invitation by an operator


class SignInStack(Stack):
    """The user pool with its pages; before the stack Edge, which adds the client."""

    def __init__(self, scope: Construct, construct_id: str, config: Config) -> None:
        super().__init__(
            scope,
            construct_id,
            stack_name=name(config.stage, "sign-in"),
            description="Fairgate: the buyers' accounts and where they sign in",
            termination_protection=config.sells,
        )
        pool = self._pool(config)
        domain = cognito.UserPoolDomain(
            self,
            "Domain",
            user_pool=pool,
            cognito_domain=cognito.CognitoDomainOptions(domain_prefix=self._prefix(config)),
            # The only pages that the cheapest plan has. Source: Cognito Developer Guide, "User pool
            # managed login".
            managed_login_version=cognito.ManagedLoginVersion.CLASSIC_HOSTED_UI
            if config.cognito_plan == CHEAPEST
            else cognito.ManagedLoginVersion.NEWER_MANAGED_LOGIN,
        )
        if config.cognito_plan == PROTECTED:
            self._answer_threats(pool)
        if config.waf:
            self._bound(config, pool)
        for what, value in (("pool", pool.user_pool_id), ("domain", domain.domain_name)):
            ssm.StringParameter(
                self,
                f"Told{what.capitalize()}",
                parameter_name=sign_in_parameter(config.stage, what),
                description="Where buyers sign in; the stacks after this one read it",
                string_value=value,
            )
        CfnOutput(self, "UserPool", value=pool.user_pool_id, description="Who may sign in")

    def _prefix(self, config: Config) -> str:
        """A name that is the only one in the region, also beside a pool that outlived its stack."""
        of_stack = Fn.select(2, Fn.split("/", Aws.STACK_ID))  # a UUID
        return name(config.stage, Fn.select(0, Fn.split("-", of_stack)))

    def _pool(self, config: Config) -> cognito.UserPool:
        guarded = config.cognito_plan == PROTECTED
        pool = cognito.UserPool(
            self,
            "Pool",
            user_pool_name=name(config.stage, "buyers"),
            feature_plan=cognito.FeaturePlan[config.cognito_plan.upper()],
            standard_threat_protection_mode=cognito.StandardThreatProtectionMode.FULL_FUNCTION
            if guarded
            else cognito.StandardThreatProtectionMode.NO_ENFORCEMENT,
            self_sign_up_enabled=True,
            sign_in_aliases=cognito.SignInAliases(email=True),
            sign_in_case_sensitive=False,
            auto_verify=cognito.AutoVerifiedAttrs(email=True),
            keep_original=cognito.KeepOriginalAttrs(email=True),  # until the new one is verified
            standard_attributes=cognito.StandardAttributes(
                email=cognito.StandardAttribute(required=True, mutable=True)
            ),
            account_recovery=cognito.AccountRecovery.EMAIL_ONLY,
            mfa=cognito.Mfa.OPTIONAL,
            mfa_second_factor=cognito.MfaSecondFactor(otp=True, sms=False),  # a message costs
            password_policy=cognito.PasswordPolicy(
                min_length=PASSWORD_MIN,
                require_digits=False,
                require_lowercase=False,
                require_symbols=False,
                require_uppercase=False,
                temp_password_validity=Duration.days(CODE_DAYS),
            ),
            email=_mail(config),
            deletion_protection=config.sells,
            removal_policy=RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE
            if config.sells
            else RemovalPolicy.DESTROY,
        )
        acknowledge(
            pool, "COG1", "length counts, not classes of characters (NIST SP 800-63B-4, 3.1.1.2)"
        )
        acknowledge(pool, "COG2", "a buyer may add a second factor; to ask each would cost sales")
        if not guarded:
            acknowledge(
                pool, "COG8", "the plan Plus costs by the buyer; an operator may do without"
            )
        return pool

    def _answer_threats(self, pool: cognito.UserPool) -> None:
        """Refuse leaked passwords; a strange device is asked for its second factor, never refused.

        Crowds sign in by new telephones and shared addresses: to block by risk would hit buyers.
        """
        action = cognito.CfnUserPoolRiskConfigurationAttachment
        ask = action.AccountTakeoverActionTypeProperty(
            event_action="MFA_IF_CONFIGURED", notify=False
        )
        action(
            self,
            "Threats",
            user_pool_id=pool.user_pool_id,
            client_id="ALL",
            compromised_credentials_risk_configuration=(
                action.CompromisedCredentialsRiskConfigurationTypeProperty(
                    actions=action.CompromisedCredentialsActionsTypeProperty(event_action="BLOCK")
                )
            ),
            account_takeover_risk_configuration=action.AccountTakeoverRiskConfigurationTypeProperty(
                actions=action.AccountTakeoverActionsTypeProperty(
                    medium_action=ask, high_action=ask
                )
            ),
        )

    def _bound(self, config: Config, pool: cognito.UserPool) -> None:
        """Let one address try so many times a minute; the account's own quota is for everybody."""
        seen = waf.CfnWebACL.VisibilityConfigProperty(
            cloud_watch_metrics_enabled=True, metric_name="SignIn", sampled_requests_enabled=False
        )
        rate = waf.CfnWebACL.RateBasedStatementProperty(
            aggregate_key_type="IP",
            limit=USER_POOL_LIMIT,
            evaluation_window_sec=WINDOW_S,
            scope_down_statement=waf.CfnWebACL.StatementProperty(
                not_statement=waf.CfnWebACL.NotStatementProperty(statement=_path())
            ),
        )
        wall = waf.CfnWebACL(
            self,
            "Wall",
            name=name(config.stage, "sign-in"),
            scope="REGIONAL",
            default_action=waf.CfnWebACL.DefaultActionProperty(allow={}),
            visibility_config=seen,
            rules=[
                waf.CfnWebACL.RuleProperty(
                    name="RateOfAddress",
                    priority=0,
                    action=waf.CfnWebACL.RuleActionProperty(block={}),
                    statement=waf.CfnWebACL.StatementProperty(rate_based_statement=rate),
                    visibility_config=seen,
                )
            ],
        )
        waf.CfnWebACLAssociation(
            self, "Bounded", resource_arn=pool.user_pool_arn, web_acl_arn=wall.attr_arn
        )


def _path() -> waf.CfnWebACL.StatementProperty:
    """What our own function asks, from few addresses for everybody."""
    plain = waf.CfnWebACL.TextTransformationProperty(priority=0, type="NONE")
    return waf.CfnWebACL.StatementProperty(
        regex_match_statement=waf.CfnWebACL.RegexMatchStatementProperty(
            regex_string=USER_POOL_UNCOUNTED,
            field_to_match=waf.CfnWebACL.FieldToMatchProperty(uri_path={}),
            text_transformations=[plain],
        )
    )


def _mail(config: Config) -> cognito.UserPoolEmail:
    """By SES where there is a sender: of its own Cognito sends 50 mails a day."""
    if not config.mail_sender:
        return cognito.UserPoolEmail.with_cognito()
    domain = config.mail_identity if config.mail_identity != config.mail_sender else None
    return cognito.UserPoolEmail.with_ses(
        from_email=config.mail_sender, ses_region=Aws.REGION, ses_verified_domain=domain
    )
