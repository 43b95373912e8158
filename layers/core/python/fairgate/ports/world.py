"""Declare the time, ids and keys that the services are given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct


class Clock(Protocol):
    def now_ms(self) -> int:
        """Return milliseconds since the Unix epoch."""
        ...

    def back_off(self, attempt: int) -> None:
        """Sleep before another attempt: a random time, on average twice as long as the last.

        Args:
            attempt: the one that failed, counted from 0.
        """
        ...


class Ids(Protocol):
    def hex32(self) -> str:
        """Make 32 lower-case hex digits, UUIDv7: unique, and growing with time."""
        ...


class Secrets(Struct, frozen=True):
    """Keys by purpose; each purpose maps key id → key bytes and names the one that signs now."""

    auth: Mapping[str, bytes]  # HS256 auth JWTs, also in the KeyValueStore
    auth_kid: str
    session: Mapping[str, bytes]  # HS256 session credentials, origin only
    session_kid: str
    webhook: bytes  # the payment provider's webhook signing secret
    ticket: bytes  # Ed25519 private key, 32 bytes raw
    addresses: bytes = b""  # names mailboxes and signs links to tickets; nothing replaces it
    payments: bytes = b""  # the payment provider's API key, where it wants one
    oidc_client_secret: bytes = b""  # the identity provider's for us, where it wants one


class SecretStore(Protocol):
    def secrets(self) -> Secrets:
        """Return the keys, cached for a minute at most, so that a rotation is seen."""
        ...
