"""Compute which slope keeps the live sessions at their target: the controller's arithmetic.

A crowd is a set of cohorts that arrived at the same operational time. Of a cohort of n, a share
S(x) = exp(−x^k) still waits at x = H − h, so an epoch that advances H by Δ admits
Σ n·(S(x) − S(x + Δ)) of them, whoever they are. Everything else is bookkeeping of sessions.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.gate.gate_config import WAVE_MAX_S

if TYPE_CHECKING:
    from collections.abc import Sequence

# Chosen by `make simulate-gate`: with the crowd under-estimated by 40 %, doubling overshot by 30 %.
STEP_MAX = 1.6  # per step, in case the crowd was under-estimated
RAMP_SHARE = 0.1  # of the target: what the first epoch after a pause may admit
RAMP_CAUTION = 0.8  # one step leaves this part of the gap's square: a wide gap takes more steps
TAU_MIN_S = 1.0
CORRECTION_STEP_MAX = 2.0
CORRECTION_MAX = 10.0
CORRECTION_LEAST = 20.0  # admissions below which one step says nothing
STOCK_SHARE = 0.7  # of the places left: how many may be inside, so that the last can still buy
SEEN_LEAST = 20.0  # sampled accounts that wait: fewer say nothing about the crowd
# With a crowd seen. Newcomers are heard of in the second plan after they came, two minutes later
# at most: by then so many of them, 1 − 1/e, were admitted, and the others only slow it down.
TAU_SEEN_MIN_S = 120.0
# CloudFront Developer Guide, "Quotas": a distribution's default is 250,000 requests a second. Half
# of it: the other half is for buyers who join, open the page or ask again at that moment.
REQUESTS_PER_S = 125_000
# Times the crowd that has joined when the width is last written, a minute before the sale starts.
# More join in the last minute and after the sale start, most of them at once while the wave lasts:
# with 1.3 the simulated crowd's worst second was 1.4 times the budget. 2.0 just holds. A width
# stays as it is while it is right to a twentieth.
COMING_SHARE = 2.1
MEMORY_SHARE = 0.4  # of the past that each look keeps; 0.7 left a slow swing after the ramp
PRIOR_SESSIONS = 20.0  # what the length that the operator expects weighs against those that ended
MEAN_RANGE = 10.0  # times that length, either way: what is believed of a measurement
TREND_SESSIONS = 400.0  # ended ones after which half of a change of W is believed to go on
TREND_SHARE = 0.4  # of a change goes on as it has; 0.7 made waves where edges hear late
TREND_MAX = 1.25
# Share of the cap that is admitted ahead and waits half a minute at capacity. If a plan lets in too
# few, which shows two minutes later, no place stays empty meanwhile.
RESERVE_SHARE = 0.08
CROWD_MEMORY = 0.8  # of the past that each step keeps; one step alone made waves of minutes
CROWD_PRIOR = 20.0  # the weight of the former factor against the arrivals
_BISECTIONS = 60  # halves the interval to below what a double resolves


class Cohort(Struct, frozen=True):
    """``count`` buyers who joined the queue at operational time ``h``, admitted ones included."""

    h: float
    count: float


class Outlook(Struct, frozen=True):
    """The facts known when an epoch is planned.

    Attributes:
        cohorts: the crowd since the sale start, estimated from the desk's samples.
        curve: k of the admission rule.
        live: sessions open now.
        live_max: the target L.
        session_s: mean length of a session; departures follow from it.
        h_now: H now.
        h_start: H when the epoch starts, by the epochs already published.
        slope: 1/τ just before the epoch starts.
        lead_s: from now to the epoch's start.
        plan_s: length of the epoch.
        fastest: the steepest slope that may be planned, see ``fastest_slope``.
        level: the admission threshold E; buyers between E and ``h_now`` are due, wait for a free
            slot and come first. None: E is ``h_now``.
        places_left: places that are not sold yet, held ones included; None: enough.
        admissions_per_s: that the stage carries for one event.
    """

    cohorts: Sequence[Cohort]
    curve: float
    live: float
    live_max: int
    session_s: float
    h_now: float
    h_start: float
    slope: float
    lead_s: float
    plan_s: float
    fastest: float = 1.0 / TAU_MIN_S
    threshold: float | None = None
    places_left: float | None = None
    admissions_per_s: float = math.inf

    @property
    def target(self) -> float:
        """Return how many may be due: the operator's target, or a share of the places left.

        If a sale at capacity holds surplus buyers back, it is RESERVE_SHARE more. It is at least
        one, or the last place would never be sold.
        """
        reserve = 0.0 if self.threshold is None else RESERVE_SHARE
        return min(self.live_max * (1.0 + reserve), self.stock)

    @property
    def stock(self) -> float:
        """Return how many may be inside so that enough places are left for them."""
        if self.places_left is None:
            return math.inf
        return max(1.0, STOCK_SHARE * self.places_left)


class Lengths(Struct, frozen=True):
    """The statistics of session lengths: time spent inside, and how many sessions ended."""

    spent_s: float = 0.0
    ended: float = 0.0

    def after(self, *, live_before: float, live: float, opened: float, span_s: float) -> Lengths:
        """Return the statistics after another span; old values decay.

        Args:
            opened: sessions opened in the span. Those that did not add to the live ones ended.
        """
        spent_s = MEMORY_SHARE * self.spent_s + span_s * (live_before + live) / 2
        ended = MEMORY_SHARE * self.ended + max(0.0, opened - (live - live_before))
        return Lengths(spent_s, ended)

    def mean_s(self, expected_s: float) -> float:
        """Return the mean length W = time spent ÷ sessions ended, with a small prior."""
        spent_s = self.spent_s + PRIOR_SESSIONS * expected_s
        mean_s = spent_s / (self.ended + PRIOR_SESSIONS)
        return min(max(mean_s, expected_s / MEAN_RANGE), expected_s * MEAN_RANGE)

    def mean_ahead_s(self, before: Lengths, expected_s: float, spans: float) -> float:
        """Return the mean length so many spans ahead, if its change since ``before`` goes on.

        The first sessions of a sale end together, and then the next ones, so W falls or rises for
        minutes. With few sessions a change may be chance, so it gets less weight.
        """
        mean_s = self.mean_s(expected_s)
        trust = self.ended / (self.ended + TREND_SESSIONS)
        change = math.pow(mean_s / before.mean_s(expected_s), TREND_SHARE * trust * spans)
        return mean_s * min(max(change, 1.0 / TREND_MAX), TREND_MAX)


class EpochPlan(Struct, frozen=True):
    """The next epoch's slope, and what is expected of it."""

    slope: float
    live_at_start: float
    admissions: float
    live_at_end: float


def still_waiting(x: float, curve: float) -> float:
    """Return the share of a cohort that still waits at operational age ``x``."""
    return math.exp(-(max(0.0, x) ** curve))


def expected_admissions(
    cohorts: Sequence[Cohort], curve: float, h_from: float, h_to: float
) -> float:
    """Return how many of the crowd an advance of H from ``h_from`` to ``h_to`` admits."""
    return sum(
        c.count * (still_waiting(h_from - c.h, curve) - still_waiting(h_to - c.h, curve))
        for c in cohorts
    )


def plan_epoch(outlook: Outlook) -> EpochPlan:
    """Choose the slope whose expected admissions leave the target's sessions when the epoch ends.

    It admits at most as many as there are free slots, counting the due buyers who wait at capacity,
    at most as many as the stage carries, and at most STEP_MAX times the former slope or number. A
    gate that stood still starts again with RAMP_SHARE of the target. A wide gap takes more than
    one step, so a wrong estimate of the crowd shows in the live sessions before they are full. At
    capacity, as many as leave may always be admitted: otherwise a slope near zero left the sale
    half empty for minutes.
    """
    o, target = outlook, outlook.target
    threshold = o.h_now if o.threshold is None else min(o.threshold, o.h_now)
    arriving = expected_admissions(o.cohorts, o.curve, o.h_now, o.h_start)
    refused = expected_admissions(o.cohorts, o.curve, threshold, o.h_now)
    live_at_start = _after(o, o.live, arriving, o.lead_s) + refused
    gap = max(0.0, target - live_at_start)
    goal = target - RAMP_CAUTION * gap * gap / target
    # Sessions that end until then free slots; some of those admitted on the way end too.
    spare = goal - _after(o, live_at_start, 0.0, o.plan_s)
    share_left = _after(o, 0.0, 1.0, o.plan_s)
    # Both, because for k > 1 a slope that doubles can admit eight times as many.
    ramp = min(_admitted(o, STEP_MAX * o.slope), STEP_MAX * arriving * o.plan_s / o.lead_s)
    replaced_when_full = 0.0 if o.threshold is None else target * o.plan_s / o.session_s
    ramp = max(ramp, RAMP_SHARE * target, replaced_when_full)
    replaced = o.stock * o.plan_s / o.session_s  # so many, and no more, keep the stock's number in
    carried = o.admissions_per_s * o.plan_s
    slope = _slope_for(o, min(spare / share_left, ramp, replaced, carried))
    admissions = _admitted(o, slope)
    return EpochPlan(
        slope, live_at_start, admissions, _after(o, live_at_start, admissions, o.plan_s)
    )


def fastest_slope(operator: float, crowd: Sequence[Cohort], curve: float, h: float) -> float:
    """Return the steepest slope to plan: the operator's until a crowd is seen waiting.

    An empty queue says nothing about the next arrivals, so the operator's τ is used.

    Args:
        operator: 1/τ as the operator set it last.
        crowd: as sampled, without dividing by the sample's rate.
        h: operational time at which they are looked at.
    """
    waiting = sum(cohort.count * still_waiting(h - cohort.h, curve) for cohort in crowd)
    return max(operator, 1.0 / TAU_SEEN_MIN_S) if waiting >= SEEN_LEAST else operator


def wave_width_s(crowd: float, requests_per_s: int) -> int:
    """Return for how many seconds from the sale start first attempts are to be spread.

    Args:
        crowd: how many buyers have joined so far.
        requests_per_s: the budget for first attempts; 0: REQUESTS_PER_S.
    """
    width_s = COMING_SHARE * crowd / (requests_per_s or REQUESTS_PER_S)
    return min(WAVE_MAX_S, math.ceil(width_s))


class Turnout(Struct, frozen=True):
    """Sums of the arrivals that the sample predicted and of those that came; old values decay.

    They are sums, because an edge that learns late of a step admits its buyers a minute later.
    """

    expected: float = 0.0
    observed: float = 0.0

    def after(self, *, expected: float, observed: float) -> Turnout:
        """Return the sums after another step; a very small step changes nothing."""
        if expected < CORRECTION_LEAST:
            return self
        return Turnout(
            CROWD_MEMORY * self.expected + expected, CROWD_MEMORY * self.observed + observed
        )

    def factor(self, before: float) -> float:
        """Return what to multiply the sampled crowd by; ``before``: the factor until now."""
        seen = (self.observed + CROWD_PRIOR * before) / (self.expected + CROWD_PRIOR)
        changed = min(max(seen, before / CORRECTION_STEP_MAX), before * CORRECTION_STEP_MAX)
        return min(max(changed, 1 / CORRECTION_MAX), CORRECTION_MAX)


def _admitted(o: Outlook, slope: float) -> float:
    return expected_admissions(o.cohorts, o.curve, o.h_start, o.h_start + slope * o.plan_s)


def _slope_for(o: Outlook, wanted: float) -> float:
    """Find the largest slope up to the fastest expected to admit no more than ``wanted``."""
    if wanted <= 0.0:
        return 0.0
    low, high = 0.0, min(o.fastest, 1.0 / TAU_MIN_S)
    crowd = [(o.h_start - c.h, c.count) for c in o.cohorts]
    present = sum(count * still_waiting(x, o.curve) for x, count in crowd)

    def is_too_steep(slope: float) -> bool:
        advance = slope * o.plan_s
        later = sum(count * still_waiting(x + advance, o.curve) for x, count in crowd)
        return present - later > wanted

    if not is_too_steep(high):
        return high
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        low, high = (low, middle) if is_too_steep(middle) else (middle, high)
    return low


def _after(o: Outlook, live: float, admissions: float, span_s: float) -> float:
    """Return the sessions after ``span_s``, ``admissions`` spread evenly over it."""
    remaining = math.exp(-span_s / o.session_s)
    return live * remaining + admissions * _mean_share(span_s, o.session_s)


def _mean_share(span_s: float, session_s: float) -> float:
    """Return the mean survival of sessions opened evenly over ``span_s``, at its end."""
    if span_s <= 0.0:
        return 1.0
    return -math.expm1(-span_s / session_s) * session_s / span_s
