"""A buyer's browser: makes requests, records what was asked and heard, sometimes hangs up."""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from fairgate.domain.gate.edge_header import sign_edge_header
from fairgate.domain.gate.waiting_token import encode_waiting_token, issue_waiting_token
from fairgate.domain.shared.auth_token import issue_auth_token
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.http import paths
from fairgate_lab.engine.secrets import KEYS
from fairgate_lab.simulate.sale import venue
from fairgate_lab.simulate.sale.fleet import http_event
from fairgate_lab.simulate.sale.history import NEVER, Kind, Operation, Outcome
from fairgate_lab.simulate.sale.sale import Sale

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig

WAITED_MS = 3_600_000
DAY_S = 86_400


@dataclass
class Reply:
    status: int
    body: dict[str, Any]

    @property
    def outcome(self) -> Outcome:
        match self.status // 100:
            case 2:
                return "ok"
            case 5:
                return "unknown"  # nobody knows what was done
            case _:
                return "refused"


LOST = Reply(599, {})


@dataclass(frozen=True)
class Asked:
    """A hold that is wanted: a path, a body, and the key that tells its repetitions."""

    path: str
    body: Mapping[str, Any]
    seats: tuple[str, ...] | None  # None: the system chooses
    places: int  # in the area; of any kind where the system chooses
    key: str = ""  # "" sends none


def _granted(asked: Asked, units: Sequence[Mapping[str, Any]]) -> tuple[tuple[str, ...], str]:
    """The seats of an answer, and what is wrong with it."""
    seats = tuple(unit["seat"] for unit in units if unit["kind"] == "seat")
    places = sum(unit["quantity"] for unit in units if unit["kind"] == "area")
    if asked.seats is None:  # a table may be what a party of its size is given
        people = sum(venue.TABLE_PLACES if seat == venue.TABLE else 1 for seat in seats)
        right = people + places == asked.places
    else:
        right = set(seats) == set(asked.seats) and places == asked.places
    return seats, "" if right else f"asked for {asked.seats} and {asked.places} places"


class Client:
    """One account's requests."""

    def __init__(self, sale: Sale, user: str) -> None:
        self.sale, self.user = sale, user
        self.event = venue.EVENT
        self.rng = random.Random(sale.rng.getrandbits(64))  # noqa: S311 a schedule
        start_s = venue.START_MS / 1000
        token = issue_auth_token(user, (), KEYS.auth["1"], "1", start_s, ttl_s=DAY_S)
        self.headers = {paths.HEADER_AUTHORIZATION: f"Bearer {token}"}
        self._unnamed = 0

    @property
    def rules(self) -> GateConfig:
        return self.sale.gates[self.event]

    # --- coming in

    def token(self, number: int) -> str:
        """A waiting token that has waited for an hour."""
        token = issue_waiting_token(
            self.rules,
            self.event,
            self.user,
            request_id=f"{self.user}{number}",
            ip="192.0.2.1",
            now_ms=venue.START_MS - WAITED_MS,
        )
        start_s = venue.START_MS // 1000
        waited = replace(token, boff=start_s - 60, exp=start_s + DAY_S)
        return encode_waiting_token(waited, self.rules)

    def admit(self, token: str) -> Reply:
        now_s = self.sale.scheduler.now_ms / 1000
        headers = {
            paths.HEADER_TOKEN: token,
            paths.HEADER_SOLUTION: "0",
            paths.HEADER_EDGE: sign_edge_header(
                self.rules, "admit", self.event, self.user, now_s, "203.0.113.7"
            ),
        }
        path = paths.ADMISSION.format(event=self.event)
        return self.call("sessions", "POST", path, headers=headers)

    def live_session(self) -> Reply:
        return self.call("sessions", "GET", paths.LIVE_SESSION.format(event=self.event))

    # --- inside

    def hold(self, session: str, asked: Asked) -> tuple[Reply, Operation]:
        self._unnamed += 1
        route = "best " if asked.seats is None else ""  # a key counts for its route
        key = route + (asked.key or f"{self.user}-unnamed-{self._unnamed}")
        headers = {"idempotency-key": asked.key} if asked.key else {}
        operation = self._begin("hold", session, seats=asked.seats, key=key)
        reply = self.call("holds", "POST", asked.path, asked.body, headers)
        # "Somebody is only just trying" is a hint of the cache, not what the table said.
        gone = () if reply.body.get("for_now") else tuple(reply.body.get("seats", ()))
        self._end(operation, reply, gone=gone)
        if reply.outcome == "ok":
            operation.hold = reply.body["hold"]
            operation.until_ms = epoch_ms(reply.body["expires_at"])
            operation.seats, operation.wrong = _granted(asked, reply.body["units"])
        return reply, operation

    def release(self, session: str, hold: str, key: str) -> Reply:
        operation = self._begin("release", session, key=key)
        path = paths.HOLD.format(session=session, hold=hold)
        return self._end(operation, self.call("holds", "DELETE", path))

    def leave(self, session: str) -> Reply:
        operation = self._begin("end", session)
        path = paths.SESSION.format(session=session)
        return self._end(operation, self.call("checkout", "DELETE", path))

    def look(self) -> None:
        self.call("seatmap", "GET", paths.AVAILABILITY.format(event=self.event))
        path = paths.SECTION_SEATS.format(event=self.event, section=venue.SECTION)
        self.call("seatmap", "GET", path)

    # --- money

    def checkout(self, session: str, key: str = "") -> Reply:
        operation = self._begin("checkout", session)
        path = paths.CHECKOUT.format(session=session)
        headers = {"idempotency-key": key} if key else {}
        reply = self.call("checkout", "POST", path, {"email": "a@example.org"}, headers)
        if reply.outcome == "ok":
            operation.due_ms = epoch_ms(reply.body["expires_at"])
            operation.until_ms = _runs_out_ms(reply.body["credential"])
            operation.order = reply.body["order"]["order"]
        self._end(operation, reply)
        if operation.outcome == "refused":  # perhaps the page alone: the checkout may have begun
            operation.outcome, operation.end, operation.end_ms = "unknown", NEVER, NEVER
        return reply

    def order(self, order: str) -> Reply:
        return self.call("orders", "GET", paths.ORDER.format(order=order))

    def cancel(
        self, session: str, order: str, key: str = "", place: Mapping[str, Any] | None = None
    ) -> Reply:
        """Cancel all of it, or one place as the order's page offers it."""
        seats = None if place is None else (place["seat"],) if place["seat"] else ()
        operation = self._begin("cancel", session, order=order, seats=seats)
        body = None if place is None else {"ticket": place["tickets"][0]}
        in_time = self._may_cancel(order, operation.begin_ms)
        path = paths.ORDER_CANCEL.format(order=order)
        headers = {"idempotency-key": key} if key else {}
        reply = self.call("checkout", "POST", path, body, headers)
        if reply.outcome == "ok" and not in_time:
            operation.wrong = "this order could not be cancelled any more"
        return self._end(operation, reply)

    def _may_cancel(self, order: str, now_ms: int) -> bool:
        """Whether the event's policy allows it, by some process's clock, now or before."""
        sale = self.sale
        until = sale.events[self.event].cancel_until
        if rfc3339(now_ms - sale.faults.plan.skew_ms) < until:
            sale.asked_in_time.add(order)
        return order in sale.asked_in_time

    # --- how a request is made

    def call(
        self,
        function: str,
        method: str,
        path: str,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        sale = self.sale
        event = http_event(method, path, {**self.headers, **(headers or {})}, body)
        sale.scheduler.note(f"{method} {path} {body or ''}")
        if sale.faults.chance(sale.faults.plan.impatient):
            sale.scheduler.spawn(
                f"{self.user}'s abandoned request", lambda: sale.fleet.invoke(function, event)
            )
            sale.scheduler.sleep(self.rng.randint(0, 3_000))
            return LOST
        answer = sale.fleet.invoke(function, event)
        if answer is None:
            return LOST
        sale.scheduler.note(f"answer {answer['statusCode']} {str(answer.get('body'))[:160]}")
        text = answer.get("body") or ""
        return Reply(answer["statusCode"], json.loads(text) if text.startswith("{") else {})

    def _begin(self, kind: Kind, session: str, **known: Any) -> Operation:
        return self.sale.history.begin(kind, session, self.sale.scheduler.now_ms, **known)

    def _end(self, operation: Operation, reply: Reply, **learned: Any) -> Reply:
        said = str(reply.body.get("code", reply.status))
        now_ms = self.sale.scheduler.now_ms
        self.sale.history.end(operation, reply.outcome, now_ms, said=said, **learned)
        return reply


def _runs_out_ms(credential: str) -> int:
    """When a session's credential runs out, as anyone can read in it: with the seats' locks."""
    claims = credential.split(".")[1]
    padded = claims + "=" * (-len(claims) % 4)
    return int(json.loads(base64.urlsafe_b64decode(padded))["exp"])
