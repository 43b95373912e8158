"""The secret that holds the keys: who signs what is in ``fairgate.ports.Secrets``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import RemovalPolicy
from aws_cdk import aws_secretsmanager as secretsmanager
from constructs import Construct

from infra.acknowledged import acknowledge
from infra.naming import secret_name

if TYPE_CHECKING:
    from infra.config import Config


class Keys(Construct):
    """Deployed without keys: ``fairgate keys rotate`` makes them, so that no template, change
    set or deployment log ever holds one. Until then every function that needs a key fails closed.
    """

    def __init__(self, scope: Construct, construct_id: str, config: Config) -> None:
        super().__init__(scope, construct_id)
        self.secret = secretsmanager.Secret(
            self,
            "Secret",
            secret_name=secret_name(config.stage),
            description="Fairgate's signing keys; made and rotated by `fairgate keys rotate`",
            # Secrets Manager insists on a value: a JSON document that names no key.
            generate_secret_string=secretsmanager.SecretStringGenerator(
                secret_string_template="{}",  # noqa: S106 an empty document
                generate_string_key="placeholder",
            ),
            removal_policy=RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
        )
        acknowledge(
            self.secret,
            "SMG4",
            "by `fairgate keys rotate`: a key has to live as long as the tokens under it",
        )
