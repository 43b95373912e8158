"""Let msgspec meet each kind of Struct in one thread at a time."""

from __future__ import annotations

import threading
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")
_met: set[Any] = set()
_meeting = threading.Lock()


def meet(kind: Any) -> None:
    """Have a kind's annotations read, with those of its parts, before it is first decoded.

    msgspec reads them when it first meets a kind, and a second thread that meets it meanwhile ends
    the process (0.22). Cost: a look into a set, once it is known.
    """
    if kind not in _met:
        with _meeting:
            msgspec.json.Decoder(kind)
            _met.add(kind)


def decode_json(data: bytes | str, kind: type[T]) -> T:
    """Decode JSON into a kind of Struct, whichever thread is the first. Raises DecodeError."""
    meet(kind)
    return msgspec.json.decode(data, type=kind)
