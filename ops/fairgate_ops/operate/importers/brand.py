"""The pictures of an event's brand: drawn anew from a file, within bounds of pixels and bytes."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from fairgate.errors import MalformedInputError
from fairgate_ops.operate.importers.picture import QUALITIES, opened

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from PIL.Image import Image

# Shown 36 pixels high and up to 160 wide, on screens of three pixels a point; each of a million
# who wait loads it.
LOGO_PX, LOGO_BYTES_MAX = (480, 108), 20_000
# 16 by 9 of these at most, at least: messengers show no smaller ones wide, and no larger files.
# JPEG, because not all of them read WebP.
_STEPS_MAX, _STEPS_MIN = 80, 50
PICTURE_BYTES_MAX = 150_000
# A tenth darker than white, in so many of a hundred pixels: what is paler is not seen on it.
_SEEN, _SEEN_PER_CENT = 230, 1


def logo(file: Path) -> bytes:
    """Return a logo as PNG of at most LOGO_BYTES_MAX.

    Raises:
        MalformedInputError: no picture of a known kind, too large, not readable, or as pale as
            the pages.
    """
    from PIL.Image import Quantize

    image = opened(file)
    image.thumbnail(LOGO_PX)
    _require_seen(file, image)
    while True:
        for attempt in (image, image.quantize(256, method=Quantize.FASTOCTREE)):
            out = io.BytesIO()
            attempt.save(out, "PNG", optimize=True)
            if len(out.getvalue()) <= LOGO_BYTES_MAX:
                return out.getvalue()
        image.thumbnail((max(1, image.width // 2), max(1, image.height // 2)))


def picture(file: Path) -> bytes:
    """Return a wide picture as JPEG of 16 by 9, of at most PICTURE_BYTES_MAX.

    Raises:
        MalformedInputError: no picture of a known kind, too large, not readable, or too small.
    """
    from PIL import Image, ImageOps

    image = opened(file)
    steps = min(_STEPS_MAX, image.width // 16, image.height // 9)
    if steps < _STEPS_MIN:
        raise MalformedInputError(
            f"{file.name} has {image.width} × {image.height} pixels: a wide picture needs at least"
            f" {16 * _STEPS_MIN} × {9 * _STEPS_MIN}."
        )
    image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image).convert("RGB")
    while True:
        cut = ImageOps.fit(image, (16 * steps, 9 * steps))
        for quality in QUALITIES:
            out = io.BytesIO()
            cut.save(out, "JPEG", quality=quality, optimize=True, progressive=True)
            if len(out.getvalue()) <= PICTURE_BYTES_MAX:
                return out.getvalue()
        steps //= 2


def _require_seen(file: Path, image: Image) -> None:
    from PIL import Image

    white = Image.new("RGBA", image.size, "white")
    shades = Image.alpha_composite(white, image).convert("L").histogram()
    if sum(shades[:_SEEN]) * 100 < _SEEN_PER_CENT * image.width * image.height:
        raise MalformedInputError(
            f"{file.name} cannot be seen on white: save it with a ground of its own."
        )


ENCODED: Mapping[str, Callable[[Path], bytes]] = {"logo": logo, "picture": picture}
