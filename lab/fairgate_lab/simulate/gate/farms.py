"""Farms of accounts with the desk off and on, and the honest buyers who share their addresses.

What an account's cases lead to is decided by ``domain/gate/risk.py``, and which of them are seen
by the share that the gate forwards. Where the counts are kept is modelled: a table in memory. So is
what people do by mistake: one in fifty has a clock so wrong that up to five attempts are too early.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fairgate.domain.gate.risk import (
    FLAGGED_S,
    LOCKED_S,
    RULES,
    Assessment,
    Subject,
    Tally,
    assess,
    sliding,
    subjects,
    windows,
)
from fairgate_lab.simulate.gate.gain import compare
from fairgate_lab.simulate.gate.sale import Sale
from fairgate_lab.simulate.gate.strategies import another_honest, asking_early
from fairgate_ops.operate.forecast.crowd import SALE_START_S
from fairgate_ops.operate.forecast.maths import Floats, Ints

FARMS = (10, 1_000, 10_000)
POOLED = 1_000  # accounts: smaller farms are held so often that they are as many
ACCOUNTS_PER_ADDRESS = 100
CAMPUS = 2_000  # honest buyers who share the farm's addresses
WRONG_CLOCK = 0.02  # of them
MISTAKES_MOST = 5
FORWARDED = 0.05  # of violations: the gate's default
SAMPLED_JOINS = 0.01
_EDGE_KEY = bytes(32)
_LOCKED = 2
_NOBODY = -1

Judge = Callable[[Mapping[Subject, Tally]], Assessment | None]


def assess_before(tallies: Mapping[Subject, Tally]) -> Assessment | None:
    """The former rule: so many points of an address or a network flag every account there."""
    for rule in RULES:
        points = tallies.get(rule.subject, Tally()).points
        if points >= rule.points and not rule.labelled:
            return Assessment(rule.level, rule.name, points, "")
    return None


@dataclass
class Desk:
    """Counts cases by subject and window, and keeps what was decided about whom, until when."""

    judge: Judge = assess
    flagged_until_s: dict[str, float] = field(default_factory=dict)
    locked_until_s: dict[str, float] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    _counts: dict[tuple[str, int], tuple[dict[str, float], list[float]]] = field(
        default_factory=dict
    )
    _names: dict[str, dict[Subject, str]] = field(default_factory=dict)

    def receive(self, now_s: int, user: str, address: str, verdict: str, weight: float) -> None:
        """Count a forwarded case for the ``weight`` cases that it stands for, and judge."""
        self.seen.add(user)
        names = self._subjects(user, address)
        running, before = windows(now_s)
        tallies: dict[Subject, Tally] = {}
        for subject, name in names.items():
            cases, sampled = self._counts.setdefault((name, running), ({}, [0.0]))
            cases[verdict] = cases.get(verdict, 0.0) + weight
            sampled[0] += 1 if weight else 0
            earlier, earlier_sampled = self._counts.get((name, before), ({}, [0.0]))
            tallies[subject] = sliding(
                Tally(cases, sampled[0]), Tally(earlier, earlier_sampled[0]), now_s
            )
        judged = self.judge(tallies)
        if judged is None or judged.level <= self.level(now_s, user):
            return
        self.flagged_until_s[user] = now_s + FLAGGED_S
        if judged.level == _LOCKED:
            self.locked_until_s[user] = now_s + LOCKED_S

    def level(self, now_s: float, user: str) -> int:
        if self.locked_until_s.get(user, 0.0) > now_s:
            return _LOCKED
        return 1 if self.flagged_until_s.get(user, 0.0) > now_s else 0

    def _subjects(self, user: str, address: str) -> dict[Subject, str]:
        if address not in self._names:
            self._names[address] = subjects(_EDGE_KEY, "", address)
        return {"user": f"u#{user}", **self._names[address]}


@dataclass(frozen=True)
class _Case:
    """What goes on: who asks next, and until when they do."""

    user: str
    address: str
    until_s: float
    farmed: int = _NOBODY  # the farm's account


@dataclass
class _Seen:
    """What desks have decided, of all farms of one size."""

    flagged: int = 0
    locked_out: int = 0
    campus_seen: int = 0
    campus_flagged: int = 0

    def add(self, desk: Desk, accounts: int) -> None:
        farmed = {_account(n) for n in range(accounts)}
        self.flagged += len(farmed & desk.flagged_until_s.keys())
        self.locked_out += len(farmed & desk.locked_until_s.keys())
        self.campus_seen += len(desk.seen - farmed)
        self.campus_flagged += len(desk.flagged_until_s.keys() - farmed)


def farm(sale: Sale, accounts: int, *, watched: bool, judge: Judge = assess) -> dict[str, Any]:
    """Let farms of this size ask every second, with the desk on (``watched``) or off.

    Small ones are many, each in a sale of its own: ten accounts alone say nothing.
    """
    rng = np.random.default_rng([sale.seed, 11, accounts])
    everyone = _farmed(sale, accounts)
    admitted = asking_early(sale, everyone).admitted_s
    seen = _Seen()
    for start in range(0, everyone.size if watched else 0, accounts):
        part = slice(start, start + accounts)
        desk = Desk(judge)
        campus = 0 if start else CAMPUS  # once: the pooled farms are for the farms' sake
        admitted[part] = _under_the_desk(sale, everyone[part], admitted[part], desk, rng, campus)
        seen.add(desk, accounts)
    gain = compare(sale.outcome.admitted_s[everyone], admitted, sale.sold_out_s)
    return gain.as_json() | {
        "seats": _seats(sale, admitted, accounts),
        "flagged": seen.flagged / everyone.size,
        "locked_out": seen.locked_out / everyone.size,
        "campus_seen": seen.campus_seen,
        "campus_flagged": seen.campus_flagged,
    }


def obeying(sale: Sale, accounts: int) -> dict[str, Any]:
    """Farms whose every account follows the protocol: there is nothing for a desk to see."""
    who = _farmed(sale, accounts)
    admitted = another_honest(sale, who)
    gain = compare(sale.outcome.admitted_s[who], admitted, sale.sold_out_s)
    return gain.as_json() | {"seats": _seats(sale, admitted, accounts)}


def farms(sale: Sale, sizes: tuple[int, ...] = FARMS) -> list[dict[str, Any]]:
    """Each size: obeying, and asking every second with the desk off, on, and by the old rule."""
    return [
        {
            "accounts": size,
            "campus": CAMPUS,
            "obeys": obeying(sale, size),
            "desk off": farm(sale, size, watched=False),
            "desk on": farm(sale, size, watched=True),
            "before": farm(sale, size, watched=True, judge=assess_before),
        }
        for size in sizes
    ]


def _farmed(sale: Sale, accounts: int) -> Ints:
    """Whose twins the accounts are: one farm after the other."""
    count = accounts * max(1, POOLED // accounts)
    rng = np.random.default_rng([sale.seed, 12, accounts])
    return rng.choice(sale.tokens.h.size, count, replace=False)


def _seats(sale: Sale, admitted_s: Floats, accounts: int) -> float:
    """Of one farm, in the mean."""
    return float((admitted_s < sale.sold_out_s).mean()) * accounts


def _under_the_desk(
    sale: Sale,
    who: Ints,
    admitted_s: Floats,
    desk: Desk,
    rng: np.random.Generator,
    campus: int,
) -> Floats:
    """When each account comes in that asks every second, and rests while it is locked out."""
    end_s, addresses = sale.sold_out_s, _addresses(who.size)
    starts = np.maximum(sale.tokens.issued_s[who], SALE_START_S)
    came = admitted_s.copy()
    events: list[tuple[float, int, _Case]] = []
    for n, start_s in enumerate(starts.tolist()):
        until_s = min(float(admitted_s[n]), end_s)
        case = _Case(_account(n), addresses[n % len(addresses)], until_s, n)
        events.append((_next_s(start_s, rng), n, case))
    events += _mistakes(campus, end_s, addresses, rng, first=len(events))
    heapq.heapify(events)
    while events:
        now_s, number, case = heapq.heappop(events)
        if now_s > end_s:
            continue
        if case.farmed == _NOBODY:
            weight = 0.0 if case.until_s == 0.0 else 1 / FORWARDED
            verdict = "early" if weight else "sample-queue"
            desk.receive(int(now_s), case.user, case.address, verdict, weight)
            continue
        if now_s >= case.until_s:
            continue  # it is inside
        desk.receive(int(now_s), case.user, case.address, "early", 1 / FORWARDED)
        next_s = _next_s(now_s, rng)
        if desk.level(now_s, case.user) == _LOCKED:
            free_s = desk.locked_until_s[case.user]
            if free_s > case.until_s:  # it became due meanwhile, and waits
                came[case.farmed] = max(free_s + 1.0, came[case.farmed])
                continue
            next_s = _next_s(free_s, rng)
        heapq.heappush(events, (next_s, number, case))
    return came


def _mistakes(
    campus: int, end_s: float, addresses: list[str], rng: np.random.Generator, *, first: int
) -> list[tuple[float, int, _Case]]:
    """What is seen of honest buyers at the same addresses: sampled joins, attempts too early."""
    events: list[tuple[float, int, _Case]] = []
    for n in range(campus):
        address, user = addresses[n % len(addresses)], _buyer(n)
        attempts = int(rng.integers(1, MISTAKES_MOST + 1)) * int(rng.random() < WRONG_CLOCK)
        seen = int(rng.binomial(attempts, FORWARDED))
        if rng.random() < SAMPLED_JOINS:
            at_s = float(rng.uniform(SALE_START_S, end_s))
            events.append((at_s, first + len(events), _Case(user, address, 0.0)))
        for at_s in rng.uniform(SALE_START_S, end_s, seen).tolist():
            events.append((at_s, first + len(events), _Case(user, address, end_s)))
    return events


def _next_s(now_s: float, rng: np.random.Generator) -> float:
    """When the gate forwards one of the attempts that are made every second from now on."""
    return now_s + float(rng.geometric(FORWARDED))


def _addresses(accounts: int) -> list[str]:
    """A farm's addresses, a hundred accounts at each, in as few networks as they need."""
    count = max(1, accounts // ACCOUNTS_PER_ADDRESS)
    return [f"198.51.100.{n + 1}" for n in range(count)]


def _account(number: int) -> str:
    return f"farm-{number}"


def _buyer(number: int) -> str:
    return f"campus-{number}"
