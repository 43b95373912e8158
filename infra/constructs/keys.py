"""The secrets that hold the keys: which is in which is ``fairgate.ports.world.SECRET_OF``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import RemovalPolicy
from aws_cdk import aws_secretsmanager as secretsmanager
from constructs import Construct

from infra.acknowledged import acknowledge
from infra.naming import pascal, secrets_prefix

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate.ports.world import SecretName
    from infra.config import Config

DESCRIPTIONS: Mapping[SecretName, str] = {
    # The one that an older version deployed keeps its property, too: an update must not write it.
    "keys": "Fairgate's signing keys; made and rotated by `fairgate keys rotate`",
    "payments": "What the payment provider knows Fairgate by; written by `fairgate keys payments`",
    "tickets": "What signs tickets and links to them; made by `fairgate keys init`",
    "addresses": "What names the mailboxes of buyers; made by `fairgate keys init`",
    "identity": "What the identity provider knows Fairgate by; written by `fairgate keys oidc`",
}


class Keys(Construct):
    """Deployed without keys: ``fairgate keys init`` makes them, so that no template, change set or
    deployment log ever holds one. Until then every function that needs a key fails closed.
    """

    def __init__(self, scope: Construct, construct_id: str, config: Config) -> None:
        super().__init__(scope, construct_id)
        self.by_name: Mapping[SecretName, secretsmanager.Secret] = {
            name: self._secret(config, name) for name in DESCRIPTIONS
        }

    def _secret(self, config: Config, name: SecretName) -> secretsmanager.Secret:
        secret = secretsmanager.Secret(
            self,
            "Secret" if name == "keys" else pascal(name),
            secret_name=f"{secrets_prefix(config.stage)}{name}",
            description=DESCRIPTIONS[name],
            # Secrets Manager insists on a value: a JSON document that names no key.
            generate_secret_string=secretsmanager.SecretStringGenerator(
                secret_string_template="{}",  # noqa: S106 an empty document
                generate_string_key="placeholder",
            ),
            removal_policy=RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
        )
        acknowledge(
            secret, "SMG4", "by `fairgate keys`: a key has to live as long as what is under it"
        )
        return secret
