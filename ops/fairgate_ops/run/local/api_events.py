"""HTTP/1.1 on one side, API Gateway's HTTP API v2 events on the other; nothing else."""

from __future__ import annotations

import base64
import json
import re
import secrets
import time
from dataclasses import dataclass, field
from email.utils import formatdate
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote

from infra.functions import BY_NAME

if TYPE_CHECKING:
    import socket
    from collections.abc import Mapping, Sequence

    from infra.routes import Route

BODY_BYTES_MAX = 5_000_000  # of an act with its files; other handlers take less, and say so
HEAD_BYTES_MAX = 10_240  # API Gateway: request line and headers together
HEADERS_MAX = 100
TEXT_TYPES = re.compile(
    r"text/|application/(json|[\w.+-]*\+json|xml|javascript|x-www-form-)", re.IGNORECASE
)
REQUEST_LINE = re.compile(rb"([A-Z]{1,16}) (/[\x21-\x7e]*) HTTP/1\.[01]")
HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
REGION, ACCOUNT = "eu-central-1", "000000000000"


class RefusedError(Exception):
    """The host itself answers: no handler sees this request."""

    def __init__(self, status: int, code: str, detail: str, *, allow: str = "") -> None:
        super().__init__(detail)
        self.status, self.code, self.detail, self.allow = status, code, detail, allow

    def answer(self, request_id: str) -> Answer:
        if self.status == HTTPStatus.NO_CONTENT:
            return Answer(self.status, {"allow": self.allow, "cache-control": "no-store"})
        answer = problem(self.status, self.code, self.detail, request_id)
        answer.headers |= {"allow": self.allow} if self.allow else {}
        return answer


@dataclass(frozen=True)
class Request:
    method: str
    target: str
    headers: Mapping[str, str]
    cookies: Sequence[str]
    body: bytes
    peer: str

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]

    @property
    def query(self) -> str:
        return self.target.partition("?")[2]


@dataclass
class Answer:
    status: int
    headers: dict[str, str] = field(default_factory=dict)
    cookies: Sequence[str] = ()
    body: bytes = b""

    def encode(self, *, head_only: bool = False) -> bytes:
        try:
            phrase = HTTPStatus(self.status).phrase
        except ValueError:
            phrase = "Unknown"
        headers = {name.lower(): _one_line(value) for name, value in self.headers.items()}
        headers["connection"] = "close"
        headers["date"] = formatdate(usegmt=True)
        if self.status not in (204, 304):
            headers["content-length"] = str(len(self.body))
        lines = [f"HTTP/1.1 {self.status} {phrase}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        lines += [f"set-cookie: {_one_line(cookie)}" for cookie in self.cookies]
        head = "\r\n".join([*lines, "", ""]).encode("latin-1", "replace")
        bodyless = head_only or self.status in (204, 304)
        return head if bodyless else head + self.body


@dataclass(frozen=True)
class LambdaContext:
    """What Lambda hands to a handler beside the event."""

    function_name: str
    aws_request_id: str
    timeout_s: float
    memory_limit_in_mb: int = 512
    function_version: str = "$LATEST"
    started_s: float = field(default_factory=time.monotonic)

    @property
    def invoked_function_arn(self) -> str:
        return f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:{self.function_name}"

    @property
    def log_group_name(self) -> str:
        return f"/aws/lambda/{self.function_name}"

    @property
    def log_stream_name(self) -> str:
        return "local"

    def get_remaining_time_in_millis(self) -> int:
        return max(0, round((self.timeout_s - time.monotonic() + self.started_s) * 1000))


def given_s_of(function: str, at_most_s: float) -> float:
    """How long a function is given in AWS, so that it gives up here as soon as there."""
    return min(at_most_s, BY_NAME[function].timeout_s if function in BY_NAME else at_most_s)


class RouteTable:
    """Path and method → route, with literal paths before patterns, as API Gateway prefers."""

    def __init__(self, routes: Sequence[Route]) -> None:
        ours = [route for route in routes if route.function is not None]
        ours.sort(key=lambda route: route.path.count("{"))
        self._routes = [(_pattern(route.path), route) for route in ours]

    def match(self, method: str, path: str) -> tuple[Route, dict[str, str]]:
        """Find it as API Gateway does, where a GET's route takes no HEAD but by ``$default``.

        Raises RefusedError, as the function that has no route's requests answers: 404 for an
        unknown path, 204 for OPTIONS and 405 for another method of a known one.
        """
        allowed: set[str] = set()
        for pattern, route in self._routes:
            found = pattern.fullmatch(path)
            if found is None:
                continue
            if method in route.methods:
                return route, {name: unquote(value) for name, value in found.groupdict().items()}
            allowed.update(route.methods)
        if allowed:
            allow = ", ".join(sorted(allowed))
            status = 204 if method == "OPTIONS" else 405
            detail = f"This address takes {allow}."
            raise RefusedError(status, "method-not-allowed", detail, allow=allow)
        raise RefusedError(404, "not-found", "There is nothing here.")


def _pattern(path: str) -> re.Pattern[str]:
    literal = "".join(
        f"(?P<{part[1:-1]}>[^/]+)" if part.startswith("{") else re.escape(part)
        for part in re.split(r"(\{\w+\})", path)
    )
    return re.compile(literal)


def read_request(connection: socket.socket, peer: str) -> Request | None:
    """One whole request; None when the caller closes without sending any.

    Raises:
        RefusedError: the request breaks HTTP or a limit.
        OSError: the caller went away or was too slow.
    """
    received = b""
    while b"\r\n\r\n" not in received:
        chunk = connection.recv(65_536)
        if not chunk:
            return None
        received += chunk
        if len(received) > HEAD_BYTES_MAX and b"\r\n\r\n" not in received[: HEAD_BYTES_MAX + 4]:
            raise RefusedError(400, "malformed-input", "The headers are too long.")
    head, _, body = received.partition(b"\r\n\r\n")
    first, *lines = head.split(b"\r\n")
    start = REQUEST_LINE.fullmatch(first)
    if start is None:
        raise RefusedError(400, "malformed-input", "That is not an HTTP request.")
    headers, cookies = _headers(lines)
    body = _body(connection, headers, body)
    return Request(start[1].decode(), start[2].decode(), headers, cookies, body, peer)


def _headers(lines: Sequence[bytes]) -> tuple[dict[str, str], list[str]]:
    if len(lines) > HEADERS_MAX:
        raise RefusedError(400, "malformed-input", "Too many headers.")
    headers: dict[str, str] = {}
    cookies: list[str] = []
    for line in lines:
        name, colon, value = line.decode("latin-1").partition(":")
        if not colon or not HEADER_NAME.fullmatch(name):
            raise RefusedError(400, "malformed-input", "A header is malformed.")
        name, value = name.lower(), value.strip()
        if name == "cookie":
            cookies += [part.strip() for part in value.split(";") if part.strip()]
        elif name in headers:
            headers[name] += f",{value}"
        else:
            headers[name] = value
    return headers, cookies


def _body(connection: socket.socket, headers: Mapping[str, str], body: bytes) -> bytes:
    if "transfer-encoding" in headers:
        raise RefusedError(400, "malformed-input", "Please send a Content-Length.")
    length = headers.get("content-length", "0")
    if not re.fullmatch(r"\d{1,15}", length):
        raise RefusedError(400, "malformed-input", "The Content-Length is not a number.")
    if int(length) > BODY_BYTES_MAX:
        raise RefusedError(413, "body-too-large", f"A body may have {BODY_BYTES_MAX:,} bytes.")
    while len(body) < int(length):
        chunk = connection.recv(65_536)
        if not chunk:
            raise RefusedError(400, "malformed-input", "The body ended early.")
        body += chunk
    return body[: int(length)]


def event_of(
    request: Request, route: Route, parameters: Mapping[str, str], request_id: str
) -> dict[str, Any]:
    """The event of payload format 2.0; absent parts are absent, as in AWS."""
    route_key = f"{route.method} {route.path}"
    now = time.time()
    event: dict[str, Any] = {
        "version": "2.0",
        "routeKey": route_key,
        "rawPath": request.path,
        "rawQueryString": request.query,
        "headers": dict(request.headers),
        "requestContext": {
            "accountId": ACCOUNT,
            "apiId": "local",
            "domainName": request.headers.get("host", "localhost"),
            "domainPrefix": "local",
            "http": {
                "method": route.method,
                "path": request.path,
                "protocol": "HTTP/1.1",
                "sourceIp": request.peer,
                "userAgent": request.headers.get("user-agent", ""),
            },
            "requestId": request_id,
            "routeKey": route_key,
            "stage": "$default",
            "time": time.strftime("%d/%b/%Y:%H:%M:%S +0000", time.gmtime(now)),
            "timeEpoch": int(now * 1000),
        },
        "isBase64Encoded": False,
    }
    if parameters:
        event["pathParameters"] = dict(parameters)
    if request.cookies:
        event["cookies"] = list(request.cookies)
    if request.query:
        event["queryStringParameters"] = _joined(parse_qsl(request.query, keep_blank_values=True))
    if request.body:
        event["body"], event["isBase64Encoded"] = _body_of(request)
    return event


def _joined(pairs: Sequence[tuple[str, str]]) -> dict[str, str]:
    joined: dict[str, str] = {}
    for name, value in pairs:
        joined[name] = f"{joined[name]},{value}" if name in joined else value
    return joined


def _body_of(request: Request) -> tuple[str, bool]:
    if TEXT_TYPES.match(request.headers.get("content-type", "text/plain")):
        try:
            return request.body.decode("utf-8"), False
        except UnicodeDecodeError:
            pass  # said to be text and is not: AWS hands it over in base64 as well
    return base64.b64encode(request.body).decode(), True


def answer_of(result: Any) -> Answer:
    """A handler's return value as HTTP; without ``statusCode`` it is itself the JSON body."""
    if not isinstance(result, dict) or "statusCode" not in result:
        body = json.dumps(result).encode()
        return Answer(200, {"content-type": "application/json"}, (), body)
    text = result.get("body") or ""
    body = base64.b64decode(text) if result.get("isBase64Encoded") else str(text).encode()
    headers = {str(name): str(value) for name, value in (result.get("headers") or {}).items()}
    return Answer(int(result["statusCode"]), headers, result.get("cookies") or (), body)


def problem(
    status: int, code: str, detail: str, request_id: str, *, retry_after_s: int | None = None
) -> Answer:
    document = {
        "type": f"urn:fairgate:problem:{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "code": code,
        "request_id": request_id,
    }
    headers = {"content-type": "application/problem+json", "cache-control": "no-store"}
    if retry_after_s is not None:
        headers["retry-after"] = str(retry_after_s)
    return Answer(status, headers, (), json.dumps(document).encode())


def request_id_of() -> str:
    return secrets.token_urlsafe(12)


def _one_line(value: str) -> str:
    return re.sub(r"[\r\n]+", " ", value)
