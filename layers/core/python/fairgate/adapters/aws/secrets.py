"""Read the keys: Secrets Manager in AWS, files of mode 0600 locally. Same JSON in both.

A function reads the secrets that it needs, each when it is first needed: which keys are in which is
``fairgate.ports.world.SECRET_OF``.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from fairgate.adapters.aws.client import aws_calls, unavailable_as
from fairgate.domain.shared.jws import from_b64url
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.record import convert
from fairgate.ports.world import (
    ApplePassKeys,
    Clock,
    GooglePassKeys,
    PaymentKeys,
    SecretName,
    SignInKeys,
    TicketKeys,
)

if TYPE_CHECKING:
    from fairgate.settings import Settings

Keys = TypeVar("Keys")
Document = Mapping[str, Any]
_CACHE_MS = 60_000
_AGAIN_MS = 10_000  # one request in ten seconds waits for a store that does not answer
_UNAVAILABLE = "The keys are unavailable. Please try again."
# An outage, and a document that somebody spoilt.
_NOT_READ = (DependencyUnavailableError, AttributeError, LookupError, TypeError, ValueError)
_log = logging.getLogger(__name__)


class CachedSecrets:
    """Reads a secret again after a minute, so that every warm function sees a rotation.

    If it cannot be read again, its last keys stay in use: a new key is known two minutes before it
    signs, and keys cannot be rotated while the store is away. A first reading that fails is not
    remembered: the next request reads again.

    Each method raises DependencyUnavailableError: the secret was never read, or lacks a key.
    """

    def __init__(self, read: Callable[[SecretName], str], clock: Clock) -> None:
        self._read = read
        self._clock = clock
        self._kept: dict[SecretName, tuple[Any, int]] = {}  # until when

    def sign_in(self) -> SignInKeys:
        return self._keys("keys", sign_in_keys)

    def payments(self) -> PaymentKeys:
        return self._keys("payments", payment_keys)

    def tickets(self) -> TicketKeys:
        return self._keys("tickets", ticket_keys)

    def addresses(self) -> bytes:
        return self._keys("addresses", addresses_key)

    def identity(self) -> bytes:
        return self._keys("identity", client_secret)

    def _keys(self, name: SecretName, parse: Callable[[Document], Keys]) -> Keys:
        now_ms = self._clock.now_ms()
        keys: Keys | None
        keys, until_ms = self._kept.get(name, (None, 0))
        if keys is not None and now_ms <= until_ms:
            return keys
        try:
            fresh = parse(json.loads(self._read(name)))
        except _NOT_READ as error:
            if keys is None:
                if isinstance(error, DependencyUnavailableError):
                    raise
                _log.error("the secret %s cannot be used: %s", name, _why(error))
                raise DependencyUnavailableError(_UNAVAILABLE) from error
            _log.warning("%s not read again, the last ones stay: %s", name, type(error).__name__)
            self._kept[name] = keys, now_ms + _AGAIN_MS
            return keys
        self._kept[name] = fresh, now_ms + _CACHE_MS
        return fresh


def _why(error: Exception) -> str:
    """Say which key is missing, and never a part of the document."""
    if isinstance(error, KeyError):
        return f"it has no {error.args[0]} (`fairgate doctor` says what to do)"
    return type(error).__name__


def sign_in_keys(document: Document) -> SignInKeys:
    return SignInKeys(
        auth={kid: from_b64url(key) for kid, key in document["auth"].items()},
        auth_kid=document["auth_kid"],
        session={kid: from_b64url(key) for kid, key in document["session"].items()},
        session_kid=document["session_kid"],
    )


def payment_keys(document: Document) -> PaymentKeys:
    return PaymentKeys(
        webhook=from_b64url(document["webhook"]),
        payments=from_b64url(document.get("payments", "")),
    )


def ticket_keys(document: Document) -> TicketKeys:
    apple, google = document.get("apple_pass"), document.get("google_pass")
    return TicketKeys(
        from_b64url(document["ticket"]),
        from_b64url(document["links"]),
        convert(apple, ApplePassKeys) if apple else None,
        convert(google, GooglePassKeys) if google else None,
    )


def addresses_key(document: Document) -> bytes:
    return from_b64url(document["addresses"])


def client_secret(document: Document) -> bytes:
    return from_b64url(document.get("oidc_client_secret", ""))


def secret_store(settings: Settings, clock: Clock) -> CachedSecrets:
    if settings.secrets_dir:
        folder = Path(settings.secrets_dir)
        return CachedSecrets(lambda name: (folder / f"{name}.json").read_text("utf-8"), clock)

    calls = cache(lambda: aws_calls("secretsmanager"))  # made at the first reading

    def read(name: SecretName) -> str:
        with unavailable_as(_UNAVAILABLE, when_refused=True):
            # The label is in the function's right: a version before may hold what has moved since.
            answer = calls()(
                "GetSecretValue", SecretId=f"{settings.secrets}{name}", VersionStage="AWSCURRENT"
            )
        return str(answer["SecretString"])

    return CachedSecrets(read, clock)
