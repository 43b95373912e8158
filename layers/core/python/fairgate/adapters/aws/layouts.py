"""Read and write the files of layouts and brands, in a folder or S3.

They never change, so those that were read are kept in memory.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING

from fairgate.adapters.aws.client import SdkClient
from fairgate.adapters.aws.files import PINNED, Bucket, Folder, Kept
from fairgate.domain.catalog.brand_files import TYPES
from fairgate.domain.seating.layout import HASH_CHARS, INDEX, OVERVIEW, PICTURE, SEATS
from fairgate.domain.shared.ids import PLACE_ID
from fairgate.errors import NotFoundError

if TYPE_CHECKING:
    from fairgate.ports.outside import Layouts
    from fairgate.settings import Settings

READ_S = 5.0  # a layout has some megabytes
S3_PREFIX = "layouts/"  # the path under which CloudFront serves them
_KEPT_BYTES_MAX = 32_000_000  # a venue of 100,000 seats has about 12 MB of them
_HASH = re.compile(rf"[0-9a-f]{{{HASH_CHARS}}}")
_FIXED = "|".join(map(re.escape, (OVERVIEW, INDEX, SEATS, PICTURE, *TYPES)))
_NAME = re.compile(rf"{_FIXED}|sections/{PLACE_ID.pattern}\.json")


def layouts(settings: Settings) -> Layouts:
    """Choose the store that the settings name: a folder before a bucket."""
    if settings.layouts_dir:
        return KeptLayouts(DirectoryLayouts(Path(settings.layouts_dir)))
    return KeptLayouts(S3Layouts(settings.layouts_bucket, SdkClient("s3", read_s=READ_S)))


class DirectoryLayouts:
    """Reads ``<folder>/<hash>/<name>``, which the web server that serves the folder can read."""

    def __init__(self, folder: Path) -> None:
        self._files = Folder(folder)

    def read(self, layout: str, name: str) -> bytes:
        return self._files.read(_checked(layout, name))

    def write(self, layout: str, name: str, body: bytes) -> None:
        """Write atomically: a reader sees the whole file or none."""
        self._files.write(_checked(layout, name), body, _kept(name))


class S3Layouts:
    """Reads ``layouts/<hash>/<name>`` in the bucket that CloudFront serves."""

    def __init__(self, bucket: str, s3: SdkClient) -> None:
        self._files = Bucket(bucket, s3)

    def read(self, layout: str, name: str) -> bytes:
        return self._files.read(S3_PREFIX + _checked(layout, name))

    def write(self, layout: str, name: str, body: bytes) -> None:
        self._files.write(S3_PREFIX + _checked(layout, name), body, _kept(name))


class KeptLayouts:
    """Keeps the files read last, up to a number of bytes: immutable, so never stale."""

    def __init__(self, inner: Layouts, *, bytes_max: int = _KEPT_BYTES_MAX) -> None:
        self._inner = inner
        self._bytes_max = bytes_max
        self._bytes = 0
        self._files: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        self._lock = threading.Lock()

    def read(self, layout: str, name: str) -> bytes:
        key = (layout, name)
        with self._lock:
            if key in self._files:
                self._files.move_to_end(key)
                return self._files[key]
        body = self._inner.read(layout, name)
        with self._lock:
            self._keep(key, body)
        return body

    def write(self, layout: str, name: str, body: bytes) -> None:
        self._inner.write(layout, name, body)

    def _keep(self, key: tuple[str, str], body: bytes) -> None:
        if key in self._files or len(body) > self._bytes_max:
            return
        self._files[key] = body
        self._bytes += len(body)
        while self._bytes > self._bytes_max:
            _, dropped = self._files.popitem(last=False)
            self._bytes -= len(dropped)


def _checked(layout: str, name: str) -> str:
    """Return the relative path. Raises NotFoundError for a name that no layout has."""
    if not _HASH.fullmatch(layout) or not _NAME.fullmatch(name):
        raise _missing()
    return f"{layout}/{name}"


def _kept(name: str) -> Kept:
    return Kept(TYPES.get(name, "application/json"), PINNED)


def _missing() -> NotFoundError:
    return NotFoundError("There is no such layout file.")
