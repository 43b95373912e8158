"""Stand-ins of HTTP services on loopback: quick to answer, and quick to end."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ENDS_WITHIN_S = 0.02  # of being asked to; the library's own half a second is long for each test


class Quiet:
    """What makes a handler of requests keep its connections, answer at once and log nothing."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else a body waits 40 ms until its head is acknowledged

    def log_message(self, *_args: object) -> None:
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    """Keeps what its handlers raised: to a caller it looks like a service that is away."""

    daemon_threads = True
    request_queue_size = 128  # a page asks for two dozen files at once

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        self.raised: list[BaseException] = []
        super().__init__(("127.0.0.1", 0), handler)

    def handle_error(self, _request: object, _address: object) -> None:
        error = sys.exception()
        if error is not None and not isinstance(error, ConnectionError):  # a caller may leave
            self.raised.append(error)


@contextmanager
def served(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """Serve by this handler on a free port; the address, without a slash at its end.

    What a handler raised is raised here at the end, or a broken stand-in would pass for an outage.
    """
    server = _Server(handler)
    thread = threading.Thread(target=server.serve_forever, args=(ENDS_WITHIN_S,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    if server.raised:
        raise server.raised[0]
