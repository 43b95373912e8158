"""Declare an event's live figures: parts, each with the time at which its source was read.

If a part cannot be read, its old values stay, with their old time and the error. A part that was
never read has no time and no values, so an unknown figure is never 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from fairgate.domain.gate.draft import State


class Part(Struct, frozen=True, kw_only=True):
    """Attributes:
    at: when the source was read, RFC 3339; None: never yet.
    error: why the last reading failed; "": it did not.
    """

    at: str | None = None
    error: str = ""


class PlannedPace(Struct, frozen=True):
    starts_at: str
    tau_s: float | None  # None: nobody is admitted


class GateFigures(Part, frozen=True, kw_only=True):
    """State and phase, the present and planned pace, and who wrote the gate last (``set_by``)."""

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
    """The waiting room and the live sessions. ``joined`` and ``waiting`` are estimates.

    Attributes:
        waiting_error: the 95 % confidence interval of ``waiting`` is ± this.
        wait_s: the mean wait of a buyer who joins now.
        live_max: 0: no limit.
        admitted_per_s: sessions opened a second, mean of the last ``admitted_over_s``.
        refused_full: admitted buyers who wait for capacity; 0: capacity is not reached.
        stay_s: the mean length of a session; None until some have ended.
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
    """Money and the results of sessions, counted in the transactions that make them.

    Attributes:
        paid: paid orders; ``tickets`` and ``revenue_minor`` are of those not cancelled since.
            ``declined``: failed attempts to pay. ``failed``: orders that ended unpaid.
            ``revenue_minor`` is in minor units of the event's currency.
        webhook_lag_s: from the provider's event to its effect, mean of the last minutes.
        refunds_due: owed and not on their way; ``refunds_sent``: on their way or arrived.
        ended_unpaid: sessions that ended without a purchase; ``found_nothing``: of them, with
            nothing held.
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
    """Seats, tables and places of areas, in units that are sold as one.

    ``at`` is of the oldest section. The numbers add up to ``total`` if all were read in one run.
    """

    total: int | None = None
    sold: int | None = None
    held: int | None = None
    free: int | None = None
    blocked: int | None = None


class EdgeFigures(Part, frozen=True, kw_only=True):
    """Whether the edges have the gate's value.

    Attributes:
        changed_at: when it was last written.
        heard: the edges' store has it.
        late_at: when that store last got a value late; None: never.
        compared_at: when that store was last compared with the catalogue.
    """

    changed_at: str | None = None
    heard: bool | None = None
    late_at: str | None = None
    compared_at: str | None = None


class DeskFigures(Part, frozen=True, kw_only=True):
    """The decisions of the risk desk so far."""

    flagged: int | None = None
    locked: int | None = None


class KeyFigures(Part, frozen=True, kw_only=True):
    """The key that signs waiting tokens, and the next step of its rotation.

    Attributes:
        due: ``switch`` or ``retire``; None: no rotation is under way.
        due_at: from when the step is possible.
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
    """The last actions, newest first; ``pace``: the last one that wrote the gate's value."""

    acts: Sequence[Act] | None = None
    pace: Act | None = None


class Figures(Struct, frozen=True, kw_only=True):
    """An event's figures, made at ``at``. Every part has its own time."""

    event: str
    name: str
    at: str
    now: str = ""  # when this was answered, so that readers know the figures' age
    gate: GateFigures = GateFigures()
    room: RoomFigures = RoomFigures()
    sale: SaleFigures = SaleFigures()
    seats: SeatFigures = SeatFigures()
    edges: EdgeFigures = EdgeFigures()
    desk: DeskFigures = DeskFigures()
    keys: KeyFigures = KeyFigures()
    acts: ActFigures = ActFigures()


PARTS = ("gate", "room", "sale", "seats", "edges", "desk", "keys", "acts")
