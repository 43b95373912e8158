"""Simulate a sale of millions in counts: the planner admits, sessions open and end.

The planner does not know these parts: edges that learn of a change late or whose clocks are off,
people who give up, polls that come seconds after the moment of admission, sessions that are not
exponential, a sampled and possibly misjudged crowd, an origin that refuses at capacity.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from fairgate.domain.gate.admission import operational_time, slope
from fairgate.domain.gate.capacity_reached import (
    LOOK_EVERY_S,
    AdmissionThreshold,
    CapacityLook,
    advanced,
    back_at,
    is_due,
    threshold_at,
)
from fairgate.domain.gate.gate_config import Epoch
from fairgate.service.catalog.create_event import BACKOFF_S
from fairgate.service.sessions.judge_admission import CLOCK_SKEW_S
from fairgate_ops.operate.forecast.crowd import BEFORE_S, SALE_START_S, Arrivals
from fairgate_ops.operate.forecast.maths import Floats, Ints
from fairgate_ops.operate.forecast.orders import Orders, Stock
from fairgate_ops.operate.forecast.shop import PLANNED_EVERY_S, Operator, first_gate, operator
from fairgate_ops.operate.forecast.timeline import Version
from fairgate_ops.operate.forecast.waits import COHORT_S, Waits

SESSION_S_MAX = 600
_JITTER = 1.2  # of a way back, at most
POLL_S = _JITTER * BACKOFF_S[0]  # how late a poll finds the moment of admission, at most
FIRST_TAU_S = 10_000_000.0  # nobody comes in before the planner has seen a crowd
WITHIN, WITHIN_MORE = 0.03, 0.05
_REFUSED_MAX = 1_000  # of a second; more come back as these do
_RETRIES_S = 16  # after the last second, for retries after a refusal


@dataclass(frozen=True)
class Edge:
    """A share of the traffic, and how far behind its store and how wrong its clock is."""

    share: float
    lag_s: float = 0.0
    clock_s: float = 0.0


# Median about 31 s as others measured it; a few beyond the 60 s that are planned for.
EDGES = (
    Edge(0.30, 15.0, 0.3),
    Edge(0.40, 31.0, -0.5),
    Edge(0.20, 55.0, 1.0),
    Edge(0.08, 90.0, -2.0),
    Edge(0.02, 120.0, 2.0),
)


@dataclass(frozen=True)
class Setting:
    """One sale to simulate. Shares and rates that the planner is not told stand below.

    Attributes:
        first_tau_s: the pace until the planner changes it.
        backoff_s: least and most between two looks of one who waits.
        before_s: how long before the sale starts it begins.
        sale_start_s: when the sale starts; the controller's plans begin on whole minutes.
        comes_s: when each buyer joins, seconds after the start; none: as ``Arrivals`` draws it.
        lengths_s: sessions are as long as one of these, drawn; none: ``session_lengths``.
        leaves: so many seconds after the sale start this share of waiting buyers leaves at once.
        joins: how many join in each second from the beginning on; none: as ``comes_s`` says.
        longest_s: no session of ``lengths_s`` is longer.
        orders: what sessions buy; None: nothing is sold.
        epochs: of the gate, before the planner changes any; none: ``first_tau_s`` from the start.
        wave_s: over so long the gate spreads first attempts, before the planner changes it.
        admissions_per_s: that the stage carries; 0: any number.
        ends: when everything is sold, or nobody is left who could buy.
    """

    buyers: int
    live_max: int
    curve: float = 1.0
    minutes: int = 75
    seed: int = 1
    misjudged: float = 1.0  # the sampled crowd as a share of the truth
    corrects: bool = True
    capped: bool = True  # the origin refuses beyond live_max
    sample: float = 0.01
    session_s: float = 300.0
    leave_per_s: float = 0.0001  # of the waiting buyers: 30 % an hour
    edges: tuple[Edge, ...] = EDGES
    session_believed: float = 1.0  # what the operator says of a session's length, of the truth
    first_tau_s: float = FIRST_TAU_S
    backoff_s: tuple[int, int] = BACKOFF_S
    before_s: int = int(BEFORE_S)
    sale_start_s: int = SALE_START_S
    comes_s: tuple[float, ...] = ()
    lengths_s: tuple[float, ...] = ()
    leaves: tuple[int, float] | None = None
    joins: tuple[int, ...] = ()
    longest_s: int = SESSION_S_MAX
    orders: Orders | None = None
    epochs: tuple[Epoch, ...] = ()
    wave_s: int = 0
    control: Literal["auto", "manual"] = "auto"
    admissions_per_s: int = 0
    ends: bool = False


def _none() -> Ints:
    return np.zeros(0, np.int64)


@dataclass
class Course:
    """Second by second from the sale start on, and every version of the configuration.

    Attributes:
        thresholds: the threshold E at each moment; none if nothing is held to the target.
        joined: from ``before_s`` before the sale start on.
        waiting: at the end of each second, those who are due and still to poll included.
        gave_up: of those who waited, in all.
        waits: of those who came in.
        stock: places and orders; None if nothing is sold.
        wave_s: over so long first attempts were spread.
    """

    setting: Setting
    live: Ints
    admitted: Ints
    refused: Ints
    versions: list[Version]
    thresholds: list[float] = field(default_factory=list)
    joined: Ints = field(default_factory=_none)
    waiting: Ints = field(default_factory=_none)
    slopes: Floats = field(default_factory=lambda: np.zeros(0))
    gave_up: int = 0
    waits: Waits = field(default_factory=lambda: Waits(0))
    stock: Stock | None = None
    wave_s: int = 0

    @property
    def ramp_s(self) -> int:
        """When the ramp ends: the first second whose sessions are within 5 % of the target.

        By what the run itself reaches: whatever sags or swings after that counts against it. If it
        never comes so near, the ramp lasts for all of it.
        """
        near = self.live >= (1.0 - WITHIN_MORE) * self.setting.live_max
        return int(np.argmax(near)) if near.any() else self.live.size

    def figures(self) -> dict[str, Any]:
        """Against the target, from the end of the ramp on; the highest from the beginning.

        Where the ramp does not end, all of the run counts.
        """
        after_s = self.ramp_s if self.ramp_s < self.live.size else 0
        settled = self.live[after_s:] / self.setting.live_max
        return {
            "ramp_s": self.ramp_s,
            "lowest": float(settled.min()),
            "mean_error": float(settled.mean() - 1.0),
            "within_3_percent": float((np.abs(settled - 1.0) <= WITHIN).mean()),
            "within_5_percent": float((np.abs(settled - 1.0) <= WITHIN_MORE).mean()),
            "highest": float(self.live.max() / self.setting.live_max),
            "reached_90_percent_s": self._first_at(0.9),
            "refused_per_admitted": self._refused(0),
            "refused_per_admitted_settled": self._refused(after_s),
            "admitted": int(self.admitted.sum()),
        }

    def _refused(self, after_s: int) -> float:
        return float(self.refused[after_s:].sum() / max(1, self.admitted[after_s:].sum()))

    def _first_at(self, share: float) -> int | None:
        found = np.flatnonzero(self.live >= share * self.setting.live_max)
        return int(found[0]) if found.size else None


def session_lengths(count: int, mean_s: float, rng: np.random.Generator) -> Ints:
    """A third leaves quickly, the others take their time; nobody stays beyond the limit.

    Scaled so that the mean is ``mean_s`` where that is below the limit.
    """
    quick = rng.exponential(0.25, count)
    slow = rng.gamma(4.0, 1.375 / 4.0, count)
    lengths = np.where(rng.random(count) < 1 / 3, quick, slow) * mean_s
    return np.clip(np.ceil(lengths), 1, SESSION_S_MAX).astype(np.int64)


@dataclass
class _Room:
    """Who waits: counts by edge and by the operational time of joining."""

    edges: tuple[Edge, ...]
    curve: float
    h: list[float] = field(default_factory=list)
    waiting: list[Ints] = field(default_factory=list)
    reached: Floats = field(default_factory=lambda: np.zeros(0))

    def join(self, h: float, count: int, rng: np.random.Generator, *, fresh: bool) -> None:
        parts = rng.multinomial(count, [edge.share for edge in self.edges])
        if self.h and not fresh:
            self.waiting[-1] = self.waiting[-1] + parts
        else:
            self.h.append(h)
            self.waiting.append(parts)

    def let_in(self, h: Floats, rng: np.random.Generator) -> Ints:
        """Return how many of each cohort are due as each edge's H reaches ``h``; it never falls."""
        before, self.reached = self.reached, np.maximum(self.reached, h)
        joined = np.array(self.h)
        waiting = np.array(self.waiting)
        hazard = self._passed(self.reached[None, :] - joined[:, None])
        hazard -= self._passed(before[None, :] - joined[:, None])
        due = rng.binomial(waiting, -np.expm1(-hazard))
        self.waiting = list(waiting - due)
        by_cohort: Ints = due.sum(axis=1)
        return by_cohort

    def leave(self, share: float, rng: np.random.Generator) -> int:
        """Return how many of those who wait give up."""
        waiting = np.array(self.waiting)
        gone = rng.binomial(waiting, share)
        self.waiting = list(waiting - gone)
        return int(gone.sum())

    def count(self) -> int:
        return int(np.sum(self.waiting))

    def _passed(self, x: Floats) -> Floats:
        passed: Floats = np.maximum(0.0, x) ** self.curve
        return passed


def run(setting: Setting) -> Course:
    """Simulate from ``before_s`` to ``minutes`` after the start. Deterministic by its seed."""
    rng = np.random.default_rng(setting.seed)
    start_s = setting.sale_start_s - setting.before_s
    desk = _operator(setting, start_s)
    seconds = setting.minutes * 60
    joining = np.bincount(_arrivals(setting, rng), minlength=seconds + setting.before_s)
    if setting.joins:
        joining = np.array(setting.joins, np.int64)
    to_come = int(joining.sum())
    room = _Room(setting.edges, setting.curve, reached=np.zeros(len(setting.edges)))
    shop = _Shop(setting, seconds, rng)
    capacity = _Threshold(setting, desk)
    course = Course(setting, shop.live, shop.admitted, shop.refused, desk.store.versions)
    course.joined, course.stock, course.waits = joining, shop.stock, Waits(seconds)
    course.waiting, course.slopes = np.zeros(seconds, np.int64), np.zeros(seconds)
    for second in range(seconds + setting.before_s):
        desk.clock.ms = round((start_s + second) * 1000)
        open_s = second - setting.before_s
        true_h = _h_now(desk)
        fresh = open_s > 0 and open_s % COHORT_S == 0
        room.join(true_h, int(joining[second]), rng, fresh=fresh)
        to_come -= int(joining[second])
        sampled = rng.binomial(joining[second], setting.sample) * setting.misjudged
        desk.table.sample(desk.clock.ms / 1000, true_h, _whole(sampled, rng))
        if open_s >= 0:
            reached = _h_of_edges(desk, setting)
            if setting.capped:
                desk.table.threshold = capacity.threshold(true_h, shop.now)
                course.thresholds.append(desk.table.threshold)
                reached = np.minimum(reached, desk.table.threshold)
            due = room.let_in(reached, rng)
            desk.table.live = shop.step(open_s, int(due.sum()))
            opened = int(shop.admitted[open_s])
            desk.table.opened += opened
            course.waits.step(open_s, due, opened)
            if open_s % COHORT_S == 0:
                course.gave_up += room.leave(-np.expm1(-setting.leave_per_s * COHORT_S), rng)
            if setting.leaves is not None and open_s == setting.leaves[0]:
                course.gave_up += room.leave(setting.leaves[1], rng)
            course.waiting[open_s] = room.count() + course.waits.due
            course.slopes[open_s] = slope(desk.store.versions[-1].epochs, desk.clock.ms / 1000)
            if setting.ends and _is_over(course, open_s, to_come):
                _cut(course, open_s + 1)
                break
        if second % PLANNED_EVERY_S == 0:
            desk.plan(shop.places_left if open_s >= 0 else None)
    course.wave_s = desk.wave_s()
    return course


def _is_over(course: Course, second: int, to_come: int) -> bool:
    """Say whether all is sold, or nobody comes, waits or shops any more."""
    if course.stock is not None and course.stock.is_sold_out:
        return True
    return not (to_come or course.waiting[second] or course.live[second])


def _cut(course: Course, seconds: int) -> None:
    """Leave out what was not simulated."""
    for name in ("live", "admitted", "refused", "waiting", "slopes"):
        setattr(course, name, getattr(course, name)[:seconds])


def _operator(setting: Setting, start_s: float) -> Operator:
    gate = first_gate(
        curve=setting.curve,
        sample=setting.sample,
        tau_s=setting.first_tau_s,
        sale_start_s=setting.sale_start_s,
        backoff_s=setting.backoff_s,
        epochs=setting.epochs,
        wave_s=setting.wave_s,
    )
    return operator(
        gate,
        start_s=start_s,
        live_max=setting.live_max,
        session_s=setting.session_believed * _mean_session_s(setting),
        corrects=setting.corrects,
        control=setting.control,
        admissions_per_s=setting.admissions_per_s,
    )


def _arrivals(setting: Setting, rng: np.random.Generator) -> Ints:
    """When each buyer joins, in whole seconds from the beginning."""
    if setting.joins:
        return _none()
    if setting.comes_s:
        return np.array(setting.comes_s).astype(np.int64) + setting.before_s
    at = Arrivals().draw(setting.buyers, rng)
    return at.astype(np.int64) - SALE_START_S + setting.before_s


class _Threshold:
    """The admission threshold of the product: while the target is reached, it admits up to E."""

    def __init__(self, setting: Setting, desk: Operator) -> None:
        self._setting, self._desk = setting, desk
        self._threshold: AdmissionThreshold | None = None
        self._opened = 0

    def threshold(self, h: float, live: int) -> float:
        """Advance the threshold if it is due, as an attempt would, and return it."""
        now_s = self._desk.clock.ms / 1000
        if is_due(self._threshold, now_s):
            epochs = self._desk.store.versions[-1].epochs
            opened = self._desk.table.opened
            look = CapacityLook(
                now_s=now_s,
                h=h,
                h_next=operational_time(epochs, now_s + LOOK_EVERY_S),
                live=live,
                live_max=self._setting.live_max,
                opened=opened - self._opened,
                session_s=self._desk.event.session_mean_s,
                back_s=_JITTER * self._setting.backoff_s[1],  # the longest way back
                stood=slope(epochs, now_s) == 0.0,
            )
            self._threshold, self._opened = advanced(self._threshold, look), opened
        return threshold_at(self._threshold, h, now_s)


class _Shop:
    """Sessions of one sale: each opens when a poll finds a free slot, and ends in time."""

    def __init__(self, setting: Setting, seconds: int, rng: np.random.Generator) -> None:
        self._setting, self._rng = setting, rng
        self._drawn = np.clip(np.ceil(setting.lengths_s), 1, setting.longest_s).astype(np.int64)
        length = seconds + setting.longest_s + _RETRIES_S
        self._polling, self._ending = np.zeros(length, np.int64), np.zeros(length, np.int64)
        self._now = 0
        self.live, self.admitted, self.refused = (np.zeros(seconds, np.int64) for _ in range(3))
        self.stock = None
        if setting.orders is not None:
            self.stock = Stock(setting.orders, length, setting.longest_s, setting.seed)

    @property
    def now(self) -> int:
        """How many are inside."""
        return self._now

    @property
    def places_left(self) -> int | None:
        """Places that are not sold, as the controller counts them; None: unknown."""
        return None if self.stock is None else self.stock.left

    def step(self, second: int, due: int) -> int:
        """Return the live sessions after this second, in which ``due`` buyers become due."""
        late = np.floor(self._rng.random(due) * POLL_S).astype(np.int64)
        np.add.at(self._polling, second + late, 1)
        self._now -= int(self._ending[second])
        if self.stock is not None:
            ends, gone = self.stock.step(second)
            self._ending[ends] -= gone
            self._now -= int(gone.sum())
        asking = int(self._polling[second])
        place = self._setting.live_max - self._now if self._setting.capped else asking
        opened = max(0, min(asking, place))
        self._refuse(second, asking - opened)
        lengths = self._lengths(second, opened)
        np.add.at(self._ending, second + lengths, 1)
        self._now += opened
        self.live[second] = self._now
        self.admitted[second] = opened
        self.refused[second] = asking - opened
        return self._now

    def _refuse(self, second: int, count: int) -> None:
        """A due buyer without a free slot comes again when the refusal says, as in the product.

        Of a crowd some are asked, and the others come back as those do.
        """
        asked = min(count, _REFUSED_MAX)
        back = [
            back_at(0.0, f"{tail:08x}", second, self._setting.backoff_s)
            for tail in self._rng.integers(0, 2**32, asked).tolist()
        ]
        np.add.at(self._polling, np.array(back, np.int64), 1)
        if count > asked:
            others = self._rng.multinomial(count - asked, np.full(asked, 1 / asked))
            np.add.at(self._polling, np.array(back, np.int64), others)

    def _lengths(self, second: int, count: int) -> Ints:
        if not self._setting.lengths_s:
            return session_lengths(count, self._setting.session_s, self._rng)
        drawn = self._rng.choice(self._drawn.size, count)
        lengths: Ints = self._drawn[drawn]
        if self.stock is not None:
            self.stock.opened(second, drawn, lengths)
        return lengths


def _mean_session_s(setting: Setting) -> float:
    """What a history of such sales would have told the operator."""
    if setting.lengths_s:
        return float(np.mean(setting.lengths_s))
    lengths = session_lengths(200_000, setting.session_s, np.random.default_rng(0))
    return float(lengths.mean())


def _h_now(desk: Operator) -> float:
    return operational_time(desk.store.versions[-1].epochs, desk.clock.ms / 1000)


def _h_of_edges(desk: Operator, setting: Setting) -> Floats:
    """Each edge's H, as far as the origin follows: it decides last, with a tolerance."""
    now_s = desk.clock.ms / 1000
    own = np.array([_edge_h(desk.store.versions, edge, now_s) for edge in setting.edges])
    epochs = desk.store.versions[-1].epochs
    followed: Floats = np.minimum(own, operational_time(epochs, now_s + CLOCK_SKEW_S))
    return followed


def _edge_h(versions: list[Version], edge: Edge, now_s: float) -> float:
    heard = [v for v in versions[-8:] if v.published_s + edge.lag_s <= now_s]
    known = heard[-1] if heard else versions[0]
    return operational_time(known.epochs, now_s + edge.clock_s)


def _whole(count: float, rng: np.random.Generator) -> int:
    """A whole number with this mean, so that a few a second keep their sum."""
    return int(count + rng.random())
