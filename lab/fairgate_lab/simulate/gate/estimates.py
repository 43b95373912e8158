"""Compare the promised waits with the real ones.

Two promises are judged: the gate's bucket, and what the page says of it: that bucket, and that it
is rarely more than the ladder's next step. Both at the first poll and at a later moment, drawn
evenly from each buyer's wait.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from fairgate.domain.gate.admission import ESTIMATE_LADDER_S, admission_at
from fairgate.domain.gate.gate_config import Epoch, Mode
from fairgate.domain.gate.pace import first_h
from fairgate.service.catalog.create_event import BACKOFF_S
from fairgate_lab.simulate.gate.polls import Gate, Tokens, admissions, first_asking
from fairgate_lab.simulate.gate.sale import (
    LATENCY_S,
    Sale,
    controlled_line,
    fresh_tokens,
    hold_sale,
    with_claims,
)
from fairgate_ops.operate.forecast.crowd import SALE_START_S
from fairgate_ops.operate.forecast.maths import Bools, Floats, Ints, Rules, bucket
from fairgate_ops.operate.forecast.timeline import Version, seen

BUYERS = 200_000  # who are followed one by one, of however large a crowd
_LAST = 0.9999  # of the lottery numbers: when a steady room may close


@dataclass(frozen=True)
class Coverage:
    """Shares of the buyers who were shown a bucket and then got in.

    Attributes:
        said: in by the end of the ladder's next step, the most that the page names.
        in_or_below: in by the bucket's end.
        within: in between its ends.
    """

    buyers: int
    said: float
    in_or_below: float
    within: float
    longer: float

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Coverages:
    """At the first poll, and at a moment later in the wait."""

    first: Coverage
    later: Coverage

    def as_json(self) -> dict[str, Any]:
        return {"first": self.first.as_json(), "later": self.later.as_json()}


def controlled(crowd: int, *, mode: Mode, curve: float, seed: int) -> Coverages:
    """Estimate in a sale that the controller paces: at capacity, with admissions in reserve."""
    versions, threshold = controlled_line(crowd, curve, seed)
    buyers = min(crowd, BUYERS)
    sale = hold_sale(
        buyers, curve=curve, mode=mode, seed=seed + 1, versions=versions, threshold=threshold
    )
    return of_sale(sale)


def of_sale(sale: Sale) -> Coverages:
    """Return the buyers with a seat; the others were told that it is sold out."""
    seated = sale.outcome.admitted_s < sale.sold_out_s
    return coverages(sale.gate(), sale.tokens, sale.outcome.admitted_s, seated)


def by_hand(buyers: int, *, mode: Mode, curve: float, tau_s: float, seed: int) -> Coverages:
    """Of everybody in a room whose pace an operator has set once, and that lets everyone in."""
    rng = np.random.default_rng([seed, 3])
    rules = Rules(curve, mode, SALE_START_S, *BACKOFF_S)
    sale_start = Epoch(float(SALE_START_S), first_h(curve, "manual"), 1 / tau_s)
    line = seen([Version(0.0, (Epoch(0.0, sale_start.h, 0.0), sale_start))])
    room = Gate(rules, edge=line, issuer=line, origin=line)
    buyers = min(buyers, BUYERS)
    arrived = SALE_START_S + rng.uniform(-600.0, 600.0, buyers)
    tokens = fresh_tokens(arrived, rng, curve=curve, line=rng.uniform(*LATENCY_S, buyers))
    tokens = with_claims(tokens, room)
    until_s = SALE_START_S + 600.0 + tau_s * admission_at(_LAST, curve) + 2 * BACKOFF_S[1]
    admitted = admissions(room, tokens, until_s).admitted_s
    return coverages(room, tokens, admitted, np.isfinite(admitted))


def coverages(room: Gate, tokens: Tokens, admitted_s: Floats, who: Bools) -> Coverages:
    """Return those of ``who`` that were not admitted at their first poll."""
    asked, _early = first_asking(room, tokens)
    told = who & (admitted_s > asked)
    asked, admitted_s, tokens = asked[told], admitted_s[told], tokens.where(told)
    rng = np.random.default_rng(asked.size)
    later = asked + rng.random(asked.size) * (admitted_s - asked)
    return Coverages(
        _coverage(room, tokens, asked, admitted_s), _coverage(room, tokens, later, admitted_s)
    )


def bucket_ends(index: Ints) -> Floats:
    """Upper end of each bucket, seconds; infinite for the last."""
    ends = np.append(np.array(ESTIMATE_LADDER_S[1:], dtype=np.float64), np.inf)
    return ends[index]


def _coverage(room: Gate, tokens: Tokens, at_s: Floats, admitted_s: Floats) -> Coverage:
    """Of those whom the gate would answer with a bucket then: they are not due there yet."""
    x = np.maximum(0.0, room.edge.at(at_s) - tokens.h)
    shown = bucket(room.rules, tokens.moment, x, room.edge.pace(at_s))
    told = (shown >= 0) & (x <= tokens.moment)
    waited, index = (admitted_s - at_s)[told], shown[told]
    steps = bucket_ends(np.arange(int(index.max(initial=0)) + 2).clip(max=_most()))
    low = np.concatenate([[0.0], steps])[index]
    below = waited <= steps[index]
    return Coverage(
        buyers=int(told.sum()),
        said=float((waited <= steps[index + 1]).mean()),
        in_or_below=float(below.mean()),
        within=float((below & (waited >= low)).mean()),
        longer=float((~below).mean()),
    )


def _most() -> int:
    """The ladder's last bucket, which has no end."""
    return len(ESTIMATE_LADDER_S) - 1
