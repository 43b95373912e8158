"""Stand-ins of HTTP services on loopback: quick to answer, and quick to end."""

from __future__ import annotations

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


@contextmanager
def served(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """Serve by this handler on a free port; the address, without a slash at its end."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(ENDS_WITHIN_S,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
