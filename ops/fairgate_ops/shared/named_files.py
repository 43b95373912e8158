"""Read the files that arguments name: of this machine, or, inside ``sent``, of a request.

Inside ``sent`` no path of the machine is read. A name is looked up, unchanged, among the files of
the request.
"""

from __future__ import annotations

import errno
import io
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import BinaryIO

NOT_SENT = "there is no such file in the request"
_sent: ContextVar[Mapping[str, bytes] | None] = ContextVar("sent", default=None)


@contextmanager
def sent(files: Mapping[str, bytes]) -> Iterator[None]:
    """Read these files, by their names, and no others."""
    before = _sent.set(files)
    try:
        yield
    finally:
        _sent.reset(before)


def opened(path: str | Path) -> BinaryIO:
    """Raises OSError."""
    files = _sent.get()
    if files is None:
        return Path(path).open("rb")
    if str(path) not in files:
        raise FileNotFoundError(errno.ENOENT, NOT_SENT)
    return io.BytesIO(files[str(path)])


def size_of(path: str | Path) -> int:
    """Raises OSError."""
    if _sent.get() is None:
        return Path(path).stat().st_size
    with opened(path) as file:
        return file.seek(0, io.SEEK_END)


def is_file(path: str | Path) -> bool:
    files = _sent.get()
    return Path(path).is_file() if files is None else str(path) in files


def no_file(path: str | Path) -> str:
    """Say that it is not there."""
    return f"There is no file {path}{'' if _sent.get() is None else ' in the request'}."
