"""Sign the token of a ticket offer: anyone who has it may accept the ticket.

``<base64url of order (20 bytes), number (4 bytes), MAC (16 bytes)>``: 54 characters that say
nothing of its holder. Made of the offer alone, it can be shown again, and no table holds it. The
MAC is HMAC-SHA256 cut to 128 bits, under a key of its own that is derived from the origin's.
Source: RFC 2104, section 5.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Mapping

from msgspec import Struct

from fairgate.domain.shared.ids import ORDER_ID, OrderId
from fairgate.domain.shared.jws import b64url, from_b64url
from fairgate.errors import NotFoundError

TOKEN_CHARS = 54
_MAC_BYTES = 16
_OFFER = struct.Struct(">16s4sI")
_PURPOSE = b"fairgate offer of a ticket"


class NamedOffer(Struct, frozen=True):
    """An offer, as named by its link."""

    order: OrderId
    number: int


def offer_token(offer: NamedOffer, key: bytes) -> str:
    """Return the same token for the same offer. Raises ValueError for what is no order's id."""
    if not ORDER_ID.fullmatch(offer.order):
        raise ValueError("an offer needs an order's id")
    session, attempt = offer.order.split("_")[1:]
    payload = _OFFER.pack(bytes.fromhex(session), bytes.fromhex(attempt), offer.number)
    return b64url(payload + _mac(payload, key))


def read_offer_token(token: str, keys: Mapping[str, bytes]) -> NamedOffer:
    """Return the offer of a token that one of ``keys`` has signed.

    Raises:
        NotFoundError: for any other text, always with the same words.
    """
    try:
        data = from_b64url(token)
    except ValueError:
        data = b""
    payload, mac = data[: _OFFER.size], data[_OFFER.size :]
    if len(data) != _OFFER.size + _MAC_BYTES or not any(
        hmac.compare_digest(mac, _mac(payload, key)) for key in keys.values()
    ):
        raise no_such_offer()
    session, attempt, number = _OFFER.unpack(payload)
    return NamedOffer(OrderId(f"ord_{session.hex()}_{attempt.hex()}"), number)


def no_such_offer() -> NotFoundError:
    return NotFoundError("There is no such offer. Is the link whole?")


def _mac(payload: bytes, key: bytes) -> bytes:
    own = hmac.digest(key, _PURPOSE, hashlib.sha256)
    return hmac.digest(own, payload, hashlib.sha256)[:_MAC_BYTES]
