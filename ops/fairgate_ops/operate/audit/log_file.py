"""The admission log as a file: JSON lines, gzipped, with a first line that says what it is and a
last one that counts. docs/fairness.md describes it.
"""

from __future__ import annotations

import gzip
import json
import zlib
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairgate.errors import MalformedInputError
from fairgate_ops.shared.whole_file import whole_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

FORMAT = "fairgate-admission-log/1"
BLOCK_BYTES = 4 * 1024 * 1024
_GZIP_MAGIC = b"\x1f\x8b"
_LEVEL = 3  # random ids hardly compress: higher levels cost minutes and gain little


class LogWriter:
    """Writes lines and counts them; the last line is the count."""

    def __init__(self, file: gzip.GzipFile) -> None:
        self._file = file
        self.counts = {"admissions": 0, "orders": 0}

    def head(self, event: str, *, published: bool, exported_at: str) -> None:
        self._line(
            {"format": FORMAT, "event": event, "published": published, "exported_at": exported_at}
        )

    def admission(self, fields: Mapping[str, Any]) -> None:
        self.counts["admissions"] += 1
        self._line(fields)

    def order(self, fields: Mapping[str, Any]) -> None:
        self.counts["orders"] += 1
        self._line(fields)

    def end(self, sessions_used: int) -> None:
        """``sessions_used``: what the users' own counters say."""
        self._line({"end": {**self.counts, "sessions_used": sessions_used}})

    def _line(self, fields: Mapping[str, Any]) -> None:
        self._file.write(json.dumps(fields, separators=(",", ":")).encode() + b"\n")


@contextmanager
def write_log(path: str) -> Iterator[LogWriter]:
    """The file appears whole, under its name, or not at all.

    Raises MalformedInputError: it cannot be written.
    """
    with (
        whole_file(path) as file,
        gzip.GzipFile(Path(path).name, "wb", compresslevel=_LEVEL, fileobj=file) as zipped,
    ):
        yield LogWriter(zipped)


def read_blocks(path: str) -> Iterator[tuple[int, bytes]]:
    """Whole lines, some megabytes at a time, with the number of the first.

    Raises MalformedInputError when the file cannot be read or is cut off.
    """
    try:
        with Path(path).open("rb") as raw:
            zipped = raw.read(2) == _GZIP_MAGIC
            raw.seek(0)
            with gzip.open(raw) if zipped else raw as file:
                yield from _blocks(file)
    except OSError as error:  # gzip.BadGzipFile among them
        raise MalformedInputError(f"{path} cannot be read: {error.strerror or error}.") from error
    except (EOFError, zlib.error) as error:
        raise MalformedInputError(
            f"{path} is cut off or damaged ({error}). Export it again."
        ) from error


def _blocks(file: Any) -> Iterator[tuple[int, bytes]]:
    number, rest = 1, b""
    while block := file.read(BLOCK_BYTES):
        whole, newline, rest_of_it = (rest + block).rpartition(b"\n")
        if newline:
            yield number, whole
            number += whole.count(b"\n") + 1
        rest = rest_of_it
    if rest:
        yield number, rest


def read_head(path: str, block: bytes) -> dict[str, Any]:
    """The first line. Raises MalformedInputError when this is no admission log."""
    try:
        head = json.loads(block.partition(b"\n")[0])
    except ValueError:
        head = None
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise MalformedInputError(
            f"{path} is not an admission log. `fairgate audit export` writes one."
        )
    return head
