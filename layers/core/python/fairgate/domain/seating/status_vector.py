"""Code seat statuses: one byte a seat inside, digits in JSON, two bits a seat in binary.

Source: docs/api.md, ``statuses`` and ``status.bin``.
"""

from __future__ import annotations

from typing import Literal

AVAILABLE, LOCKED, RESERVED, BLOCKED = range(4)
Availability = Literal["available", "locked", "reserved", "blocked"]
CODES: dict[Availability, int] = {
    "available": AVAILABLE,
    "locked": LOCKED,
    "reserved": RESERVED,
    "blocked": BLOCKED,
}
SECTION_SEATS_MAX = 2_500  # one cache read, one page of the index (docs/data.md)

_DIGITS = b"0123"
_TO_DIGITS = bytes.maketrans(bytes(range(4)), _DIGITS)
_SEATS_A_BYTE = 4
_FOUR_CODES = [bytes((byte >> shift) & 3 for shift in (0, 2, 4, 6)) for byte in range(256)]


def code_of(availability: Availability, expires_ms: int, now_ms: int) -> int:
    """Return a seat's code as anyone may see it now: an expired lock is available.

    Raises:
        KeyError: ``availability`` is none of the four states.
    """
    code = CODES[availability]
    return AVAILABLE if code == LOCKED and expires_ms <= now_ms else code


def digits(codes: bytes) -> str:
    """Write one digit a seat, as ``statuses`` shows them."""
    return codes.translate(_TO_DIGITS).decode("ascii")


def pack(codes: bytes) -> bytes:
    """Pack two bits a seat, lowest bits first, padded with zeros to a whole byte."""
    length = -(-len(codes) // _SEATS_A_BYTE)
    padded = codes.ljust(length * _SEATS_A_BYTE, b"\0")
    # No code exceeds two bits, so shifting the four strands as wide integers never carries.
    packed = 0
    for strand in range(_SEATS_A_BYTE):
        packed |= int.from_bytes(padded[strand::_SEATS_A_BYTE], "little") << (2 * strand)
    return packed.to_bytes(length, "little")


def unpack(packed: bytes, seats: int) -> bytes:
    """Unpack ``seats`` codes: the inverse of :func:`pack`. Raises ValueError when too short."""
    if seats > len(packed) * _SEATS_A_BYTE:
        raise ValueError(f"{len(packed)} bytes do not hold {seats} seats")
    return b"".join([_FOUR_CODES[byte] for byte in packed])[:seats]


def fitted(codes: bytes, seats: int) -> bytes:
    """Return exactly ``seats`` codes: what the table does not know of is not for sale."""
    return codes[:seats].ljust(seats, bytes([BLOCKED]))
