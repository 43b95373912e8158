"""Draw a ticket as a PNG, for a phone's pictures: the code by ``segno``, the rest by Pillow."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from fairgate.adapters.tickets.font import BOLD, REGULAR, font_path, in_font
from fairgate.adapters.tickets.qr import qr_png
from fairgate.adapters.tickets.text import ADMITS, HINT, clip, lines

if TYPE_CHECKING:
    from fairgate.domain.tickets.ticket import TicketFace

_WIDTH, _HEIGHT = 1080, 1800
_CODE = 720  # edge of the QR code in pixels, at least
_INK, _MUTED, _BAND, _PALE = "#14213d", "#5b6478", "#1d3557", "#cfe0f5"
# Each text on its ground, with the steps between them that its edges have: looking for the best
# colours of two million pixels took most of a ticket's time.
_ON = ((_INK, "#ffffff"), (_MUTED, "#ffffff"), ("#ffffff", _BAND), (_PALE, _BAND))
_STEPS = 3
_DEPTH = 4  # bits a pixel: sixteen colours


def ticket_png(face: TicketFace) -> bytes:
    """Draw it in at most sixteen colours, so that it stays small."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (_WIDTH, _HEIGHT), "#ffffff")
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, _WIDTH, 470), fill=_BAND)
    _text(draw, 72, 62, 32, _PALE, ADMITS)
    for number, line in enumerate(lines(in_font(face.event_name), 26, 2)):
        _text(draw, 72, 122 + 84 * number, 64, "#ffffff", line, bold=True)
    for number, line in enumerate(face.about):
        _text(draw, 72, 312 + 50 * number, 36, _PALE, clip(in_font(line), 46))
    for number, line in enumerate(lines(in_font(face.label), 30, 2)):
        _text(draw, 72, 540 + 76 * number, 56, _INK, line, bold=True)
    _text(draw, 72, 720, 38, _MUTED, clip(in_font(face.tier), 44))
    code = Image.open(io.BytesIO(qr_png(face.code, _CODE))).convert("RGB")
    image.paste(code, ((_WIDTH - code.width) // 2, 800))
    below = 800 + code.height
    _centred(draw, below + 20, 38, _INK, f"Ticket {face.number} of {face.total}")
    _centred(draw, below + 80, 32, _MUTED, face.ticket)
    _centred(draw, below + 130, 28, _MUTED, HINT)
    file = io.BytesIO()
    image.quantize(palette=_palette(), dither=Image.Dither.NONE).save(file, "PNG", bits=_DEPTH)
    return file.getvalue()


def _palette() -> Any:
    from PIL import Image, ImageColor

    colors: list[tuple[int, ...]] = [(0, 0, 0)]  # of the code
    for text, ground in _ON:
        ends = list(zip(ImageColor.getrgb(text), ImageColor.getrgb(ground), strict=True))
        colors += [
            tuple((a * (_STEPS - step) + b * step) // _STEPS for a, b in ends)
            for step in range(_STEPS + 1)
        ]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for color in dict.fromkeys(colors) for part in color])
    return palette


def _text(
    draw: Any, x: int, y: int, size: int, color: str, text: str, *, bold: bool = False
) -> None:
    draw.text((x, y), text, fill=color, font=_font(size, bold=bold))


def _centred(draw: Any, y: int, size: int, color: str, text: str) -> None:
    font = _font(size)
    draw.text(((_WIDTH - draw.textlength(text, font=font)) / 2, y), text, fill=color, font=font)


def _font(size: int, *, bold: bool = False) -> Any:
    from PIL import ImageFont

    return ImageFont.truetype(font_path(BOLD if bold else REGULAR), size)
