"""A million honest buyers in the real room: who gets in when, and when the seats are gone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np

from fairgate.domain.gate.gate_config import Epoch, Mode
from fairgate.service.catalog.create_event import BACKOFF_S
from fairgate.service.gate.read_gate import GATE_CACHE_MS
from fairgate.service.sessions.judge_admission import CLOCK_SKEW_S
from fairgate_lab.simulate.gate.polls import Gate, Outcome, Tokens, admissions
from fairgate_ops.operate.forecast.crowd import SALE_START_S, Arrivals
from fairgate_ops.operate.forecast.maths import Floats, Ints, Rules, admission_at
from fairgate_ops.operate.forecast.sessions import Setting, run
from fairgate_ops.operate.forecast.timeline import LONG_AGO_S, Timeline, Version, seen

MINUTES = 90
SEATS_SHARE = 0.05  # of the buyers: 50,000 seats for a million
LIVE_SHARE = 0.005  # of the buyers: 5,000 sessions at a time
LATENCY_S = (0.02, 0.3)
SOLD_OUT_S = 2_400.0  # after the sale starts, at a steady pace


@dataclass(frozen=True)
class Sale:
    """What all strategies meet: one schedule of epochs, one crowd, one moment of the last seat.

    A strategist is one among them and does not move that moment.

    Attributes:
        threshold: E, if the origin limits live sessions.
    """

    rules: Rules
    versions: tuple[Version, ...]
    seats: int
    tokens: Tokens
    outcome: Outcome
    rng: np.random.Generator
    seed: int
    threshold: Timeline | None = None

    @property
    def until_s(self) -> float:
        return float(SALE_START_S + MINUTES * 60)

    @cached_property
    def sold_out_s(self) -> float:
        """When the last seat goes: each admitted buyer takes one, in the order of admission."""
        return float(np.partition(self.outcome.admitted_s, self.seats - 1)[self.seats - 1])

    @cached_property
    def admitted_in_order(self) -> Floats:
        """Moments at which the first ``seats`` buyers were admitted."""
        return np.sort(self.outcome.admitted_s)[: self.seats]

    def gate(
        self,
        *,
        lag_s: float = 0.0,
        issuer_lag_s: float = 0.0,
        clock_s: float = 0.0,
        issuer_clock_s: float = 0.0,
    ) -> Gate:
        """The room through edges that hear late or whose clocks are off."""
        return Gate(
            rules=self.rules,
            edge=seen(self.versions, lag_s),
            issuer=seen(self.versions, issuer_lag_s),
            origin=self.threshold or seen(self.versions, GATE_CACHE_MS / 1000),
            clock_s=clock_s,
            issuer_clock_s=issuer_clock_s,
        )


@cache
def planned_epochs(buyers: int, curve: float, seed: int) -> tuple[Version, ...]:
    """What the controller published for a crowd of this size, from a run of its own."""
    live_max = max(1, round(buyers * LIVE_SHARE))
    setting = Setting(buyers, live_max, curve=curve, minutes=MINUTES, seed=seed, capped=False)
    return tuple(run(setting).versions)


@cache
def controlled_line(buyers: int, curve: float, seed: int) -> tuple[tuple[Version, ...], Timeline]:
    """What the controller published as it runs, and the admission threshold."""
    live_max = max(1, round(buyers * LIVE_SHARE))
    course = run(Setting(buyers, live_max, curve=curve, minutes=MINUTES, seed=seed))
    # The origin decides as of CLOCK_SKEW_S later, and the level is of the moment itself.
    at_s = SALE_START_S + CLOCK_SKEW_S + np.arange(-1.0, len(course.thresholds))
    levels = np.array([0.0, *course.thresholds])
    at_s[0] = LONG_AGO_S
    return tuple(course.versions), Timeline(at_s, at_s, levels, np.zeros_like(levels))


def steady_epochs(curve: float, times: float = 1.0) -> tuple[Version, ...]:
    """One pace for the whole sale, no controller's: so many times what sells out in SOLD_OUT_S."""
    x = float(admission_at(np.array([SEATS_SHARE]), curve)[0])
    return (
        Version(SALE_START_S - 7200.0, (Epoch(float(SALE_START_S), 0.0, times * x / SOLD_OUT_S),)),
    )


def hold_sale(
    buyers: int,
    *,
    curve: float,
    mode: Mode,
    seed: int,
    versions: tuple[Version, ...],
    wave_s: int = 0,
    threshold: Timeline | None = None,
) -> Sale:
    """Let every honest buyer through the protocol. Raises ValueError when seats are left over."""
    rng = np.random.default_rng(seed)
    rules = Rules(curve, mode, SALE_START_S, *BACKOFF_S, wave_s)
    seats = max(1, round(buyers * SEATS_SHARE))
    line = rng.uniform(*LATENCY_S, buyers)
    tokens = fresh_tokens(Arrivals().draw(buyers, rng), rng, curve=curve, line=line)
    nobody = Outcome(np.zeros(0), 0, 0)
    sale = Sale(rules, versions, seats, tokens, nobody, rng, seed, threshold)
    tokens = with_claims(tokens, sale.gate())
    outcome = admissions(sale.gate(), tokens, sale.until_s)
    if int(np.isfinite(outcome.admitted_s).sum()) < seats:
        raise ValueError(f"The {seats:,} seats are not sold within {MINUTES} minutes.")
    return replace(sale, tokens=tokens, outcome=outcome)


def fresh_tokens(
    issued_s: Floats,
    rng: np.random.Generator,
    *,
    curve: float,
    line: Floats,
    place: Tokens | None = None,
) -> Tokens:
    """Tokens with ids, and tickets of their own unless ``place`` says whose; h is open.

    The lottery numbers are even ones of a generator: that HMAC's are as even is shown elsewhere.
    """
    count = issued_s.size
    tail: Ints = rng.integers(0, 2**32, count)
    if place is not None:
        return Tokens(issued_s, np.zeros(count), place.moment, tail, place.lot, line)
    moment = admission_at(rng.random(count), curve)
    lot: Ints = rng.integers(0, 2**32, count)
    return Tokens(issued_s, np.zeros(count), moment, tail, lot, line)


def with_claims(tokens: Tokens, room: Gate) -> Tokens:
    """The same tokens with the ``h`` that this room's edge writes into them."""
    return replace(tokens, h=room.claim_h(tokens.issued_s))
