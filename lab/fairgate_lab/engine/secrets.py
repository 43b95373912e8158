"""Give keys that open nothing outside this process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from operator import attrgetter

from msgspec import Struct

from fairgate.ports.world import (
    ApplePassKeys,
    GooglePassKeys,
    PaymentKeys,
    SignInKeys,
    TicketKeys,
)


class AllKeys(Struct, frozen=True):
    """Every key of a deployment, whichever secret holds it."""

    auth: Mapping[str, bytes]
    auth_kid: str
    session: Mapping[str, bytes]
    session_kid: str
    webhook: bytes
    ticket: bytes
    links: bytes
    addresses: bytes
    payments: bytes = b""
    oidc_client_secret: bytes = b""
    apple_pass: ApplePassKeys | None = None
    google_pass: GooglePassKeys | None = None


KEYS = AllKeys(
    auth={"1": b"a" * 32},
    auth_kid="1",
    session={"1": b"s" * 32},
    session_kid="1",
    webhook=b"w" * 32,
    ticket=b"t" * 32,
    links=b"l" * 32,
    addresses=b"m" * 32,
)


@dataclass
class MemorySecrets:
    """Implements ports.SecretStore; assign ``current`` to rotate."""

    current: AllKeys = KEYS

    def sign_in(self) -> SignInKeys:
        return SignInKeys(*attrgetter(*SignInKeys.__struct_fields__)(self.current))

    def payments(self) -> PaymentKeys:
        return PaymentKeys(self.current.webhook, self.current.payments)

    def tickets(self) -> TicketKeys:
        return TicketKeys(*attrgetter(*TicketKeys.__struct_fields__)(self.current))

    def addresses(self) -> bytes:
        return self.current.addresses

    def identity(self) -> bytes:
        return self.current.oidc_client_secret
