"""Draw QR codes as one SVG path, by ``segno``, which only the ticket functions carry."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

QUIET_ZONE = 4  # modules of white around the code; ISO/IEC 18004 asks for four


class QrPath(Struct, frozen=True):
    """A code's path: ``d`` draws the dark modules, one unit each, in a white square of ``size``."""

    size: int
    d: str


def qr_matrix(text: str) -> list[bytes]:
    """Return one byte a module, row by row: 1 is dark. No quiet zone."""
    return [bytes(row) for row in _code(text).matrix]


def dark_runs(rows: Sequence[bytes]) -> Iterator[tuple[int, int, int]]:
    """Yield ``(x, y, length)`` of each run of dark modules, the quiet zone counted in."""
    for y, row in enumerate(rows):
        x = 0
        while x < len(row):
            length = 1
            while x + length < len(row) and row[x + length] == row[x]:
                length += 1
            if row[x]:
                yield x + QUIET_ZONE, y + QUIET_ZONE, length
            x += length


def qr_path(text: str) -> QrPath:
    """Draw the smallest code that holds ``text`` at error correction M (15 % may be lost)."""
    rows = qr_matrix(text)
    runs = [f"M{x} {y}h{length}v1h-{length}z" for x, y, length in dark_runs(rows)]
    return QrPath(len(rows) + 2 * QUIET_ZONE, "".join(runs))


@functools.lru_cache(maxsize=16)
def _code(text: str) -> Any:
    """Make a code, cached: choosing its mask is slow, and a mail shows it as SVG and as PDF."""
    import segno

    return segno.make(text, error="m", micro=False, boost_error=False)
