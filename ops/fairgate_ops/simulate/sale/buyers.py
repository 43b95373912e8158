"""The workload: buyers who want the same few seats, change their minds, retry, and come back.

It knows the API and nothing else. Beside them stands an intruder who calls the services with
somebody else's session, as a defect before them would.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from fairgate.domain.auth_token import issue_auth_token
from fairgate.domain.edge_header import sign_edge_header
from fairgate.domain.times import epoch_ms
from fairgate.domain.waiting_token import encode_waiting_token, issue_waiting_token
from fairgate.http import paths
from fairgate_ops.simulate.sale import venue
from fairgate_ops.simulate.sale.fleet import http_event
from fairgate_ops.simulate.sale.history import Operation, Outcome
from fairgate_ops.simulate.sale.sale import SECRETS, Sale

if TYPE_CHECKING:
    from fairgate.domain.gate_config import GateConfig

WAITED_MS = 3_600_000
TRIES_MAX = 3
DAY_S = 86_400
Choice = Literal["hold", "area", "mixed", "best", "release", "leave", "look", "checkout", "wait"]
CHOICES: Mapping[Choice, int] = {
    "hold": 6,
    "area": 3,
    "mixed": 2,
    "best": 1,
    "release": 2,
    "leave": 1,
    "look": 1,
    "checkout": 4,
    "wait": 3,
}


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
INSIDE_ALREADY = 403


class Buyer:
    """One person with one account, perhaps with two windows."""

    def __init__(self, sale: Sale, user: str, rules: GateConfig) -> None:
        self.sale, self.user, self.rules = sale, user, rules
        self.rng = random.Random(sale.rng.getrandbits(64))  # noqa: S311 a schedule
        self._keys = 0
        token = issue_auth_token(
            user, (), SECRETS.auth["1"], "1", venue.START_MS / 1000, ttl_s=DAY_S
        )
        self.headers = {paths.HEADER_AUTHORIZATION: f"Bearer {token}"}
        self.session = ""
        self.holds: dict[str, str] = {}  # the API's hold → our key of it

    def live(self) -> None:
        """Come in, act, leave; perhaps more than once."""
        self._wait(2_000)
        for visit in range(self.rng.randint(1, 3)):
            if self._enter(visit):
                for _ in range(self.rng.randint(2, 7)):
                    if not self._act():
                        break
            self._wait(self.sale.long_ms)

    # --- in

    def _enter(self, visit: int) -> bool:
        token = self._token(visit)
        if self._chance(0.2):
            self._also("another window", lambda: self._admit(token))
        if self._chance(0.2):
            other = self._token(visit + 10)
            self._also("another token", lambda: self._admit(other))
        reply = self._tried(lambda: self._admit(token))
        if reply.status == INSIDE_ALREADY or self._chance(0.1):
            path = paths.LIVE_SESSION.format(event=venue.EVENT)
            reply = self._call("sessions", "GET", path)
        if reply.outcome != "ok":
            return False
        self._take(reply.body)
        return True

    def _take(self, opened: Mapping[str, Any]) -> None:
        if opened["session"] != self.session:
            self.session, self.holds = opened["session"], {}
        self.headers = self.headers | {paths.HEADER_SESSION: opened["credential"]}

    def _token(self, visit: int) -> str:
        token = issue_waiting_token(
            self.rules,
            venue.EVENT,
            self.user,
            request_id=f"{self.user}{visit}",
            ip="192.0.2.1",
            now_ms=venue.START_MS - WAITED_MS,
        )
        waited = replace(
            token, boff=venue.START_MS // 1000 - 60, exp=venue.START_MS // 1000 + DAY_S
        )
        return encode_waiting_token(waited, self.rules)

    def _admit(self, token: str) -> Reply:
        now_s = self.sale.scheduler.now_ms / 1000
        edge = sign_edge_header(self.rules, "admit", venue.EVENT, self.user, now_s)
        headers = {
            paths.HEADER_TOKEN: token,
            paths.HEADER_SOLUTION: "0",
            paths.HEADER_EDGE: edge,
        }
        path = paths.ADMISSION.format(event=venue.EVENT)
        return self._call("sessions", "POST", path, headers=headers)

    # --- inside

    def _act(self) -> bool:
        """Whether there is more to do in this session."""
        choice = self.rng.choices(list(CHOICES), list(CHOICES.values()))[0]
        match choice:
            case "hold":
                self._hold(self._some_seats(), 0)
            case "area":
                self._hold([], self.rng.randint(1, 3))
            case "mixed":
                self._hold(self._some_seats()[:1], self.rng.randint(1, 2))
            case "best":
                self._best()
            case "release":
                self._release()
            case "look":
                self._look()
            case "wait":
                self._wait(self.sale.long_ms)
            case "leave":
                self._leave()
                return self._chance(0.3)
            case "checkout":
                return self._buy()
        return True

    def _some_seats(self) -> list[str]:
        """Mostly of the three best; everybody wants those."""
        few = venue.SEATS[: self.rng.choice((1, 3, 3, 5))]
        return self.rng.sample(few, self.rng.randint(1, min(2, len(few))))

    def _hold(self, seats: list[str], places: int) -> None:
        areas = {venue.AREA: places} if places else {}
        body = {"seats": seats, "areas": areas}
        path = paths.HOLDS.format(session=self.session)
        self._holding(path, body, tuple(seats))

    def _best(self) -> None:
        path = paths.BEST_AVAILABLE.format(session=self.session)
        self._holding(path, {"quantity": self.rng.randint(1, 2)}, None)

    def _holding(self, path: str, body: Mapping[str, Any], seats: tuple[str, ...] | None) -> None:
        self._keys += 1
        key = f"{self.user}-{self._keys}"
        named = self._chance(0.7)
        headers = {"idempotency-key": key} if named else {}
        tries = [0]

        def once() -> Reply:
            tries[0] += 1
            ours = key if named else f"{key}.{tries[0]}"
            return self._hold_once(path, body, headers, seats, ours)

        if self._chance(0.15):
            self._also("twin", once)
        self._tried(once, again=named)

    def _hold_once(
        self,
        path: str,
        body: Mapping[str, Any],
        headers: Mapping[str, str],
        seats: tuple[str, ...] | None,
        key: str,
    ) -> Reply:
        session = self.session
        asked = self._begin("hold", session, seats=seats, key=key)
        reply = self._call("holds", "POST", path, body, headers)
        self._end(asked, reply, gone=tuple(reply.body.get("seats", ())))
        if reply.outcome == "ok":
            units = reply.body["units"]
            asked.seats = tuple(unit["seat"] for unit in units if unit["kind"] == "seat")
            asked.until_ms = epoch_ms(reply.body["expires_at"])
            self.holds[reply.body["hold"]] = key
        return reply

    def _release(self) -> None:
        if not self.holds:
            return
        hold = self.rng.choice(sorted(self.holds))
        key = self.holds[hold]
        session = self.session
        path = paths.HOLD.format(session=session, hold=hold)

        def once() -> Reply:
            asked = self._begin("release", session, key=key)
            return self._end(asked, self._call("holds", "DELETE", path))

        if self._chance(0.2):
            self._also("twin", once)
        self._tried(once)

    def _leave(self) -> None:
        session = self.session
        path = paths.SESSION.format(session=session)

        def once() -> Reply:
            asked = self._begin("end", session)
            return self._end(asked, self._call("orders", "DELETE", path))

        if self._chance(0.2):
            self._also("twin", once)
        self._tried(once)

    def _look(self) -> None:
        self._call("seatmap", "GET", paths.AVAILABILITY.format(event=venue.EVENT))
        path = paths.SECTION_SEATS.format(event=venue.EVENT, section=venue.SECTION)
        self._call("seatmap", "GET", path)

    # --- money

    def _buy(self) -> bool:
        reply = self._tried(self._checkout)
        if reply.outcome != "ok":
            return self._chance(0.7)
        self.headers = self.headers | {paths.HEADER_SESSION: reply.body["credential"]}
        page, order = reply.body["pay_url"], reply.body["order"]["order"]
        if self._chance(0.3):
            self._meanwhile()
        self._pay(page)
        if self._chance(0.3):
            self._meanwhile()
        if self._chance(0.4):
            self._wait(self.sale.long_ms)
            self._tried(lambda: self._cancel(order))
        return self._chance(0.2)

    def _meanwhile(self) -> None:
        """Something unwise while the payment is under way."""
        self.rng.choice((self._leave, self._release, lambda: self._hold(self._some_seats(), 1)))()

    def _checkout(self) -> Reply:
        session = self.session
        path = paths.CHECKOUT.format(session=session)
        asked = self._begin("checkout", session)
        headers = {"idempotency-key": f"c-{session}"} if self._chance(0.5) else {}
        reply = self._call("orders", "POST", path, {"email": "a@example.org"}, headers)
        if reply.outcome == "ok":
            asked.until_ms = epoch_ms(reply.body["expires_at"])
            asked.order = reply.body["order"]["order"]
        return self._end(asked, reply)

    def _pay(self, page: str) -> None:
        provider = self.sale.provider
        self._wait(5_000)
        way = self.rng.random()
        if way < 0.55:  # noqa: PLR2004 most people pay
            provider.pay(page)
        elif way < 0.75:  # noqa: PLR2004 some banks are slow
            provider.pay_late(page, self.rng.randint(0, 2 * self.sale.long_ms))
        elif way < 0.9:  # noqa: PLR2004 some cards are declined, and people try another
            provider.decline(page)
            again = self._tried(self._checkout)
            if again.outcome == "ok" and again.body["pay_url"] != page:
                provider.pay(again.body["pay_url"])

    def _cancel(self, order: str) -> Reply:
        path = paths.ORDER_CANCEL.format(order=order)
        asked = self._begin("cancel", self.session, order=order)
        headers = {"idempotency-key": f"x-{order}"} if self._chance(0.5) else {}
        return self._end(asked, self._call("orders", "POST", path, None, headers))

    # --- how requests are made

    def _chance(self, of_one: float) -> bool:
        return self.rng.random() < of_one

    def _wait(self, most_ms: int) -> None:
        """Mostly short, sometimes long enough for everything to expire."""
        longest = most_ms if self._chance(0.3) else min(most_ms, 3_000)
        self.sale.scheduler.sleep(self.rng.randint(0, longest))

    def _tried(self, once: Callable[[], Reply], *, again: bool = True) -> Reply:
        reply = once()
        for _ in range(TRIES_MAX - 1):
            if reply.outcome != "unknown" or not again or self._chance(0.3):
                break
            self._wait(2_000)
            reply = once()
        return reply

    def _also(self, name: str, once: Callable[[], Reply]) -> None:
        """The same thing at the same moment, from another window."""
        self.sale.scheduler.spawn(f"{self.user}'s {name}", once)

    def _call(
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
        if sale.sky.chance(sale.sky.weather.impatient):
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

    def _begin(self, kind: Any, session: str, **known: Any) -> Operation:
        return self.sale.history.begin(kind, session, self.sale.scheduler.now_ms, **known)

    def _end(self, asked: Operation, reply: Reply, **learned: Any) -> Reply:
        said = str(reply.body.get("code", reply.status))
        now_ms = self.sale.scheduler.now_ms
        self.sale.history.end(asked, reply.outcome, now_ms, said=said, **learned)
        return reply
