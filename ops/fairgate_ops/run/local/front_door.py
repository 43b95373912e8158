"""API Gateway's part in front of the functions: who did not come through the edge is refused."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from fairgate.http import paths

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    Handler = Callable[[dict[str, Any], Any], Any]

AUTHORIZER = "authorizer"
KEPT_MAX = 1_024
VALUE_BYTES = 36


def write_front_door(path: Path) -> str:
    """Write a new value where functions read it, and return it for the edge."""
    value = secrets.token_hex(VALUE_BYTES)
    path.unlink(missing_ok=True)
    path.touch(0o600)
    path.write_text(value, "utf-8")
    return value


def behind(authorizer: Handler, handlers: Mapping[str, Handler]) -> dict[str, Handler]:
    """Put the authorizer's function before each handler, as API Gateway would.

    It is asked once for each value of the header; without the header nobody is.
    Source: API Gateway Developer Guide, "Control access to HTTP APIs with AWS Lambda authorizers".
    """
    kept: dict[str, bool] = {}

    def authorized(event: dict[str, Any], context: Any) -> bool:
        value = str(event["headers"][paths.HEADER_FRONT_DOOR])
        if value not in kept:
            answer = authorizer({**event, "type": "REQUEST", "identitySource": [value]}, context)
            if len(kept) >= KEPT_MAX:
                kept.clear()
            kept[value] = answer["isAuthorized"] is True
        return kept[value]

    def guarded(handler: Handler) -> Handler:
        def handle(event: dict[str, Any], context: Any) -> Any:
            if not event["headers"].get(paths.HEADER_FRONT_DOOR):
                return _refused(401, "Unauthorized")
            if not authorized(event, context):
                return _refused(403, "Forbidden")
            return handler(event, context)

        return handle

    return {name: guarded(handler) for name, handler in handlers.items()}


def _refused(status: int, message: str) -> dict[str, Any]:
    headers = {"content-type": "application/json"}
    return {"statusCode": status, "headers": headers, "body": f'{{"message":"{message}"}}'}
