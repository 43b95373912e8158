"""The brand of an event, for the stub: a logo and a picture as they are kept."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from msgspec import to_builtins
from PIL import Image, ImageDraw, ImageOps

from fairgate.domain.catalog.brand import palette_of
from fairgate.domain.catalog.brand_files import NAMES, address_of

if TYPE_CHECKING:
    from tests.e2e.stub.server import Stub

SELLER = "Tides & Sons"


def logo() -> bytes:
    """Draw a wave and three letters on nothing."""
    image = Image.new("RGBA", (324, 108))
    draw = ImageDraw.Draw(image)
    draw.ellipse((6, 6, 102, 102), fill="#c2003c")
    draw.arc((24, 24, 84, 84), 180, 360, fill="white", width=12)
    draw.rectangle((120, 30, 310, 46), fill="#15181d")
    draw.rectangle((120, 62, 260, 78), fill="#15181d")
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def picture() -> bytes:
    """Draw an evening by the water."""
    image = Image.linear_gradient("L").resize((1280, 720)).convert("RGB")
    image = ImageOps.colorize(image.convert("L"), "#1c1040", "#ff9e5a", mid="#c2003c")
    draw = ImageDraw.Draw(image)
    draw.ellipse((560, 300, 760, 500), fill="#ffe9a8")
    draw.rectangle((0, 500, 1280, 720), fill="#141033")
    for step in range(12):
        draw.rectangle((100 + 90 * step, 470 - 17 * (step % 5), 150 + 90 * step, 500), fill="black")
    out = io.BytesIO()
    image.save(out, "JPEG")
    return out.getvalue()


def branded(stub: Stub) -> None:
    """Give the stub's event a brand."""
    world = stub.world
    world.colors = {**to_builtins(palette_of("#c2003c")), "accent": "#ffd400"}
    world.files |= {"logo.png": logo(), "picture.jpg": picture()}
    addresses = {fact: address_of(fact, world.files[name]) for fact, name in NAMES.items()}
    world.sellers |= {"seller_name": SELLER, "font": "serif", **addresses}
