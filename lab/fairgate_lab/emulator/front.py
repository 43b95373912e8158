"""One address on loopback for what is deployed, the payment provider and the identity provider.

A browser cannot resolve the name of a distribution that exists in an emulator only, so this server
puts it into ``Host``. The two providers are other companies' sites: they stand beside it.
"""

from __future__ import annotations

import argparse
import http.client
import re
import sys
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Sequence

BODY_BYTES_MAX = 1024 * 1024
BEHIND_S = 40.0  # longer than CloudFront waits for an origin
READ_S = 10.0
_NOT_CARRIED = {"connection", "content-length", "host", "keep-alive", "transfer-encoding"}
_NOT_ASKED = {*_NOT_CARRIED, "x-forwarded-proto", "x-forwarded-for"}


class Front(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256


class _Handler(BaseHTTPRequestHandler):
    distribution: ClassVar[str]
    emulator: ClassVar[int]
    mounted: ClassVar[dict[str, int]]

    protocol_version = "HTTP/1.1"
    timeout = READ_S
    disable_nagle_algorithm = True

    def _carry(self) -> None:
        length = self.headers.get("content-length", "0")
        if not re.fullmatch(r"[0-9]{1,9}", length) or int(length) > BODY_BYTES_MAX:
            self.close_connection = True
            self.send_error(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            return
        body = self.rfile.read(int(length)) or None
        sent = {
            name: value for name, value in self.headers.items() if name.lower() not in _NOT_ASKED
        }
        port = self.mounted.get(self.path.split("/", 2)[1].partition("?")[0])
        if port is None:
            port = self.emulator
            sent |= {"Host": self.distribution, "X-Forwarded-Proto": "https"}
        try:
            self._answer(*_asked(port, self.command, self.path, body, sent))
        except (OSError, http.client.HTTPException):
            self.close_connection = True
            self.send_error(HTTPStatus.BAD_GATEWAY)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_OPTIONS = do_PATCH = _carry  # noqa: N815 the base's names

    def _answer(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        self.send_response_only(status)
        for name, value in headers:
            if name.lower() not in _NOT_CARRIED:
                self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 the base's name
        """Say nothing: the emulator has a log."""


def _asked(
    port: int, method: str, path: str, body: bytes | None, headers: dict[str, str]
) -> tuple[int, list[tuple[str, str]], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=BEHIND_S)
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.getheaders(), answer.read()
    finally:
        connection.close()


def front(port: int, distribution: str, emulator: int, mounted: dict[str, int]) -> Front:
    """A server on 127.0.0.1, to be served by the caller."""
    told = {"distribution": distribution, "emulator": emulator, "mounted": mounted}
    return Front(("127.0.0.1", port), type("Handler", (_Handler,), told))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    for name in ("--port", "--emulator", "--idp", "--sandbox"):
        parser.add_argument(name, type=int, required=True)
    parser.add_argument("--distribution", required=True, help="its domain name")
    options = parser.parse_args(arguments)
    mounted = {"idp": options.idp, "sandbox": options.sandbox}
    front(options.port, options.distribution, options.emulator, mounted).serve_forever()
    return 0


if __name__ == "__main__":
    sys.exit(main())
