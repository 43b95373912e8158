"""A crowd of simulated buyers who arrive within a few seconds and compete with each other."""

from __future__ import annotations

import argparse
import asyncio
import random
import signal
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING

from fairgate_ops.run.crowd.buyer import Buyer, Outcome, client, draw_plan

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import aiohttp

CROWD_MAX = 20_000
AT_ONCE_MAX = 2_000  # sockets and tasks that one process bears


class Crowd:
    """``count`` buyers, arriving evenly over ``arrival_s``, at most AT_ONCE_MAX at a time."""

    def __init__(
        self,
        base_url: str,
        event: str,
        *,
        seed: int = 1,
        patience_s: float = 900.0,
        think_s: float = 4.0,
        on_end: Callable[[Outcome], None] | None = None,
    ) -> None:
        self._base_url, self._event = base_url, event
        self._chance = random.Random(seed)  # noqa: S311 a simulation, repeatable by its seed
        self._seed, self._patience_s, self._think_s = seed, patience_s, think_s
        self._on_end = on_end or (lambda _outcome: None)
        self._born = 0

    @property
    def arrived(self) -> int:
        """How many have come by now."""
        return self._born

    async def arrive(self, count: int, arrival_s: float) -> list[Outcome]:
        """Everybody comes once; returns when the last one has ended."""
        if not 0 < count <= CROWD_MAX:
            raise ValueError(f"a crowd has 1 to {CROWD_MAX:,} buyers")
        slots = asyncio.Semaphore(AT_ONCE_MAX)
        async with client() as http:

            async def one(delay_s: float) -> Outcome:
                await asyncio.sleep(delay_s)
                async with slots:
                    return await self._buyer(http)

            delays = [self._chance.uniform(0, arrival_s) for _ in range(count)]
            return list(await asyncio.gather(*(one(delay) for delay in delays)))

    async def keep(self, at_once: int, seconds: float) -> list[Outcome]:
        """``at_once`` buyers at any moment for ``seconds``; each that ends is followed by a new
        one. Returns when the last one has ended.
        """
        until = time.monotonic() + seconds
        outcomes: list[Outcome] = []
        async with client() as http:

            async def lane(delay_s: float) -> None:
                await asyncio.sleep(delay_s)
                while time.monotonic() < until:
                    outcomes.append(await self._buyer(http))

            await asyncio.gather(*(lane(self._chance.uniform(0, 2)) for _ in range(at_once)))
        return outcomes

    async def _buyer(self, http: aiohttp.ClientSession) -> Outcome:
        self._born += 1
        name = f"sim-{self._seed}-{self._born}"
        plan = draw_plan(name, self._chance, patience_s=self._patience_s, think_s=self._think_s)
        outcome = await Buyer(http, self._base_url, self._event, plan).run()
        self._on_end(outcome)
        return outcome


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--base-url", default="http://127.0.0.1:8080")
    parser.add_argument("--event", default="demo")
    parser.add_argument("--buyers", type=int, default=200)
    parser.add_argument("--arrival", type=float, default=10.0, help="seconds")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    ends: Counter[str] = Counter()
    shown_at = time.monotonic()

    def show(outcome: Outcome) -> None:
        nonlocal shown_at
        ends[f"{outcome.kind} {outcome.code}"] += 1
        if time.monotonic() - shown_at > 5:  # noqa: PLR2004 a line each five seconds is enough
            shown_at = time.monotonic()
            print(f"{ends.total()} of {options.buyers} done: {_summary(ends)}", flush=True)

    crowd = Crowd(options.base_url, options.event, seed=options.seed, on_end=show)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        asyncio.run(crowd.arrive(options.buyers, options.arrival))
    except KeyboardInterrupt:
        return 130
    print(f"the crowd has gone: {_summary(ends)}", flush=True)
    return 0


def _summary(ends: Counter[str]) -> str:
    return ", ".join(f"{count} {end}" for end, count in ends.most_common())


if __name__ == "__main__":
    sys.exit(main())
