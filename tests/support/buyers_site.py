"""A site that gives every buyer what it wants, or at one step the answer that a test puts in."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlencode

from fairgate.http import paths
from fairgate_ops.run.local.guest_sign_in import AUTHORIZE
from tests.support.http_server import Quiet, served

PAY = "/pay"
SEATS_LAYOUT = {"blocks": [{"rows": [{"seats": [{"id": f"A-{n}"} for n in range(4)]}]}]}
_CHALLENGE = {"ch": "challenge", "pow": 1}


@dataclass(frozen=True)
class Said:
    status: int
    body: Any = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)


# What goes well, by method and path; the first that fits.
GOOD: Mapping[tuple[str, str], Said] = {
    ("GET", "/config.json"): Said(200, {"test_stage": True}),
    ("POST", paths.AUTH_EXCHANGE): Said(200, {"token": "token"}),
    ("POST", paths.QUEUE): Said(
        200, {"challenge": _CHALLENGE, "token": "ticket", "boff": 0, "now": 0}
    ),
    ("POST", paths.ADMISSION): Said(201, {"session": "ses_1", "credential": "one"}),
    ("GET", paths.AVAILABILITY): Said(200, {"sections": {"A": {"available": 4}}, "areas": {}}),
    ("GET", paths.SECTION_SEATS): Said(200, {"statuses": "0000"}),
    ("GET", paths.EVENT): Said(200, {"layout": "hash"}),
    ("GET", "/layouts/hash/sections/A.json"): Said(200, SEATS_LAYOUT),
    ("POST", paths.BEST_AVAILABLE): Said(201),
    ("POST", paths.HOLDS): Said(201),
    ("POST", paths.CHECKOUT): Said(
        201, {"order": {"order": "ord_1"}, "credential": "two", "pay_url": PAY}
    ),
    ("GET", PAY): Said(200),
    ("POST", PAY): Said(303, headers={"location": "/"}),
    ("GET", paths.TICKET_SVG): Said(200),
    ("GET", paths.ORDER): Said(200, {"state": "ticketed", "last_attempt": "declined"}),
    ("DELETE", paths.SESSION): Said(204),
}


def buyers_site(wrong: Mapping[tuple[str, str], Said] | None = None) -> AbstractContextManager[str]:
    """Its address on loopback; ``wrong`` is said in the place of what goes well."""
    handler = type("Handler", (_Handler,), {"answers": {**GOOD, **(wrong or {})}})
    return served(handler)


class _Handler(Quiet, BaseHTTPRequestHandler):
    answers: ClassVar[Mapping[tuple[str, str], Said]]

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        path = self.path.partition("?")[0]
        if path == AUTHORIZE:
            self._say(_signed_in(body))
            return
        for (method, template), said in self.answers.items():
            if method == self.command and re.fullmatch(_pattern(template), path):
                self._say(said)
                return
        self._say(Said(404, {"code": "not-found"}))

    do_GET = do_POST = do_DELETE = _answer  # noqa: N815 the base's names

    def _say(self, said: Said) -> None:
        text = said.body if isinstance(said.body, str) else json.dumps(said.body)
        data = b"" if said.status == 204 else text.encode()
        self.send_response(said.status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        for name, value in said.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)


def _signed_in(body: bytes) -> Said:
    state = parse_qs(body.decode())["state"][0]
    return Said(303, headers={"location": f"/?{urlencode({'state': state, 'code': 'code'})}"})


def _pattern(template: str) -> str:
    return re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(template))
