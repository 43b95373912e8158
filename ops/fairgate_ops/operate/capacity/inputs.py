"""Describe a sale as somebody expects it, and read one from a file."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, fields, replace
from pathlib import Path

INPUTS = Path(__file__).with_name("inputs.json")


@dataclass(frozen=True)
class Inputs:
    """A sale as somebody expects it.

    Attributes:
        sign_in_hours: they sign in over so long before the sale starts.
        edge_requests_per_s: the worst second at the edge.
        requests_a_waiting_buyer: from the first page to the ticket, or to giving up.
        desk_share: the share of the edge's requests that is forwarded to the desk.
        session_mean_s: from an admission to the session's end.
        best_share: of the holds, that leave the choice of seats to us.
        origin_caches: regional caches that ask the origin, each for itself.
        keys_looked_at: cached answers that somebody looks at in any one second.
        headroom: what is asked for is so many times what is needed.
    """

    waiting: float
    sign_in_hours: float
    edge_requests_per_s: float
    requests_a_waiting_buyer: float
    answer_bytes: float
    desk_share: float
    admissions_per_s: float
    session_mean_s: float
    holds_per_s: float
    best_share: float
    seats_a_hold: float
    checkouts_per_s: float
    orders_asked_per_s: float
    origin_caches: float
    keys_looked_at: float
    seats: float
    sale_hours: float
    headroom: float

    def for_crowd(self, waiting: float) -> Inputs:
        """Scale what grows with the crowd; seats and caches are what they are."""
        share = waiting / self.waiting
        grown = (
            "edge_requests_per_s",
            "admissions_per_s",
            "holds_per_s",
            "checkouts_per_s",
            "orders_asked_per_s",
        )
        return replace(
            self, waiting=waiting, **{name: getattr(self, name) * share for name in grown}
        )


def read_inputs(path: Path = INPUTS) -> Inputs:
    """Read a sale.

    Raises:
        ValueError: the file lacks an input, has one that nobody knows, or one that is no number
            above zero.
    """
    values = json.loads(path.read_text("utf-8"))
    names = {field.name for field in fields(Inputs)}
    if not isinstance(values, dict) or set(values) != names:
        raise ValueError(f"{path} must have exactly {', '.join(sorted(names))}")
    for name, value in values.items():
        if not isinstance(value, int | float) or not 0 < value < math.inf:
            raise ValueError(f"{path}: {name} must be a number above zero, not {value!r}")
    return Inputs(**{name: float(value) for name, value in values.items()})
