"""Buyers in continuous time, led by the origin's threshold: when each was admitted, by habit."""

from __future__ import annotations

import heapq
import math
import random
from bisect import bisect
from dataclasses import dataclass, field

from fairgate.domain.gate.capacity_reached import (
    AdmissionThreshold,
    CapacityLook,
    advanced,
    back_at,
    is_due,
    threshold_at,
    wait_s,
)

EARLY_S = 2  # the gate takes an attempt for one on time so much before its moment
BOUNDS_S = (2, 60)
EVERY_S = 0.2
NEXT = 5  # honest buyers on either side with whom a robot is compared


@dataclass
class Buyer:
    key: float
    habit: str  # honest, fast: every 0.2 s, again: at once after each refusal
    admission_s: float
    boff: int = 0
    admitted_s: float = -1.0
    asked: int = 0


@dataclass
class FullSale:
    """``slope`` is of H; buyers come ``density`` for each unit of it until ``crowd_s``."""

    seed: int = 1
    live_max: int = 200
    session_s: float = 60.0
    density: float = 1_000.0
    overload: float = 1.3
    crowd_s: float = 600.0
    end_s: float = 900.0
    gone: float = 0.0  # of those refused, who never come back
    gone_until_s: float = 0.0  # before it, refused buyers do not come back
    trickle: tuple[float, float] | None = None  # from when on one comes every so many seconds
    robots: tuple[str, ...] = ("fast", "again")
    robot_share: float = 0.2
    ordered: bool = True  # a control: without the threshold it is a race
    strict: bool = True  # a control: the gate's grace also holds when capacity is reached
    bursts: bool = False  # sessions end together
    paused: tuple[float, float] | None = None
    away: tuple[float, float] = (0.0, 0.0)  # the origin is away, and callers are told so
    caps: tuple[tuple[float, int], ...] = ()
    level: AdmissionThreshold | None = None
    live: int = 0
    opened: int = 0
    buyers: list[Buyer] = field(default_factory=list)
    lives: list[tuple[float, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)  # noqa: S311 a simulation is to be repeated
        self.slope = self.overload * self.live_max / self.session_s / self.density
        count = round(self.crowd_s * self.slope * self.density)
        for _ in range(count):
            key = self.random.random() * self.crowd_s * self.slope
            robot = self.random.random() < self.robot_share
            habit = self.random.choice(self.robots) if robot else "honest"
            self.buyers.append(Buyer(key, habit, self.reaches(key)))
        if self.trickle:
            at_s, every_s = self.trickle
            while at_s < self.end_s:
                self.buyers.append(Buyer(self.h(at_s), "late", at_s))
                at_s += every_s

    def h(self, now_s: float) -> float:
        if self.paused and now_s > self.paused[0]:
            now_s = max(self.paused[0], now_s - (self.paused[1] - self.paused[0]))
        return now_s * self.slope

    def reaches(self, key: float) -> float:
        at_s = key / self.slope
        late = self.paused is not None and at_s > self.paused[0]
        return at_s + (self.paused[1] - self.paused[0] if late and self.paused else 0.0)

    def stood_since(self, at_s: float, now_s: float) -> bool:
        return self.paused is not None and at_s < self.paused[1] and now_s > self.paused[0]

    def cap(self, now_s: float) -> int:
        return next((cap for at_s, cap in reversed(self.caps) if at_s <= now_s), self.live_max)

    def run(self) -> FullSale:
        events: list[tuple[float, int, int]] = []  # (when, order, buyer; -1: a session ends)
        for number, buyer in enumerate(self.buyers):
            heapq.heappush(events, (buyer.admission_s + self.random.random(), number, number))
        order = len(events)
        while events and events[0][0] < self.end_s:
            now_s, _, number = heapq.heappop(events)
            order += 1
            if number < 0:
                self.live -= 1
            elif self.paused and self.paused[0] <= now_s < self.paused[1]:
                # The gate answers, and names its own way back.
                heapq.heappush(events, (now_s + 60 * (1 + self.random.random() / 5), order, number))
            else:
                ends_s = self.ask(self.buyers[number], now_s)
                if ends_s:
                    heapq.heappush(events, (ends_s, order, -1))
                elif (again_s := self.comes_again(self.buyers[number], now_s)) < self.end_s:
                    heapq.heappush(events, (again_s, order, number))
            self.lives.append((now_s, self.live))
        return self

    def ask(self, buyer: Buyer, now_s: float) -> float:
        """Ask once, at the origin; 0, or when the session will end."""
        buyer.asked += 1
        if self.away[0] <= now_s < self.away[1]:
            robot = buyer.habit in self.robots
            buyer.boff = math.floor(now_s) + (0 if robot else 5 + self.random.randrange(3))
            return 0.0
        h, cap = self.h(now_s), self.cap(now_s)
        if is_due(self.level, now_s):
            stood = self.stood_since(self.level.at_s if self.level else now_s, now_s)
            look = CapacityLook(
                now_s=now_s,
                h=h,
                h_next=self.h(now_s + 2.0),
                live=self.live,
                live_max=cap,
                opened=self.opened,
                session_s=self.session_s,
                back_s=72.0,
                stood=stood,
            )
            self.level, self.opened = advanced(self.level, look), 0
        e = threshold_at(self.level, h, now_s) if self.ordered else h
        if buyer.key <= e and self.live < cap:
            self.live += 1
            self.opened += 1
            buyer.admitted_s = now_s
            lasts_s = self.random.expovariate(1 / self.session_s)
            ends_s = now_s + min(lasts_s, 10 * self.session_s)
            return -(-ends_s // 120) * 120 if self.bursts else ends_s
        wait = wait_s(self.level, buyer.key, h, now_s) if self.ordered else 0.0
        token = f"{self.random.getrandbits(32):08x}"
        buyer.boff = back_at(wait, token, now_s, BOUNDS_S)
        return 0.0

    def comes_again(self, buyer: Buyer, now_s: float) -> float:
        """Return when the gate lets the buyer's next attempt through; at once if ``gone``."""
        if self.random.random() < self.gone or now_s < self.gone_until_s:
            return self.end_s
        travel_s = 0.05 + 0.3 * self.random.random()
        if buyer.habit not in ("fast", "again"):
            return buyer.boff + travel_s
        step_s = EVERY_S if buyer.habit == "fast" else 0.05
        through_s = float(buyer.boff if self.strict else buyer.boff - EARLY_S)
        through_s = through_s if self.ordered else now_s  # as it was: a refusal dated nothing
        steps = max(1.0, -(-(through_s - now_s) // step_s))  # between them it is told to wait
        return now_s + step_s * steps + (travel_s if self.ordered else 0.0)

    def waits(self, habit: str) -> list[float]:
        return [self.waited(buyer) for buyer in self.buyers if buyer.habit == habit]

    def gains(self, habit: str, *, after_s: float) -> list[float]:
        """How much sooner each of a habit came in than the honest with the keys next to theirs."""
        honest = sorted((b for b in self.buyers if b.habit == "honest"), key=lambda b: b.key)
        keys = [b.key for b in honest]
        found = []
        for buyer in self.buyers:
            if buyer.habit == habit and buyer.admission_s >= after_s:
                place = bisect(keys, buyer.key)
                near = honest[max(0, place - NEXT) : place + NEXT]
                found.append(sum(map(self.waited, near)) / len(near) - self.waited(buyer))
        return found

    def waited(self, buyer: Buyer) -> float:
        """How long after the turn the buyer came in, or did not until the end."""
        return (buyer.admitted_s if buyer.admitted_s >= 0 else self.end_s) - buyer.admission_s

    def filled(self, after_s: float, until_s: float) -> float:
        """The mean share of the cap that was taken."""
        area, last_s, last = 0.0, after_s, 0
        for now_s, live in self.lives:
            if now_s > after_s:
                area += (min(now_s, until_s) - last_s) * last
                last_s = min(now_s, until_s)
            last = live
            if now_s >= until_s:
                break
        return area / (until_s - after_s) / self.live_max
