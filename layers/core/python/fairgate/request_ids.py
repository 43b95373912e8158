"""Keep the ids by which a sale, a call and AWS's part of it are found in the logs.

``correlation_id`` follows one sale from the edge to the ticket. It is CloudFront's id of the
admitted request, kept in the session's credential, its record, its order and every message about
it. ``request_id`` is the edge's id of this request, ``function_request_id`` Lambda's id of this
call. Each thread has its own, like deadlines (``deadline.py``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from functools import wraps
from typing import Any, NamedTuple, TypeVar

NAME = "correlation_id"  # in lines of the log, messages, and a payment's metadata
NONE = "-"
# CloudFront's have 56 characters of Base64, the API's sixteen, Lambda's are UUIDs.
_ID = re.compile(r"[A-Za-z0-9+/=_.-]{1,64}")

T = TypeVar("T")


class _Ids(NamedTuple):
    sale: str = ""
    request: str = ""
    function: str = ""


_NO_IDS = _Ids()
_ids: ContextVar[_Ids] = ContextVar("request_ids", default=_NO_IDS)


def begin_request(event: Mapping[str, Any], context: object) -> None:
    """Begin an HTTP request and forget the ids of the former one."""
    edge = correlation_id(event)
    request = "" if edge == NONE else edge
    _ids.set(_Ids(request, request, _function_id(context)))


def begin_call(context: object) -> None:
    """Begin a call by a queue, a stream or a timer, with its own id until it follows a sale."""
    function = _function_id(context)
    _ids.set(_Ids(function, "", function))


def called(handler: Callable[[Any, Any], T]) -> Callable[[Any, Any], T]:
    """Begin each call of a function that does not answer HTTP."""

    @wraps(handler)
    def handle(event: Any, context: Any) -> T:
        begin_call(context)
        return handler(event, context)

    return handle


def take_up(handed: object = "") -> None:
    """Follow the sale that a message names; without one, keep the call's own id."""
    ids = _ids.get()
    _ids.set(ids._replace(sale=valid(handed) or ids.request or ids.function))


def follow(sale: str) -> None:
    """Log with a sale's id from now on; without one nothing changes."""
    if valid(sale):
        _ids.set(_ids.get()._replace(sale=sale))


def current() -> str:
    """Return the id to pass on, "" if there is none."""
    return _ids.get().sale


def handed_along() -> dict[str, str]:
    """Return the fields of the ids in a message to another function."""
    return {NAME: sale} if (sale := current()) else {}


def fields() -> dict[str, str]:
    """Return the ids that every log line contains."""
    ids = _ids.get()
    named = {NAME: ids.sale or NONE, "request_id": ids.request, "function_request_id": ids.function}
    return {name: value for name, value in named.items() if value}


def valid(text: object) -> str:
    """Return an id that may be kept and logged, "" for anything else."""
    return text if isinstance(text, str) and _ID.fullmatch(text) else ""


def correlation_id(event: Mapping[str, Any]) -> str:
    """Return the id that CloudFront gave a request, or the API's own; "-" if there is neither.

    CloudFront's is also in its log and in the answer's ``x-amz-cf-id``, which a buyer can read.
    """
    headers = event.get("headers") or {}
    context = event.get("requestContext") or {}
    return valid(headers.get("x-amz-cf-id")) or valid(context.get("requestId")) or NONE


def aws_request_id(error: BaseException | None) -> str:
    """Return AWS's id of the call that ended in this error; "" if unknown."""
    while error is not None:
        response = getattr(error, "response", None)
        if isinstance(response, Mapping):
            return str(response.get("ResponseMetadata", {}).get("RequestId", ""))
        error = error.__cause__
    return ""


def _function_id(context: object) -> str:
    return valid(getattr(context, "aws_request_id", ""))
