"""Buyers who follow the protocol: sleep until ``boff``, ask, and so on until admission."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from fairgate.domain.gate.admission import EARLY_GRACE_S
from fairgate.service.sessions.judge_admission import CLOCK_SKEW_S
from fairgate_ops.operate.forecast.maths import Bools, Floats, Ints, Rules, backoff, on_grid
from fairgate_ops.operate.forecast.timeline import Timeline

BUSY_RETRY_S = 5.0  # the origin's "not yet" after the edge's "admitted"


@dataclass(frozen=True)
class Tokens:
    """One element a token.

    Attributes:
        issued_s: true time of issue.
        h: the claim, as the issuing edge wrote it.
        moment: x* of the token's lottery number.
        tail: last 32 bits of its id, of which the jitter is made.
        lot: first 32 bits of its ticket, of which the moment in the wave at the sale start is made.
        latency_s: from the buyer's clock to the edge's decision.
    """

    issued_s: Floats
    h: Floats
    moment: Floats
    tail: Ints
    lot: Ints
    latency_s: Floats

    def where(self, chosen: Bools | Ints) -> Tokens:
        return Tokens(
            self.issued_s[chosen],
            self.h[chosen],
            self.moment[chosen],
            self.tail[chosen],
            self.lot[chosen],
            self.latency_s[chosen],
        )


@dataclass(frozen=True)
class Gate:
    """One edge and the origin behind it.

    Attributes:
        edge: H at the edge where attempts are made; ``issuer`` where the token comes from.
        origin: H as the origin knows it. It decides last, CLOCK_SKEW_S ahead.
        clock_s, issuer_clock_s: by how much those edges' clocks are fast.
    """

    rules: Rules
    edge: Timeline
    issuer: Timeline
    origin: Timeline
    clock_s: float = 0.0
    issuer_clock_s: float = 0.0

    def claim_h(self, issued_s: Floats) -> Floats:
        """``h`` = H(iat), iat in whole seconds of the issuing edge's clock."""
        return on_grid(self.issuer.at(np.floor(issued_s + self.issuer_clock_s)))

    def true_h(self, issued_s: Floats) -> Floats:
        """H at the token's ``iat`` as the origin knows it: no token is credited with more."""
        return on_grid(self.origin.at(np.floor(issued_s + self.issuer_clock_s)))

    def ahead(self, until_s: Floats | float) -> float:
        """The most operational time that anybody can be credited with until then."""
        last = float(np.max(until_s))
        return min(self.edge.highest(last + self.clock_s), self.origin.highest(last + CLOCK_SKEW_S))


@dataclass(frozen=True)
class Manner:
    """How a buyer asks: ``early_s`` before ``boff``; what is more than the grace is refused."""

    early_s: float = 0.0
    busy_retry_s: float = BUSY_RETRY_S


@dataclass(frozen=True)
class Outcome:
    """When each token was admitted (infinite: never), and what asking took."""

    admitted_s: Floats
    polls: int
    refused_early: int


def admissions(
    gate: Gate, tokens: Tokens, until_s: Floats | float, manner: Manner | None = None
) -> Outcome:
    """Each token's admission, if it comes by ``until_s`` (per token or for all).

    Tokens that cannot be due by then are not polled: they would only be told to wait.
    """
    manner = manner or Manner()
    admitted = np.full(tokens.h.shape, np.inf)
    limit = np.broadcast_to(np.asarray(until_s, dtype=np.float64), admitted.shape)
    places = np.flatnonzero(tokens.h + tokens.moment < gate.ahead(limit if limit.size else 0.0))
    active = tokens.where(places)
    asked, refused = first_asking(gate, active, manner)
    polls = 0
    while places.size:
        on_time = asked <= limit[places]
        places, active, asked = places[on_time], active.where(on_time), asked[on_time]
        polls += places.size
        edge_s = asked + gate.clock_s
        edge_yes = gate.edge.at(edge_s) - active.h > active.moment
        earned_since = np.maximum(active.h, gate.true_h(active.issued_s))
        origin_yes = gate.origin.at(asked + CLOCK_SKEW_S) - earned_since > active.moment
        done = edge_yes & origin_yes
        admitted[places[done]] = asked[done]
        boff = _next(gate, active, edge_s)
        later, early = _asking(active, boff, gate.clock_s, manner, asked)
        refused += early
        asked = np.where(edge_yes, asked + manner.busy_retry_s, later)[~done]
        places, active = places[~done], active.where(~done)
    return Outcome(admitted, polls, refused)


def first_asking(gate: Gate, tokens: Tokens, manner: Manner | None = None) -> tuple[Floats, int]:
    """When each token is asked with for the first time, and how many asked too early before.

    ``boff`` is in the issuing edge's time; a buyer sleeps for as long as that edge said.
    """
    issuer = replace(gate, edge=gate.issuer, clock_s=gate.issuer_clock_s)
    boff = _next(issuer, tokens, tokens.issued_s + gate.issuer_clock_s, fresh=True)
    return _asking(tokens, boff, gate.issuer_clock_s, manner or Manner(), tokens.issued_s)


def _next(gate: Gate, tokens: Tokens, edge_s: Floats, *, fresh: bool = False) -> Floats:
    x = np.zeros_like(tokens.h) if fresh else np.maximum(0.0, gate.edge.at(edge_s) - tokens.h)
    slope = gate.edge.slope(edge_s)
    return backoff(gate.rules, tokens.tail, tokens.lot, tokens.moment, x, edge_s, slope)


def _asking(
    tokens: Tokens, boff: Floats, clock_s: float, manner: Manner, now_s: Floats
) -> tuple[Floats, int]:
    """When the next attempt reaches the edge, and how many before it are refused as too early.

    An early asker asks every second; the first attempt within the grace counts.
    """
    due = boff - clock_s + tokens.latency_s
    if manner.early_s <= 0.0:
        return due, 0
    grace = min(manner.early_s, EARLY_GRACE_S)
    asked = np.maximum(due - grace, now_s + 0.1)
    refused = np.minimum(np.maximum(asked - now_s, 0.0), manner.early_s - grace)
    return asked, int(np.floor(refused).sum())
