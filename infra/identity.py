"""How buyers sign in: what the pages are told, and whether anybody could.

It imports nothing of the CDK.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from fairgate.settings import signed_in_uri

if TYPE_CHECKING:
    from infra.config import Config

PAGES_CONFIG = "config.json"
LOOPBACK = "127.0.0.1"  # where an emulator stands in for AWS, and nobody listens in


def identity_is_configured(config: Config) -> bool:
    """Whether the deployment names a provider, and everything of it that a sign-in needs."""
    return not missing_options(config)


def missing_options(config: Config) -> list[str]:
    """Return the options that a sign-in needs and that are not given, as ``-c`` spells them."""
    needed = {
        "oidc_issuer": config.oidc_issuer,
        "oidc_client_id": config.oidc_client_id,
        "oidc_authorize_url": config.oidc_authorize_url,
        "oidc_token_url": config.oidc_token_url,
        "oidc_jwks_url": config.oidc_jwks_url,
    }
    return [option for option, value in needed.items() if not value]


def is_provider_address(url: str) -> bool:
    """Whether it is an https address without credentials or fragment; on loopback http will do."""
    try:
        address = urlsplit(url)
    except ValueError:
        return False
    plain = not (address.fragment or "@" in address.netloc or any(c.isspace() for c in url))
    private = address.scheme == "http" and address.hostname == LOOPBACK
    return (private or address.scheme == "https") and bool(address.hostname) and plain


def pages_config(config: Config) -> dict[str, Any]:
    """Return what the pages read as ``/config.json``; it holds nothing secret.

    Without a domain there is one address alone, CloudFront's, and the page takes the one that it
    is at: so the file is the same in every region, and known before anything is deployed.
    """
    if not identity_is_configured(config):
        return {"identity": None}
    return {
        "identity": {
            "issuer": config.oidc_issuer,
            "client_id": config.oidc_client_id,
            "authorize_url": config.oidc_authorize_url,
            "redirect_uri": signed_in_uri(f"https://{config.domain}") if config.domain else "",
            "sign_out_url": config.oidc_sign_out_url,
            # Another provider's subject is no name that its sign-in page knows.
            "hint_subject": False,
        }
    }
