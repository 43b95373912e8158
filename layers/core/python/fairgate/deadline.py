"""Keep the deadline of the present request. Every wait for another service asks here.

``http/app.py`` sets it for requests, ``bounded`` for the other functions. Each thread has its own.
It uses the monotonic clock, which no correction of the wall clock changes.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, TypeVar

from fairgate.errors import DependencyUnavailableError
from fairgate.settings import function_timeout_s

# Kept for the answer: milliseconds of work, tens of them with a small function's share of a
# processor, and a wait that ends a little late.
MARGIN_S = 1.0
# An HTTP API answers 503 by itself after this long.
# Source: API Gateway Developer Guide, "Quotas for configuring and running an HTTP API".
GATEWAY_S = 30.0
TRY_S_MIN = 0.05  # less is not worth a call: a round trip takes some milliseconds
SHARE_S_MIN = 2.0  # the least time for one item of many
RETRY_AFTER_S = 2

T = TypeVar("T")
_ends_at: ContextVar[float] = ContextVar("ends_at", default=math.inf)
monotonic = time.monotonic


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Limit the time of the block, within the limit around it."""
    before = _ends_at.set(min(_ends_at.get(), monotonic() + seconds))
    try:
        yield
    finally:
        _ends_at.reset(before)


def of_invocation(context: object, at_most_s: float = math.inf) -> float:
    """Return how long a function may work on its event.

    That is the time that Lambda leaves it, at most the configured one, less MARGIN_S.
    """
    given_s = min(at_most_s, function_timeout_s())
    # Lambda uses the wall clock, so the configured time is the upper bound.
    remaining_ms = getattr(context, "get_remaining_time_in_millis", None)
    if remaining_ms is not None:
        given_s = min(given_s, remaining_ms() / 1000)
    return given_s - MARGIN_S


def bounded(handler: Callable[[Any, Any], T]) -> Callable[[Any, Any], T]:
    """Set the deadline of the context for each call of a function without a waiting client."""

    @wraps(handler)
    def handle(event: Any, context: Any) -> T:
        with within(of_invocation(context)):
            return handler(event, context)

    return handle


def each(items: Sequence[T]) -> Iterator[T]:
    """Yield each item with its share of the time, so that a slow one leaves time for the others.

    The share is the time left divided by the items left, at least SHARE_S_MIN, so unused time goes
    to the later items. After a break the share of the last item stays in force.
    """
    ends_at = _ends_at.get()
    for number, item in enumerate(items):
        now = monotonic()
        share_s = max(ends_at - now, 0.0) / (len(items) - number)
        _ends_at.set(min(ends_at, now + max(share_s, SHARE_S_MIN)))
        yield item
    _ends_at.set(ends_at)


def left_s() -> float:
    """Return how long the request may still take; infinite outside of any, never negative."""
    return max(0.0, _ends_at.get() - monotonic())


def require_left(seconds: float) -> None:
    """Raise DependencyUnavailableError if less time is left, so that a long task ends in time."""
    if left_s() < seconds:
        raise out_of_time()


def take(at_most_s: float, *, waits: int = 1) -> float:
    """Return how long a call may wait: ``at_most_s``, or the time left if that is less.

    Args:
        waits: how often the call may wait so long: to connect, and again to read.

    Raises:
        DependencyUnavailableError: nothing is left that would be worth a call.
    """
    left = left_s() / waits
    if left < TRY_S_MIN:
        raise out_of_time()
    return min(at_most_s, left)


def out_of_time() -> DependencyUnavailableError:
    """Make the error that says so."""
    return DependencyUnavailableError(
        "This took too long. Nothing was lost; please try again.", retry_after_s=RETRY_AFTER_S
    )
