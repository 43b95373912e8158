"""Takes the requests of the pages, finds what the stub answers to each, and writes it."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlencode, urlsplit

from infra.headers import content_security_policy
from tests.e2e.stub import found
from tests.e2e.stub.answers import CALENDAR, FILES, KEPT, ORDER, PICTURE, TYPES, Foreign, Refused
from tests.e2e.stub.bought import orders
from tests.e2e.stub.cancelling import cancel
from tests.e2e.stub.event import event_page, event_summary
from tests.e2e.stub.passing import accept, held, offer, withdraw
from tests.support import pages_build
from tests.support.http_server import Quiet

if TYPE_CHECKING:
    from tests.e2e.stub.server import Stub

ROUTES: tuple[tuple[str, str, str], ...] = (
    ("POST", r"/api/auth/exchange", "exchange"),
    ("POST", r"/api/auth/renew", "renew"),
    ("GET", r"/api/events", "events"),
    ("GET", r"/events.json", "events"),
    ("GET", r"/api/events/demo", "event"),
    ("POST", r"/api/events/demo/preview", "event"),
    ("GET", r"/api/events/demo/availability", "availability"),
    ("GET", r"/api/events/demo/sections/([^/]+)/seats", "seats"),
    ("GET", r"/api/events/demo/changes", "changes"),
    ("GET", r"/api/events/demo/status.bin", "vector"),
    ("POST", r"/api/events/demo/queue", "queue"),
    ("POST", r"/api/events/demo/admission", "admission"),
    ("POST", r"/api/events/demo/appeal", "appeal"),
    ("GET", r"/api/events/demo/session", "session"),
    ("POST", r"/api/sessions/[^/]+/holds", "holds"),
    ("POST", r"/api/sessions/[^/]+/holds/best-available", "best"),
    ("DELETE", r"/api/sessions/[^/]+/holds/([^/]+)", "release"),
    ("POST", r"/api/sessions/[^/]+/checkout", "checkout"),
    ("DELETE", r"/api/sessions/[^/]+", "leave"),
    ("GET", r"/api/orders", "orders"),
    ("GET", r"/api/orders/[^/]+", "order"),
    ("POST", r"/api/orders/[^/]+/cancel", "cancel"),
    ("POST", r"/api/orders/[^/]+/email", "email"),
    ("POST", r"/api/orders/[^/]+/tickets/([^/]+)/offer", "offer"),
    ("DELETE", r"/api/orders/[^/]+/tickets/([^/]+)/offer", "withdraw"),
    ("POST", r"/api/transfers", "accept"),
    ("GET", r"/api/tickets", "held"),
    ("GET", r"/api/orders/[^/]+/ticket.svg", "ticket"),
    ("GET", r"/api/orders/[^/]+/ticket.png", "picture"),
    ("GET", r"/api/orders/[^/]+/ticket.pdf", "tickets"),
    ("GET", r"/api/orders/[^/]+/ticket.pkpass", "apple"),
    ("GET", r"/api/orders/[^/]+/google-pass", "google"),
    ("GET", r"/api/orders/[^/]+/invoice.pdf", "invoice"),
    ("GET", r"/api/orders/[^/]+/event.ics", "calendar"),
    *found.ROUTES,
    ("GET", r"/layouts/\w+/venue.json", "venue"),
    ("GET", r"/layouts/\w+/seats.json", "all_seats"),
    ("GET", r"/layouts/\w+/picture.json", "background"),
    ("GET", r"/layouts/\w+/(logo\.png|picture\.jpg)", "brand"),
    ("GET", r"/layouts/\w+/sections/([^/]+).json", "section"),
    ("GET", r"/config.json", "config"),
    ("GET", r"/idp/authorize", "authorize"),
    ("POST", r"/idp/authorize", "guest"),
    ("GET", r"/sandbox/pay/1", "pay_page"),
    ("POST", r"/sandbox/pay/1", "pay"),
)
OPEN = {
    *("events", "event", "availability", "seats", "changes", "vector", "venue", "section"),
    *("exchange", "config", "all_seats", "background", "brand", *found.OPEN),
}


class Handler(Quiet, BaseHTTPRequestHandler):
    stub: Stub
    name = ""  # of the route that is answered

    def date_time_string(self, timestamp: float | None = None) -> str:
        """The Date header, by the stub's clock; of a kept answer, when it was made."""
        made_s = self.stub.world.now() - self.stub.world.kept_s.get(self.name, 0)
        return super().date_time_string(made_s if timestamp is None else timestamp)

    def do_GET(self) -> None:
        self._serve("GET")

    def do_POST(self) -> None:
        self._serve("POST")

    def do_DELETE(self) -> None:
        self._serve("DELETE")

    def _serve(self, method: str) -> None:
        path = urlsplit(self.path).path
        size = int(self.headers.get("content-length") or 0)
        body = self.rfile.read(size)
        for wanted, pattern, name in ROUTES:
            match = re.fullmatch(pattern, path)
            if match and wanted == method:
                self.name = name
                self._answer(name, match.group(1) if match.groups() else "", body)
                return
        self.name = ""
        self._file(path)

    def _answer(self, name: str, arg: str, body: bytes) -> None:
        threading.Event().wait(self.stub.world.slow_s.get(name, 0))
        with self.stub.lock:
            if foreign := self.stub.world.foreign.get(name):
                self._foreign(name, foreign.pop(0))
                return
            try:
                self._refuse(name)
                kind, value = self._route(name, arg, body)
            except Refused as refused:
                self._json(refused.status, refused.body, refused.retry_after)
                return
        if kind == "html":
            self._send(200, "text/html; charset=utf-8", value.encode())
        elif kind == "to":
            self._send(303, "text/plain", b"", {"location": value})
        elif kind == "bin":
            self._send(200, "application/octet-stream", value)
        elif kind == "events":
            self._send(200, "text/event-stream", value.encode())
        elif kind in FILES:
            body = value if isinstance(value, bytes) else value.encode()
            self._send(200, FILES[kind], body)
        else:
            self._json(kind, value)

    def _foreign(self, name: str, answer: Foreign) -> None:
        self._count(name)
        body = answer.body.encode()
        self.send_response(answer.status)
        if answer.kind:
            self.send_header("content-type", answer.kind)
        self.send_header("content-length", str(len(body) + 400 * answer.cut))
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = True

    def _count(self, name: str) -> None:
        self.stub.world.reads[name] = self.stub.world.reads.get(name, 0) + 1
        self.stub.world.asked.append(name)

    def _refuse(self, name: str) -> None:
        self._count(name)
        if key := self.headers.get("idempotency-key"):
            self.stub.world.keys.append((name, key))
        refused = self.stub.world.refuse.get(name)
        if refused is not None and self.stub.world.refuse_times > 0:
            self.stub.world.refuse_times -= 1
            raise refused.at(self.stub.world.now())
        protected = not (name in OPEN or self.path.startswith(("/idp", "/sandbox")))
        if protected:
            self.stub.world.refuse_unless_signed_in(self.headers.get("authorization"))

    def _route(self, name: str, arg: str, body: bytes) -> tuple[Any, Any]:
        sent = self.headers.get("content-type") == "application/json"
        wish = json.loads(body) if body and sent else {}
        answers: dict[str, Callable[[], tuple[Any, Any]]] = {
            "config": lambda: (200, self.stub.world.config(self.stub.base_url)),
            "exchange": self.stub.exchange,
            "renew": self.stub.exchange,
            "events": lambda: (
                200,
                {
                    "events": [event_summary(self.stub.world), *self.stub.world.listed],
                    "after": None,
                },
            ),
            "event": lambda: (200, event_page(self.stub.world)),
            "availability": lambda: (200, self.stub.counts()),
            "seats": lambda: (200, self.stub.seats(arg)),
            "vector": lambda: ("bin", self.stub.status_vector()),
            "changes": lambda: ("events", self.stub.changes(self._query().get("section", ""))),
            "queue": self.stub.queue,
            "admission": lambda: self.stub.admission(self.headers),
            "appeal": lambda: (200, self.stub.appeal(wish)),
            "session": lambda: (200, self.stub.session()),
            "holds": lambda: self.stub.hold(wish),
            "best": lambda: self.stub.best(wish),
            "release": lambda: self.stub.release(arg),
            "checkout": lambda: self.stub.checkout(wish),
            "leave": self.stub.leave,
            "orders": lambda: (200, orders(self.stub, self._query().get("after", ""))),
            "order": lambda: (200, self.stub.order()),
            "cancel": lambda: (200, cancel(self.stub, wish)),
            "email": lambda: (200, self.stub.mailed_to(wish["email"])),
            "offer": lambda: (201, offer(self.stub, arg)),
            "withdraw": lambda: withdraw(self.stub, arg),
            "accept": lambda: (200, accept(self.stub, wish, ORDER)),
            "held": lambda: (200, held(self.stub)),
            "ticket": lambda: ("svg", self.stub.ticket(self._query()["unit"])),
            "picture": lambda: ("png", PICTURE),
            "apple": lambda: ("pkpass", "PK"),
            "google": lambda: (200, {"url": f"{self.stub.base_url}/#/e/demo"}),
            **dict.fromkeys(("tickets", "invoice"), lambda: ("pdf", "%PDF-1.4")),
            "calendar": lambda: ("ics", CALENDAR),
            "venue": lambda: (200, self.stub.world.hall.overview),
            "all_seats": self.stub.world.hall.all_seats,
            "brand": lambda: (arg[-3:], self.stub.world.files[arg]),
            "background": self.stub.world.hall.background,
            "section": lambda: (200, self.stub.sections[arg]),
            **found.answers(self.stub, wish, self._query()),
        }
        answer = answers.get(name)
        return answer() if answer else self._other_site(name, body)

    def _query(self) -> dict[str, str]:
        return {k: v[0] for k, v in parse_qs(urlsplit(self.path).query).items()}

    def _other_site(self, name: str, body: bytes) -> tuple[str, str]:
        form = {k: v[0] for k, v in parse_qs(body.decode()).items()}
        match name:
            case "authorize":
                return "html", (
                    f'<form method="post" action="/idp/authorize?{urlsplit(self.path).query}">'
                    "<button>Continue as a new guest</button></form>"
                )
            case "guest":
                back = {"code": "abc", "state": self._query()["state"]}
                return "to", f"{self._query()['redirect_uri']}?{urlencode(back)}"
            case "pay_page":
                buttons = "".join(
                    f'<button name="action" value="{value}">{text}</button>'
                    for value, text in (("pay", "Pay"), ("decline", "Decline the card"))
                )
                form_html = f'<form method="post" action="/sandbox/pay/1">{buttons}</form>'
                return "html", form_html
        self.stub.paid(form["action"])
        return "to", f"/#/order/{ORDER}"

    def _file(self, path: str) -> None:
        pages = pages_build.pages()
        is_page = path == "/" or path.startswith("/e/")
        file = (pages / ("index.html" if is_page else path.lstrip("/"))).resolve()
        if not file.is_relative_to(pages) or not file.is_file():
            self._json(404, Refused(404, "not-found").body)
            return
        policy = content_security_policy((pages / "index.html").read_text("utf-8"))
        headers = {"content-security-policy": policy}
        self._send(200, TYPES[file.suffix], file.read_bytes(), headers)

    def _json(self, status: int, body: Any, retry_after: int | None = None) -> None:
        kind = "application/problem+json" if status >= 400 else "application/json"
        extra = {} if retry_after is None else {"retry-after": str(retry_after)}
        payload = b"" if body is None else json.dumps(self.stub.reshape(body)).encode()
        self._send(status, kind, payload, extra)

    def _send(
        self, status: int, kind: str, body: bytes, extra: dict[str, str] | None = None
    ) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        if status != 204:
            self.send_header("content-length", str(len(body)))
        self.send_header("cache-control", KEPT.get(self.name, "no-store"))
        for name, value in (extra or {}).items():
            self.send_header(name, value)
        self.end_headers()
        if status != 204:
            self.wfile.write(body)
