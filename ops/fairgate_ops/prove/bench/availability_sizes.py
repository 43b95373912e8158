"""How many bytes a viewer downloads: as served, beside the JSON list that others answer with."""

from __future__ import annotations

import gzip
import json
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

import brotli  # type: ignore[import-untyped] # it has no types

from fairgate.domain.seating.status_vector import AVAILABLE, LOCKED, RESERVED, digits, pack
from fairgate.domain.shared.times import rfc3339

if TYPE_CHECKING:
    from collections.abc import Callable

SECTION_SEATS, VENUE_SEATS, VENUE_SECTIONS = 500, 100_000, 200
ROW_SEATS = 25
GZIP_LEVEL = 4  # of the local nginx and of functions/seatmap; CloudFront does not say its own
BROTLI_QUALITY = 5
LOCKED_SHARE = 0.1  # of what is taken
NOW_MS = 1_800_000_000_000
STATUSES = {AVAILABLE: "free", LOCKED: "reservedByToken", RESERVED: "booked"}


@dataclass(frozen=True)
class Size:
    what: str
    mix: str
    raw: int
    gzip: int
    brotli: int


def sizes(seed: int = 1) -> list[Size]:
    """The seats of a section and the vector of a venue, in each mix, in both forms."""
    found = []
    for mix, codes_of in MIXES.items():
        section = codes_of(SECTION_SEATS, random.Random(seed))  # noqa: S311 a drawing that repeats
        found.append(_size("section, `seats`", mix, _seats_body(section)))
        found.append(_size("section, JSON list", mix, _list_body(section)))
        venue = codes_of(VENUE_SEATS, random.Random(seed))  # noqa: S311 as above
        found.append(_size("venue, `status.bin`", mix, _vector_body(venue)))
        found.append(_size("venue, JSON list", mix, _list_body(venue)))
    return found


def empty(seats: int, _chance: random.Random) -> bytes:
    return bytes(seats)


def clumps(seats: int, chance: random.Random) -> bytes:
    """Half taken, by parties of one to six beside each other, the way a sale goes."""
    codes = bytearray(seats)
    while codes.count(AVAILABLE) > seats // 2:
        first = chance.randrange(seats)
        code = LOCKED if chance.random() < LOCKED_SHARE else RESERVED
        for index in range(first, min(seats, first + chance.randint(1, 6))):
            codes[index] = codes[index] or code
    return bytes(codes)


def scattered(seats: int, chance: random.Random) -> bytes:
    """Half taken, every seat for itself: the worst for any compressor."""
    return bytes(
        AVAILABLE
        if chance.random() < 1 / 2
        else (LOCKED if chance.random() < LOCKED_SHARE else RESERVED)
        for _ in range(seats)
    )


MIXES: dict[str, Callable[[int, random.Random], bytes]] = {
    "nothing sold": empty,
    "half sold in parties": clumps,
    "half sold at random": scattered,
}


def _seats_body(codes: bytes) -> bytes:
    body = {"event": "arena-2027", "section": "L104", "statuses": digits(codes)}
    return _json({**body, "as_of": rfc3339(NOW_MS), "id": NOW_MS * 1000})


def _vector_body(codes: bytes) -> bytes:
    each = VENUE_SEATS // VENUE_SECTIONS
    return b"".join(pack(codes[start : start + each]) for start in range(0, len(codes), each))


def _list_body(codes: bytes) -> bytes:
    """Each seat by its label, as seats.io reports objects."""
    rows = (
        {
            "id": f"L{100 + index // SECTION_SEATS}-{index % SECTION_SEATS // ROW_SEATS + 1}"
            f"-{index % ROW_SEATS + 1}",
            "status": STATUSES[code],
        }
        for index, code in enumerate(codes)
    )
    return _json(list(rows))


def _json(body: object) -> bytes:
    return json.dumps(body, separators=(",", ":")).encode()


def _size(what: str, mix: str, body: bytes) -> Size:
    zipped = gzip.compress(body, GZIP_LEVEL, mtime=0)
    return Size(
        what, mix, len(body), len(zipped), len(brotli.compress(body, quality=BROTLI_QUALITY))
    )
