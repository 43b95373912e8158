"""Stands for the whole service in the tests of the pages: answers as docs/api.md says.

A test changes ``stub.world`` to bring about what the pages must explain.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from fairgate.domain.seating.status_vector import pack
from infra.headers import CONTENT_SECURITY_POLICY
from tests.e2e.stub import found
from tests.e2e.stub import venue as hall
from tests.e2e.stub.answers import (
    CALENDAR,
    FILES,
    KEPT,
    PICTURE,
    TYPES,
    Foreign,
    Refused,
    stamp,
)
from tests.e2e.stub.bought import orders
from tests.e2e.stub.cancelling import cancel
from tests.e2e.stub.event import EVENT, event_page, event_summary, tiers
from tests.e2e.stub.feed import Feed, change_id
from tests.e2e.stub.passing import accept, held, offer, passed_on, withdraw
from tests.e2e.stub.world import World
from tests.support import pages_build
from tests.support.http_server import ENDS_WITHIN_S, Quiet

SESSION = "ses_" + "1" * 32
ORDER = "ord_" + "1" * 32 + "_00000001"
POW = 10


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128  # a page asks for two dozen files at once


class Stub:
    """Serves the pages and the fake API on a free loopback port."""

    def __init__(self, sold: hall.Hall | None = None) -> None:
        self.world = World(hall=sold or hall.Hall())
        self.sections = self.world.hall.sections
        self.reshape: Callable[[Any], Any] = lambda body: body  # answers of another version
        self.lock = threading.Lock()
        self.feed = Feed()
        self._http = _Http(("127.0.0.1", 0), type("BoundHandler", (Handler,), {"stub": self}))
        self.base_url = f"http://127.0.0.1:{self._http.server_port}"
        self._thread = threading.Thread(
            target=self._http.serve_forever, args=(ENDS_WITHIN_S,), daemon=True
        )

    def start(self) -> Stub:
        self._thread.start()
        return self

    def stop(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(5)

    def inside(self, seconds: float = 600) -> None:
        """Open a session without the waiting room."""
        self.world.session_state = "reservation"
        self.world.session_ends = self.world.now() + seconds

    # --- answers -----------------------------------------------------------------------------

    def statuses(self, section: str) -> str:
        held = self._held()
        ids = hall.seat_ids(self.sections[section])
        return "".join("1" if s in held else "2" if s in self.world.taken else "0" for s in ids)

    def _held(self) -> set[str]:
        return {u["seat"] for h in self.world.holds for u in h["units"] if u["kind"] == "seat"}

    def availability(self) -> dict[str, Any]:
        counts = {
            name: {"total": len(s), "available": s.count("0")}
            for name, s in ((n, self.statuses(n)) for n in self.sections)
        }
        areas = {
            area["id"]: {"capacity": area["capacity"], "available": self.world.floor_left}
            for area in self.world.hall.overview["areas"]
        }
        now = self.world.now()
        return {
            "event": EVENT,
            "as_of": stamp(now),
            "id": change_id(now),
            "sections": counts,
            "areas": areas,
        }

    def counts(self) -> dict[str, Any]:
        self.changes("")
        return self.availability()

    def seats(self, section: str) -> dict[str, Any]:
        self.changes(section)
        now = self.world.now()
        return {
            "event": EVENT,
            "section": section,
            "as_of": stamp(now),
            "id": change_id(now),
            "statuses": self.statuses(section),
        }

    def status_vector(self) -> bytes:
        return b"".join(pack(bytes(map(int, self.statuses(name)))) for name in self.sections)

    def changes(self, section: str) -> str:
        if section:
            statuses = dict(enumerate(self.statuses(section)))
            return self.feed.told(section, {"seats": statuses})
        counts = self.availability()
        return self.feed.told("", {"section": counts["sections"], "area": counts["areas"]})

    def queue(self) -> tuple[int, dict[str, Any]]:
        return 200, self._place("wt-0") | {
            "challenge": {"ch": "AAECAwQFBgcICQoLDA0ODw", "pow": POW},
            "sale_starts_at": stamp(self.world.sale_starts_at),
        }

    def _place(self, token: str) -> dict[str, Any]:
        """What the edge says of a place, in whole seconds, given just now or waiting on."""
        now, sale_starts_at = int(self.world.now()), self.world.sale_starts_at
        paused, early = self.world.state == "paused", now < sale_starts_at
        return {
            "state": "paused" if paused else "prequeue" if early else "waiting",
            "token": token,
            "boff": math.ceil(self.world.postponed(max(now, sale_starts_at))),
            "now": now,
            "estimate": None if early or paused else self.world.estimate,
        }

    def admission(self, headers: Any) -> tuple[int, dict[str, Any]]:
        token, nonce = headers["x-fairgate-token"], headers["x-fairgate-solution"]
        digest = hashlib.sha256(f"AAECAwQFBgcICQoLDA0ODw:{nonce}".encode()).digest()
        if int.from_bytes(digest[:4], "big") >> (32 - POW):
            raise Refused(429, "too-early", retry_after=1)
        if self.world.place_ends <= self.world.now():
            raise Refused(401, "waiting-token-ended")
        self.world.admissions.append(token)
        count = len(self.world.admissions)
        if self.world.state == "paused":
            place = self._waiting(count)
            return 202, place | {"retry_after": place["boff"] - place["now"]}
        if count <= self.world.polls_before_admission:
            return 202, self._waiting(count)
        self.inside()
        return 201, self.session()

    def _waiting(self, count: int) -> dict[str, Any]:
        return self._place(f"wt-{count}") | {"slip": f"slip-{count}"}

    def session(self) -> dict[str, Any]:
        world = self.world
        if world.session_state not in ("reservation", "checkout") or (
            world.session_ends <= world.now()
        ):
            raise Refused(404, "not-found", sessions_left=world.sessions_left)
        session = {
            "session": SESSION,
            "event": EVENT,
            "expires_at": stamp(world.session_ends),
            "state": world.session_state,
            "hold_limit": 6,
            "credential": "cred",
            "tiers": tiers(world),
            "fees": world.fees,
            "ask_address": world.ask_address,
            "terms_url": world.sellers.get("terms_url"),
            "holds": world.holds,
        }
        in_checkout = world.session_state == "checkout"
        return session | ({"order": self.order()} if in_checkout else {})

    def hold(self, wish: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        self.session()
        gone = [s for s in wish.get("seats", []) if s in self.world.taken or s in self._held()]
        if gone:
            raise Refused(409, "seats-taken", seats=gone)
        units: list[dict[str, Any]] = [self._unit(seat) for seat in wish.get("seats", [])]
        tiers_of = {area["id"]: area["tier"] for area in self.world.hall.overview["areas"]}
        units += [
            {
                "kind": "area",
                "area": area,
                "quantity": n,
                "tier": tiers_of[area],
                "label": f"{n} x {area}",
            }
            for area, n in wish.get("areas", {}).items()
        ]
        hold = {
            "hold": f"hld_{len(self.world.keys):032d}",
            "session": SESSION,
            "expires_at": stamp(self.world.session_ends),
            "units": units,
        }
        self.world.holds.append(hold)
        return 201, hold

    def _unit(self, seat: str) -> dict[str, Any]:
        section, row, found = self.world.hall.seats[seat]
        label = f"{self.sections[section]['name']}, row {row['name']}, seat {found['number']}"
        unit = {"kind": "seat", "seat": seat, "section": section, "tier": found["tier"]}
        return unit | {"label": label}

    def best(self, wish: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        self.world.wishes.append(wish)
        unwanted = wish.get("without", [])
        for section in [wish["section"]] if wish.get("section") else self.sections:
            ids, statuses = hall.seat_ids(self.sections[section]), self.statuses(section)
            free = ("1" if i in unwanted else s for i, s in zip(ids, statuses, strict=True))
            at = "".join(free).find("0" * wish["quantity"])
            if at >= 0:
                return self.hold({"seats": ids[at : at + wish["quantity"]]})
        raise Refused(409, "no-seats-found")

    def order(self) -> dict[str, Any]:
        if not self.world.order_state:
            raise Refused(404, "not-found")
        by_tier: dict[str, int] = {}
        for unit in (u for h in self.world.holds for u in h["units"]):
            by_tier[unit["tier"]] = by_tier.get(unit["tier"], 0) + unit.get("quantity", 1)
        lines: list[dict[str, Any]] = [
            {
                "label": t["name"],
                "tier": t["id"],
                "kind": "tickets",
                "quantity": by_tier[t["id"]],
                "price_minor": t["price_minor"],
                "vat_bp": 700,
                "vat_minor": round(by_tier[t["id"]] * t["price_minor"] * 700 / 10_700),
            }
            for t in self.world.hall.tiers
            if t["id"] in by_tier
        ]
        tickets, ends = sum(by_tier.values()), self.world.order_ends or self.world.session_ends
        lines += self._fee_lines(tickets)
        return {
            "order": ORDER,
            "session": SESSION,
            "event": EVENT,
            "state": self.world.order_state,
            "total_minor": sum(line["quantity"] * line["price_minor"] for line in lines),
            "currency": "EUR",
            "lines": lines,
            "expires_at": stamp(ends),
            "settling_until": stamp(ends + 1_800),
            "last_attempt": self.world.last_attempt,
            "email": self.world.email,
            "mailed_at": self.world.mailed_at,
            "postal_address": self.world.postal_address,
            "payment": "pi_3QdemoReference" if self.world.order_state == "ticketed" else None,
            "tickets": tickets - len(self.world.void) - passed_on(self),
            "ticket_labels": self._ticket_labels(),
            "refund": self.world.refund,
            "cancellation": self.world.cancellation,
            "returned": self.world.returned,
            "void": self.world.void,
            "event_cancelled": False,
            "transfer": self.world.transfer,
            "invoice": self.world.invoice and self.world.order_state != "pending",
        }

    def _ticket_labels(self) -> list[str]:
        """Labels of what still admits, as the units or else the transfer's list name them."""
        if self.world.order_state != "ticketed":
            return []
        if self.world.transfer:
            own = [one for one in self.world.transfer["tickets"] if one["state"] != "passed-on"]
            return [one["label"] for one in own]
        labels = [unit["label"] for hold in self.world.holds for unit in hold["units"]]
        return [one for one in labels if not one.endswith(tuple(self.world.void))]

    def _fee_lines(self, tickets: int) -> list[dict[str, Any]]:
        fees = self.world.fees
        lines = (
            ("Fee per order", 1, fees["order_minor"]),
            ("Fee per ticket", tickets, fees["ticket_minor"]),
        )
        return [
            {
                "label": label,
                "tier": "",
                "kind": "fee",
                "quantity": n,
                "price_minor": minor,
                "vat_bp": 0,
                "vat_minor": 0,
            }
            for label, n, minor in lines
            if minor and n
        ]

    def checkout(self, wish: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        self.session()
        self.world.accepted_terms = wish.get("terms")
        self.world.email, self.world.postal_address = wish["email"], wish.get("postal_address")
        self.world.session_state, self.world.order_state = "checkout", "pending"
        pay = f"{self.base_url}/sandbox/pay/1"
        return 201, {
            "order": self.order(),
            "pay_url": pay,
            "expires_at": stamp(self.world.session_ends),
            "credential": "cred2",
        }

    def exchange(self) -> tuple[int, dict[str, Any]]:
        return 200, self.world.sign_in()

    def release(self, hold: str) -> tuple[int, None]:
        self.world.holds[:] = [known for known in self.world.holds if known["hold"] != hold]
        return 204, None

    def leave(self) -> tuple[int, None]:
        self.world.session_state = "cancelled"
        self.world.refund = self.world.refund_on_leave or self.world.refund
        return 204, None

    def ticket(self, unit: str) -> str:
        return self.world.ticket.replace("{unit}", unit)

    def mailed_to(self, email: str) -> dict[str, Any]:
        self.world.email = email
        return self.order()

    def paid(self, action: str) -> None:
        if action == "pay":
            self.world.order_state, self.world.session_state = "ticketed", "finalised"


ROUTES: tuple[tuple[str, str, str], ...] = (
    ("POST", r"/api/auth/exchange", "exchange"),
    ("POST", r"/api/auth/renew", "renew"),
    ("GET", r"/api/events", "events"),
    ("GET", r"/api/events/demo", "event"),
    ("POST", r"/api/events/demo/preview", "event"),
    ("GET", r"/api/events/demo/availability", "availability"),
    ("GET", r"/api/events/demo/sections/([^/]+)/seats", "seats"),
    ("GET", r"/api/events/demo/changes", "changes"),
    ("GET", r"/api/events/demo/status.bin", "vector"),
    ("POST", r"/api/events/demo/queue", "queue"),
    ("POST", r"/api/events/demo/admission", "admission"),
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
    ("GET", r"/layouts/\w+/sections/([^/]+).json", "section"),
    ("GET", r"/config.json", "config"),
    ("GET", r"/idp/authorize", "authorize"),
    ("POST", r"/idp/authorize", "guest"),
    ("GET", r"/sandbox/pay/1", "pay_page"),
    ("POST", r"/sandbox/pay/1", "pay"),
)
OPEN = {
    *("events", "event", "availability", "seats", "changes", "vector", "venue", "section"),
    *("exchange", "config", "all_seats", "background", *found.OPEN),
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
            self._send(200, FILES[kind], value.encode())
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
                {"events": [event_summary(self.stub.world), *self.stub.world.listed]},
            ),
            "event": lambda: (200, event_page(self.stub.world)),
            "availability": lambda: (200, self.stub.counts()),
            "seats": lambda: (200, self.stub.seats(arg)),
            "vector": lambda: ("bin", self.stub.status_vector()),
            "changes": lambda: ("events", self.stub.changes(self._query().get("section", ""))),
            "queue": self.stub.queue,
            "admission": lambda: self.stub.admission(self.headers),
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
        headers = {"content-security-policy": CONTENT_SECURITY_POLICY}
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
