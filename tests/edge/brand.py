"""The brand of an event, for the stub: a logo as it is kept."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from msgspec import to_builtins
from PIL import Image, ImageDraw

from fairgate.domain.catalog.brand import palette_of
from fairgate.domain.catalog.brand_files import address_of

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


def branded(stub: Stub) -> None:
    """Give the stub's event a brand."""
    world = stub.world
    world.colors = {**to_builtins(palette_of("#c2003c")), "accent": "#ffd400"}
    world.files["logo.png"] = logo()
    world.sellers |= {"seller_name": SELLER, "logo": address_of("logo", world.files["logo.png"])}
