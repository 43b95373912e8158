"""Draw a ticket as an SVG: portrait, for a phone's screen or half a sheet of paper.

Presentation attributes only, no style and no script, so that it shows under the strictest
content security policy and in a mail program.
"""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from fairgate.adapters.tickets.qr import qr_path
from fairgate.adapters.tickets.text import ADMITS, HINT, clean, clip, lines

if TYPE_CHECKING:
    from fairgate.domain.tickets.ticket import TicketFace

_WIDTH, _HEIGHT = 360, 640
_QR = 232  # edge of the code in user units
_INK, _MUTED, _BAND = "#14213d", "#5b6478", "#1d3557"
_FONT = "system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"


def ticket_svg(face: TicketFace) -> bytes:
    """Draw the ticket, everything on it escaped."""
    event = lines(face.event_name, 24, 2)
    place = lines(face.label, 26, 2)
    about = [clip(line, 46) for line in face.about]
    parts = [
        _text(24, 36, 11, "#cfe0f5", ADMITS, spacing=2),
        *[_text(24, 66 + 28 * i, 24, "#ffffff", line, bold=True) for i, line in enumerate(event)],
        *[_text(24, 118 + 18 * i, 13, "#cfe0f5", line) for i, line in enumerate(about)],
        *[_text(24, 206 + 28 * i, 21, _INK, line, bold=True) for i, line in enumerate(place)],
        _text(24, 262, 14, _MUTED, clip(face.tier, 42)),
        _qr(face.code, 64, 296),
        _text(180, 560, 14, _INK, f"Ticket {face.number} of {face.total}", anchor="middle"),
        _text(180, 582, 12, _MUTED, face.ticket, anchor="middle", mono=True),
        _text(180, 612, 11, _MUTED, HINT,
              anchor="middle"),
    ]  # fmt: skip
    title = html.escape(clean(f"Ticket for {face.event_name}, {face.label}"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}"'
        f' viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" font-family="{_FONT}">'
        f"<title>{title}</title>"
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="18" fill="#ffffff"/>'
        f'<path d="M0 166V18a18 18 0 0 1 18-18h324a18 18 0 0 1 18 18v148z" fill="{_BAND}"/>'
        '<path d="M16 280H344" stroke="#c3cad6" stroke-width="2" stroke-dasharray="2 8"'
        ' stroke-linecap="round"/>'
        '<circle cx="0" cy="280" r="9" fill="#e8ecf2"/><circle cx="360" cy="280" r="9"'
        ' fill="#e8ecf2"/>'
        f"{''.join(parts)}</svg>\n"
    ).encode()


def _qr(code: str, x: int, y: int) -> str:
    path = qr_path(code)
    return (
        f'<svg x="{x}" y="{y}" width="{_QR}" height="{_QR}" viewBox="0 0 {path.size} {path.size}"'
        f' shape-rendering="crispEdges"><rect width="{path.size}" height="{path.size}"'
        f' fill="#ffffff"/><path d="{path.d}" fill="#000000"/></svg>'
    )


def _text(
    x: int,
    y: int,
    size: int,
    color: str,
    text: str,
    *,
    bold: bool = False,
    mono: bool = False,
    anchor: str = "start",
    spacing: int = 0,
) -> str:
    weight = ' font-weight="700"' if bold else ""
    family = ' font-family="ui-monospace, Menlo, Consolas, monospace"' if mono else ""
    wide = f' letter-spacing="{spacing}"' if spacing else ""
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" fill="{color}" text-anchor="{anchor}"'
        f"{weight}{family}{wide}>{html.escape(text)}</text>"
    )
