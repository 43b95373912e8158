"""Draw tickets as PDF to print, as PNG for a phone's pictures and as SVG for pages and mails."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any

from fairgate.adapters.tickets.qr import qr_path
from fairgate.adapters.tickets.typeset import text_of, typeset
from fairgate.domain.catalog.brand import palette_of
from fairgate.domain.shared.wording import wording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate.domain.tickets.ticket import TicketFace

_TEMPLATE = "ticket"
_EDGE = 232  # of the code with its quiet zone
# From the top of the page, in units of which its width has 360. A6 has the proportions of paper.
_PHONE = {
    "band": 170, "top": 20, "event": 40, "event_height": 66, "about": 108, "about_height": 56,
    "section": 180, "section_height": 44, "place": 230, "place_height": 32, "tier": 265,
    "tier_height": 18, "code": 296, "code_edge": _EDGE, "number": 544, "ticket": 568, "hint": 600,
}  # fmt: skip
_A6 = {
    "band": 128, "top": 14, "event": 30, "event_height": 46, "about": 78, "about_height": 46,
    "section": 136, "section_height": 28, "place": 165, "place_height": 28, "tier": 194,
    "tier_height": 15, "code": 210, "code_edge": _EDGE, "number": 446, "ticket": 466, "hint": 484,
}  # fmt: skip
_PHONE_SIZE, _A6_SIZE = (360.0, 640), (297.64, 507)
# The head of a ticket: its ground, the name on it, the smaller letters, and a line below it.
_HEAD = {"band": "#1d3557", "name": "#ffffff", "small": "#cfe0f5", "line": ""}
_GLYPH = re.compile(r"\bg[0-9A-F]{32}\b")
_DIGITS = re.compile(r"(\.[0-9]{2})[0-9]+")
_PPI = 216  # 1,080 pixels wide


def ticket_pdf(faces: Sequence[TicketFace], logo: bytes = b"") -> bytes:
    """Draw the tickets, a page each, with real text and codes of vectors.

    Args:
        logo: the PNG of their event; b"": none.
    """
    return typeset(_TEMPLATE, _data(faces, _A6_SIZE, _A6) | {"logo": list(logo)}, "pdf")


def ticket_png(face: TicketFace, logo: bytes = b"") -> bytes:
    data = _data([face], _PHONE_SIZE, _PHONE) | {"logo": list(logo)}
    return typeset(_TEMPLATE, data, "png", _PPI)


def ticket_svg(face: TicketFace) -> bytes:
    """Draw the ticket by outlines alone, so that every viewer shows the same.

    Its words are in the title. It has no style, no script and no picture, so that it shows under
    the strictest content security policy and in a mail program.
    """
    data = _data([face], _PHONE_SIZE, _PHONE)
    words = _words(data, data["faces"][0])
    data["faces"][0]["code"] = ""
    drawn = typeset(_TEMPLATE, data, "svg").decode()
    head, _, body = _shorter(drawn).partition(">")
    title = html.escape(", ".join(words))
    code = _code_svg(face.code, (360 - _EDGE) // 2, _PHONE["code"])
    whole = body.rstrip().removesuffix("</svg>")
    return f'{head} role="img"><title>{title}</title>{whole}{code}</svg>\n'.encode()


def _shorter(drawn: str) -> str:
    """Return the SVG with short names of its glyphs, two decimals, and without defaults."""
    names = dict.fromkeys(_GLYPH.findall(drawn))
    short = {name: f"g{number}" for number, name in enumerate(names)}
    drawn = _DIGITS.sub(r"\1", drawn.replace(' fill-rule="nonzero"', ""))
    return _GLYPH.sub(lambda found: short[found[0]], drawn)


def _data(
    faces: Sequence[TicketFace], size: tuple[float, int], places: dict[str, int]
) -> dict[str, Any]:
    words = wording(faces[0].language)
    title = words.counted("ticket.title", len(faces), event=faces[0].event_name)
    width, height = size
    return {
        "language": words.language,
        "rtl": words.direction == "rtl",
        "title": text_of(title)["text"],
        "width": width,
        "height": height,
        "places": places,
        "admits": words("ticket.admits"),
        "hint": words("ticket.hint"),
        "alt": words("ticket.code"),
        "logo": [],
        "faces": [_face(face) for face in faces],
    }


def _face(face: TicketFace) -> dict[str, Any]:
    return {
        "head": _head(face),
        "event": text_of(face.event_name),
        "about": text_of("\n".join(face.about)),
        "section": text_of(face.section),
        "place": text_of(face.place_in_section),
        "tier": text_of(face.tier),
        "code": _code_svg(face.code, 0, 0),
        "number": wording(face.language)(
            "ticket.number", number=str(face.number), total=str(face.total)
        ),
        "ticket": face.ticket,
    }


def _head(face: TicketFace) -> dict[str, str]:
    """Return the colours of the head: a button of the event's pages, whose letters can be read."""
    if not face.color_1:
        return _HEAD
    button = palette_of(face.color_1).light
    return {
        "band": button.button,
        "name": button.text,
        "small": button.text,
        "line": face.color_2.lower(),
    }


def _words(data: dict[str, Any], face: dict[str, Any]) -> list[str]:
    texts = [face[name]["text"] for name in ("event", "about", "section", "place", "tier")]
    lines = [line for text in texts for line in text.split("\n") if line]
    return [data["admits"], *lines, face["number"], face["ticket"], data["hint"]]


def _code_svg(code: str, x: int, y: int) -> str:
    path = qr_path(code)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" x="{x}" y="{y}" width="{_EDGE}" height="{_EDGE}"'
        f' viewBox="0 0 {path.size} {path.size}" shape-rendering="crispEdges">'
        f'<rect width="{path.size}" height="{path.size}" fill="#ffffff"/>'
        f'<path d="{path.d}" fill="#000000"/></svg>'
    )
