"""How buyers sign in: what the pages are told, and whether anybody could.

It imports nothing of the CDK.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fairgate import settings
from fairgate.settings import signed_in_uri

if TYPE_CHECKING:
    from infra.config import Config

PAGES_CONFIG = "config.json"
# Source: OpenID Connect RP-Initiated Logout 1.0, section 2.
RETURN_NAME = "post_logout_redirect_uri"
# Source: Cognito Developer Guide, "The managed login sign-out endpoint: /logout".
COGNITO_RETURN_NAME = "logout_uri"


@dataclass(frozen=True)
class Provider:
    """An identity provider as the pages and the auth function know it; nothing of it is secret."""

    issuer: str
    client_id: str
    audience: str  # of its identity tokens
    authorize_url: str
    token_url: str
    jwks_url: str
    sign_out_url: str  # empty: it forgets nobody
    return_name: str = RETURN_NAME  # how its sign-out calls the address to come back to


def identity_is_configured(config: Config) -> bool:
    """Whether the deployment names a provider, and everything of it that a sign-in needs."""
    return not config.missing_sign_in_options()


def named_provider(config: Config) -> Provider:
    """Return the provider that the context names, as far as it does."""
    return Provider(
        issuer=config.oidc_issuer,
        client_id=config.oidc_client_id,
        audience=config.oidc_audience,
        authorize_url=config.oidc_authorize_url,
        token_url=config.oidc_token_url,
        jwks_url=config.oidc_jwks_url,
        sign_out_url=config.oidc_sign_out_url,
    )


def cognito_provider(region: str, pool: str, prefix: str, client_id: str) -> Provider:
    """Return a user pool as a provider.

    Sources: Cognito Developer Guide, "Managed login and OAuth 2.0 endpoints reference" and
    "Verifying JSON web tokens".
    """
    issuer = f"https://cognito-idp.{region}.amazonaws.com/{pool}"
    pages = f"https://{prefix}.auth.{region}.amazoncognito.com"
    return Provider(
        issuer=issuer,
        client_id=client_id,
        audience=client_id,
        authorize_url=f"{pages}/oauth2/authorize",
        token_url=f"{pages}/oauth2/token",
        jwks_url=f"{issuer}/.well-known/jwks.json",
        sign_out_url=f"{pages}/logout",
        return_name=COGNITO_RETURN_NAME,
    )


def pages_config(config: Config, provider: Provider | None = None) -> dict[str, Any]:
    """Return what the pages read as ``/config.json``; it holds nothing secret.

    Without a domain there is one address alone, CloudFront's, and the page takes the one that it
    is at: so the file is the same in every region, and known before anything is deployed.

    Args:
        provider: the deployment's own; without it, the one that the context names.
    """
    # By it `make load` knows a stage that sells nothing.
    marked: dict[str, Any] = {"test_stage": True} if not config.sells else {}
    if config.passes:
        marked["passes"] = list(config.passes)
    if not identity_is_configured(config):
        return {"identity": None, **marked}
    provider = provider or named_provider(config)
    return {
        **marked,
        "identity": {
            "issuer": provider.issuer,
            "client_id": provider.client_id,
            "authorize_url": provider.authorize_url,
            "redirect_uri": signed_in_uri(f"https://{config.domain}") if config.domain else "",
            "sign_out_url": provider.sign_out_url,
            "sign_out_return": provider.return_name,
            # Another provider's subject is no name that its sign-in page knows.
            "hint_subject": False,
            **_account(config),
        },
    }


def account_claims(config: Config) -> dict[str, str]:
    """Return the variables that tell the auth function which claims say more about an account."""
    return {
        settings.ACCOUNT_CREATED_CLAIM: config.account_created_claim,
        settings.PHONE_CLAIM: config.phone_claim,
        settings.MEMBERSHIP_CLAIM: config.membership_claim,
    }


def _account(config: Config) -> dict[str, Any]:
    """Say what is known of an account here, and ask for the phone number's claim if it is used.

    Source: OpenID Connect Core 1.0, section 5.4: the scope ``phone``.
    """
    claims = {
        "since": config.account_created_claim,
        "verified_phone": config.phone_claim,
        "memberships": config.membership_claim,
    }
    told = [fact for fact, claim in claims.items() if claim]
    asked = {"scope": "openid phone"} if config.phone_claim else {}
    return asked | ({"account": told} if told else {})
