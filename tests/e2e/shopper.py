"""A buyer in a test: one step a method, over HTTP like anybody, with the answers to look at."""

from __future__ import annotations

import http.client
import json
import secrets
import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

from fairgate.domain.gate.proof_of_work import solve
from fairgate.http import paths
from fairgate_ops.run.local.guest_sign_in import AUTHORIZE, FORM, guest_sign_in
from tests.support.waiting import patience_s, wait_until

ADMITTED_WITHIN_S = 40
SETTLED_WITHIN_S = 25
_LATER = ("too-many-requests", "payment-waits")


@dataclass(frozen=True)
class Answer:
    status: int
    headers: http.client.HTTPMessage
    data: bytes

    @property
    def body(self) -> Any:
        return json.loads(self.data) if self.data else {}


def call(base_url, method, path, body=None, headers=None) -> Answer:
    """One request; ``body`` as JSON unless it is bytes."""
    sent = dict(headers or {})
    if body is not None and not isinstance(body, bytes):
        body = json.dumps(body).encode()
        sent.setdefault("content-type", "application/json")
    address = urlsplit(base_url)
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=patience_s(40))
    try:
        connection.request(method, path, body, sent)
        response = connection.getresponse()
        return Answer(response.status, response.headers, response.read())
    finally:
        connection.close()


class Shopper:
    def __init__(self, base_url: str, event: str, name: str = "") -> None:
        self.base_url, self.event = base_url, event
        self.name = name or f"shopper-{secrets.token_hex(8)}"
        self.auth: dict[str, str] = {}
        self.waiting: dict[str, Any] = {}
        self.solution = ""
        self.session: dict[str, Any] = {}
        self.credential: dict[str, str] = {}
        self.email = "ann@example.com"
        self.asked: dict[str, Any] = {}  # what else checkout asks for
        self.order = ""
        self.pay_url = ""

    def call(self, method, path, body=None, headers=None) -> Answer:
        """Ask as the page does: told that it asked too often or too early, it asks again."""
        sent = {**self.auth, **self.credential, **(headers or {})}
        answers: list[Answer] = []

        def taken() -> bool:
            answers.append(call(self.base_url, method, path, body, sent))
            last = answers[-1]
            return last.status != 429 or last.body["code"] not in _LATER

        wait_until(taken, f"{method} {path} to be taken", every_s=1)
        return answers[-1]

    def sign_in(self, groups=(), facts=None) -> Shopper:
        begun = guest_sign_in(self.base_url, self.name, secrets.token_hex, groups, facts)
        sent_back = self.call("POST", AUTHORIZE, begun.form(), FORM)
        assert sent_back.status == 303, sent_back
        wanted = begun.exchange(sent_back.headers["location"])
        exchanged = self.call("POST", paths.AUTH_EXCHANGE, wanted)
        assert exchanged.status == 200, exchanged
        self.auth = {"authorization": f"Bearer {exchanged.body['token']}"}
        return self

    def queue(self) -> Answer:
        answer = self.call("POST", paths.QUEUE.format(event=self.event))
        if answer.status == 200:
            self.waiting = answer.body
            challenge = answer.body["challenge"]
            self.solution = str(solve(challenge["ch"], challenge["pow"]))
        return answer

    def attempt(self) -> Answer:
        """One admission attempt; keeps the new token, or the session."""
        headers = {paths.HEADER_TOKEN: self.waiting["token"], paths.HEADER_SOLUTION: self.solution}
        answer = self.call("POST", paths.ADMISSION.format(event=self.event), headers=headers)
        if answer.status == 201:
            self.enter(answer)
        elif answer.status == 202:
            self.waiting = {**self.waiting, **answer.body}
        elif "token" in answer.body and "challenge" not in answer.body:  # no capacity
            self.waiting |= {name: answer.body[name] for name in ("token", "boff")}
        return answer

    def enter(self, answer: Answer) -> None:
        self.session = answer.body
        self.credential = {paths.HEADER_SESSION: answer.body["credential"]}

    def wait_for_admission(self, within_s: float = ADMITTED_WITHIN_S) -> Answer:
        """Attempt at each ``boff`` until admitted; returns the answer that admitted."""
        answers: list[Answer] = []

        def admitted() -> bool:
            if time.time() < self.waiting.get("boff", 0):
                return False
            answers.append(self.attempt())
            assert answers[-1].status in (201, 202, 403, 429), answers[-1]
            return answers[-1].status == 201

        wait_until(admitted, "admission", within_s=within_s, every_s=0.1)
        return answers[-1]

    def walk_in(self) -> Shopper:
        """Sign in, queue, wait, be admitted."""
        self.sign_in()
        answer = self.queue()
        assert answer.status == 200, answer
        self.wait_for_admission()
        return self

    def hold(self, seats=(), areas=None, **headers) -> Answer:
        body = {"seats": list(seats), "areas": areas or {}}
        return self.call("POST", paths.HOLDS.format(session=self.session["session"]), body, headers)

    def hold_best(self, quantity: int, **wanted) -> Answer:
        path = paths.BEST_AVAILABLE.format(session=self.session["session"])
        return self.call("POST", path, {"quantity": quantity, **wanted})

    def checkout(self, email: str = "", **headers) -> Answer:
        path = paths.CHECKOUT.format(session=self.session["session"])
        wish = {"email": email or self.email, **self.asked}
        answer = self.call("POST", path, wish, headers)
        if answer.status == 201:
            self.order = answer.body["order"]["order"]
            self.pay_url = answer.body["pay_url"]
            self.credential = {paths.HEADER_SESSION: answer.body["credential"]}
        return answer

    def pay(self, action: str = "pay", **fields) -> Answer:
        """Press a button on the provider's page."""
        path = urlsplit(self.pay_url).path
        form = urlencode({"action": action, **fields}).encode()
        headers = {"content-type": "application/x-www-form-urlencoded"}
        answer = call(self.base_url, "POST", path, form, headers)
        assert answer.status == 303, answer
        return answer

    def reserve(self, quantity: int = 2, email: str = "", **headers) -> Shopper:
        """Walk in, hold the best seats, and begin to pay for them."""
        self.walk_in()
        assert self.hold_best(quantity).status == 201
        assert self.checkout(email, **headers).status == 201
        return self

    def buy(self, quantity: int = 2, email: str = "", **headers) -> Shopper:
        """Walk in and buy the best seats; return once there are tickets."""
        self.reserve(quantity, email, **headers)
        self.pay()
        self.order_becomes("ticketed")
        return self

    def leave(self) -> Answer:
        return self.call("DELETE", paths.SESSION.format(session=self.session["session"]))

    def order_now(self) -> dict[str, Any]:
        answer = self.call("GET", paths.ORDER.format(order=self.order))
        assert answer.status == 200, answer
        body: dict[str, Any] = answer.body
        return body

    def order_becomes(self, state: str) -> dict[str, Any]:
        """The order once it is in this state, within SETTLED_WITHIN_S."""
        wait_until(
            lambda: self.order_now()["state"] == state,
            f"order {self.order} to become {state}",
            within_s=SETTLED_WITHIN_S,
            every_s=0.1,
        )
        return self.order_now()

    def ticket(self, unit: int = 0) -> Answer:
        return self.call("GET", paths.TICKET_SVG.format(order=self.order) + f"?unit={unit}")


def read_anew(base_url: str, path: str) -> Answer:
    """Read what a cache does not show beyond its time: a stale answer is on its way to be new."""
    answers: list[Answer] = []

    def asked_anew() -> bool:
        answers.append(call(base_url, "GET", path))
        return answers[-1].headers.get("x-cache") not in ("STALE", "UPDATING")

    wait_until(asked_anew, f"{path} to be new", within_s=5, every_s=0.05)
    return answers[-1]


def free_seats(base_url: str, event: str, count: int) -> list[str]:
    """Ids of ``count`` seats that show as available now, from the fullest section."""
    shown = read_anew(base_url, paths.AVAILABILITY.format(event=event)).body["sections"]
    section = max(shown, key=lambda name: shown[name]["available"])
    path = paths.SECTION_SEATS.format(event=event, section=section)
    statuses = read_anew(base_url, path).body["statuses"]
    ids = seat_ids(base_url, event, section)
    return [seat for seat, status in zip(ids, statuses, strict=True) if status == "0"][:count]


def seat_ids(base_url: str, event: str, section: str) -> list[str]:
    layout = call(base_url, "GET", paths.EVENT.format(event=event)).body["layout"]
    document = call(base_url, "GET", f"/layouts/{layout}/sections/{section}.json").body
    rows = [row for block in document["blocks"] for row in block["rows"]]
    return [seat["id"] for row in rows for seat in row["seats"]]


def section_of(base_url: str, event: str, seat: str) -> tuple[str, int]:
    """The section of a seat, and its place in the section's order."""
    shown = call(base_url, "GET", paths.AVAILABILITY.format(event=event)).body["sections"]
    for section in shown:
        ids = seat_ids(base_url, event, section)
        if seat in ids:
            return section, ids.index(seat)
    raise LookupError(seat)


def status_becomes(base_url: str, event: str, seat: str, status: str, within_s: float = 25) -> None:
    """Wait until the public seat map shows this status digit: a cold section is kept for 10 s."""
    section, index = section_of(base_url, event, seat)
    path = paths.SECTION_SEATS.format(event=event, section=section)
    wait_until(
        lambda: call(base_url, "GET", path).body["statuses"][index] == status,
        f"seat {seat} to show {status}",
        within_s=within_s,
        every_s=0.2,
    )
