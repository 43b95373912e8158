"""Bind a draw before anyone can know it, and check it after: commit, beacon and reveal.

The seed K is committed to as SHA-256(K) when the event is published. Lottery tickets are made with
K, always. Lottery numbers are drawn from the tickets with K, or with a beacon's key made from K
and a public value that did not exist at the commitment. So a ticket stays what it is when the
beacon is mixed in, and nobody, not even the operator, knew a number before. See docs/fairness.md.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import TYPE_CHECKING

from fairgate.domain.shared.jws import from_b64url, mac
from fairgate.errors import MalformedInputError

if TYPE_CHECKING:
    from collections.abc import Sequence

KEY_BYTES = 32
# Printable, without blanks at the ends, because people read it aloud and copy it.
_BEACON = re.compile(r"[!-~](?:[ -~]{0,254}[!-~])?")
_HEX_KEY = re.compile(r"[0-9a-fA-F]{64}")


def commitment_of(draw_key: bytes) -> str:
    """Return the draw key's SHA-256 in hex, which is published before the sale."""
    return hashlib.sha256(draw_key).hexdigest()


def keeps_commitment(draw_key: bytes, commitment: str) -> bool:
    """Say whether the commitment, in hex or base64url, is this key's."""
    digest = hashlib.sha256(draw_key).digest()
    if _HEX_KEY.fullmatch(commitment):
        return hmac.compare_digest(digest.hex(), commitment.lower())
    try:
        return hmac.compare_digest(digest, from_b64url(commitment))
    except ValueError:
        return False


def beacon_key(draw_key: bytes, event: str, value: str) -> bytes:
    """Derive the key of the lottery numbers from the draw key and a beacon's ``value``."""
    return mac(draw_key, f"beacon|{event}|{value}")


def check_beacon_value(value: str) -> str:
    """Raise MalformedInputError unless it is 1 to 256 printable ASCII characters."""
    if not _BEACON.fullmatch(value):
        raise MalformedInputError(
            "A beacon's value is 1 to 256 printable ASCII characters without blanks around them:"
            " copy it exactly as its source publishes it."
        )
    return value


def parse_draw_key(text: str) -> bytes:
    """Read a revealed key, 64 hexadecimal digits. Raises MalformedInputError."""
    if not _HEX_KEY.fullmatch(text):
        raise MalformedInputError("A draw key is 64 hexadecimal digits.")
    return bytes.fromhex(text)


def time_of(epochs: Sequence[tuple[float, float, float]], h: float) -> float | None:
    """Return the first moment at which operational time reaches ``h``; None: these epochs never do.

    ``epochs`` are (start, H, slope), ascending.
    """
    if not epochs or h <= epochs[0][1]:
        return epochs[0][0] if epochs else None
    ends = [start for start, _h, _slope in epochs[1:]] + [float("inf")]
    for (start, level, slope), end in zip(epochs, ends, strict=True):
        if slope > 0 and level + (end - start) * slope >= h:
            return start + max(0.0, (h - level) / slope)
    return None
