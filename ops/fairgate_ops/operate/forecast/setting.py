"""Make the engine's setting of a sale and of what is assumed about its buyers.

``fairgate simulate`` and the prediction of a rehearsed day both do it here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from fairgate.domain.gate.gate_config import Epoch
from fairgate.domain.gate.pace import last_slope
from fairgate_ops.operate.forecast.orders import Orders
from fairgate_ops.operate.forecast.sessions import EDGES, Edge, Setting

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.service.shared.records.catalog import Event
    from fairgate_ops.operate.forecast.assumptions import Assumptions
    from fairgate_ops.operate.forecast.maths import Floats

LOCAL_EDGES = (Edge(1.0, 1.0),)  # the local edge has a value within a second
_KINDS = 4_096  # of sessions: so many lengths are drawn from
_SHAPE = 4.0  # of how long people choose and pay: a gamma distribution
_BEFORE_S = 7_200.0
_NEVER = -1


@dataclass(frozen=True)
class Sale:
    """What an event says of its sale.

    Attributes:
        places: that can be sold; None: any number.
        live_max: the target of live sessions; 0: none.
        epochs: of the gate, from before the sale start on.
        backoff_s: least and most between two looks of one who waits.
        sections: of the seat map, areas among them.
        hold_limit: the most tickets of an order; 0: none is said.
        admissions_per_s: that the stage carries; 0: any number.
    """

    sale_start_s: int
    epochs: tuple[Epoch, ...]
    control: Literal["auto", "manual"]
    curve: float
    live_max: int
    session_s: int
    checkout_s: int
    session_mean_s: float
    backoff_s: tuple[int, int]
    sample: float
    places: int | None
    wave_s: int = 0
    hold_limit: int = 0
    sections: int = 1
    edges: tuple[Edge, ...] = EDGES
    admissions_per_s: int = 0


def sale_of(event: Event, gate: GateConfig, kept: int = 0) -> Sale:
    """Return an event's sale as in the catalogue and at its gate; so many places are ``kept``."""
    places = sum(one.seats for one in event.sections)
    places += sum(one.capacity for one in event.areas.values())
    return Sale(
        sale_start_s=gate.sale_start_s,
        epochs=_from_the_start(gate, event.control),
        control=event.control,
        curve=gate.curve,
        live_max=event.live_max,
        session_s=event.session_s,
        checkout_s=event.checkout_s,
        session_mean_s=event.session_mean_s,
        backoff_s=(gate.backoff_min_s, gate.backoff_max_s),
        sample=gate.sample_queue,
        places=max(0, places - kept),
        wave_s=gate.wave_s,
        hold_limit=event.hold_limit,
        sections=len(event.sections) + len(event.areas),
    )


def _from_the_start(gate: GateConfig, control: str) -> tuple[Epoch, ...]:
    """Return the gate's line from its sale start on, with what is planned by hand.

    A gate that is paused goes on with the pace that it had. What the controller planned in a sale
    that goes on already, it plans anew here.
    """
    start = float(gate.sale_start_s)
    paces = [(epoch.start_s, epoch.slope) for epoch in gate.epochs]
    before = [slope for at, slope in paces if at <= start]
    later = [(at, slope) for at, slope in paces if at > start]
    first = before[-1] if before else 0.0
    if control == "auto" or gate.state == "paused" or not (first or later):
        first, later = first or last_slope(gate), []
    elif not first and not before:
        first, later = later[0][1], later[1:]
    h = gate.epochs[0].h
    line = [Epoch(start - _BEFORE_S, h, 0.0)]
    for at, slope in [(start, first), *later]:
        last = line[-1]
        h = last.h + (at - last.start_s) * last.slope
        line.append(Epoch(at, h, slope))
    return tuple(line)


def setting_of(sale: Sale, assumed: Assumptions, buyers: int, seed: int | None = None) -> Setting:
    """Return the engine's setting: one sale, so many buyers. Deterministic by its seed."""
    seed = assumed.seed if seed is None else seed
    chosen_s, lengths_s = sessions_of(sale, assumed)
    minutes = math.ceil(assumed.hours * 60)
    before_s = math.ceil(assumed.before_s)
    believed_s = sale.session_mean_s or sale.session_s
    tickets = tickets_of(sale, assumed)
    return Setting(
        buyers,
        sale.live_max,
        curve=sale.curve,
        minutes=minutes,
        seed=seed,
        capped=sale.live_max > 0,
        sample=sale.sample,
        leave_per_s=-math.log1p(-assumed.gives_up_an_hour) / 3600,
        edges=sale.edges,
        session_believed=believed_s / float(np.mean(lengths_s)),
        backoff_s=sale.backoff_s,
        before_s=before_s,
        sale_start_s=sale.sale_start_s,
        lengths_s=tuple(lengths_s),
        joins=tuple(joins(assumed, buyers, before_s, minutes * 60, seed)),
        longest_s=max(1, sale.session_s + sale.checkout_s),
        orders=Orders(sale.places, tuple(chosen_s), tickets, assumed.declines),
        epochs=sale.epochs,
        wave_s=sale.wave_s,
        control=sale.control,
        admissions_per_s=sale.admissions_per_s,
        ends=True,
    )


def sessions_of(sale: Sale, assumed: Assumptions) -> tuple[list[int], list[float]]:
    """Return of many sessions when each has chosen (−1: it never does), and how long it lasts."""
    chance = np.random.default_rng(0)
    if assumed.lengths_s:
        longest = float(sale.session_s + sale.checkout_s)
        lengths = np.clip(np.resize(assumed.lengths_s, _drawn(assumed)), 1.0, longest)
        chooses = assumed.choose_s / (assumed.choose_s + assumed.pay_s)
        chosen = np.maximum(1.0, np.floor(lengths * chooses))
        leaving = chance.random(lengths.size) < assumed.leaves
    else:
        chosen = np.ceil(_times(assumed.choose_s, sale.session_s, chance))
        lengths = chosen + np.ceil(_times(assumed.pay_s, sale.checkout_s, chance))
        stays = np.clip(np.ceil(chance.exponential(assumed.looks_s, _KINDS)), 1, sale.session_s)
        leaving = np.arange(_KINDS) < round(assumed.leaves * _KINDS)
        lengths = np.where(leaving, stays, lengths)
    return np.where(leaving, _NEVER, chosen).astype(np.int64).tolist(), lengths.tolist()


def tickets_of(sale: Sale, assumed: Assumptions) -> tuple[float, ...]:
    """Return the shares of orders by tickets; who wants more than is allowed takes the most."""
    most = sale.hold_limit or len(assumed.tickets)
    allowed, beyond = assumed.tickets[:most], sum(assumed.tickets[most:])
    return (*allowed[:-1], allowed[-1] + beyond)


def _drawn(assumed: Assumptions) -> int:
    """Each length as often as the others, and all of them often enough for shares."""
    count = len(assumed.lengths_s)
    return count * math.ceil(_KINDS / count)


def _times(mean_s: float, most_s: float, chance: np.random.Generator) -> Floats:
    times: Floats = np.clip(chance.gamma(_SHAPE, mean_s / _SHAPE, _KINDS), 1.0, max(1.0, most_s))
    return times


def joins(assumed: Assumptions, buyers: int, before_s: int, open_s: int, seed: int) -> list[int]:
    """Draw how many join in each second from the beginning on; who comes later is left out."""
    at = np.arange(-before_s, open_s + 1, dtype=np.float64)
    early = np.clip((at + assumed.before_s) / assumed.before_s, 0.0, 1.0) ** 2
    wave = -np.expm1(-np.maximum(0.0, at) / assumed.wave_s)
    tail = np.clip((at - assumed.tail_from_s) / assumed.tail_s, 0.0, 1.0)
    rest = max(0.0, 1.0 - assumed.before_share - assumed.wave_share)
    come = assumed.before_share * early + assumed.wave_share * wave + rest * tail
    shares = np.append(np.diff(come), max(0.0, 1.0 - come[-1]))
    shares /= shares.sum()
    counts: list[int] = np.random.default_rng((seed, 1)).multinomial(buyers, shares)[:-1].tolist()
    return counts
