"""The value that CloudFront sends and the API asks for: made by Secrets Manager, named nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import SecretValue
from aws_cdk import aws_secretsmanager as secretsmanager
from constructs import Construct

from infra.acknowledged import acknowledge

if TYPE_CHECKING:
    from infra.config import Config

CHARS = 48


class FrontDoorSecret(Construct):
    """Goes with the stack, under a name that AWS makes: a new deployment makes a new value.

    The one before the newest is valid as well, so the value is changed in two steps
    (docs/deploying.md).
    """

    def __init__(self, scope: Construct, construct_id: str, config: Config) -> None:
        super().__init__(scope, construct_id)
        self.secret = secretsmanager.Secret(
            self,
            "Secret",
            description="By this value the API knows what came through the distribution",
            generate_secret_string=secretsmanager.SecretStringGenerator(
                password_length=CHARS, exclude_punctuation=True
            ),
        )
        acknowledge(
            self.secret,
            "SMG4",
            "rotated by two deployments, for CloudFront must send what the API knows already",
        )
        # CloudFormation looks the value up when it writes the distribution: the template holds a
        # reference. A version names another value, so that CloudFormation sees a change.
        self.header_value = SecretValue.secrets_manager(
            self.secret.secret_arn, version_id=config.front_door_version or None
        ).unsafe_unwrap()
