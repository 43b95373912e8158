"""What the page promised at the first poll, against how long it then took."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from fairgate.domain.gate.admission import turn_at
from fairgate.domain.gate.gate_config import Epoch, Mode
from fairgate_ops.prove.simulate.gate.crowd import DOORS_S
from fairgate_ops.prove.simulate.gate.maths import Bools, Floats, Rules, bucket, bucket_ends
from fairgate_ops.prove.simulate.gate.polls import Gate, Tokens, admissions, first_asking
from fairgate_ops.prove.simulate.gate.sale import (
    LATENCY_S,
    Sale,
    fresh_tokens,
    with_claims,
)
from fairgate_ops.prove.simulate.gate.shop import BACKOFF_S
from fairgate_ops.prove.simulate.gate.timeline import Version, seen

_LAST = 0.9999  # of the lottery numbers: when a steady room may close


@dataclass(frozen=True)
class Coverage:
    """Shares of the buyers who were shown a bucket and then got in."""

    buyers: int
    in_or_below: float
    within: float
    longer: float

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def of_sale(sale: Sale) -> Coverage:
    """Of those who got a seat; the others were told that it is sold out."""
    seated = sale.outcome.admitted_s < sale.sold_out_s
    return coverage(sale.gate(), sale.tokens, sale.outcome.admitted_s, seated)


def of_steady_room(buyers: int, *, mode: Mode, curve: float, tau_s: float, seed: int) -> Coverage:
    """Of everybody in a room whose pace never changes and that lets everyone in."""
    rng = np.random.default_rng([seed, 3])
    rules = Rules(curve, mode, DOORS_S, *BACKOFF_S)
    line = seen([Version(0.0, (Epoch(float(DOORS_S), 0.0, 1 / tau_s),))])
    room = Gate(rules, edge=line, issuer=line, origin=line)
    arrived = DOORS_S + rng.uniform(-600.0, 600.0, buyers)
    tokens = fresh_tokens(arrived, rng, curve=curve, line=rng.uniform(*LATENCY_S, buyers))
    tokens = with_claims(tokens, room)
    until_s = DOORS_S + 600.0 + tau_s * turn_at(_LAST, curve) + 2 * BACKOFF_S[1]
    admitted = admissions(room, tokens, until_s).admitted_s
    return coverage(room, tokens, admitted, np.isfinite(admitted))


def coverage(room: Gate, tokens: Tokens, admitted_s: Floats, who: Bools) -> Coverage:
    """Those of ``who`` whose first poll was answered with a bucket."""
    asked, _early = first_asking(room, tokens)
    x = np.maximum(0.0, room.edge.at(asked) - tokens.h)
    shown = bucket(room.rules, tokens.turn, x, room.edge.pace(asked))
    told = who & (shown >= 0) & (admitted_s > asked)
    waited, index = admitted_s[told] - asked[told], shown[told]
    high = bucket_ends(index)
    low = np.concatenate([[0.0], bucket_ends(np.arange(int(index.max(initial=0))))])[index]
    below = waited <= high
    return Coverage(
        buyers=int(told.sum()),
        in_or_below=float(below.mean()),
        within=float((below & (waited >= low)).mean()),
        longer=float((~below).mean()),
    )
