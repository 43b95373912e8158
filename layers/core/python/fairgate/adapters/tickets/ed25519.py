"""Sign tickets by Ed25519, from ``cryptography``, which only the ticket functions carry."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def signer(private_key: Callable[[], bytes]) -> Callable[[bytes], bytes]:
    """Make a signer from the 32 bytes ``private_key`` gives at each call: rotations are seen."""

    def sign(message: bytes) -> bytes:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return Ed25519PrivateKey.from_private_bytes(private_key()).sign(message)

    return sign


def public_key_of(private_key: bytes) -> bytes:
    """Return the 32 raw bytes that the door's scanners need."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(private_key).public_key().public_bytes_raw()


def verifier(public_key: bytes) -> Callable[[bytes, bytes], bool]:
    """Make a check of message and signature, for ``fairgate.domain.tickets.ticket.verify``."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    key = Ed25519PublicKey.from_public_bytes(public_key)

    def check(message: bytes, signature: bytes) -> bool:
        try:
            key.verify(signature, message)
        except InvalidSignature:
            return False
        return True

    return check
