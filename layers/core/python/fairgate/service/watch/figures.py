"""Shape an event's live figures: parts, each with the moment at which its source was read.

A part that could not be read again stands as it was, with its old moment and the reason; one that
was never read has no moment and no figure. So nothing that is unknown is ever 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from fairgate.domain.gate.gate_config import State


class Part(Struct, frozen=True, kw_only=True):
    """Attributes:
    at: when the source was read, RFC 3339; None: never yet.
    error: why it could not be read last, "" where it could.
    """

    at: str | None = None
    error: str = ""


class PlannedPace(Struct, frozen=True):
    starts_at: str
    tau_s: float | None  # None: nobody is admitted


class GateFigures(Part, frozen=True, kw_only=True):
    """The state and the clock, the pace now and planned, and who set it.

    ``set_by`` is of the last act that wrote the gate's value.
    """

    state: State | None = None
    phase: str | None = None
    phase_until: str | None = None
    sale_starts_at: str | None = None
    control: Literal["auto", "manual"] | None = None
    curve: float | None = None
    tau_s: float | None = None  # None also while nobody is admitted: see phase
    planned: Sequence[PlannedPace] | None = None
    set_by: str | None = None
    set_act: str | None = None
    set_at: str | None = None


class RoomFigures(Part, frozen=True, kw_only=True):
    """Who waits and who shops. ``joined`` and ``waiting`` are estimates from the sample.

    Attributes:
        waiting_error: 95 of 100 times the truth is no further off than this.
        wait_s: so long waits in the mean who joins now.
        live_max: 0: no limit.
        admitted_per_s: sessions opened a second, in the mean of the last ``admitted_over_s``.
        refused_full: so many had their turn and wait for room in a full hall; 0: it is not full.
        stay_s: how long a session lasts in the mean; None until some have ended.
    """

    joined: int | None = None
    waiting: int | None = None
    waiting_error: int | None = None
    wait_s: float | None = None
    live: int | None = None
    live_max: int | None = None
    admitted_per_s: float | None = None
    admitted_over_s: float | None = None
    refused_full: int | None = None
    stay_s: float | None = None


class SaleFigures(Part, frozen=True, kw_only=True):
    """Money and what became of sessions, counted in the transactions that make it so.

    Attributes:
        paid: orders that were paid; ``tickets`` and ``revenue_minor`` are of those not cancelled
            since. ``declined``: attempts that the provider told us failed. ``failed``: orders that
            ended unpaid. ``revenue_minor`` is in the event's currency's minor units.
        webhook_lag_s: from the provider's event to its effect, in the mean of the last minutes.
        refunds_due: owed and not on its way; ``refunds_sent``: on its way, or arrived.
        ended_unpaid: sessions that ended without a purchase, ``found_nothing`` of them with nothing
            held.
        sold_out_at: when the last place is sold, at the pace of the last minutes.
    """

    currency: str | None = None
    paid: int | None = None
    tickets: int | None = None
    revenue_minor: int | None = None
    declined: int | None = None
    failed: int | None = None
    webhook_lag_s: float | None = None
    refunds_due: int | None = None
    refunds_due_minor: int | None = None
    refunds_sent: int | None = None
    ended_unpaid: int | None = None
    found_nothing: int | None = None
    sold_per_min: float | None = None
    sold_out_at: str | None = None


class SeatFigures(Part, frozen=True, kw_only=True):
    """Seats, tables and places of areas, in units that are sold as one; ``at``: of the oldest
    section's reading. They add up to ``total`` where all were read in one run.
    """

    total: int | None = None
    sold: int | None = None
    held: int | None = None
    free: int | None = None
    blocked: int | None = None


class EdgeFigures(Part, frozen=True, kw_only=True):
    """How far the gate's value has come.

    Attributes:
        changed_at: when it was last written.
        heard: the edges' store has it.
        late_at: when that store last got a value late; None: never.
        compared_at: when that store was last compared with what is written, on schedule.
    """

    changed_at: str | None = None
    heard: bool | None = None
    late_at: str | None = None
    compared_at: str | None = None


class DeskFigures(Part, frozen=True, kw_only=True):
    """What the risk desk decided so far."""

    flagged: int | None = None
    locked: int | None = None


class KeyFigures(Part, frozen=True, kw_only=True):
    """The key that signs waiting tokens, and what is due about it.

    Attributes:
        due: ``switch`` or ``retire``; None: nothing is under way.
        due_at: from when that is possible.
    """

    signing: str | None = None
    since: str | None = None
    other: str | None = None
    due: str | None = None
    due_at: str | None = None


class Act(Struct, frozen=True):
    number: int
    at: str
    who: str
    act: str
    phase: str
    detail: Mapping[str, Any]


class ActFigures(Part, frozen=True, kw_only=True):
    """The last acts, the newest first; of the gate's value ``pace``: the last that wrote it."""

    acts: Sequence[Act] | None = None
    pace: Act | None = None


class Figures(Struct, frozen=True, kw_only=True):
    """An event's figures as they were made at ``at``: every part has its own moment."""

    event: str
    name: str
    at: str
    now: str = ""  # when this was answered, so that who reads knows the figures' age
    gate: GateFigures = GateFigures()
    room: RoomFigures = RoomFigures()
    sale: SaleFigures = SaleFigures()
    seats: SeatFigures = SeatFigures()
    edges: EdgeFigures = EdgeFigures()
    desk: DeskFigures = DeskFigures()
    keys: KeyFigures = KeyFigures()
    acts: ActFigures = ActFigures()


PARTS = ("gate", "room", "sale", "seats", "edges", "desk", "keys", "acts")
