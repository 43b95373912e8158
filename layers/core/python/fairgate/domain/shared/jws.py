"""Sign and verify JWS compact with HS256, and nothing else.

The verifier is chosen by the caller, never by the token's ``alg``; the signature is checked over
the exact bytes received. Source: RFC 7515 section 5.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from fairgate.errors import UnauthenticatedError

_COMPACT = re.compile(r"([A-Za-z0-9_-]+)\.((?:[A-Za-z0-9_-]{4})+)\.([A-Za-z0-9_-]{43})")

ISSUED_AHEAD_S = 60  # no clock of ours is this much ahead of another
MOMENT = r"(?:[1-9][0-9]{9})"  # epoch seconds in a payload the edge reads, until the year 2286


def b64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_b64url(text: str) -> bytes:
    """Decode. Raises ValueError unless ``text`` is the one canonical encoding of its bytes."""
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except binascii.Error as error:
        raise ValueError("not base64url") from error
    if b64url(data) != text:
        raise ValueError("not canonical base64url")
    return data


def mac(key: bytes, text: str) -> bytes:
    """Compute HMAC-SHA256 under a key as written, its base64url: so the edge need not decode it."""
    return hmac.digest(b64url(key).encode(), text.encode(), hashlib.sha256)


def encode(typ: str, kid: str, claims: Mapping[str, Any], key: bytes) -> str:
    """Return the token.

    Its payload has blanks before the last brace up to a multiple of three bytes, so its base64
    leaves no bits over. Verifying asks for that.
    """
    payload = json.dumps(claims, separators=(",", ":"), ensure_ascii=False).encode()
    padded = payload[:-1] + b" " * (-len(payload) % 3) + b"}"
    signed = f"{_header(typ, kid)}.{b64url(padded)}"
    return f"{signed}.{b64url(mac(key, signed))}"


def decode(token: str, *, typ: str, keys: Mapping[str, bytes], chars_max: int) -> dict[str, Any]:
    """Return the claims of a token of this type, signed by one of these keys.

    Raises:
        UnauthenticatedError: for anything else, always with the same text.
    """
    payload = verified_payload(token, typ=typ, keys=keys, chars_max=chars_max)
    try:
        claims = json.loads(payload)
    except (ValueError, RecursionError) as error:
        raise _refused() from error
    if not isinstance(claims, dict):
        raise _refused()
    return claims


def verified_payload(token: str, *, typ: str, keys: Mapping[str, bytes], chars_max: int) -> str:
    """Return the payload, as text, of a token whose header is ours for one of these keys.

    Raises:
        UnauthenticatedError: for anything else, always with the same text.
    """
    match = _COMPACT.fullmatch(token) if len(token) <= chars_max else None
    if match is None:
        raise _refused()
    header, payload, signature = match.groups()
    key = next((keys[kid] for kid in keys if _header(typ, kid) == header), None)
    if key is None:
        raise _refused()
    # Compared as text: a signature has one spelling. Both are ASCII.
    if not hmac.compare_digest(signature, b64url(mac(key, f"{header}.{payload}"))):
        raise _refused()
    try:
        return from_b64url(payload).decode()
    except ValueError as error:
        raise _refused() from error


@lru_cache(maxsize=64)  # a few types under a few keys of ours: none comes from a token
def _header(typ: str, kid: str) -> str:
    header = json.dumps({"typ": typ, "alg": "HS256", "kid": kid}, separators=(",", ":"))
    return b64url(header.encode())


def _refused() -> UnauthenticatedError:
    return UnauthenticatedError("The token does not verify.")
