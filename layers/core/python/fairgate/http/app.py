"""Give every HTTP function routing, bounded bodies, and problems instead of stack traces."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from aws_lambda_powertools.event_handler.exceptions import NotFoundError as UnroutedError

from fairgate import deadline, log_lines, request_ids
from fairgate.errors import (
    BodyTooLargeError,
    FairgateError,
    MalformedInputError,
    MethodNotAllowedError,
    NotFoundError,
)
from fairgate.http.answer_headers import collected
from fairgate.http.problems import internal_problem, problem
from fairgate.ports.record import decode_json
from fairgate.request_ids import aws_request_id

BODY_MAX_BYTES = 64 * 1024
# Of operators' acts, with files. Lambda takes 6 MB, in which quotes of a text are written longer.
# Source: Lambda Developer Guide, "Lambda quotas", invocation payload.
ACT_BODY_MAX_BYTES = 5_000_000
IDEMPOTENCY_KEY_CHARS_MAX = 64
REASON_CHARS_MAX = 200
_HTTP_SERVER_ERROR = 500
_ANSWERED = "answered"

logger = log_lines.logger()
Model = TypeVar("Model")


def create_app() -> APIGatewayHttpResolver:
    """Make a router whose every failure is application/problem+json."""
    app = APIGatewayHttpResolver()

    @app.exception_handler(FairgateError)  # type: ignore[untyped-decorator] # Powertools
    def refuse(error: FairgateError) -> Response[str]:
        raw = app.current_event.raw_event
        return _response(problem(error, _request_id(raw), _languages(raw)), error)

    @app.not_found
    def unrouted(_error: UnroutedError) -> Response[str]:
        """HEAD as well: CloudFront would keep a 404 for it, and a 405 only if it may."""
        from fairgate.http.allowed import allowed

        event = app.current_event
        methods = allowed(event.path)
        allow = {"allow": ", ".join(methods)}
        error: FairgateError = NotFoundError("There is nothing at this address.")
        if methods and event.http_method == "OPTIONS":
            return Response(204, body="", headers={"cache-control": "no-store", **allow})
        if methods and event.http_method not in methods:
            error = MethodNotAllowedError(f"This address takes {allow['allow']}.")
        else:
            allow = {}
        answered = _response(problem(error, _request_id(event.raw_event)))
        answered.headers.update(allow)
        return answered

    return app


def resolve(
    app: APIGatewayHttpResolver, event: Mapping[str, Any], context: object, *, noted: bool = True
) -> dict[str, Any]:
    """Answer one HTTP API v2 event, before Lambda ends the function and before the gateway does.

    Never raises: a defect is logged and answered with a 500.

    Args:
        noted: log the result of a change; False if the caller logs it, by ``what_came``.
    """
    request_ids.begin_request(event, context)  # in every line until the next request
    try:
        with (
            deadline.within(deadline.of_invocation(context, deadline.GATEWAY_S)),
            collected() as added,
        ):
            answered = app.resolve(_routable(event), context)  # type: ignore[arg-type] # a LambdaContext
            if noted and _changes(event):  # so that a sale can be followed; reads are too many
                route, status = _came_to(event, answered)
                logger.info(_ANSWERED, route=route, status=status)
            return {**answered, "headers": {**answered.get("headers", {}), **added}}
    except (
        Exception
    ) as error:  # the boundary: the caller must get a problem, the log the stack trace
        logger.exception(
            "unhandled", api_request_id=_request_id(event), aws_request_id=aws_request_id(error)
        )
        status, headers, body = internal_problem(_request_id(event), _languages(event))
        return {"statusCode": status, "headers": headers, "body": body, "isBase64Encoded": False}


def what_came(event: Mapping[str, Any], answered: Mapping[str, Any]) -> dict[str, object]:
    """Return the result of a change for the log, for a line that is written anyway."""
    route, status = _came_to(event, answered)
    return {"message": _ANSWERED, "route": route, "status": status}


def json_body(
    app: APIGatewayHttpResolver, model: type[Model], *, bytes_max: int = BODY_MAX_BYTES
) -> Model:
    """Read the body as a ``model``. Raises MalformedInputError, BodyTooLargeError."""
    try:
        return decode_json(raw_body(app, bytes_max), model)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:  # ValidationError is one
        reason = str(error)[:REASON_CHARS_MAX]  # it may quote a name that is not known
        raise MalformedInputError(f"The request body is not as expected: {reason}") from error


def raw_body(app: APIGatewayHttpResolver, bytes_max: int = BODY_MAX_BYTES) -> bytes:
    """Return the exact bytes received, at most ``bytes_max`` of them."""
    event = app.current_event.raw_event
    text = event.get("body") or ""
    if len(text) > 2 * bytes_max:
        raise BodyTooLargeError("The request body is too large.", limit=bytes_max)
    try:
        body = base64.b64decode(text) if event.get("isBase64Encoded") else text.encode()
    except (binascii.Error, UnicodeEncodeError) as error:
        raise MalformedInputError("The request body is not readable.") from error
    if len(body) > bytes_max:
        raise BodyTooLargeError("The request body is too large.", limit=bytes_max)
    return body


def header(app: APIGatewayHttpResolver, name: str) -> str:
    """Return a header, "" when absent. ``name`` in lower case, as HTTP API v2 sends them."""
    return str(app.current_event.raw_event.get("headers", {}).get(name, ""))


def idempotency_key(app: APIGatewayHttpResolver) -> str:
    """Return the Idempotency-Key, "" when absent. Raises MalformedInputError."""
    key = header(app, "idempotency-key")
    if len(key) > IDEMPOTENCY_KEY_CHARS_MAX or not (key.isascii() and key.isprintable()):
        raise MalformedInputError("An Idempotency-Key has 1 to 64 printable characters.")
    return key


def answer(status: int, body: object, headers: Mapping[str, str] | None = None) -> Response[str]:
    """Make a JSON answer that no cache keeps unless ``headers`` say otherwise."""
    return Response(
        status_code=status,
        content_type="application/json",
        body=msgspec.json.encode(body).decode() if body is not None else "",
        headers={"cache-control": "no-store", **(headers or {})},
    )


def _response(
    parts: tuple[int, dict[str, str], str], error: Exception | None = None
) -> Response[str]:
    status, headers, body = parts
    if status >= _HTTP_SERVER_ERROR:
        logger.warning(
            "dependency unavailable",
            error=type(error).__name__,
            aws_request_id=aws_request_id(error),
            body=body,
        )
    return Response(status, headers.pop("content-type"), body, headers=dict(headers))


def _routable(event: Mapping[str, Any]) -> dict[str, Any]:
    """Spell a line end in the path as it was sent: the router would overlook it at the end."""
    return {**event, "rawPath": event.get("rawPath", "").replace("\n", "%0A")}


def _languages(event: Mapping[str, Any]) -> str:
    """Return the caller's languages, "" where a cache may keep the answer for others."""
    headers = event.get("headers", {})
    own = "authorization" in headers or _changes(event)
    return str(headers.get("accept-language", "")) if own else ""


def _came_to(event: Mapping[str, Any], answered: Mapping[str, Any]) -> tuple[str, int]:
    return event.get("routeKey", ""), answered["statusCode"]


def _changes(event: Mapping[str, Any]) -> bool:
    return event.get("requestContext", {}).get("http", {}).get("method") not in ("GET", "HEAD")


def _request_id(event: Mapping[str, Any]) -> str:
    return str(event.get("requestContext", {}).get("requestId", "-"))
