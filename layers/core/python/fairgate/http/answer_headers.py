"""Collect headers for a request's answer, whether it succeeds or fails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

_headers: ContextVar[dict[str, str]] = ContextVar("headers of the answer")


@contextmanager
def collected() -> Iterator[Mapping[str, str]]:
    """Yield the headers that are added to the answer of one request."""
    headers: dict[str, str] = {}
    before = _headers.set(headers)
    try:
        yield headers
    finally:
        _headers.reset(before)


def add(headers: Mapping[str, str]) -> None:
    """Add to the answer of the request that is being answered."""
    _headers.get().update(headers)
