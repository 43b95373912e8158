"""Simulate how often transactions of the worst second meet at a counter, and try again. Modelled.

DynamoDB refuses a transaction while another one holds one of its items. Then the adapter tries
again, as ``Retrier`` does. How long a transaction lasts was measured in AWS, by others; how much of
that it holds its items is not known, so two shares are shown.
"""

from __future__ import annotations

import heapq
import itertools
import random
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from fairgate.adapters.dynamodb.client import ATTEMPTS_MAX, BACKOFF_S
from fairgate.domain.gate.capacity_shards import SHARDS_FIRST
from fairgate.domain.shared.session import LIVE_COUNTERS, LIVE_COUNTERS_FIRST
from fairgate.service.shared.keys import TALLY_COUNTERS
from fairgate_ops.operate.capacity import access

if TYPE_CHECKING:
    from fairgate_ops.operate.capacity.inputs import Inputs

# Milliseconds of TransactWriteItems with five items, seen from Lambda in the same region: the
# least, p50, p90, p95, p99 and the most of 400. Source: alexdebrie/dynamodb-performance-testing on
# GitHub, put-batch-transaction-performance, of 2020.
DURATIONS_MS = ((0.0, 19.4), (0.5, 25.3), (0.9, 30.7), (0.95, 36.4), (0.99, 92.5), (1.0, 218.0))
HELD_SHARES = (1.0, 0.5)  # of that time: the most that there can be, and half of it
SECONDS, SEED = 5, 1
TALLY_COUNTERS_BEFORE = 16  # until version 0.2.0


class Counters(NamedTuple):
    """Over how many items the transactions of a sale spread.

    Attributes:
        live: counters of one minute. shards: capacity shards. tally: counters of sales.
    """

    live: int
    shards: int
    tally: int


@dataclass(frozen=True)
class Met:
    """What became of the transactions.

    Attributes:
        retries: further tries for each transaction. given_up: share that failed at the last try;
            its caller is told to ask again in two seconds.
    """

    retries: float
    given_up: float


def designs(inputs: Inputs) -> list[tuple[str, Counters]]:
    """Return what is compared, the oldest first."""
    shards = access.capacity_shards(inputs)
    first = min(shards, SHARDS_FIRST)
    return [
        ("four live counters a minute", Counters(4, first, TALLY_COUNTERS_BEFORE)),
        (
            "as before",
            Counters(LIVE_COUNTERS_FIRST, first, TALLY_COUNTERS_BEFORE),
        ),
        ("more live counters alone", Counters(LIVE_COUNTERS, first, TALLY_COUNTERS_BEFORE)),
        ("now", Counters(LIVE_COUNTERS, shards, TALLY_COUNTERS)),
    ]


@lru_cache
def simulated(inputs: Inputs, counters: Counters, held_share: float) -> Met:
    """Play SECONDS of the worst second's transactions, the same ones for each seed."""
    chance = random.Random(SEED)  # noqa: S311 a model
    queue = _arrivals(inputs, counters, chance)
    count, retries, given_up = len(queue), 0, 0
    held_until: dict[tuple[str, int, int], float] = {}
    heapq.heapify(queue)
    while queue:
        at, number, items, tried = heapq.heappop(queue)
        lasts = _lasts_s(chance)
        if any(held_until.get(item, 0.0) > at for item in items):
            if tried == ATTEMPTS_MAX:
                given_up += 1
                continue
            retries += 1
            pause = chance.uniform(0, BACKOFF_S * 2**tried)
            heapq.heappush(queue, (at + lasts + pause, number, items, tried + 1))
        else:
            held_until.update(dict.fromkeys(items, at + lasts * held_share))
    return Met(retries / count, given_up / count)


Items = tuple[tuple[str, int, int], ...]  # kind, minute, number


def _arrivals(
    inputs: Inputs, counters: Counters, chance: random.Random
) -> list[tuple[float, int, Items, int]]:
    """Draw when each transaction comes, and the counters that it writes."""
    rates = access.actions_a_second(inputs, 0)
    kinds = access.writes(inputs.seats_a_hold)
    minutes = max(1, round(inputs.session_mean_s / 60))
    numbers = itertools.count()
    queue = []
    for action in ("opening", "checkout", "payment", "end"):
        if not rates[action]:
            continue
        at = chance.expovariate(rates[action])
        while at < SECONDS:
            items = _items(action, kinds[action], counters, minutes, chance)
            queue.append((at, next(numbers), items, 1))
            at += chance.expovariate(rates[action])
    return queue


def _items(
    action: str,
    written: access.Counts,
    counters: Counters,
    minutes: int,
    chance: random.Random,
) -> Items:
    """Choose the counters of a transaction. What opens ends in the same minute as its neighbours.

    What ends, and what a checkout moves, was to end in any of the minutes from now on.
    """
    items: list[tuple[str, int, int]] = []
    if "live counter" in written:
        number, old = chance.randrange(counters.live), chance.randrange(minutes)
        if action == "opening":
            items.append(("session's minute", minutes, number))
        elif action == "checkout":
            items += [("session's minute", old, number), ("checkout's minute", minutes, number)]
        else:
            kind = "checkout's minute" if action == "payment" else "session's minute"
            items.append((kind, old, number))
    if "capacity shard" in written:
        items.append(("shard", 0, chance.randrange(counters.shards)))
    if "sales tally" in written:
        items.append(("tally", 0, chance.randrange(counters.tally)))
    return tuple(items)


def _lasts_s(chance: random.Random) -> float:
    """Draw a transaction's duration by the measured quantiles, straight between them."""
    drawn = chance.random()
    for (low, from_ms), (high, to_ms) in itertools.pairwise(DURATIONS_MS):
        if drawn <= high:
            return (from_ms + (to_ms - from_ms) * (drawn - low) / (high - low)) / 1_000
    return DURATIONS_MS[-1][1] / 1_000
