"""What one account can do to the estimate of the crowd, and what a wrong estimate does to a sale.

Who is in the sample, the desk that counts them and the reader of its counters are the ones that
ship, over a table in memory. The rule before counted every sampled request.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.adapters.dynamodb.schema import TABLES
from fairgate.domain.gate.admission import sampled_account
from fairgate.service.gate.count_crowd import sampled_cohorts
from fairgate.service.gate.desk import RiskDesk
from fairgate_lab.engine.clock import MemoryClock
from fairgate_lab.engine.dynamodb import MemoryDynamo
from fairgate_lab.simulate.gate.sale import LIVE_SHARE
from fairgate_ops.operate.forecast.crowd import SALE_START_S
from fairgate_ops.operate.forecast.sessions import Setting, run
from fairgate_ops.operate.forecast.shop import EVENT, first_gate

SAMPLE = 0.01
REQUESTS = 10_000
INFLATED = 100.0
_BEFORE_SALE_START_S = 1_800
_MINUTES = 45


@dataclass
class Counted:
    """A desk that counts a crowd, and the estimate that the controller makes of it."""

    clock: MemoryClock = field(
        default_factory=lambda: MemoryClock((SALE_START_S - _BEFORE_SALE_START_S) * 1000)
    )

    def __post_init__(self) -> None:
        engine = MemoryDynamo({schema.name: schema for schema in TABLES}, self.clock.now_ms)
        names = {schema.name: schema.name for schema in TABLES}
        self.table = DynamoTable(lambda: engine, names)
        self.gate = first_gate(curve=1.0, sample=SAMPLE, tau_s=10_000_000.0)
        self.desk = RiskDesk(self.table, self.clock)

    def join(self, user: str) -> None:
        """Ask for a place: the gate forwards accounts of the sample."""
        if sampled_account(self.gate, EVENT, user):
            self.desk.join(EVENT, self.gate, user)

    def sampled(self) -> float:
        """Accounts counted; the crowd is so many by the rate of the sample."""
        return sum(cohort.count for cohort in sampled_cohorts(self.table, EVENT))

    def estimate(self) -> float:
        return self.sampled() / SAMPLE

    def account(self, prefix: str, *, sampled: bool) -> str:
        """The first account of this prefix that is in the sample, or is not."""
        names = (f"{prefix}-{n}" for n in range(1_000_000))
        return next(u for u in names if sampled_account(self.gate, EVENT, u) == sampled)


def inflated(accounts: int, seed: int, requests: int = REQUESTS) -> dict[str, Any]:
    """Let one account ask for ``requests`` places in a room of so many honest accounts."""
    room = Counted()
    for n in range(accounts):
        room.join(f"buyer-{seed}-{n}")
    honest = room.estimate()
    moved = {
        "in the sample": _moved(room, room.account("robot", sampled=True), requests),
        "not in the sample": _moved(room, room.account("robot", sampled=False), requests),
    }
    drawn = np.random.default_rng([seed, 10]).binomial(requests, SAMPLE)
    return {
        "accounts": accounts,
        "estimate": honest,
        "requests": requests,
        "counted_more": moved,
        # One in the sample stands for 1/SAMPLE, and a share of SAMPLE of all accounts is in it.
        "estimate_moves_in_the_mean": moved["in the sample"]["most"],
        "estimate_moved_before": float(drawn / SAMPLE),
    }


def _moved(room: Counted, robot: str, requests: int) -> dict[str, float]:
    """How many accounts more are counted: the most on the way, and at the end."""
    before, most = room.sampled(), 0.0
    for n in range(requests):
        room.clock.ms += 50
        room.join(robot)
        if n < 100 or n == requests - 1:  # noqa: PLR2004 each costs a read of all counters
            most = max(most, room.sampled() - before)
    return {"most": most, "at_the_end": room.sampled() - before}


def admitted_by_estimate(crowd: int, curve: float, seed: int) -> dict[str, float]:
    """How many the planner lets in when the estimate is moved by one, and by a hundred times.

    As shares of what it lets in when the estimate is right.
    """
    right = admitted(crowd, curve, seed, 1.0)
    one_more = 1.0 + 1.0 / (crowd * SAMPLE)  # a robot in the sample stands for so many
    return {
        "one more": admitted(crowd, curve, seed, one_more) / right,
        "x 100": admitted(crowd, curve, seed, INFLATED) / right,
    }


def admitted(crowd: int, curve: float, seed: int, misjudged: float, minutes: int = _MINUTES) -> int:
    """How many are let in with the crowd estimated as ``misjudged`` times its size."""
    live_max = max(1, round(crowd * LIVE_SHARE))
    setting = Setting(crowd, live_max, curve=curve, minutes=minutes, seed=seed, misjudged=misjudged)
    return int(run(setting).admitted.sum())
