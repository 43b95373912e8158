"""What the sandbox provider and the identity provider share: a small threaded server on loopback.

Both stand for other companies' services, so they use nothing of Fairgate's own HTTP layer.
"""

from __future__ import annotations

import html
import json
import re
import signal
import threading
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from string import Template
from typing import TYPE_CHECKING, Any, ClassVar, Protocol
from urllib.parse import parse_qs, urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

BODY_BYTES_MAX = 16 * 1024
READ_S = 10.0

# A path of the page's own origin: neither another host ("//", "/\") nor a header's end.
LOCAL_PATH = re.compile(r"/(?![/\\])[^\x00-\x20\\\x7f]{0,2047}")


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]  # names in lower case
    body: bytes

    def form(self) -> dict[str, str]:
        return _single(parse_qs(self.body.decode("utf-8", "replace"), keep_blank_values=True))


@dataclass(frozen=True)
class Reply:
    status: int
    body: bytes = b""
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)


class RefusedError(Exception):
    """The request is answered with this status and text, and a reason that programs read."""

    def __init__(self, status: int, detail: str, *, reason: str = "") -> None:
        super().__init__(detail)
        self.status, self.detail, self.reason = status, detail, reason

    def body(self) -> dict[str, str]:
        return {"error": self.detail} | ({"reason": self.reason} if self.reason else {})


def json_reply(status: int, document: Any) -> Reply:
    return Reply(status, json.dumps(document, separators=(",", ":")).encode())


def see_other(location: str) -> Reply:
    return Reply(303, headers={"location": location})


def page(
    name: str,
    values: Mapping[str, str],
    *,
    status: int = 200,
    form_to: str = "",
    links: Sequence[tuple[str, str]] = (),
) -> Reply:
    """Fill a template of ``pages/`` with every value escaped, and frame it.

    A template is the content of the page's head, an empty line, and the content of its body.

    Args:
        form_to: another origin that the page's form ends at, beside its own.
        links: addresses and their texts, for a template that shows ``links``.
    """
    shown = "\n".join(
        f'<a class="button" href="{html.escape(address)}">{html.escape(text)}</a>'
        for address, text in links
    )
    escaped = {key: html.escape(value) for key, value in values.items()}
    head, body = (
        Template(part).substitute(escaped, links=shown)
        for part in _asset(name).decode().split("\n\n")
    )
    text = Template(_asset("frame.html").decode()).substitute(head=head, body=body)
    policy = (
        "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'; "
        f"form-action 'self' {form_to}".rstrip()
    )
    return Reply(
        status,
        text.encode(),
        "text/html; charset=utf-8",
        {"content-security-policy": policy, "referrer-policy": "no-referrer"},
    )


def stylesheet() -> Reply:
    return Reply(200, _asset("style.css"), "text/css; charset=utf-8")


class LoopbackServer:
    """Serves ``answer`` on 127.0.0.1 from ``start`` to ``stop``; port 0 takes a free one."""

    def __init__(self, answer: Callable[[Request], Reply], port: int = 0) -> None:
        self._server = _Server(
            ("127.0.0.1", port), type("Handler", (_Handler,), {"answer": answer})
        )
        self.port: int = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.05,), daemon=True
        )
        self._thread.start()

    def serve_forever(self) -> None:
        self._server.serve_forever()

    def stop(self) -> None:
        if self._thread is not None:
            self._server.shutdown()
            self._thread.join(5)
        self._server.server_close()


class Provider(Protocol):
    """What stands on a LoopbackServer."""

    def start(self) -> None: ...

    def stop(self) -> None: ...


def serve_until_told(provider: Provider, ready: str) -> None:
    """Serve until SIGTERM or SIGINT; print ``ready`` once it serves."""
    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    provider.start()
    print(ready, flush=True)
    stopping.wait()
    provider.stop()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 512  # simulated buyers arrive all at once


class _Handler(BaseHTTPRequestHandler):
    answer: ClassVar[Callable[[Request], Reply]]

    protocol_version = "HTTP/1.1"
    server_version = "local"
    sys_version = ""
    timeout = READ_S
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self._reply()

    def do_POST(self) -> None:
        self._reply()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 the base's name
        """Say nothing: the access log is nginx's."""

    def _reply(self) -> None:
        try:
            reply = type(self).answer(self._request())
        except RefusedError as refused:
            self.close_connection = True  # the body may not have been read
            reply = json_reply(refused.status, refused.body())
        self.send_response(reply.status)
        self.send_header("content-type", reply.content_type)
        self.send_header("content-length", str(len(reply.body)))
        self.send_header("cache-control", "no-store")
        self.send_header("x-content-type-options", "nosniff")
        for name, value in reply.headers.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("connection", "close")
        self.end_headers()
        self.wfile.write(reply.body)

    def _request(self) -> Request:
        length = self.headers.get("content-length", "0")
        if "transfer-encoding" in self.headers or not re.fullmatch(r"[0-9]{1,9}", length):
            raise RefusedError(HTTPStatus.LENGTH_REQUIRED, "Please send a Content-Length.")
        if int(length) > BODY_BYTES_MAX:
            raise RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "The body is too large.")
        body = self.rfile.read(int(length))
        try:
            address = urlsplit(self.path)
        except ValueError as error:
            raise RefusedError(HTTPStatus.BAD_REQUEST, "That is no address.") from error
        query = _single(parse_qs(address.query, keep_blank_values=True))
        headers = {name.lower(): value for name, value in self.headers.items()}
        return Request(self.command, address.path, query, headers, body)


def _single(values: Mapping[str, list[str]]) -> dict[str, str]:
    return {name: listed[-1] for name, listed in values.items()}


def _asset(name: str) -> bytes:
    return resources.files("fairgate_ops.run.local").joinpath("pages", name).read_bytes()
