"""How buyers sign in: what the pages are told, and whether anybody could.

It imports nothing of the CDK.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate.settings import signed_in_uri

if TYPE_CHECKING:
    from infra.config import Config

PAGES_CONFIG = "config.json"


def identity_is_configured(config: Config) -> bool:
    """Whether the deployment names a provider, and everything of it that a sign-in needs."""
    return not config.missing_sign_in_options()


def pages_config(config: Config) -> dict[str, Any]:
    """Return what the pages read as ``/config.json``; it holds nothing secret.

    Without a domain there is one address alone, CloudFront's, and the page takes the one that it
    is at: so the file is the same in every region, and known before anything is deployed.
    """
    # By it `make load` knows a stage that sells nothing.
    marked = {"test_stage": True} if not config.sells else {}
    if not identity_is_configured(config):
        return {"identity": None, **marked}
    return {
        **marked,
        "identity": {
            "issuer": config.oidc_issuer,
            "client_id": config.oidc_client_id,
            "authorize_url": config.oidc_authorize_url,
            "redirect_uri": signed_in_uri(f"https://{config.domain}") if config.domain else "",
            "sign_out_url": config.oidc_sign_out_url,
            # Another provider's subject is no name that its sign-in page knows.
            "hint_subject": False,
        },
    }
