"""QR codes as one SVG path or a PNG each, from ``segno``, which only the ticket functions carry."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

QUIET_ZONE = 4  # modules of white around the code; ISO/IEC 18004 asks for four


@dataclass(frozen=True, slots=True)
class QrPath:
    """``d`` draws the dark modules, one unit each, inside a white square of ``size`` units."""

    size: int
    d: str


def qr_matrix(text: str) -> list[bytes]:
    """One byte a module, row by row: 1 is dark. No quiet zone."""
    return [bytes(row) for row in _code(text).matrix]


def qr_path(text: str) -> QrPath:
    """The smallest code that holds ``text`` at error correction M (15 % may be lost)."""
    matrix = _code(text).matrix
    runs: list[str] = []
    for y, row in enumerate(matrix):
        x = 0
        while x < len(row):
            length = 1
            while x + length < len(row) and row[x + length] == row[x]:
                length += 1
            if row[x]:
                runs.append(f"M{x + QUIET_ZONE} {y + QUIET_ZONE}h{length}v1h-{length}z")
            x += length
    return QrPath(len(matrix) + 2 * QUIET_ZONE, "".join(runs))


def qr_png(text: str, pixels_min: int) -> bytes:
    """The same code in black and white, quiet zone included, at least ``pixels_min`` wide."""
    code = _code(text)
    modules = len(code.matrix) + 2 * QUIET_ZONE
    file = io.BytesIO()
    code.save(file, kind="png", scale=-(-pixels_min // modules), border=QUIET_ZONE)
    return file.getvalue()


def _code(text: str) -> Any:
    import segno

    return segno.make(text, error="m", micro=False, boost_error=False)
