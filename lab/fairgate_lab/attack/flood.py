"""A flood of each kind against a system of its own, while honest buyers shop.

Ends with 1 when more of a kind reached an origin than may, when a flood opened a session, when an
honest buyer ended without a ticket or a clear answer, when holds were much slower than under as
many static requests, or when a law of the sale is broken.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairgate.domain.shared.auth_token import issue_auth_token
from fairgate.http import paths
from fairgate_lab.attack.draw import gate_of
from fairgate_lab.attack.flood_judge import REACHES, Flood, Window, lines
from fairgate_lab.attack.flood_kinds import ACCOUNTS, Robots, Sent
from fairgate_lab.attack.flood_wrk import CONNECTIONS, Answered, missing_wrk, send
from fairgate_lab.attack.own_address import client_from
from fairgate_ops.operate.importers.demo import demo_venue
from fairgate_ops.run.crowd.buyer import Buyer, Outcome, Plan, draw_plan
from fairgate_ops.run.crowd.reply import Reply
from fairgate_ops.run.laws.check import check
from fairgate_ops.run.local.access_log import HEADER_MARK
from fairgate_ops.run.local.demo_event import Sale, put_on_sale
from fairgate_ops.run.local.local_config import LocalConfig
from fairgate_ops.run.local.logged_system import MARKED_WORDS, LoggedSystem
from fairgate_ops.run.local.nginx import edge_available
from fairgate_ops.run.local.processes import StartError
from fairgate_ops.shared.endings import ends_with

if TYPE_CHECKING:
    import aiohttp

    from fairgate_ops.run.local.system import LocalSystem

EVENT = "flood"
SEATS = 12_000
BUYERS, SECONDS = 50, 30
LIVE_PER_CORE = 6  # as in a rush: what a core serves well
TAU_S = 12.0
CHECKOUT_S = 45  # a buyer who leaves at the payment page keeps a capacity slot for so long
THINK_S, PATIENCE_S = 0.5, 100.0
FIRST_HOLDS_EACH = 0.2  # of a buyer, before the first flood, so that the shop is busy
FIRST_HOLDS_S = 90.0
SETTLE_S = 60.0
STATIC = Sent("/", {}, "GET")
PROBE = "probe"  # the mark of one call that certainly reaches an origin


@dataclass
class Shop:
    """The honest buyers: so many at once, each from an address of its own, until told to stop."""

    base_url: str
    event: str
    seed: int
    outcomes: list[Outcome] = field(default_factory=list)
    holds: list[tuple[float, float]] = field(default_factory=list)  # when it began, how long
    closing: bool = False
    present: int = 0

    async def lane(self, number: int) -> None:
        chance = random.Random(f"{self.seed}-{number}")  # noqa: S311 a simulation
        await asyncio.sleep(chance.uniform(0, 2))
        born = 0
        async with client_from(number, connections_max=4) as http:
            while not self.closing:
                name = f"honest-{number}-{born}"
                plan = draw_plan(name, chance, patience_s=PATIENCE_S, think_s=THINK_S)
                self.present += 1
                self.outcomes.append(await TimedBuyer(http, self, plan).run())
                self.present -= 1
                born += 1

    def holds_in(self, began: float, ended: float) -> list[float]:
        return [took_s for at, took_s in self.holds if began <= at < ended]


class TimedBuyer(Buyer):
    """A buyer who notes how long each call of a hold took, and when it began."""

    def __init__(self, http: aiohttp.ClientSession, shop: Shop, plan: Plan) -> None:
        super().__init__(http, shop.base_url, shop.event, plan)
        self._holds = shop.holds

    async def _call(
        self,
        step: str,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        began = time.monotonic()
        reply = await super()._call(step, method, path, body, headers)
        if step.startswith("hold "):
            self._holds.append((began, time.monotonic() - began))
        return reply


@dataclass(frozen=True)
class _Pair:
    """A flood and the static requests after it: what came, and between which moments."""

    kind: str
    flood: Answered
    static: Answered
    moments: tuple[float, float, float, float]


def sale_of(capacity: int, tau_s: float = TAU_S) -> Sale:
    """Return the sale: few may shop at once, so that honest buyers wait as well as shop."""
    return Sale(
        EVENT,
        name="Flood",
        sale_starts_in_s=3,
        tau_s=tau_s,
        pow_bits=10,
        backoff_max_s=5,
        live_max=capacity + 2 * ACCOUNTS,
        session_s=60,
        checkout_s=CHECKOUT_S,
    )


async def flood_on(
    system: LocalSystem, event: str, kinds: Sequence[str], *, buyers: int, seconds: int, seed: int
) -> Flood:
    """Flood a running system that has an access log, kind by kind, while buyers shop.

    Raises:
        StartError: a part died, a robot did not get in, or calls cannot be told apart.
    """
    gate = gate_of(system, event)
    robots = Robots(system.base_url, event, gate)
    shop = Shop(system.base_url, event, seed)
    lanes = [asyncio.create_task(shop.lane(number)) for number in range(buyers)]
    try:
        await _probe(system, event)
        await _first_holds(shop, FIRST_HOLDS_EACH * buyers)
        pairs = [await _pair(system, robots, kind, seconds) for kind in kinds]
        shop.closing = True
        print(f"{shop.present} buyers are still there …", file=sys.stderr, flush=True)
        await asyncio.gather(*lanes)
    finally:
        for lane in lanes:
            lane.cancel()
    system.watch()
    reached = reached_in(system.access_log)
    report = await asyncio.to_thread(check, LocalConfig.read(system.run_dir), within_s=SETTLE_S)
    sample = gate_of(system, event).sample_violations
    windows = [_window(pair, shop, seconds, reached[pair.kind]) for pair in pairs]
    return Flood(sample, windows, shop.outcomes, report.violations)


async def _first_holds(shop: Shop, wanted: float) -> None:
    deadline = time.monotonic() + FIRST_HOLDS_S
    while len(shop.holds) < wanted:
        if time.monotonic() > deadline:
            raise StartError(f"The buyers made {len(shop.holds)} holds in {FIRST_HOLDS_S:.0f} s.")
        await asyncio.sleep(0.2)


async def _probe(system: LocalSystem, event: str) -> None:
    """Make sure that a marked call is counted where it arrives, or else zero would say nothing."""
    url = system.base_url + paths.LIVE_SESSION.format(event=event)
    # A sign-in in shape alone: the screen before the API lets no other pass.
    token = issue_auth_token("probe", (), b"\0" * 32, "none", int(time.time()), 60)
    headers = {HEADER_MARK: PROBE, "authorization": f"Bearer {token}"}
    async with client_from(0) as http, http.get(url, headers=headers) as answer:
        await answer.read()
    if not reached_in(system.access_log)[PROBE]:
        raise StartError("The API did not count a marked call; nothing could be shown.")


async def _pair(system: LocalSystem, robots: Robots, kind: str, seconds: int) -> _Pair:
    print(f"{kind} …", file=sys.stderr, flush=True)
    sent = await robots.requests(kind)
    system.watch()
    began = time.monotonic()
    flood = await send(system.base_url, sent, seconds, system.run_dir)
    ended = time.monotonic()
    rate = max(1.0, flood.requests / seconds)
    static = await send(system.base_url, [STATIC], seconds, system.run_dir, rate)
    return _Pair(kind, flood, static, (began, ended, ended, time.monotonic()))


def _window(pair: _Pair, shop: Shop, seconds: int, reached: Mapping[int, int]) -> Window:
    flooded, static = pair.moments[:2], pair.moments[2:]
    return Window(
        kind=pair.kind,
        seconds=seconds,
        answers=pair.flood.statuses,
        errors=pair.flood.errors,
        reached=reached,
        holds_s=shop.holds_in(*flooded),
        static_requests=pair.static.requests,
        static_holds_s=shop.holds_in(*static),
        under_way=CONNECTIONS,
    )


def reached_in(access_log: Path | None) -> defaultdict[str, Counter[int]]:
    """Count the marked calls that the API has answered: by mark, and by what it answered."""
    reached: defaultdict[str, Counter[int]] = defaultdict(Counter)
    text = access_log.read_text("utf-8") if access_log and access_log.exists() else ""
    for line in text.splitlines():
        words = line.split(" ")
        if len(words) == MARKED_WORDS:
            reached[words[-1]][int(words[3])] += 1
    return reached


def _missing() -> str | None:
    return missing_wrk() or edge_available()


@ends_with(StartError)
def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=int, default=SECONDS, help="of each kind")
    parser.add_argument("--buyers", type=int, default=BUYERS, help="honest ones, at once")
    parser.add_argument("--kinds", nargs="+", choices=REACHES, default=list(REACHES))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--run-dir", type=Path, help="keep the run's files and logs here")
    options = parser.parse_args(arguments)
    if reason := _missing():
        print(f"There can be no flood here: {reason}.", file=sys.stderr)
        return 1
    capacity = LIVE_PER_CORE * (os.cpu_count() or 1)
    print(f"{options.buyers} honest buyers at once, {capacity} of them inside …", flush=True)
    with (
        tempfile.TemporaryDirectory(prefix="fairgate-flood-") as temporary,
        LoggedSystem(options.run_dir or Path(temporary)) as system,
    ):
        put_on_sale(system.place.config, sale_of(capacity), demo_venue(SEATS))
        flood = asyncio.run(
            flood_on(
                system,
                EVENT,
                options.kinds,
                buyers=options.buyers,
                seconds=options.seconds,
                seed=options.seed,
            )
        )
    print("\n".join(lines(flood)))
    return 1 if flood.broken else 0


if __name__ == "__main__":
    sys.exit(main())
