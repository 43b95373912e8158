"""What each kind of flood sends: as robots have it, of accounts of their own."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus

import aiohttp

from fairgate.domain.gate.admission import lottery_number, lottery_ticket
from fairgate.domain.gate.gate_config import GateConfig
from fairgate.domain.gate.proof_of_work import solve
from fairgate.domain.gate.waiting_claims import WaitingToken
from fairgate.domain.gate.waiting_token import (
    encode_waiting_token,
    issue_waiting_token,
    postponed,
)
from fairgate.domain.shared.auth_token import issue_auth_token
from fairgate.http import paths
from fairgate_lab.attack.own_address import client_from
from fairgate_ops.run.local.access_log import HEADER_MARK
from fairgate_ops.run.local.processes import StartError

ACCOUNTS = 8  # of a kind
FAR_S = 600  # how far off the next attempt of an early place is
LUCKY = 0.02  # a lottery number below it is let in soon after the sale starts
ADDRESS = 2_000  # where the robots call from to get in; the flood itself comes from 127.0.0.1
SIGNED_IN_S = 3_600
ENTER_S = 120.0  # while honest buyers use the capacity too
NOT_SIGNED_IN: tuple[Mapping[str, str], ...] = (
    {},
    {"authorization": ""},
    {"x-fairgate-token": "x"},
)
MALFORMED: tuple[Mapping[str, str], ...] = (
    {"authorization": "Bearer malformed"},
    {"authorization": "Bearer a.b.c"},
    {"authorization": "Basic YTpi"},
    {"authorization": "Bearer " + "A" * 300},
    {"authorization": "Bearer e30.e30." + "A" * 43, "x-fairgate-token": "malformed"},
)


@dataclass(frozen=True)
class Sent:
    """One request of a flood."""

    path: str
    headers: Mapping[str, str]
    method: str = "POST"

    def marked(self, mark: str) -> Sent:
        return Sent(self.path, {**self.headers, HEADER_MARK: mark}, self.method)


@dataclass(frozen=True)
class Robots:
    """Floods against one event, whose rules and keys the tester holds."""

    base_url: str
    event: str
    gate: GateConfig

    async def requests(self, kind: str) -> list[Sent]:
        """Make what this kind sends by turns, with whatever has to happen before.

        Raises:
            StartError: a robot did not get in that has to.
        """
        made: dict[str, Callable[[], list[Sent]]] = {
            "anonymous": lambda: self._everywhere(NOT_SIGNED_IN),
            "malformed": lambda: self._everywhere(MALFORMED),
            "bad-token": self._bad_tokens,
            "early": self._early,
        }
        sent = made[kind]() if kind in made else await self._entered(leaves=kind == "redeemed")
        return [one.marked(kind) for one in sent]

    def _everywhere(self, headers: tuple[Mapping[str, str], ...]) -> list[Sent]:
        routes = (paths.QUEUE, paths.ADMISSION, paths.DESK)
        return [Sent(r.format(event=self.event), h) for h, r in itertools.product(headers, routes)]

    def _bad_tokens(self) -> list[Sent]:
        places = ((sub, self._place(sub)) for sub in self._names("forger"))
        return [self._attempt(sub, place, forged=True) for sub, place in places]

    def _early(self) -> list[Sent]:
        far_s = int(time.time()) + FAR_S
        places = ((sub, self._place(sub)) for sub in self._names("early"))
        return [self._attempt(sub, postponed(place, self.gate, far_s)) for sub, place in places]

    async def _entered(self, *, leaves: bool) -> list[Sent]:
        """Let robots in by their luck; each then asks again, with the same place or a new one."""
        lucky = itertools.islice(self._lucky("left" if leaves else "inside"), ACCOUNTS)
        places = {sub: self._place(sub) for sub in lucky}
        async with client_from(ADDRESS, connections_max=ACCOUNTS) as http:
            entering = (self._enter(http, *one, leaves=leaves) for one in places.items())
            entered = await asyncio.gather(*entering)
        if leaves:
            return entered
        return [self._attempt(sub, self._place(sub, again=1)) for sub in places]

    async def _enter(
        self, http: aiohttp.ClientSession, sub: str, place: WaitingToken, *, leaves: bool
    ) -> Sent:
        """Enter by the rules, and return with which attempt: capacity may be reached."""
        asked = self._attempt(sub, place)
        headers, deadline = dict(asked.headers), time.monotonic() + ENTER_S
        while True:
            async with http.post(self.base_url + asked.path, headers=headers) as answer:
                body = await answer.json(content_type=None)
                status, retry_after = answer.status, answer.headers.get("Retry-After", "1")
            if status == HTTPStatus.CREATED:
                break
            if time.monotonic() > deadline:
                raise StartError(f"{sub} did not get in within {ENTER_S:.0f} s: {status} {body}")
            headers[paths.HEADER_TOKEN] = body.get("token", headers[paths.HEADER_TOKEN])
            wait_s = body["boff"] - time.time() if "boff" in body else float(retry_after)
            await asyncio.sleep(max(0.5, wait_s))
        if leaves:
            url = self.base_url + paths.SESSION.format(session=body["session"])
            leaving = {**headers, paths.HEADER_SESSION: body["credential"]}
            async with http.delete(url, headers=leaving) as answer:
                if answer.status != HTTPStatus.NO_CONTENT:
                    raise StartError(f"{sub} could not leave: {answer.status}")
        return Sent(asked.path, headers)

    def _attempt(self, sub: str, place: WaitingToken, *, forged: bool = False) -> Sent:
        token = encode_waiting_token(place, self.gate)
        kid, key = next(iter(self.gate.auth_keys.items()))
        auth = issue_auth_token(sub, [], key, kid, time.time(), SIGNED_IN_S)
        headers = {
            "authorization": f"Bearer {auth}",
            paths.HEADER_TOKEN: token[:-43] + "A" * 43 if forged else token,
            paths.HEADER_SOLUTION: str(solve(place.ch, place.pow_bits)),
        }
        return Sent(paths.ADMISSION.format(event=self.event), headers)

    def _place(self, sub: str, again: int = 0) -> WaitingToken:
        """Make a place as the gate gives it at the sale start; its first attempt is due."""
        place = issue_waiting_token(
            self.gate,
            self.event,
            sub,
            request_id=f"{sub}-{again}",
            ip="127.0.0.1",
            now_ms=self.gate.sale_start_s * 1000 + again,
        )
        return postponed(place, self.gate, int(time.time()))

    def _names(self, kind: str) -> Iterator[str]:
        return (f"robot-{kind}-{number}" for number in range(ACCOUNTS))

    def _lucky(self, kind: str) -> Iterator[str]:
        for number in itertools.count():
            sub = f"robot-{kind}-{time.time_ns() % 1_000_000_007}-{number}"
            lot = lottery_ticket(self.gate, self.event, sub, "")
            if lottery_number(self.gate.number_key, lot) < LUCKY:
                yield sub
