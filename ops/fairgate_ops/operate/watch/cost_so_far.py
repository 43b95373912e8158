"""Say what a sale has cost so far, from what its figures count, by the plan's model and prices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from fairgate.domain.gate import admission
from fairgate.domain.shared.times import epoch_ms
from fairgate.service.catalog.create_event import BACKOFF_S
from fairgate.service.watch.history import LEAD_MS
from fairgate_ops.operate.capacity.access import SAMPLED
from fairgate_ops.operate.capacity.cost import sale_cost
from fairgate_ops.operate.capacity.inputs import read_inputs
from fairgate_ops.operate.forecast.assumptions import read_assumptions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fairgate.service.watch.figures import Figures
    from fairgate.service.watch.history import History
    from fairgate_ops.operate.capacity.inputs import Inputs

LEFT_OUT = (
    "Not in it: the sign-in provider, mail, the payment provider, and what the stage costs at rest"
    " (docs/deploying.md)."
)
NO_SAMPLE = "The crowd is not sampled: those who came and did not get in are not in it."
NO_HISTORY = "Without the figures since the start, the looks of those who waited are not in it."
NOTHING_KNOWN = "This event's sales are not counted yet."
_LEAST = 1e-9  # where something is divided by it
# The scalar keeps these to itself; a test holds forecast/maths.py to it.
_FRACTION = admission._BACKOFF_FRACTION  # noqa: SLF001 written once
_JITTER = admission._JITTER  # noqa: SLF001 written once


class CostRow(Struct, frozen=True, kw_only=True):
    """One thing that AWS charges for, in US dollars."""

    what: str
    amount: float
    unit: str
    dollars: float


class CostBasis(Struct, frozen=True, kw_only=True):
    """A number that the cost is made of.

    Attributes:
        how: ``counted``; ``estimated``, from a sample; ``modelled``, from the others.
    """

    what: str
    count: float
    how: Literal["counted", "estimated", "modelled"]


class CostSoFar(Struct, frozen=True, kw_only=True):
    """What a sale has cost so far. Modelled, not billed.

    Attributes:
        until: when the figures were made that it is of.
        dollars: US dollars; None: too little is known.
        missing: what could not be taken in, in a sentence; "": nothing.
        left_out: what is never in it.
    """

    event: str
    now: str = ""
    until: str
    dollars: float | None
    missing: str = ""
    left_out: str
    basis: Sequence[CostBasis]
    rows: Sequence[CostRow]


@dataclass(frozen=True)
class Known:
    """What is known of an event beside its figures.

    Attributes:
        backoff_s: least and most between two looks of one who waits.
        sample: the share of accounts that are counted.
        sections: of the seat map, areas among them.
    """

    backoff_s: tuple[int, int] = BACKOFF_S
    sample: float = SAMPLED
    sections: int = 1


@dataclass(frozen=True)
class _Time:
    """What the curves add up to, from the first point on.

    Attributes:
        looks: of those who waited.
        asks: of those who shopped, for what is free.
        keys: cached answers that somebody looked at, times the seconds.
    """

    looks: float
    asks: float
    keys: float


def cost_so_far(figures: Figures, history: History | None, known: Known) -> CostSoFar:
    """Return the cost; ``dollars`` is None where sales are not counted."""
    room, sale, seats = figures.room, figures.sale, figures.seats
    counts = (room.live, sale.paid, sale.tickets, sale.ended_unpaid, sale.failed)
    if any(count is None for count in counts) or figures.gate.sale_starts_at is None:
        return CostSoFar(
            event=figures.event,
            until=figures.at,
            dollars=None,
            missing=NOTHING_KNOWN,
            left_out=LEFT_OUT,
            basis=[],
            rows=[],
        )
    live, paid, tickets, unpaid, failed = (float(count or 0) for count in counts)
    opened = live + paid + unpaid
    joined = opened if room.joined is None else float(room.joined)
    held = max(paid + failed, opened - float(sale.found_nothing or 0))
    ran_s = max(0.0, (epoch_ms(figures.at) - epoch_ms(figures.gate.sale_starts_at)) / 1000)
    plan, time = read_inputs(), _over_time(history, known)
    files = read_assumptions()
    edge = joined * (1 + files.pages * files.files_a_page) + time.looks + time.asks
    inputs = _inputs(plan, time, joined, edge, paid, tickets, ran_s)
    rows = sale_cost(
        inputs,
        {
            "creation": float(seats.total or 0),
            "opening": opened,
            "hold": held,
            **dict.fromkeys(("checkout", "payment page"), paid + failed),
            **dict.fromkeys(("payment", "tickets", "mail"), paid),
            "end": unpaid,
            "joining": joined * known.sample,
            "asked": paid * plan.orders_asked_per_s / plan.checkouts_per_s,
            "sweeping": opened + paid,
        },
    )
    return CostSoFar(
        event=figures.event,
        until=figures.at,
        dollars=round(sum(row.dollars for row in rows), 2),
        missing=" ".join([NO_SAMPLE] * (room.joined is None) + [NO_HISTORY] * (history is None)),
        left_out=LEFT_OUT,
        basis=[
            CostBasis(what="buyers who came", count=joined, how="estimated"),
            CostBasis(what="sessions", count=opened, how="counted"),
            CostBasis(what="holds, one a session", count=held, how="modelled"),
            CostBasis(what="orders", count=paid + failed, how="counted"),
            CostBasis(what="tickets", count=tickets, how="counted"),
            CostBasis(what="requests at the edge", count=round(edge), how="modelled"),
        ],
        rows=[
            CostRow(what=one.what, amount=one.amount, unit=one.unit, dollars=one.dollars)
            for one in rows
        ],
    )


def polls_every_s(tau_s: float | None, backoff_s: tuple[int, int]) -> float:
    """Return the mean between two looks of one whose wait is τ; the longest while H stands."""
    least, most = backoff_s
    wait = most if tau_s is None else min(max(_FRACTION * tau_s, least), most)
    return wait * (1.0 + _JITTER / 2.0)


def _inputs(
    plan: Inputs,
    time: _Time,
    joined: float,
    edge: float,
    paid: float,
    tickets: float,
    ran_s: float,
) -> Inputs:
    """Return the sale so far as the plan takes one; what nobody counts is as there."""
    return replace(
        plan,
        waiting=max(joined, _LEAST),
        sign_in_hours=LEAD_MS / 3_600_000,
        requests_a_waiting_buyer=edge / max(joined, _LEAST),
        seats=tickets,
        seats_a_hold=tickets / paid if paid and tickets else plan.seats_a_hold,
        keys_looked_at=time.keys / max(ran_s, _LEAST),
        sale_hours=max(ran_s, _LEAST) / 3600,
    )


def _over_time(history: History | None, known: Known) -> _Time:
    """Add up what each step of the curves had; a step whose figures are not known adds nothing."""
    if history is None:
        return _Time(0.0, 0.0, 0.0)
    every = read_assumptions().looks_every_s
    caches, keys = read_inputs().origin_caches, known.sections + 2  # the event's counts and changes
    looks = asks = looked_at = 0.0
    for seconds, point in _steps(history):
        waiting, live, tau_s = point["waiting"] or 0, point["live"] or 0, point["tau_s"]
        looks += seconds * waiting / polls_every_s(tau_s, known.backoff_s)
        asks += seconds * live / every
        # A cache asks no more often than shoppers ask it.
        looked_at += seconds * min(keys, live / every / caches)
    return _Time(looks, asks, looked_at)


def _steps(history: History) -> Iterator[tuple[float, Mapping[str, float | None]]]:
    """Return each point with the seconds until the next one."""
    columns = {name: getattr(history, name) for name in ("waiting", "live", "tau_s")}
    for number, (begin, end) in enumerate(pairwise(history.at_s)):
        yield end - begin, {name: values[number] for name, values in columns.items()}
