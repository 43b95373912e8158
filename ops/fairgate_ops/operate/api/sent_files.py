"""Unpack the files of a request, within bounds."""

from __future__ import annotations

import base64
import binascii
import zlib
from typing import TYPE_CHECKING

from fairgate.errors import MalformedInputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate.http.models import ActFile

UNPACKED_BYTES_MAX = 32_000_000  # together; a venue of 100,000 seats has about 12 MB
_GZIP = b"\x1f\x8b"


def unpacked(files: Mapping[str, ActFile]) -> dict[str, bytes]:
    """Return what the files hold, by their names. Raises MalformedInputError."""
    left, bodies = UNPACKED_BYTES_MAX, {}
    for name, file in files.items():
        if not name.isprintable():
            raise MalformedInputError("A file has a name that cannot be printed.")
        body = _body(name, file, left)
        left -= len(body)
        bodies[name] = body
    return bodies


def _body(name: str, file: ActFile, most: int) -> bytes:
    if (file.text is None) == (file.base64 is None):
        raise MalformedInputError(f"The file {name} has either text or base64.")
    try:
        body = (
            file.text.encode()
            if file.text is not None
            else base64.b64decode(file.base64 or "", validate=True)
        )
    except (binascii.Error, ValueError) as error:
        raise MalformedInputError(f"The file {name} is no base64.") from error
    if body.startswith(_GZIP):
        unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
        try:
            body = unpacker.decompress(body, most + 1)
        except zlib.error as error:
            raise MalformedInputError(f"The file {name} is no gzip file that is whole.") from error
        if len(body) <= most and not unpacker.eof:
            raise MalformedInputError(f"The file {name} is no gzip file that is whole.")
    if len(body) > most:
        what = f"unpacked, the files have more than {UNPACKED_BYTES_MAX:,} bytes"
        raise MalformedInputError(f"The file {name} is too large: {what}.")
    return body
