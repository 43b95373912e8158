"""What people try in the real room. Each takes honest buyers' twins and says when they get in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from fairgate_lab.simulate.gate.polls import Gate, Manner, Outcome, Tokens, admissions
from fairgate_lab.simulate.gate.sale import Sale, fresh_tokens, with_claims
from fairgate_ops.operate.forecast.maths import Floats, Ints

REFRESH_S = 30.0
TOKENS = 100
EARLIER_S = 0.1
LATER_S = 300.0
LAGS_S = (60.0, 120.0, 180.0)
CLOCK_S = 2.0
WRONG_CLOCKS = "clocks off by ±2 s"
HAMMER_S = 60.0  # asks every second of the backoff
BUSY_HAMMER_S = 1.0
_CHUNK = 20_000

Strategy = Callable[[Sale, Ints], Floats]


def another_honest(sale: Sale, who: Ints) -> Floats:
    """The check of the measure itself: another token id, nothing else."""
    twins = sale.tokens.where(who)
    again = fresh_tokens(
        twins.issued_s, sale.rng, curve=sale.rules.curve, line=twins.latency_s, place=twins
    )
    return _through(sale, sale.gate(), again)


def many_tokens(sale: Sale, who: Ints) -> Floats:
    """A hundred tokens at once, each asked with; the first that is admitted counts."""
    return _best_of(sale, who, lambda issued_s: [issued_s] * (TOKENS - 1))


def refreshing(sale: Sale, who: Ints) -> Floats:
    """A new token every half minute until the end, and none thrown away."""

    def moments(issued_s: Floats) -> list[Floats]:
        rounds = int((sale.sold_out_s - float(issued_s.min())) // REFRESH_S)
        return [issued_s + REFRESH_S * n for n in range(1, rounds + 1)]

    return _best_of(sale, who, moments)


def earlier(sale: Sale, who: Ints) -> Floats:
    """A line that is 100 ms faster into the room."""
    return _shifted(sale, who, -EARLIER_S)


def later(sale: Sale, who: Ints) -> Floats:
    """Five minutes late."""
    return _shifted(sale, who, LATER_S)


def before_boff(sale: Sale, who: Ints) -> Floats:
    """Asks every second: what is more than the grace before ``boff`` is refused."""
    return asking_early(sale, who).admitted_s


def asking_early(sale: Sale, who: Ints) -> Outcome:
    """The same with the count of refusals, of those whose turn comes before the seats are gone."""
    manner = Manner(early_s=HAMMER_S, busy_retry_s=BUSY_HAMMER_S)
    return admissions(sale.gate(), sale.tokens.where(who), sale.sold_out_s + 1.0, manner)


def lagging_edge(lag_s: float) -> Strategy:
    """A token from an edge that hears ``lag_s`` late; then asks there, or where all is known."""

    def strategy(sale: Sale, who: Ints) -> Floats:
        twins, manner = sale.tokens.where(who), Manner(busy_retry_s=BUSY_HAMMER_S)
        there = _through(sale, sale.gate(lag_s=lag_s, issuer_lag_s=lag_s), twins, manner)
        here = _through(sale, sale.gate(issuer_lag_s=lag_s), twins, manner)
        return np.minimum(there, here)

    return strategy


def wrong_clocks(sale: Sale, who: Ints) -> Floats:
    """A token from an edge that is 2 s slow, attempts at one that is 2 s fast."""
    room = sale.gate(clock_s=CLOCK_S, issuer_clock_s=-CLOCK_S)
    return _through(sale, room, sale.tokens.where(who), Manner(busy_retry_s=BUSY_HAMMER_S))


def lag_name(lag_s: float) -> str:
    return f"edge lags {lag_s:.0f} s"


STRATEGIES: Mapping[str, Strategy] = {
    "another honest buyer": another_honest,
    "refreshes every 30 s": refreshing,
    "100 tokens": many_tokens,
    "comes 100 ms earlier": earlier,
    "asks before boff": before_boff,
    "comes 5 min later": later,
    **{lag_name(lag_s): lagging_edge(lag_s) for lag_s in LAGS_S},
    WRONG_CLOCKS: wrong_clocks,
}


def _through(sale: Sale, room: Gate, tokens: Tokens, manner: Manner | None = None) -> Floats:
    return admissions(room, with_claims(tokens, room), sale.sold_out_s + 1.0, manner).admitted_s


def _shifted(sale: Sale, who: Ints, by_s: float) -> Floats:
    twins = sale.tokens.where(who)
    return _through(sale, sale.gate(), replace(twins, issued_s=twins.issued_s + by_s))


def _best_of(sale: Sale, who: Ints, moments: Callable[[Floats], list[Floats]]) -> Floats:
    """The earliest admission of the first token and of others, issued at ``moments``."""
    room = sale.gate()
    best = _through(sale, room, sale.tokens.where(who))
    end_s = sale.sold_out_s + 1.0
    for start in range(0, who.size, _CHUNK):
        part = slice(start, start + _CHUNK)
        twins = sale.tokens.where(who[part])
        for issued_s in moments(twins.issued_s):
            place = twins if sale.rules.mode == "a" else None
            more = fresh_tokens(
                issued_s, sale.rng, curve=sale.rules.curve, line=twins.latency_s, place=place
            )
            more = with_claims(more, room)
            # Only a token whose turn comes before the best one's admission can still help.
            limit = np.minimum(best[part], end_s)
            useful = np.flatnonzero(more.h + more.moment < room.origin.at(limit + CLOCK_S))
            found = admissions(room, more.where(useful), limit[useful]).admitted_s
            places = np.arange(start, start + issued_s.size)[useful]
            best[places] = np.minimum(best[places], found)
    return best
