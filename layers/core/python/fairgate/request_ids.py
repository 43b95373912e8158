"""By which ids a request, and what AWS did for it, are found again in the logs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def correlation_id(event: Mapping[str, Any]) -> str:
    """Return the id that CloudFront gave a request, or the API's own; "-" where there is neither.

    CloudFront's stands in its own log and in the answer's ``x-amz-cf-id``, which a buyer can tell.
    """
    headers = event.get("headers") or {}
    context = event.get("requestContext") or {}
    return str(headers.get("x-amz-cf-id") or context.get("requestId") or "-")


def aws_request_id(error: BaseException | None) -> str:
    """Return by which id AWS knows the call that ended in this error; "" where it told none."""
    while error is not None:
        response = getattr(error, "response", None)
        if isinstance(response, Mapping):
            return str(response.get("ResponseMetadata", {}).get("RequestId", ""))
        error = error.__cause__
    return ""
