"""Write a file of the operator's whole or not at all, and say beforehand where it cannot be."""

from __future__ import annotations

import io
import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from fairgate.errors import MalformedInputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from _typeshed import ReadableBuffer


def check_writable(path: str | Path) -> None:
    """Say whether a file can be written there, writing nothing: a dry run refuses the same.

    Raises MalformedInputError.
    """
    path = Path(path).absolute()
    if path.is_dir():
        raise MalformedInputError(f"{path} is a folder: name a file.")
    if not path.parent.is_dir():
        raise MalformedInputError(f"There is no folder for {path}.")
    where = path.parent if draft_of(path) != path else path
    if not os.access(where, os.W_OK):
        raise MalformedInputError(f"{path} cannot be written: {where} lets nobody write.")


def draft_of(path: Path) -> Path:
    """Return what to write to before it gets its name; a device or a pipe is written to itself."""
    return path if path.exists() and not path.is_file() else path.with_name(f".{path.name}.part")


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Write it, a text as UTF-8; the file is there whole, or as it was.

    Raises MalformedInputError.
    """
    check_writable(path)
    with whole_file(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def whole_file(path: str | Path, mode: int = 0o666) -> Iterator[BinaryIO]:
    """Open a file that gets its name once the block is done; else all is as it was.

    Raises MalformedInputError, also out of what writes in the block: it cannot be written.
    """
    path = Path(path)
    draft = draft_of(path)
    with _refused(path):
        raw = _Draft(draft, path, mode)
    try:
        with raw:
            file = io.BufferedWriter(raw)
            yield file
            file.flush()
        if draft != path:
            with _refused(path):
                draft.replace(path)
    finally:
        if draft != path:
            draft.unlink(missing_ok=True)


class _Draft(io.FileIO):
    """What is written before it gets its name."""

    def __init__(self, draft: Path, path: Path, mode: int) -> None:
        super().__init__(draft, "w", opener=lambda name, flags: os.open(name, flags, mode))
        self._path = path

    def write(self, block: ReadableBuffer, /) -> int:
        """Raises MalformedInputError."""
        with _refused(self._path):
            return super().write(block)


@contextmanager
def _refused(path: Path) -> Iterator[None]:
    """Raises MalformedInputError in place of OSError."""
    try:
        yield
    except OSError as error:
        raise MalformedInputError(f"{path} cannot be written: {error.strerror}.") from error
