"""What a lagging edge or a wrong clock can give at most: lab/docs/adversaries.md derives it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairgate.domain.gate import admission
from fairgate.domain.gate.admission import slope
from fairgate_ops.operate.forecast.maths import Rules, steepest
from fairgate_ops.operate.forecast.timeline import Timeline, Version, seen


def lag_bound_x(
    versions: Sequence[Version],
    lag_s: float,
    lead_s: float,
    t_s: float,
    true: Timeline | None = None,
) -> float:
    """The most that the H of an edge which hears ``lag_s`` late is off at ``t_s``.

    Holds where every version changes the line no sooner than ``lead_s`` after it was published:
    max(0, lag − lead) · the widest difference of slopes over that long before ``t_s``.

    Args:
        true: the line of ``versions`` without a lag, for who asks for many moments.
    """
    late_s = lag_s - lead_s
    if late_s <= 0.0:
        return 0.0
    heard = [v for v in versions[1:] if v.published_s + lag_s <= t_s]
    known = (heard[-1] if heard else versions[0]).epochs
    since = t_s - late_s
    bends = {since} | {e.start_s for v in versions for e in v.epochs if since < e.start_s <= t_s}
    line = true or seen(versions)
    return late_s * max(abs(slope(known, s) - _slope(line, s)) for s in bends)


def widest_lag_bound_x(
    versions: Sequence[Version], lag_s: float, lead_s: float, *, since_s: float, until_s: float
) -> float:
    """The largest of :func:`lag_bound_x` in a span of time, second by second."""
    if lag_s <= lead_s:
        return 0.0
    moments = np.arange(np.floor(since_s), np.ceil(until_s) + 1.0)
    true = seen(versions)
    return max(lag_bound_x(versions, lag_s, lead_s, float(t), true) for t in moments)


def longest_delay_s(rules: Rules) -> float:
    """Return the longest time from the moment of admission to its buyer's next attempt."""
    if rules.mode == "a":
        return admission.near_s(rules.backoff_min_s)
    return rules.backoff_max_s * (1.0 + admission._JITTER) + 1.0  # noqa: SLF001 written once


def clock_bound_x(line: Timeline, *, issuer_s: float, edge_s: float, until_s: float) -> float:
    """What clocks that are off by so much credit: their seconds at the steepest slope."""
    return (abs(issuer_s) + abs(edge_s)) * _steepest_slope(line, until_s)


def seat_bound(rules: Rules, line: Timeline, x_credited: float, until_s: float) -> float:
    """The most that ``x_credited`` adds to the probability of a seat by ``until_s``.

    The strategist asks at the moment of admission, the twin one poll later at most.
    """
    polls_x = longest_delay_s(rules) * _steepest_slope(line, until_s)
    reached = line.highest(until_s) + x_credited
    return steepest(rules.curve, reached) * (x_credited + polls_x)


def _steepest_slope(line: Timeline, until_s: float) -> float:
    return float(np.max(line.slopes[line.starts_s <= until_s]))


def _slope(line: Timeline, t_s: float) -> float:
    return float(line.slope(np.array([t_s]))[0])
