"""Serve the stand-in of Stripe's API on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, parse_qsl, urlsplit

from tests.support.http_server import Quiet, served
from tests.support.stripe_stub import StripeError, StripeStub, Thing


@contextmanager
def serving(stub: StripeStub) -> Iterator[StripeStub]:
    class Handler(Quiet, BaseHTTPRequestHandler):
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

    with served(Handler) as url:
        stub.url = url
        yield stub
