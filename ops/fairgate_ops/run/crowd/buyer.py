"""One simulated buyer, through the public HTTP interface and nothing else.

A buyer signs in, queues, solves its proof of work, sleeps until the time it was told, asks for
admission, looks at what is left, holds seats, checks out, pays, declines or leaves, and waits for
its ticket. It ends with a ticket, a refusal with its code, or a message that says why it left;
anything else is ``broken`` and a defect of the system.
"""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urljoin

import aiohttp

from fairgate.domain.gate.proof_of_work import solve
from fairgate.http import paths
from fairgate_ops.run.crowd.reply import EndedError, Kind, Reply, comes_back, ok
from fairgate_ops.run.crowd.sign_in import code_from_provider

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

Payment = Literal["pay", "decline", "decline-then-pay", "abandon", "twice"]
TASTES = ("hand-picked", "best-available", "standing")
HOLD_TRIES_MAX = 12
BUSY_TRIES_MAX = 30  # 429 and 503 in a row, each waited out as told
ORDER_POLL_S, ORDER_POLL_MAX_S = 0.5, 4.0  # less and less often, as a page does
ORDER_PATIENCE_S = 90.0
NETWORK_S = 35.0  # beyond every time-out of the system itself


@dataclass(frozen=True)
class Plan:
    """What a buyer wants, drawn before it starts so that a seed repeats a crowd."""

    name: str
    quantity: int
    taste: str
    payment: Payment
    patience_s: float
    think_s: float
    seed: int


@dataclass
class Outcome:
    """How one buyer ended, and how long each step took in seconds.

    Attributes:
        inside_s: from the session's opening until the buyer paid or left; 0: there was none.
        walked_off: the session was left open, and lasts until it runs out.
    """

    buyer: str
    kind: Kind
    code: str
    detail: str = ""
    steps: list[tuple[str, float]] = field(default_factory=list)
    order: str = ""
    seen_ms: float = 0.0  # when its page showed the tickets, epoch ms
    inside_s: float = 0.0
    walked_off: bool = False


def draw_plan(
    name: str, chance: random.Random, *, patience_s: float = 600.0, think_s: float = 2.0
) -> Plan:
    """A plausible buyer: mostly pairs, mostly paying, mostly content with the best available."""
    return Plan(
        name=name,
        quantity=chance.choices((1, 2, 3, 4, 6), weights=(15, 50, 12, 18, 5))[0],
        taste=chance.choices(TASTES, weights=(45, 40, 15))[0],
        payment=chance.choices(
            ("pay", "decline", "decline-then-pay", "abandon", "twice"), weights=(74, 5, 8, 8, 5)
        )[0],
        patience_s=patience_s,
        think_s=chance.expovariate(1 / think_s) if think_s else 0.0,
        seed=chance.getrandbits(64),
    )


class Buyer:
    """One buyer on one event; :meth:`run` never raises for anything the system does."""

    def __init__(self, http: aiohttp.ClientSession, base_url: str, event: str, plan: Plan) -> None:
        self._http, self._base_url, self._event, self._plan = http, base_url, event, plan
        self._chance = random.Random(plan.seed)  # noqa: S311 a simulation, repeatable by its seed
        self._steps: list[tuple[str, float]] = []
        self._auth: dict[str, str] = {}
        self._session = ""
        self._credential: dict[str, str] = {}
        self._order = ""
        self._seen_ms = 0.0
        self._entered_s: float | None = None
        self._inside_s = 0.0
        self._walked_off = False

    async def run(self) -> Outcome:
        try:
            await self._sign_in()
            await self._wait_for_admission()
            await self._hold()
            await self._think()
            await self._buy()
        except EndedError as ended:
            return self._outcome(ended.kind, ended.code, ended.detail)
        except (aiohttp.ClientError, TimeoutError) as error:
            return self._outcome("broken", "network", f"{type(error).__name__}: {error}")
        except (KeyError, TypeError, ValueError) as error:
            return self._outcome("broken", "unexpected-answer", f"{type(error).__name__}: {error}")
        return self._outcome("ticket", "ticketed")

    def _outcome(self, kind: Kind, code: str, detail: str = "") -> Outcome:
        return Outcome(
            self._plan.name,
            kind,
            code,
            detail,
            self._steps,
            self._order,
            self._seen_ms,
            self._inside_s or self._since_entered_s(),
            self._walked_off,
        )

    def _since_entered_s(self) -> float:
        return 0.0 if self._entered_s is None else time.monotonic() - self._entered_s

    async def _think(self) -> None:
        await asyncio.sleep(self._plan.think_s)

    # --- in the waiting room

    async def _sign_in(self) -> None:
        began = time.monotonic()
        who = self._plan.name
        exchanged = await code_from_provider(self._http, self._base_url, who, self._chance)
        self._steps.append(("sign-in", time.monotonic() - began))
        reply = ok(await self._patient("exchange", "POST", paths.AUTH_EXCHANGE, exchanged))
        self._auth = {"Authorization": f"Bearer {reply.body['token']}"}

    async def _wait_for_admission(self) -> None:
        began = time.monotonic()
        queue = paths.QUEUE.format(event=self._event)
        reply = ok(await self._patient("queue", "POST", queue))
        solution = await asyncio.to_thread(_solution, reply.body["challenge"])
        token, boff = reply.body["token"], reply.body["boff"]
        offset_s = time.time() - reply.body["now"]
        admission = paths.ADMISSION.format(event=self._event)
        while True:
            await self._sleep_in_queue(boff + offset_s - time.time(), began)
            headers = {paths.HEADER_TOKEN: token, paths.HEADER_SOLUTION: solution}
            reply = await self._call("admission", "POST", admission, headers=headers)
            if reply.status == HTTPStatus.CREATED:
                self._enter(reply)
                self._steps.append(("wait in queue", time.monotonic() - began))
                return
            if reply.status == HTTPStatus.ACCEPTED:
                token = reply.body.get("token", token)
                boff = reply.body.get("boff", time.time() - offset_s + reply.retry_after_s)
            elif comes_back(reply):
                boff = time.time() - offset_s + reply.retry_after_s
                if "token" in reply.body:  # the same place, with another moment
                    token, boff = reply.body["token"], reply.body["boff"]
                if "challenge" in reply.body:  # behind a harder one
                    solution = await asyncio.to_thread(_solution, reply.body["challenge"])
            else:
                ok(reply)

    async def _sleep_in_queue(self, pause_s: float, began: float) -> None:
        left_s = self._plan.patience_s - (time.monotonic() - began)
        if pause_s > left_s:
            await asyncio.sleep(max(0.0, left_s))
            raise EndedError("message", "left-the-queue", "Still waiting when patience ended.")
        await asyncio.sleep(max(0.0, pause_s) + self._chance.uniform(0, 0.05))

    def _enter(self, reply: Reply) -> None:
        self._entered_s = time.monotonic()
        self._session = str(reply.body["session"])
        self._credential = {paths.HEADER_SESSION: str(reply.body["credential"])}

    # --- inside

    async def _hold(self) -> None:
        await self._think()
        taste, last = self._plan.taste, ""
        for _ in range(HOLD_TRIES_MAX):
            reply = await self._try_hold(taste)
            if reply is None:
                await self._give_up("nothing-left")
            elif reply.status == HTTPStatus.CREATED:
                return
            elif reply.code not in ("seats-taken", "no-seats-found", "limit-exceeded"):
                ok(reply)
            else:
                last = reply.code
                taste = self._chance.choice(TASTES)
                await asyncio.sleep(self._chance.uniform(0.05, 0.4))
        await self._give_up(last)

    async def _give_up(self, code: str) -> None:
        await self._leave()
        raise EndedError("refusal", code, "No seats that could be held.")

    async def _try_hold(self, taste: str) -> Reply | None:
        """One attempt to hold; None when the figures show nothing that could be tried."""
        left = await self._availability()
        sections = {s: n["available"] for s, n in left["sections"].items() if n["available"] > 0}
        areas = {a: n["available"] for a, n in left["areas"].items() if n["available"] > 0}
        if not sections and not areas:
            return None
        if areas and (taste == "standing" or not sections):
            area = self._chance.choice(sorted(areas))
            wanted = {"areas": {area: min(self._plan.quantity, areas[area])}}
            return await self._post_hold("hold standing", paths.HOLDS, wanted)
        if not sections:
            return None
        section = self._chance.choices(sorted(sections), [sections[s] for s in sorted(sections)])[0]
        if taste == "hand-picked":
            return await self._hand_picked(section)
        quantity = min(self._plan.quantity, sections[section])
        best: dict[str, Any] = {"quantity": quantity}
        if self._chance.random() < 0.5:  # noqa: PLR2004 half of them name a section
            best["section"] = section
        return await self._post_hold("hold best", paths.BEST_AVAILABLE, best)

    async def _hand_picked(self, section: str) -> Reply:
        ids = await self._seat_ids(section)
        path = paths.SECTION_SEATS.format(event=self._event, section=section)
        reply = ok(await self._patient("section seats", "GET", path))
        free = [i for i, status in enumerate(reply.body["statuses"]) if status == "0"]
        if not free:
            problem = {"code": "seats-taken"}
            return Reply(409, problem, {})
        start = self._chance.randrange(len(free))
        picked = [ids[i] for i in free[start : start + self._plan.quantity]]
        return await self._post_hold("hold picked", paths.HOLDS, {"seats": picked})

    async def _post_hold(self, step: str, path: str, wanted: Mapping[str, Any]) -> Reply:
        key = {"Idempotency-Key": f"{self._chance.getrandbits(128):032x}"}
        path = path.format(session=self._session)
        return await self._patient(step, "POST", path, wanted, key)

    async def _availability(self) -> Mapping[str, Any]:
        path = paths.AVAILABILITY.format(event=self._event)
        return ok(await self._patient("availability", "GET", path)).body

    async def _seat_ids(self, section: str) -> Sequence[str]:
        path = paths.EVENT.format(event=self._event)
        event = ok(await self._patient("event", "GET", path)).body
        static = f"/layouts/{event['layout']}/sections/{section}.json"
        layout = ok(await self._patient("layout", "GET", static)).body
        rows = [row for block in layout["blocks"] for row in block["rows"]]
        return [seat["id"] for row in rows for seat in row["seats"]]

    # --- paying

    async def _buy(self) -> None:
        began = time.monotonic()
        pay_url = await self._checkout()
        wish = self._plan.payment
        if wish == "abandon":
            await self._at_provider(pay_url, "abandon")
            await self._leave()
            raise EndedError("message", "abandoned", "Left at the payment page.")
        if wish in ("decline", "decline-then-pay"):
            await self._at_provider(pay_url, "decline")
            if wish == "decline":
                await self._leave()
                raise EndedError("message", "declined", "The card was declined.")
            # Before the shop has heard of it, it would lead back to the page that is closed.
            await self._order_until("last_attempt", ("declined",))
            pay_url = await self._checkout()
        await self._at_provider(pay_url, "twice" if wish == "twice" else "pay")
        self._inside_s = self._since_entered_s()
        state = await self._order_until("state", ("ticketed", "refunded"))
        if state == "refunded":
            raise EndedError("refusal", "refunded", "Paid too late; the money went back.")
        self._seen_ms = time.time_ns() / 1e6
        self._steps.append(("checkout to ticket", time.monotonic() - began))
        path = paths.TICKET_SVG.format(order=self._order) + "?unit=0"
        ok(await self._patient("ticket", "GET", path))

    async def _checkout(self) -> str:
        path = paths.CHECKOUT.format(session=self._session)
        key = {"Idempotency-Key": f"{self._chance.getrandbits(128):032x}"}
        wanted = {"email": f"{self._plan.name}@example.com"}
        reply = ok(await self._patient("checkout", "POST", path, wanted, key))
        self._order = str(reply.body["order"]["order"])
        self._credential = {paths.HEADER_SESSION: str(reply.body["credential"])}
        return str(reply.body["pay_url"])

    async def _at_provider(self, pay_url: str, action: str) -> None:
        began = time.monotonic()
        url = urljoin(self._base_url, pay_url)
        async with self._http.get(url) as page:
            if page.status != HTTPStatus.OK:
                raise EndedError("broken", "payment-page", f"status {page.status}")
        async with self._http.post(url, data={"action": action}, allow_redirects=False) as done:
            if done.status not in (302, 303):
                raise EndedError("broken", "payment-page", f"status {done.status} on {action}")
        self._steps.append(("pay page", time.monotonic() - began))

    async def _order_until(self, member: str, wanted: tuple[str, ...]) -> str:
        """Poll the order until it says one of ``wanted``, for at most ORDER_PATIENCE_S."""
        path = paths.ORDER.format(order=self._order)
        async for _ in _ticks(ORDER_POLL_S, ORDER_PATIENCE_S):
            said = str(ok(await self._patient("order", "GET", path)).body[member])
            if said in wanted:
                return said
        detail = f"the {member} of {self._order} is {said}, not {wanted}"
        raise EndedError("broken", "order-stuck", detail)

    async def _leave(self) -> None:
        """Give everything back, as a polite buyer does; one in four just closes the window."""
        if self._chance.random() < 0.25:  # noqa: PLR2004 the expiry has to be met too
            self._walked_off = True
            return
        path = paths.SESSION.format(session=self._session)
        reply = await self._patient("leave", "DELETE", path)
        if reply.status not in (204, 404, 409, 410):
            ok(reply)

    # --- HTTP

    async def _patient(
        self,
        step: str,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """A call that comes back as often as it is told to, within bounds."""
        for _ in range(BUSY_TRIES_MAX):
            reply = await self._call(step, method, path, body, headers)
            if reply.status not in (429, 503):
                return reply
            await asyncio.sleep(reply.retry_after_s + self._chance.uniform(0, 0.3))
        raise EndedError("refusal", reply.code, f"{step}: busy for too long")

    async def _call(
        self,
        step: str,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        began = time.monotonic()
        sent = {**self._auth, **self._credential, **(headers or {})}
        url = self._base_url + path
        async with self._http.request(method, url, json=body, headers=sent) as response:
            text = await response.read()
            json_like = "json" in response.headers.get("Content-Type", "")
            parsed = await response.json(content_type=None) if json_like and text else {}
            self._steps.append((step, time.monotonic() - began))
            return Reply(response.status, parsed, dict(response.headers))


def _solution(challenge: Mapping[str, Any]) -> str:
    return str(solve(challenge["ch"], challenge["pow"]))


async def _ticks(every_s: float, within_s: float) -> AsyncIterator[None]:
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        yield
        await asyncio.sleep(every_s)
        every_s = min(every_s * 1.5, ORDER_POLL_MAX_S)


def client(connections_max: int = 400) -> aiohttp.ClientSession:
    """An HTTP client that a crowd shares; it keeps no cookies, as the gate needs none."""
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=connections_max),
        timeout=aiohttp.ClientTimeout(total=NETWORK_S),
        cookie_jar=aiohttp.DummyCookieJar(),
    )
