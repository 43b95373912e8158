"""JWS compact with HS256, and nothing else.

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
from typing import Any

from fairgate.errors import UnauthenticatedError

_COMPACT = re.compile(r"([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})")
_KID = re.compile(r"[A-Za-z0-9_-]{1,16}")


def b64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_b64url(text: str) -> bytes:
    """Raises ValueError unless ``text`` is the one canonical encoding of its bytes."""
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except binascii.Error as error:
        raise ValueError("not base64url") from error
    if b64url(data) != text:
        raise ValueError("not canonical base64url")
    return data


def encode(typ: str, kid: str, claims: Mapping[str, Any], key: bytes) -> str:
    header = json.dumps({"typ": typ, "alg": "HS256", "kid": kid}, separators=(",", ":"))
    payload = json.dumps(claims, separators=(",", ":"), ensure_ascii=False)
    signed = f"{b64url(header.encode())}.{b64url(payload.encode())}"
    return f"{signed}.{b64url(_mac(key, signed))}"


def decode(token: str, *, typ: str, keys: Mapping[str, bytes], chars_max: int) -> dict[str, Any]:
    """The claims of a token of this type, signed by one of these keys.

    Raises:
        UnauthenticatedError: for anything else, always with the same text.
    """
    refused = UnauthenticatedError("The token does not verify.")
    match = _COMPACT.fullmatch(token) if len(token) <= chars_max else None
    if match is None:
        raise refused
    try:
        header = json.loads(from_b64url(match[1]))
        signature = from_b64url(match[3])
        kid = header["kid"]
        known = header == {"typ": typ, "alg": "HS256", "kid": kid} and _KID.fullmatch(kid)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise refused from error
    key = keys.get(kid) if known else None
    signed = f"{match[1]}.{match[2]}"
    if key is None or not hmac.compare_digest(signature, _mac(key, signed)):
        raise refused
    try:
        claims = json.loads(from_b64url(match[2]))
    except (ValueError, RecursionError) as error:
        raise refused from error
    if not isinstance(claims, dict):
        raise refused
    return claims


def _mac(key: bytes, signed: str) -> bytes:
    return hmac.new(key, signed.encode("ascii"), hashlib.sha256).digest()
