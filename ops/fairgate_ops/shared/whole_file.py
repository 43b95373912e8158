"""Write a file of the operator's whole or not at all, and say beforehand where it cannot be."""

from __future__ import annotations

import os
from pathlib import Path

from fairgate.errors import MalformedInputError


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
    path = Path(path)
    check_writable(path)
    draft = draft_of(path)
    try:
        try:
            draft.write_bytes(content.encode() if isinstance(content, str) else content)
            if draft != path:
                draft.replace(path)
        finally:
            if draft != path:
                draft.unlink(missing_ok=True)
    except OSError as error:
        raise MalformedInputError(f"{path} cannot be written: {error.strerror}.") from error
