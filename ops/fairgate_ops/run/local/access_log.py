"""Log each request of the local API in one line, to count and time them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairgate_ops.run.local.api_events import Answer, Request

HEADER_MARK = "x-load-mark"  # which load a request belongs to; the access log repeats it
NOTHING = "-"  # what API Gateway writes of what there is not
_MARK = re.compile(r"[a-z0-9-]{1,32}")


class RequestLogs:
    """The two logs of the API host, each where it is asked for.

    Args:
        access: what lab and load count.
        requests: what API Gateway logs.
    """

    def __init__(self, access: Path | None = None, requests: Path | None = None) -> None:
        self._access, self._requests = appender(access), appender(requests)

    def note(
        self,
        request: Request,
        route: str,
        request_id: str,
        at_s: float,
        answer: Answer,
        *,
        took_s: float | None = None,
    ) -> None:
        """``took_s``: how long a function took; None: the host itself answered."""
        self._access(access_line(request, at_s, took_s or 0.0, answer.status))
        self._requests(request_line(route, request_id, at_s, answer, took_s=took_s))


def appender(path: Path | None) -> Callable[[str], object]:
    """Append lines to one file from all workers: each line is one write, so none is torn."""
    if path is None:
        return lambda _line: None
    log = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    return lambda line: os.write(log, line.encode())


def access_line(request: Request, came_s: float, took_s: float, status: int) -> str:
    """Make a request's line: what the option ``--access-log`` says, and the load's mark if any."""
    waited_ms = waited_before(request.headers, came_s)
    mark = request.headers.get(HEADER_MARK, "")
    return (
        f"{came_s * 1000:.0f} {request.method} {request.target} {status}"
        f" {took_s * 1000:.1f} {waited_ms:.1f}{f' {mark}' if _MARK.fullmatch(mark) else ''}\n"
    )


def request_line(
    route: str, request_id: str, at_s: float, answer: Answer, *, took_s: float | None
) -> str:
    """Make the line that API Gateway writes of a request: the columns of ``api_requests``.

    Args:
        route: its key, as ``GET /api/events``.
    """
    reached = took_s is not None
    took_ms = f"{(took_s or 0.0) * 1000:.0f}"
    fields = {
        "request_id": request_id,
        "at_epoch": f"{at_s:.0f}",
        "route": route,
        "status": str(answer.status),
        "bytes": str(len(answer.body)),
        "latency_ms": took_ms,
        "function_ms": took_ms if reached else NOTHING,
        "function_status": "200" if reached else NOTHING,
        "error": NOTHING,
        "function_error": NOTHING,
        "authorizer_error": NOTHING,
    }
    return json.dumps(fields) + "\n"


def waited_before(headers: Mapping[str, str], came_s: float) -> float:
    """How many ms a request waited between the edge and a worker; 0.0 where the edge says nothing.

    The header is the one that load balancers have for it: ``X-Request-Start: t=1700000000.123``.
    """
    start = headers.get("x-request-start", "").removeprefix("t=")
    return (
        max(0.0, (came_s - float(start)) * 1000) if re.fullmatch(r"[0-9]+\.[0-9]+", start) else 0.0
    )
