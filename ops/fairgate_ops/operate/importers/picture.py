"""The picture below a chart: from a file beside it, never from another host.

Its type is told by its content. It is drawn anew and written as WebP, so that nothing of the file
but its pixels comes to buyers.
"""

from __future__ import annotations

import base64
import io
import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from fairgate.domain.seating.parse_venue import PICTURE_BYTES_MAX
from fairgate.domain.seating.venue import Picture
from fairgate.errors import MalformedInputError
from fairgate_ops.shared import named_files

if TYPE_CHECKING:
    from PIL.Image import Image

    from fairgate.domain.shared.reading import Point, Problems

FILE_BYTES_MAX = 20_000_000
PIXELS_MAX = 50_000_000
SIDE_PX = 2_048  # the longer side of what buyers load
FORMATS = ("PNG", "JPEG", "WEBP")
_ENDINGS = (".png", ".jpg", ".jpeg", ".webp")
QUALITIES = (82, 70, 55, 40)  # the first that is small enough is taken
_NAME = re.compile(r"[\w .()+@-]{1,200}")


@dataclass
class ChartPicture:
    """A picture below the chart. ``width``, ``height``: its own size, or 0: that of its pixels."""

    where: str
    files: list[str]  # names that its file may have
    center: Point
    scale: float
    width: float
    height: float
    opacity: float


def file_name(said: str) -> str:
    """Return the name of the file in an address or key, '' where it can be none."""
    try:
        path = urlsplit(said).path
    except ValueError:  # its host is none, as in https://[
        return ""
    name = PurePosixPath(unquote(path)).name
    return name if _NAME.fullmatch(name) and not name.startswith(".") else ""


def found_picture(picture: ChartPicture, beside: Path | None, problems: Problems) -> Picture | None:
    """Return the chart's picture in the chart's coordinates.

    None with a note: its file is not beside the chart.
    """
    names = [
        name if name.lower().endswith(_ENDINGS) else name + ending
        for name in picture.files
        if name
        for ending in _ENDINGS
    ]
    if not names:
        return None
    file = (
        next((beside / name for name in names if named_files.is_file(beside / name)), None)
        if beside
        else None
    )
    if file is None:
        shown = f"{Path(names[-1]).stem}.png"
        what = f"its picture is left out. Save it beside the chart as {shown} to have it"
        problems.note(picture.where, what)
        return None
    try:
        webp, (wide, high) = encoded(file)
    except MalformedInputError as error:
        problems.add(picture.where, str(error))
        return None
    width = (picture.width or wide) * picture.scale
    height = (picture.height or high) * picture.scale
    left, top = picture.center[0] - width / 2, picture.center[1] - height / 2
    return Picture(webp, left, top, width, height, picture.opacity)


def with_picture(document: object, beside: Path | None) -> object:
    """Return a venue's document with the picture that it names as ``file`` in the place of it.

    Raises:
        MalformedInputError: there is no such file beside it, or it is no picture; or the picture in
            the document has too many pixels.
    """
    picture = document.get("picture") if isinstance(document, Mapping) else None
    if not isinstance(document, Mapping) or not isinstance(picture, Mapping):
        return document
    if "file" not in picture:
        if fault := _fault_of(picture.get("webp")):
            raise MalformedInputError(f"picture.webp {fault}: name its file instead.")
        return document
    said = picture["file"]
    name = file_name(said) if isinstance(said, str) else ""
    if not name or name != said or beside is None or not named_files.is_file(beside / name):
        raise MalformedInputError(
            "picture.file must be the name of a picture beside the venue's file, and is none. "
            "Pictures are not loaded from addresses: save it there."
        )
    webp, _ = encoded(beside / name)
    kept: dict[str, Any] = {key: value for key, value in picture.items() if key != "file"}
    return {**document, "picture": kept | {"webp": base64.b64encode(webp).decode()}}


def encoded(file: Path) -> tuple[bytes, tuple[int, int]]:
    """Return a picture as WebP of at most PICTURE_BYTES_MAX, and the size that it had in pixels.

    Raises:
        MalformedInputError: no picture of a known kind, too large, or it cannot be read.
    """
    image = opened(file)
    size = image.size
    while True:
        image.thumbnail((SIDE_PX, SIDE_PX))
        for quality in QUALITIES:
            out = io.BytesIO()
            image.save(out, "WEBP", quality=quality, method=4)
            if len(out.getvalue()) <= PICTURE_BYTES_MAX:
                return out.getvalue(), size
        image.thumbnail((max(1, image.width // 2), max(1, image.height // 2)))


def _fault_of(webp: object) -> str:
    """Say why phones cannot draw it, '' where they can: 34 bytes may have 268 million pixels.

    What does not begin as a WebP file has no fault here: ``parse_venue`` names it.
    """
    from PIL import Image

    many = f"has more than {SIDE_PX:,} by {SIDE_PX:,} pixels"
    file = b""
    try:
        file = base64.b64decode(webp if isinstance(webp, str) else "")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(file), formats=("WEBP",)) as image:
                if max(image.size) > SIDE_PX:
                    return many
    except Image.DecompressionBombError:
        return many
    except (OSError, ValueError, SyntaxError):
        return "cannot be read" if file[:4] == b"RIFF" and file[8:12] == b"WEBP" else ""
    return ""


def opened(file: Path) -> Image:
    """Return the picture of a file, upright. Raises MalformedInputError."""
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        size = named_files.size_of(file)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # bounded here
            if size <= FILE_BYTES_MAX:
                with (
                    named_files.opened(file) as read,
                    Image.open(read, formats=FORMATS) as image,
                ):
                    if image.width * image.height <= PIXELS_MAX:
                        return ImageOps.exif_transpose(_in_bytes(image)).convert("RGBA")
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError) as error:
        raise MalformedInputError(named_files.no_file(file)) from error
    except UnidentifiedImageError as error:
        known = "PNG, JPEG or WebP"
        raise MalformedInputError(f"{file.name} is no picture of the kind {known}.") from error
    except Image.DecompressionBombError:
        pass  # of far more pixels than PIXELS_MAX
    except Exception as error:  # damaged EXIF makes Pillow raise errors of any kind
        raise MalformedInputError(f"{file.name} cannot be read: save it again as PNG.") from error
    many = f"{FILE_BYTES_MAX:,} bytes" if size > FILE_BYTES_MAX else f"{PIXELS_MAX:,} pixels"
    raise MalformedInputError(f"{file.name} has more than {many}: save it smaller.")


def _in_bytes(image: Image) -> Image:
    """Return greys of 16 bits as such of 8: Pillow would make all but the darkest white."""
    if not image.mode.startswith("I"):
        return image
    return image.point(lambda grey: grey / 257).convert("L")
