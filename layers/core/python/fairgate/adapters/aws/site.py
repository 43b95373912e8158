"""Read and write the files that the edges serve as pages, in a folder or in S3."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fairgate.adapters.aws.client import SdkClient
from fairgate.adapters.aws.files import PAGE, Bucket, Folder, Kept

if TYPE_CHECKING:
    from fairgate.ports.outside import Site
    from fairgate.settings import Settings

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".json": "application/json",
    ".xml": "application/xml",
}


def site(settings: Settings) -> Site | None:
    """Choose what the settings name: a folder before a bucket; None: neither."""
    if settings.pages_dir:
        return PageFiles(Folder(Path(settings.pages_dir)))
    if settings.pages_bucket:
        return PageFiles(Bucket(settings.pages_bucket, SdkClient("s3")))
    return None


class PageFiles:
    """Implements ports.Site. Paths are made by the service, from the ids of events."""

    def __init__(self, files: Folder | Bucket) -> None:
        self._files = files

    def read(self, path: str) -> bytes:
        return self._files.read(path)

    def write(self, path: str, body: bytes) -> None:
        self._files.write(path, body, Kept(_TYPES[Path(path).suffix], PAGE))
