"""Two rooms to compare with: first come first served, and a fresh draw for every request.

Both let in as many a second as the real room did, so that only the rule differs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fairgate_lab.simulate.gate.sale import Sale
from fairgate_lab.simulate.gate.strategies import EARLIER_S, LATER_S, REFRESH_S, TOKENS
from fairgate_ops.operate.forecast.crowd import SALE_START_S
from fairgate_ops.operate.forecast.maths import Floats, Ints

REACTION_S = (0.0, 0.5)  # logarithms' mean and spread: half press within 1 s of the sale start
NETWORK_S = (2.0, 0.08)  # gamma: shape, scale; 160 ms in the mean
POLL_S = 60  # between two requests of an honest buyer to the room that draws per request


@dataclass(frozen=True)
class Fifo:
    """The first request is in first. It opens at the sale start; who waits there presses then."""

    sale: Sale

    @cached_property
    def pressed_s(self) -> Floats:
        """When each honest buyer's request is sent: at the sale start by hand, later on arrival."""
        arrived = self.sale.tokens.issued_s
        reaction = self._rng(1).lognormal(*REACTION_S, arrived.size)
        return np.where(arrived < SALE_START_S, SALE_START_S + reaction, arrived)

    @cached_property
    def received_s(self) -> Floats:
        return self.pressed_s + self._rng(2).gamma(*NETWORK_S, self.pressed_s.size)

    @cached_property
    def order(self) -> Floats:
        return np.sort(self.received_s)

    def admitted(self, received_s: Floats) -> Floats:
        """When a request that is received then is let in; never, when the seats went before."""
        place = np.searchsorted(self.order, received_s)
        inlet = self.sale.admitted_in_order
        let_in = np.append(inlet, np.inf)[np.minimum(place, inlet.size)]
        return np.where(np.isfinite(let_in), np.maximum(let_in, received_s), np.inf)

    def honest(self, who: Ints) -> Floats:
        return self.admitted(self.received_s[who])

    def earlier(self, who: Ints) -> Floats:
        return self.admitted(self.received_s[who] - EARLIER_S)

    def later(self, who: Ints) -> Floats:
        return self.admitted(self.received_s[who] + LATER_S)

    def many_tokens(self, who: Ints) -> Floats:
        """A hundred requests at once: the luckiest line counts."""
        first = self.received_s[who]
        rng = self._rng(3)
        for _ in range(TOKENS - 1):
            again = self.pressed_s[who] + rng.gamma(*NETWORK_S, who.size)
            first = np.minimum(first, again)
        return self.admitted(first)

    def _rng(self, stream: int) -> np.random.Generator:
        return np.random.default_rng([self.sale.seed, 1, stream])


@dataclass(frozen=True)
class PerRequest:
    """Every request is drawn afresh, with the probability that fills the shop at the honest pace.

    Somebody with so many draws a second is in as soon as the chances of not being in, multiplied,
    fall below a number that is theirs: pairs share it.
    """

    sale: Sale

    @cached_property
    def _chance(self) -> Floats:
        """−ln(1 − p) of one request in each second since the sale start."""
        seconds = int(np.ceil(self.sale.sold_out_s - SALE_START_S)) + 1
        inlet = np.floor(self.sale.admitted_in_order - SALE_START_S).astype(np.int64)
        let_in = np.bincount(np.maximum(inlet, 0), minlength=seconds)[:seconds]
        arrived = np.maximum(np.floor(self.sale.tokens.issued_s - SALE_START_S), 0).astype(np.int64)
        joined = np.cumsum(np.bincount(arrived, minlength=seconds)[:seconds])
        waiting = np.maximum(1, joined - np.cumsum(let_in) + let_in)
        p: Floats = np.minimum(0.999, let_in * POLL_S / waiting)
        chances: Floats = -np.log1p(-p)
        return chances

    @cached_property
    def _luck(self) -> Floats:
        return self._rng(1).exponential(size=self.sale.tokens.h.size)

    @cached_property
    def _first(self) -> Ints:
        """Second of the first request: within one interval after the sale start, or on arrival."""
        phase = self._rng(2).integers(0, POLL_S, self.sale.tokens.h.size)
        arrived = np.floor(self.sale.tokens.issued_s - SALE_START_S).astype(np.int64)
        return np.where(arrived < 0, phase, arrived)

    def honest(self, who: Ints) -> Floats:
        return self._admitted(who, self._first[who], every_s=POLL_S)

    def refreshing(self, who: Ints) -> Floats:
        return self._admitted(who, self._first[who], every_s=int(REFRESH_S))

    def before_boff(self, who: Ints) -> Floats:
        return self._admitted(who, self._first[who], every_s=1)

    def many_tokens(self, who: Ints) -> Floats:
        return self._admitted(who, self._first[who], every_s=POLL_S, draws=TOKENS)

    def earlier(self, who: Ints) -> Floats:
        moved = np.floor(self.sale.tokens.issued_s[who] - EARLIER_S - SALE_START_S).astype(np.int64)
        return self._admitted(who, np.where(moved < 0, self._first[who], moved), every_s=POLL_S)

    def later(self, who: Ints) -> Floats:
        return self._admitted(who, self._first[who] + int(LATER_S), every_s=POLL_S)

    def _admitted(self, who: Ints, first: Ints, *, every_s: int, draws: int = 1) -> Floats:
        rows = -(-self._chance.size // every_s) + 1
        padded = np.zeros(rows * every_s)
        padded[: self._chance.size] = self._chance * draws
        # Column c: the requests of everybody who asks at seconds c, c + every_s, …
        passed = np.vstack([np.zeros(every_s), np.cumsum(padded.reshape(rows, every_s), axis=0)])
        row, column = np.divmod(np.clip(first, 0, padded.size - 1), every_s)
        needed = passed[row, column] + self._luck[who]
        found = np.full(who.size, np.inf)
        for c in range(every_s):
            mine = np.flatnonzero(column == c)
            at = np.searchsorted(passed[1:, c], needed[mine])
            second = np.where(at < rows, at * every_s + c, np.inf)
            found[mine] = SALE_START_S + second
        return found

    def _rng(self, stream: int) -> np.random.Generator:
        return np.random.default_rng([self.sale.seed, 2, stream])


Move = Callable[[Ints], Floats]


def fifo_moves(shard: Fifo) -> Mapping[str, Move]:
    """By the names of the real room's strategies. Asking again does not better a place."""
    return {
        "refreshes every 30 s": shard.honest,
        "100 tokens": shard.many_tokens,
        "comes 100 ms earlier": shard.earlier,
        "asks before boff": shard.honest,
        "comes 5 min later": shard.later,
    }


def per_request_moves(shard: PerRequest) -> Mapping[str, Move]:
    return {
        "refreshes every 30 s": shard.refreshing,
        "100 tokens": shard.many_tokens,
        "comes 100 ms earlier": shard.earlier,
        "asks before boff": shard.before_boff,
        "comes 5 min later": shard.later,
    }
