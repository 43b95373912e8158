"""Check the proof of work for joining the queue: SHA-256(ch ":" nonce) with leading zero bits."""

from __future__ import annotations

import hashlib
import re

_NONCE = re.compile(r"0|[1-9][0-9]{0,14}")
_DIGEST_BITS = 256


def verify(ch: str, bits: int, nonce: str) -> bool:
    """Say whether ``nonce``, a whole number of at most 15 digits, solves the challenge."""
    if _NONCE.fullmatch(nonce) is None:
        return False
    digest = hashlib.sha256(f"{ch}:{nonce}".encode()).digest()
    return int.from_bytes(digest, "big") >> (_DIGEST_BITS - bits) == 0


def solve(ch: str, bits: int) -> str:
    """Find the smallest solution. Cost: about 2^bits hashes."""
    nonce = 0
    while not verify(ch, bits, str(nonce)):
        nonce += 1
    return str(nonce)
