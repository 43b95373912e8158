"""Serve the stand-in of Stripe's API on loopback."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

from tests.support.stripe_stub import StripeError, StripeStub, Thing


@contextmanager
def serving(stub: StripeStub) -> Iterator[StripeStub]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            address = urlsplit(self.path)
            self._reply("GET", address.path, dict(parse_qsl(address.query)))

        def do_POST(self) -> None:
            size = int(self.headers.get("content-length", 0))
            form = {k: v[-1] for k, v in parse_qs(self.rfile.read(size).decode()).items()}
            self._reply("POST", urlsplit(self.path).path, form)

        def _reply(self, method: str, path: str, form: Thing) -> None:
            try:
                stub.check(self.headers.get("authorization"))
                key = self.headers.get("idempotency-key", "") if method == "POST" else ""
                status, body, replayed = stub.answer(method, path, form, key)
            except StripeError as error:
                status, body, replayed = error.status, error.body, False
            self.send_response(status)
            if replayed:
                self.send_header("idempotent-replayed", "true")
            if status == 500:  # it would only be repeated
                self.send_header("stripe-should-retry", "false")
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    stub.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield stub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
