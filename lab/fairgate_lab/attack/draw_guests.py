"""Guests of a draw, as the page is: they join before the sale starts, sleep as told, and ask."""

from __future__ import annotations

import asyncio
import math
import time
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

import aiohttp

from fairgate.domain.gate.admission import lottery_number
from fairgate.domain.gate.proof_of_work import solve
from fairgate.domain.gate.waiting_token import read_waiting_token
from fairgate.domain.shared.auth_token import issue_auth_token
from fairgate.http import paths
from fairgate_lab.attack.draw_judge import Seen
from fairgate_lab.attack.own_address import client_from
from fairgate_ops.run.local.access_log import HEADER_MARK

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairgate.domain.gate.gate_config import GateConfig

GUESTS_MAX = 10_000
SIGNED_IN_S = 3_600
BUSY_S = 1.0  # where an answer does not say when to come back


class GuestError(Exception):
    """A guest got an answer that nobody who follows the contract gets."""


@dataclass
class Place:
    """What a guest holds while it waits."""

    token: str
    solution: str
    boff: float
    asked_s: float = 0.0
    called_s: float = 0.0


@dataclass(frozen=True)
class Draw:
    """One event's draw, over HTTP."""

    base_url: str
    event: str
    gate: GateConfig

    async def play(
        self, guests: int, join_s: float, until_s: float, on_end: Callable[[int], None]
    ) -> list[Seen]:
        """Let so many join within ``join_s``, and wait until all are in or ``until_s`` has come.

        Raises:
            GuestError: an answer was not one of the contract's.
        """
        if not 0 < guests <= GUESTS_MAX:
            raise ValueError(f"a draw has 1 to {GUESTS_MAX:,} guests")

        async def one(number: int) -> Seen:
            await asyncio.sleep(join_s * number / guests)
            async with client_from(number) as http:
                seen = await self._guest(http, f"guest-{number}", until_s)
            on_end(1)
            return seen

        return list(await asyncio.gather(*(one(number) for number in range(guests))))

    async def _guest(self, http: aiohttp.ClientSession, sub: str, until_s: float) -> Seen:
        kid, key = next(iter(self.gate.auth_keys.items()))
        auth = issue_auth_token(sub, [], key, kid, time.time(), SIGNED_IN_S)
        signed_in = {"Authorization": f"Bearer {auth}", HEADER_MARK: sub}
        place = await self._join(http, signed_in)
        admitted_s = math.inf
        while time.time() < until_s:
            await asyncio.sleep(max(0.0, min(place.boff, until_s) - time.time()))
            if await self._ask(http, signed_in, place):
                admitted_s = time.time()
                break
        token = read_waiting_token(place.token, self.gate)
        u = lottery_number(self.gate.number_key, token.lot)
        return Seen(sub, u, token.h, place.asked_s, admitted_s, place.called_s)

    async def _join(self, http: aiohttp.ClientSession, signed_in: dict[str, str]) -> Place:
        url = self.base_url + paths.QUEUE.format(event=self.event)
        while True:
            async with http.post(url, headers=signed_in) as answer:
                body = await answer.json(content_type=None)
                status, pause_s = answer.status, _pause_s(answer)
            if status == HTTPStatus.OK:
                challenge = body["challenge"]
                solution = str(solve(challenge["ch"], challenge["pow"]))
                return Place(body["token"], solution, body["boff"], called_s=body["boff"])
            if status not in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
                raise GuestError(f"joining was answered {status}: {body}")
            await asyncio.sleep(pause_s)

    async def _ask(
        self, http: aiohttp.ClientSession, signed_in: dict[str, str], place: Place
    ) -> bool:
        """Ask once; whether the guest is in. Else the place says when to come back."""
        url = self.base_url + paths.ADMISSION.format(event=self.event)
        held = {paths.HEADER_TOKEN: place.token, paths.HEADER_SOLUTION: place.solution}
        sent_s = time.time()
        async with http.post(url, headers={**signed_in, **held}) as answer:
            body = await answer.json(content_type=None)
            if answer.status == HTTPStatus.CREATED:
                return True
            if answer.status == HTTPStatus.ACCEPTED:
                place.token, place.boff = body.get("token", place.token), body["boff"]
                place.asked_s = sent_s
                if sent_s < self.gate.sale_start_s:
                    place.called_s = place.boff
                return False
            if answer.status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
                place.boff = time.time() + _pause_s(answer)
                return False
            raise GuestError(f"an attempt was answered {answer.status}: {body}")


def _pause_s(answer: aiohttp.ClientResponse) -> float:
    text = answer.headers.get("Retry-After", "")
    return float(text) if text.isdigit() else BUSY_S
