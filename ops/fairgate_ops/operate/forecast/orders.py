"""Simulate what sessions buy, in counts: places are held as somebody has chosen, and then paid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fairgate_ops.operate.forecast.maths import Floats, Ints

_NEVER = -1
_PLENTY = 2**62


@dataclass(frozen=True)
class Orders:
    """What sessions buy.

    Attributes:
        places: that can be sold; None: any number.
        chosen_s: of each session that may be drawn, after how long it holds places; −1: never.
        tickets: shares of orders with 1, 2, 3 … tickets.
        declines: the share of orders that is never paid.
    """

    places: int | None
    chosen_s: tuple[int, ...]
    tickets: tuple[float, ...]
    declines: float


class Stock:
    """The places of a sale, second by second. Who finds too few takes what is left, or leaves."""

    def __init__(self, orders: Orders, seconds: int, longest_s: int, seed: int) -> None:
        self._orders = orders
        # Of its own, so that sessions come and go as they do where nothing is sold.
        self._rng = np.random.default_rng((seed, 2))
        self._chosen_s = np.array(orders.chosen_s, np.int64)
        self._sizes = np.arange(1, len(orders.tickets) + 1)
        self._window = longest_s + 1
        # How many will have chosen at a second, by when their sessions end, both in a ring.
        self._asks = np.zeros((self._window, self._window), np.int64)
        self._paid_at, self._back_at, self._orders_at = (
            np.zeros(seconds, np.int64) for _ in range(3)
        )
        self._held = 0
        self.sold, self.holds, self.paid = (np.zeros(seconds, np.int64) for _ in range(3))
        self._sold = 0
        self.found_none = 0

    @property
    def left(self) -> int | None:
        """Places that are not sold, held ones included; None: any number."""
        return None if self._orders.places is None else self._orders.places - self._sold

    @property
    def is_sold_out(self) -> bool:
        return self.left is not None and self.left <= 0

    def opened(self, second: int, drawn: Ints, lengths: Ints) -> None:
        """Note when the sessions that open now will have chosen."""
        chosen = self._chosen_s[drawn]
        some = chosen != _NEVER
        asks = (second + np.clip(chosen[some], 1, lengths[some])) % self._window
        np.add.at(self._asks, (asks, (second + lengths[some]) % self._window), 1)

    def step(self, second: int) -> tuple[Ints, Ints]:
        """Hold and sell. Return when sessions would have ended that leave now, and how many."""
        self._sold += int(self._paid_at[second])
        self._held -= int(self._paid_at[second] + self._back_at[second])
        self.sold[second], self.paid[second] = self._sold, self._orders_at[second]
        row = self._asks[second % self._window]
        places = np.flatnonzero(row)
        ends: Ints = second + (places - second) % self._window
        asking = row[places]
        row[:] = 0
        wanted = self._rng.multinomial(asking, self._orders.tickets)
        held = self._given(wanted)
        paying = self._rng.binomial(held, 1.0 - self._orders.declines)
        self._paid_at[ends] += paying @ self._sizes
        self._back_at[ends] += (held - paying) @ self._sizes
        self._orders_at[ends] += paying.sum(axis=1)
        self._held += int((held @ self._sizes).sum())
        self.holds[second] = int(held.sum())
        gone: Ints = asking - held.sum(axis=1)
        self.found_none += int(gone.sum())
        return ends, gone

    def _given(self, wanted: Ints) -> Ints:
        """Return who gets places, by row and by how many; in a random order while they last."""
        left = self.left
        free = _PLENTY if left is None else left - self._held
        if int((wanted @ self._sizes).sum()) <= free:
            return wanted
        rows, sizes = np.nonzero(wanted)
        each = np.repeat(np.arange(rows.size), wanted[rows, sizes])
        each = self._rng.permutation(each)
        before = np.cumsum(self._sizes[sizes[each]]) - self._sizes[sizes[each]]
        got = np.minimum(self._sizes[sizes[each]], free - before)
        some = got > 0
        held = np.zeros_like(wanted)
        np.add.at(held, (rows[each[some]], got[some] - 1), 1)
        return held


def mean_tickets(tickets: tuple[float, ...]) -> float:
    shares: Floats = np.array(tickets)
    return float(shares @ np.arange(1, shares.size + 1))
