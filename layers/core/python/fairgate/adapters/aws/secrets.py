"""Read the keys: Secrets Manager in AWS, a file of mode 0600 locally. Same JSON in both."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairgate.adapters.aws.client import aws_calls, unavailable_as
from fairgate.domain.shared.jws import from_b64url
from fairgate.ports.world import Clock, Secrets

if TYPE_CHECKING:
    from fairgate.settings import Settings

_CACHE_MS = 60_000


class CachedSecrets:
    """Reads again after a minute, so that a rotation is seen by every warm function."""

    def __init__(self, read: Callable[[], str], clock: Clock) -> None:
        self._read = read
        self._clock = clock
        self._secrets: Secrets | None = None
        self._read_at_ms = 0

    def secrets(self) -> Secrets:
        now_ms = self._clock.now_ms()
        if self._secrets is None or now_ms - self._read_at_ms > _CACHE_MS:
            self._secrets = parse_secrets(self._read())
            self._read_at_ms = now_ms
        return self._secrets


def parse_secrets(text: str) -> Secrets:
    document: dict[str, Any] = json.loads(text)
    return Secrets(
        auth={kid: from_b64url(key) for kid, key in document["auth"].items()},
        auth_kid=document["auth_kid"],
        session={kid: from_b64url(key) for kid, key in document["session"].items()},
        session_kid=document["session_kid"],
        webhook=from_b64url(document["webhook"]),
        ticket=from_b64url(document["ticket"]),
        payments=from_b64url(document.get("payments", "")),
    )


def secret_store(settings: Settings, clock: Clock) -> CachedSecrets:
    if settings.secret_file:
        return CachedSecrets(Path(settings.secret_file).read_text, clock)

    calls = cache(lambda: aws_calls("secretsmanager"))  # made at the first reading

    def read() -> str:
        with unavailable_as("The keys are unavailable. Please try again."):
            answer = calls()("GetSecretValue", SecretId=settings.secret_id)
        return str(answer["SecretString"])

    return CachedSecrets(read, clock)
