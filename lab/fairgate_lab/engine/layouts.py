"""Keep files in memory: layouts, and those of the pages."""

from __future__ import annotations

from fairgate.errors import NotFoundError


class MemoryLayouts:
    """Implements ports.Layouts."""

    def __init__(self) -> None:
        self.files: dict[tuple[str, str], bytes] = {}

    def read(self, layout: str, name: str) -> bytes:
        try:
            return self.files[layout, name]
        except KeyError:
            raise NotFoundError("There is no such layout.") from None

    def write(self, layout: str, name: str, body: bytes) -> None:
        self.files[layout, name] = body


class MemorySite:
    """Implements ports.Site."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    def read(self, path: str) -> bytes:
        try:
            return self.files[path]
        except KeyError:
            raise NotFoundError("There is no such file.") from None

    def write(self, path: str, body: bytes) -> None:
        self.files[path] = body
