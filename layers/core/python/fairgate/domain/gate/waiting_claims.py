"""Define the claims of a waiting-room token."""

from __future__ import annotations

from msgspec import Struct


class WaitingToken(Struct, frozen=True):
    """One buyer's place in one event's room. Times are whole epoch seconds."""

    id: str
    event: str
    sub: str
    iat: int
    exp: int
    h: float
    lot: bytes
    ch: str
    pow_bits: int
    boff: int
    challenge_level: int
