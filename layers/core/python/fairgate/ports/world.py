"""Declare the time, ids and keys that the services are given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol

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


class SignInKeys(Struct, frozen=True):
    """Each purpose maps key id → key bytes and names the one that signs now."""

    auth: Mapping[str, bytes]  # HS256 auth JWTs, also in the KeyValueStore
    auth_kid: str
    session: Mapping[str, bytes]  # HS256 session credentials, origin only
    session_kid: str


class PaymentKeys(Struct, frozen=True):
    webhook: bytes  # the payment provider's webhook signing secret
    payments: bytes  # its API key, where it wants one; else empty


class ApplePassKeys(Struct, frozen=True):
    """What Apple gave an organiser for passes; PEM each."""

    organisation: str  # as the pass names it
    certificate: str  # for passes of one type; it ends after a year
    key: str
    intermediate: str  # Apple's own (WWDR), which signed the certificate


class GooglePassKeys(Struct, frozen=True):
    """What Google gave an organiser for passes."""

    organisation: str
    issuer: str
    account: str  # mail address of the service account
    key: str  # its RSA key, PEM


class TicketKeys(Struct, frozen=True):
    ticket: bytes  # Ed25519 private key, 32 bytes raw
    links: bytes  # HS256 mailed links to tickets
    apple_pass: ApplePassKeys | None = None
    google_pass: GooglePassKeys | None = None


# Which secret holds which key. A secret is what a function is allowed to read, so keys that open
# the same lie together (docs/adr/0047). A key's name with `_before` is the one that it replaced.
# "keys" held every key up to version 0.2.0.
SecretName = Literal["keys", "payments", "tickets", "addresses", "identity"]
SECRET_OF: Mapping[str, SecretName] = {
    "auth": "keys",
    "auth_kid": "keys",
    "auth_signed": "keys",  # when each key began and ended to sign
    "auth_spread": "keys",  # when every event's gate had the keys
    "session": "keys",
    "session_kid": "keys",
    "webhook": "payments",
    "webhook_before": "payments",
    "payments": "payments",
    "payments_before": "payments",
    "ticket": "tickets",
    "links": "tickets",
    "apple_pass": "tickets",  # only where the organiser has set them, as the next
    "google_pass": "tickets",
    "addresses": "addresses",  # names mailboxes; nothing replaces it
    "oidc_client_secret": "identity",  # the identity provider's for us, where it wants one
    "oidc_client_secret_before": "identity",
}


class PaymentSecrets(Protocol):
    def payments(self) -> PaymentKeys:
        """Raises DependencyUnavailableError, as each method of SecretStore."""
        ...


class SecretStore(PaymentSecrets, Protocol):
    """Gives keys; each method reads one secret, when it is first asked for.

    They are kept for a minute at most, so that a rotation is seen.
    """

    def sign_in(self) -> SignInKeys: ...

    def tickets(self) -> TicketKeys: ...

    def addresses(self) -> bytes:
        """Return the key that names mailboxes."""
        ...

    def identity(self) -> bytes:
        """Return the identity provider's client secret; empty: it wants none."""
        ...
