"""Print on any standard output and standard error.

A terminal may lack letters, and a parent process may have closed a stream. Neither stops a command
or looks like a failure of it. If the disk is full, standard error says so, and whether the command
is done.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TextIO, cast

if TYPE_CHECKING:
    from collections.abc import Iterator

_JSON, _PLAIN = "fairgate-json", "fairgate-plain"
# What the command says beyond ASCII, in letters that every terminal has.
_LETTERS = {
    "τ": "tau", "·": "-", "…": "...", "“": '"', "”": '"', "’": "'", "–": "-", "—": "-",
    "±": "+-", "×": "x", "→": "->", "≤": "<=", "≥": ">=", "λ": "lambda", "Δ": "delta", "−": "-",
}  # fmt: skip


class UnwrittenError(Exception):
    """Standard output takes no more; the text says why."""


class _Nowhere(io.TextIOBase):
    """Takes what nobody hears."""

    def write(self, text: str) -> int:
        return len(text)


class _AsFarAsItGoes:
    """A stream that takes no more stops nothing that is still to be done."""

    def __init__(self, stream: io.TextIOWrapper) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        with suppress(OSError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._stream.flush()


def make_ready(*, as_json: bool) -> None:
    """Let every stream be there, and take every letter."""
    sys.stdin = sys.stdin or io.StringIO()
    if isinstance(sys.stdin, io.TextIOWrapper):  # a scanner may send what is no text
        sys.stdin.reconfigure(errors="replace")
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, _Nowhere())
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_JSON if as_json else _PLAIN)
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr = cast("TextIO", _AsFarAsItGoes(sys.stderr))


@contextmanager
def answering() -> Iterator[None]:
    """Write out what the block prints. A reader who has closed the pipe is no error.

    Raises UnwrittenError: it cannot be written.
    """
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        _say_to_nobody()
    except OSError as error:
        _say_to_nobody()
        raise UnwrittenError(f"answer could not be written: {error.strerror}.") from error


def _say_to_nobody() -> None:
    """Discard all further output, also what Python writes when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _escaped(error: UnicodeError) -> tuple[str, int]:
    """Write it as JSON does, beyond 16 bits in two halves."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    pairs = zip(units[::2], units[1::2], strict=True)
    return "".join(f"\\u{high:02x}{low:02x}" for high, low in pairs), error.end


def _plain(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    return "".join(_LETTERS.get(letter, "?") for letter in missing), error.end


codecs.register_error(_JSON, _escaped)
codecs.register_error(_PLAIN, _plain)
