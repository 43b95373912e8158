"""The part of Stripe's API that Fairgate calls, as its reference describes it, on loopback.

Idempotency keys as Stripe keeps them: same key and parameters repeat the answer, a failed one too;
other parameters are an error. Webhooks are signed with the library's own scheme.
"""

from __future__ import annotations

import itertools
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

KEY = "sk_test_stub"
MINUTES_MIN_S = 1_800
Thing = dict[str, Any]


class StripeError(Exception):
    def __init__(self, status: int, code: str, kind: str = "invalid_request_error") -> None:
        super().__init__(code)
        self.status = status
        self.body = {"error": {"type": kind, "code": code, "message": code}}


class StripeStub:
    """Books in memory; ``pay`` and ``decline`` stand for the buyer on the hosted page."""

    def __init__(self) -> None:
        self.sessions: dict[str, Thing] = {}
        self.charges: dict[str, Thing] = {}
        self.refunds: list[Thing] = []
        self.calls: list[str] = []
        self.down = False
        self._answers: dict[str, tuple[str, int, Thing]] = {}
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self.url = ""

    def pay(self, page: str, *, at_s: int | None = None) -> Thing:
        """The event of a paid page."""
        session = self.sessions[page.rpartition("/")[2]]
        assert session["status"] == "open"
        session["status"], session["payment_status"] = "complete", "paid"
        session["payment_intent"] = f"pi_{next(self._numbers)}"
        charge = {
            "id": f"ch_{next(self._numbers)}",
            "object": "charge",
            "created": int(time.time()) if at_s is None else at_s,
            "payment_intent": session["payment_intent"],
            "amount": session["amount_total"],
            "amount_captured": session["amount_total"],
            "amount_refunded": 0,
            "captured": True,
            "status": "succeeded",
            "currency": session["currency"],
            "metadata": session["metadata"],
            "disputed": False,
        }
        self.charges[session["payment_intent"]] = charge
        return self.event("checkout.session.completed", session)

    def decline(self, page: str) -> Thing:
        session = self.sessions[page.rpartition("/")[2]]
        attempt = {
            "id": f"pi_{next(self._numbers)}",
            "object": "payment_intent",
            "amount": session["amount_total"],
            "currency": session["currency"],
            "metadata": session["metadata"],
        }
        return self.event("payment_intent.payment_failed", attempt)

    def event(self, kind: str, thing: Thing) -> Thing:
        name = f"evt_{next(self._numbers)}"
        return {"id": name, "object": "event", "type": kind, "data": {"object": dict(thing)}}

    # --- the API

    def answer(self, method: str, path: str, form: Thing, key: str) -> tuple[int, Thing]:
        with self._lock:
            self.calls.append(f"{method} {path}")
            if self.down:
                raise StripeError(503, "down", "api_error")
            told = json.dumps([method, path, form], sort_keys=True)
            if key and key in self._answers:
                before, status, body = self._answers[key]
                if before != told:
                    raise StripeError(400, "idempotency_key_in_use", "idempotency_error")
                return status, body
            try:
                answer = 200, self._do(method, path, form)
            except StripeError as error:
                answer = error.status, error.body
            if key:
                self._answers[key] = (told, *answer)
            return answer

    def _do(self, method: str, path: str, form: Thing) -> Thing:
        parts = path.strip("/").split("/")[1:]
        match method, parts:
            case "POST", ["checkout", "sessions"]:
                return self._open(form)
            case "POST", ["checkout", "sessions", session, "expire"]:
                return self._expire(session)
            case "GET", ["checkout", "sessions", session]:
                return self._session(session)
            case "POST", ["refunds"]:
                return self._refund(form)
            case "GET", ["charges"]:
                return self._list("/v1/charges", list(self.charges.values()), form)
            case "GET", ["refunds"]:
                return self._list("/v1/refunds", self.refunds, form)
        raise StripeError(404, "resource_missing")

    def _open(self, form: Thing) -> Thing:
        if int(form["expires_at"]) < time.time() + MINUTES_MIN_S - 5:
            raise StripeError(400, "expires_at_too_soon")
        name = f"cs_test_{next(self._numbers):08d}"
        item = "line_items[0]"
        session = {
            "id": name,
            "object": "checkout.session",
            "url": f"https://checkout.stripe.example/c/pay/{name}",
            "status": "open",
            "payment_status": "unpaid",
            "payment_intent": None,
            "amount_total": int(form[f"{item}[price_data][unit_amount]"])
            * int(form[f"{item}[quantity]"]),
            "currency": form[f"{item}[price_data][currency]"],
            "metadata": {"order": form["metadata[order]"]},
        }
        assert form["payment_intent_data[metadata][order]"] == form["metadata[order]"]
        self.sessions[name] = session
        return dict(session)

    def _expire(self, name: str) -> Thing:
        session = self.sessions.get(name)
        if session is None:
            raise StripeError(404, "resource_missing")
        if session["status"] != "open":
            raise StripeError(400, "checkout_session_not_open")
        session["status"] = "expired"
        return dict(session)

    def _session(self, name: str) -> Thing:
        """A session with its payment and charge expanded."""
        if name not in self.sessions:
            raise StripeError(404, "resource_missing")
        session = dict(self.sessions[name])
        if session["payment_intent"]:
            charge = self.charges[session["payment_intent"]]
            session["payment_intent"] = {
                "id": session["payment_intent"],
                "object": "payment_intent",
                "metadata": session["metadata"],
                "latest_charge": charge,
            }
        return session

    def _refund(self, form: Thing) -> Thing:
        charge = self.charges.get(form["payment_intent"])
        if charge is None:
            raise StripeError(404, "resource_missing")
        if charge["amount_refunded"]:
            raise StripeError(400, "charge_already_refunded")
        charge["amount_refunded"] = charge["amount"]
        refund = {
            "id": f"re_{next(self._numbers)}",
            "object": "refund",
            "created": int(time.time()),
            "charge": charge,
            "payment_intent": charge["payment_intent"],
            "metadata": {"order": form["metadata[order]"]},
            "status": "succeeded",
            "currency": charge["currency"],
            "amount": charge["amount"],
        }
        self.refunds.append(refund)
        return dict(refund)

    def _list(self, url: str, things: list[Thing], form: Thing) -> Thing:
        """Newest first, two a page so that a test meets a second one."""
        since = int(form.get("created[gte]", 0))
        payment = form.get("payment_intent")
        found = [
            thing
            for thing in reversed(things)
            if thing["created"] >= since and payment in (None, thing["payment_intent"])
        ]
        names = [thing["id"] for thing in found]
        start = names.index(form["starting_after"]) + 1 if "starting_after" in form else 0
        page = found[start : start + 2]
        more = len(found) > start + 2
        return {"object": "list", "data": page, "has_more": more, "url": url}


def _check(authorization: str | None) -> None:
    if authorization != f"Bearer {KEY}":
        raise StripeError(401, "invalid_api_key", "authentication_error")


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
                _check(self.headers.get("authorization"))
                key = self.headers.get("idempotency-key", "") if method == "POST" else ""
                status, body = stub.answer(method, path, form, key)
            except StripeError as error:
                status, body = error.status, error.body
            text = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

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
