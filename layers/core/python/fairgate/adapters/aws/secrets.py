"""Read the keys: Secrets Manager in AWS, a file of mode 0600 locally. Same JSON in both."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairgate.adapters.aws.client import aws_calls, unavailable_as
from fairgate.domain.shared.jws import from_b64url
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.world import Clock, Secrets

if TYPE_CHECKING:
    from fairgate.settings import Settings

_CACHE_MS = 60_000
_AGAIN_MS = 10_000  # one request in ten seconds waits for a store that does not answer
# An outage, and a document that somebody spoilt.
_NOT_READ = (DependencyUnavailableError, AttributeError, LookupError, TypeError, ValueError)
_log = logging.getLogger(__name__)


class CachedSecrets:
    """Reads the keys again after a minute, so that every warm function sees a rotation.

    If they cannot be read again, the last ones stay in use: a new key is known two minutes before
    it signs, and keys cannot be rotated while the store is away.
    """

    def __init__(self, read: Callable[[], str], clock: Clock) -> None:
        self._read = read
        self._clock = clock
        self._secrets: Secrets | None = None
        self._until_ms = 0

    def secrets(self) -> Secrets:
        """Return the keys. Raises DependencyUnavailableError: they were never read."""
        now_ms = self._clock.now_ms()
        if self._secrets is not None and now_ms <= self._until_ms:
            return self._secrets
        try:
            self._secrets = parse_secrets(self._read())
        except _NOT_READ as error:
            if self._secrets is None:
                raise
            _log.warning("keys not read again, the last ones stay: %s", type(error).__name__)
            self._until_ms = now_ms + _AGAIN_MS
        else:
            self._until_ms = now_ms + _CACHE_MS
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
        addresses=from_b64url(document.get("addresses", "")),
        payments=from_b64url(document.get("payments", "")),
        oidc_client_secret=from_b64url(document.get("oidc_client_secret", "")),
    )


def secret_store(settings: Settings, clock: Clock) -> CachedSecrets:
    if settings.secret_file:
        return CachedSecrets(Path(settings.secret_file).read_text, clock)

    calls = cache(lambda: aws_calls("secretsmanager"))  # made at the first reading

    def read() -> str:
        with unavailable_as("The keys are unavailable. Please try again.", when_refused=True):
            answer = calls()("GetSecretValue", SecretId=settings.secret_id)
        return str(answer["SecretString"])

    return CachedSecrets(read, clock)
