"""A sale with more due buyers than capacity slots: who is admitted when, by E and without it.

The admission threshold E, its advance and the retry delay are those of the product
(``domain/gate/capacity_reached.py``). It assumes that 1.3 times the capacity come, for 45 minutes:
the controller would brake.
"""

from __future__ import annotations

import heapq
from bisect import bisect_right
from dataclasses import dataclass, field

import numpy as np

from fairgate.domain.gate.capacity_reached import (
    LOOK_EVERY_S,
    AdmissionThreshold,
    CapacityLook,
    advanced,
    back_at,
    is_due,
    threshold_at,
    wait_s,
)
from fairgate.domain.gate.gate_config import Epoch
from fairgate.service.catalog.create_event import BACKOFF_S
from fairgate.service.sessions.judge_admission import CLOCK_SKEW_S
from fairgate_lab.simulate.gate.polls import Gate, admissions
from fairgate_lab.simulate.gate.sale import (
    LATENCY_S,
    LIVE_SHARE,
    fresh_tokens,
    with_claims,
)
from fairgate_ops.operate.forecast.crowd import SALE_START_S, Arrivals
from fairgate_ops.operate.forecast.maths import Bools, Floats, Ints, Rules, on_grid
from fairgate_ops.operate.forecast.sessions import session_lengths
from fairgate_ops.operate.forecast.timeline import Timeline, Version, seen

OVER = 1.3  # due buyers for each slot that becomes free
MINUTES = 45
SETTLED_S = 15 * 60  # by then capacity is reached and has been for minutes
HAMMER_S = 0.2
# Without E: a refused buyer was told 5 to 20 seconds, and could ask at any time.
BEFORE_RETRY_S, BEFORE_SPREAD_S = 5, 16
_EPOCH_S = 30
_SESSION_S = 300.0
_BACK_S = 1.2 * BACKOFF_S[1] + 1.0  # the longest way back: the gate's, with its jitter
_BISECTIONS = 50


@dataclass(frozen=True)
class Setting:
    """One sale at capacity.

    Attributes:
        ordered: by the threshold; otherwise the first request at a free slot gets it.
        robots: the share of buyers who ask all the time while the others obey.
    """

    buyers: int
    curve: float = 1.0
    seed: int = 1
    over: float = OVER
    minutes: int = MINUTES
    ordered: bool = True
    robots: float = 0.0

    @property
    def live_max(self) -> int:
        return max(1, round(self.buyers * LIVE_SHARE))

    @property
    def end_s(self) -> float:
        return float(SALE_START_S + self.minutes * 60)


@dataclass(frozen=True)
class DueBuyers:
    """The buyers who become due during the sale, one element each.

    Attributes:
        first_s: when the gate lets them through for the first time.
        key: κ.
        line_s: from the buyer to the origin.
        tail: last 32 bits of the token's id, of which the jitter is made.
        lasts_s: how long their session will last.
        robot: hammers.
    """

    first_s: Floats
    key: Floats
    line_s: Floats
    tail: Ints
    lasts_s: Ints
    robot: Bools


@dataclass
class FullSale:
    """The origin of one sale: it answers, and keeps what it was like when it was asked."""

    setting: Setting
    line: Timeline
    live: int = 0
    opened: int = 0
    asked: int = 0
    levels: list[AdmissionThreshold] = field(default_factory=list)
    looked_s: list[float] = field(default_factory=list)
    full_from_s: list[float] = field(default_factory=list)
    full_until_s: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._starts: list[float] = self.line.starts_s.tolist()
        self._heights: list[float] = self.line.levels.tolist()
        self._slopes: list[float] = self.line.slopes.tolist()

    def h(self, now_s: float) -> float:
        """H as the origin allows for clocks."""
        t_s = now_s + CLOCK_SKEW_S
        piece = bisect_right(self._starts, t_s) - 1
        return self._heights[piece] + (t_s - self._starts[piece]) * self._slopes[piece]

    def enter(self, now_s: float, key: float) -> bool:
        """Take a free slot if there is one and the threshold has reached the key."""
        self.asked += 1
        self._look(now_s)
        if self.live >= self.setting.live_max or not self.reached(now_s, key):
            return False
        self.live += 1
        self.opened += 1
        if self.live == self.setting.live_max:
            self.full_from_s.append(now_s)
        return True

    def leave(self, now_s: float) -> None:
        if self.live == self.setting.live_max:
            self.full_until_s.append(now_s)
        self.live -= 1

    def reached(self, now_s: float, key: float) -> bool:
        """Say whether the threshold has reached the key at that moment."""
        if not self.setting.ordered:
            return True
        return key <= threshold_at(self._level(now_s), self.h(now_s), now_s)

    def stands(self, now_s: float) -> bool:
        """Whether the level held people back at that moment: then ``boff`` holds to the second."""
        level = self._level(now_s) if self.setting.ordered else None
        return level is not None and not level.follows

    def back(self, now_s: float, key: float, tail: int) -> float:
        """When the answer to a refusal at that moment says to come again."""
        if not self.setting.ordered:
            return now_s + BEFORE_RETRY_S + (tail & 0xFF) % BEFORE_SPREAD_S
        wait = wait_s(self._level(now_s), key, self.h(now_s), now_s)
        return back_at(wait, f"{tail:08x}", now_s, BACKOFF_S)

    def free_from(self, t_s: float) -> float:
        """The first moment from then on with a free place: seen afterwards."""
        at = bisect_right(self.full_from_s, t_s) - 1
        if at < 0:
            return t_s
        until_s = self.full_until_s[at] if at < len(self.full_until_s) else self.setting.end_s
        return max(t_s, until_s)

    def look_before(self, key: float) -> float:
        """When the look was taken after which E reaches the key: seen afterwards."""
        at = bisect_right(self.levels, key, key=lambda level: level.e) - 1
        return self.looked_s[at] if at >= 0 else -np.inf

    def _level(self, now_s: float) -> AdmissionThreshold | None:
        at = bisect_right(self.looked_s, now_s) - 1
        return self.levels[at] if at >= 0 else None

    def _look(self, now_s: float) -> None:
        level = self.levels[-1] if self.levels else None
        if not self.setting.ordered or not is_due(level, now_s):
            return
        look = CapacityLook(
            now_s=now_s,
            h=self.h(now_s),
            h_next=self.h(now_s + LOOK_EVERY_S),
            live=self.live,
            live_max=self.setting.live_max,
            opened=self.opened,
            session_s=_SESSION_S,
            back_s=_BACK_S,
        )
        self.levels.append(advanced(level, look))
        self.looked_s.append(now_s)
        self.opened = 0


@dataclass(frozen=True)
class Course:
    """What became of everybody, with the hall as it was."""

    setting: Setting
    sale: FullSale
    due: DueBuyers
    admitted_s: Floats

    def filled(self) -> float:
        """The mean share of the places that were taken, from SETTLED_S on."""
        since, end = SALE_START_S + SETTLED_S, self.setting.end_s
        in_s = np.clip(self.admitted_s, since, end)
        out_s = np.clip(self.admitted_s + self.due.lasts_s, since, end)
        came = np.isfinite(self.admitted_s)
        taken_s = float((out_s[came] - in_s[came]).sum())
        return taken_s / (end - since) / self.setting.live_max

    def waited_s(self, who: Ints | Bools) -> Floats:
        """From the first attempt that the gate let through to coming in; until the end if never."""
        in_s = np.minimum(self.admitted_s[who], self.setting.end_s)
        return in_s - self.due.first_s[who]


def run(setting: Setting) -> Course:
    """Let everybody whose turn comes ask at the sale. Deterministic by its seed."""
    rng = np.random.default_rng([setting.seed, 5])
    line, due = due_buyers(setting, rng)
    sale = FullSale(setting, line)
    admitted = np.full(due.key.size, np.inf)
    keys, tails, robots = due.key.tolist(), due.tail.tolist(), due.robot.tolist()
    lines, lasts = due.line_s.tolist(), due.lasts_s.tolist()
    # When, and who asks; below zero, a session ends.
    events = list(zip(due.first_s.tolist(), range(len(keys)), strict=True))
    heapq.heapify(events)
    while events and events[0][0] < setting.end_s:
        now_s, who = heapq.heappop(events)
        if who < 0:
            sale.leave(now_s)
        elif sale.enter(now_s, keys[who]):
            admitted[who] = now_s
            heapq.heappush(events, (now_s + lasts[who], -1))
        elif robots[who]:
            heapq.heappush(events, (now_s + HAMMER_S, who))
        else:
            again_s = sale.back(now_s, keys[who], tails[who]) + lines[who]
            heapq.heappush(events, (again_s, who))
    return Course(setting, sale, due, admitted)


def due_buyers(setting: Setting, rng: np.random.Generator) -> tuple[Timeline, DueBuyers]:
    """Return the H that makes ``over`` buyers due for each free slot, and these buyers."""
    arrived = Arrivals().draw(setting.buyers, rng)
    line = seen([Version(float(SALE_START_S) - 7200.0, overfull_epochs(setting, arrived))])
    rules = Rules(setting.curve, "a", SALE_START_S, *BACKOFF_S)
    gate = Gate(rules, edge=line, issuer=line, origin=line)
    tokens = fresh_tokens(
        arrived, rng, curve=setting.curve, line=rng.uniform(*LATENCY_S, setting.buyers)
    )
    tokens = with_claims(tokens, gate)
    first = admissions(gate, tokens, setting.end_s).admitted_s
    who = np.flatnonzero(np.isfinite(first))
    due = DueBuyers(
        first_s=first[who],
        key=on_grid(tokens.h + tokens.moment)[who],
        line_s=tokens.latency_s[who],
        tail=tokens.tail[who],
        lasts_s=session_lengths(who.size, _SESSION_S, rng),
        robot=rng.random(who.size) < setting.robots,
    )
    return line, due


def overfull_epochs(setting: Setting, arrived_s: Floats) -> tuple[Epoch, ...]:
    """Return epochs of 30 s, each with the slope for the due buyers of that time."""
    mean_s = float(session_lengths(100_000, _SESSION_S, np.random.default_rng(0)).mean())
    wanted = setting.over * setting.live_max / mean_s * _EPOCH_S
    starts = SALE_START_S + _EPOCH_S * np.arange(setting.minutes * 60 // _EPOCH_S)
    before = np.searchsorted(arrived_s, starts)  # who comes within an epoch counts from the next
    joined = np.diff(before, prepend=0)
    epochs, h, heights = [], 0.0, np.zeros(starts.size)
    for n, start_s in enumerate(starts.tolist()):
        heights[n] = h
        x = h - heights[: n + 1]
        low, high = 0.0, _EPOCH_S * 1.0
        for _ in range(_BISECTIONS):
            middle = (low + high) / 2
            still = np.exp(-(x**setting.curve)) - np.exp(-((x + middle) ** setting.curve))
            enough = float((joined[: n + 1] * still).sum()) > wanted
            low, high = (low, middle) if enough else (middle, high)
        epochs.append(Epoch(float(start_s), h, low / _EPOCH_S))
        h += low
    return tuple(epochs)
