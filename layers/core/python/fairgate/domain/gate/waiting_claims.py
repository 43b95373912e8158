"""Define the claims of a waiting-room token."""

from __future__ import annotations

from msgspec import Struct


class WaitingToken(Struct, frozen=True):
    """A buyer's place in an event's waiting room. Times are whole epoch seconds."""

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
