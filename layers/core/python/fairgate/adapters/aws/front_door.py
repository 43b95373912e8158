"""Read the secret header values of the distribution: from Secrets Manager, or a local file."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from fairgate.adapters.aws.client import aws_calls, unavailable_as

if TYPE_CHECKING:
    from fairgate.settings import Settings

# Secrets Manager moves the second label to the value that a new one replaces.
# Source: Secrets Manager User Guide, "What's in a Secrets Manager secret?", Version.
LABELS = ("AWSCURRENT", "AWSPREVIOUS")


def front_door_values(settings: Settings) -> Callable[[], tuple[str, ...]]:
    """Return what reads the values, the newest first."""
    if settings.front_door_file:
        return lambda: tuple(Path(settings.front_door_file).read_text("utf-8").split())
    calls = cache(lambda: aws_calls("secretsmanager"))  # made at the first reading

    def read() -> tuple[str, ...]:
        from botocore.exceptions import ClientError

        values = []
        for label in LABELS:
            with unavailable_as("The front door's values are unavailable.", when_refused=True):
                try:
                    answer = calls()(
                        "GetSecretValue",
                        SecretId=settings.front_door_secret_id,
                        VersionStage=label,
                    )
                except ClientError as error:
                    # Until the first change there is none before.
                    if error.response["Error"]["Code"] != "ResourceNotFoundException":
                        raise
                    continue
            values.append(str(answer["SecretString"]))
        return tuple(values)

    return read
