"""The wave at the sale start: how many requests come at once, and what spreading them costs.

The moment of a place comes from its ticket, as ``backoff`` computes it. The crowd's arrivals are
assumed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from fairgate.domain.gate.controller import REQUESTS_PER_S, wave_width_s
from fairgate.domain.gate.gate_config import Epoch
from fairgate.service.catalog.create_event import BACKOFF_S
from fairgate_lab.simulate.gate.gain import Interval, compare, mean_interval
from fairgate_lab.simulate.gate.polls import Gate, Tokens, admissions, first_asking
from fairgate_lab.simulate.gate.sale import (
    LATENCY_S,
    Sale,
    fresh_tokens,
    hold_sale,
    steady_epochs,
    with_claims,
)
from fairgate_ops.operate.forecast.crowd import SALE_START_S, Arrivals
from fairgate_ops.operate.forecast.maths import Floats, Ints, Rules
from fairgate_ops.operate.forecast.timeline import Version, seen

_PART = 1_000_000
LAST_WRITTEN_S = 60.0  # before the sale starts: within it the controller leaves the width alone
_PAIRS_MAX = 200_000
_LATECOMERS = 50_000
_BETWEEN_S = float(BACKOFF_S[0])  # two attempts are no nearer, so an admission is so much later


@dataclass(frozen=True)
class Latecomer:
    """What joining in the middle of the wave is worth, compared with joining before it.

    Attributes:
        overtakes: share of the pairs in which the latecomer is in first, by more than lies
            between two attempts.
        sooner_s: mean over the pairs who both come in.
    """

    overtakes: float
    sooner_s: Interval

    def as_json(self) -> dict[str, Any]:
        return {"overtakes": self.overtakes, "sooner_s": self.sooner_s.as_json()}


def joined_by(before_s: float) -> float:
    """Return the share of all who ever come that has joined so long before the sale starts."""
    drawn = Arrivals().draw(_PART, np.random.default_rng([0, 7]))
    return float((drawn < SALE_START_S - before_s).mean())


@cache
def peak_per_s(crowd: int, wave_s: int, seed: int) -> int:
    """The most first attempts in one second of the first ten minutes, all edges together."""
    rng = np.random.default_rng([seed, 7])
    line = seen(steady_epochs(1.0))
    rules = Rules(1.0, "a", SALE_START_S, *BACKOFF_S, wave_s)
    gate = Gate(rules, edge=line, issuer=line, origin=line)
    per_s = np.zeros(600, np.int64)
    for part in range(0, crowd, _PART):
        count = min(_PART, crowd - part)
        tokens = fresh_tokens(
            Arrivals().draw(count, rng), rng, curve=1.0, line=rng.uniform(*LATENCY_S, count)
        )
        asked, _refused = first_asking(gate, with_claims(tokens, gate))
        second = np.floor(asked - SALE_START_S).astype(np.int64)
        per_s += np.bincount(second[(second >= 0) & (second < per_s.size)], minlength=per_s.size)
    return int(per_s.max())


def sale_start(buyers: int, crowd: int, curve: float, seed: int) -> dict[str, Any]:
    """The load with the wave and without, and what it costs whom."""
    versions = steady_epochs(curve)
    wave_s = wave_width_s(joined_by(LAST_WRITTEN_S) * crowd, REQUESTS_PER_S)
    sales = {
        width: hold_sale(
            buyers, curve=curve, mode="a", seed=seed + 1, versions=versions, wave_s=width
        )
        for width in (0, wave_s)
    }
    narrow, wide = sales[0], sales[wave_s]
    who = waiting_at_sale_start(wide)
    return {
        "crowd": crowd,
        "budget_per_s": REQUESTS_PER_S,
        "wave_s": wave_s,
        "peak_per_s": {str(width): peak_per_s(crowd, width, seed) for width in sales},
        "costs": costs(narrow, wide, who),
        "last_beside_first": last_beside_first(wide, who),
        "latecomer": latecomer(wave_s, curve, seed, bound=True).as_json(),
        "latecomer_not_bound": latecomer(wave_s, curve, seed, bound=False).as_json(),
    }


def costs(narrow: Sale, wide: Sale, who: Ints) -> dict[str, Any]:
    """The same buyers at the same start, with the wave and without: seats, and seconds later."""
    gain = compare(narrow.outcome.admitted_s[who], wide.outcome.admitted_s[who], narrow.sold_out_s)
    return gain.as_json() | {"sold_out_later_s": wide.sold_out_s - narrow.sold_out_s}


def last_beside_first(wide: Sale, who: Ints) -> dict[str, Any]:
    """The same buyers at the end of the wave and at its beginning: only the moment is another."""
    twins = wide.tokens.where(who)
    first, last = (
        _in_s(wide, replace(twins, lot=np.full(who.size, lot))) for lot in (0, 2**32 - 1)
    )
    return compare(first, last, wide.sold_out_s).as_json()


def latecomer(wave_s: int, curve: float, seed: int, *, bound: bool) -> Latecomer:
    """The same ticket joining in the first half of the wave, compared with before the sale.

    H rises so steeply that most turns come within the wave. ``bound`` off is the control: places
    issued after the sale starts are asked with at once.
    """
    rng = np.random.default_rng([seed, 9])
    rules = Rules(curve, "a", SALE_START_S, *BACKOFF_S, wave_s)
    line = seen([Version(SALE_START_S - 7200.0, (Epoch(float(SALE_START_S), 0.0, 1 / wave_s),))])
    room = Gate(rules, edge=line, issuer=line, origin=line)
    paths_s = rng.uniform(*LATENCY_S, _LATECOMERS)
    before = fresh_tokens(np.full(_LATECOMERS, SALE_START_S - 60.0), rng, curve=curve, line=paths_s)
    joins_s = SALE_START_S + rng.uniform(0.0, wave_s / 2, _LATECOMERS)
    late = fresh_tokens(joins_s, rng, curve=curve, line=paths_s, place=before)
    later_room = room if bound else replace(room, rules=replace(rules, wave_s=0))
    late = late if bound else replace(late, lot=np.zeros_like(late.lot))
    until_s = SALE_START_S + 20.0 * wave_s
    before_s = admissions(room, with_claims(before, room), until_s).admitted_s
    late_s = admissions(later_room, with_claims(late, later_room), until_s).admitted_s
    both = np.isfinite(before_s) & np.isfinite(late_s)
    return Latecomer(
        overtakes=float((late_s < before_s - _BETWEEN_S).mean()),
        sooner_s=mean_interval(before_s[both] - late_s[both]),
    )


def _in_s(sale: Sale, tokens: Tokens) -> Floats:
    return admissions(sale.gate(), tokens, sale.sold_out_s + 1.0).admitted_s


def waiting_at_sale_start(sale: Sale) -> Ints:
    who = np.flatnonzero(sale.tokens.issued_s < SALE_START_S)
    if who.size <= _PAIRS_MAX:
        return who
    return np.sort(np.random.default_rng([sale.seed, 8]).choice(who, _PAIRS_MAX, replace=False))
