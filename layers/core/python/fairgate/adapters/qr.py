"""QR codes as one SVG path each, from ``segno``, which only the ticket functions carry."""

from __future__ import annotations

from dataclasses import dataclass

QUIET_ZONE = 4  # modules of white around the code; ISO/IEC 18004 asks for four


@dataclass(frozen=True, slots=True)
class QrPath:
    """``d`` draws the dark modules, one unit each, inside a white square of ``size`` units."""

    size: int
    d: str


def qr_path(text: str) -> QrPath:
    """The smallest code that holds ``text`` at error correction M (15 % may be lost)."""
    import segno

    matrix = segno.make(text, error="m", micro=False, boost_error=False).matrix
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
