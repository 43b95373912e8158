"""What a session holds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

if TYPE_CHECKING:
    from fairgate.domain.orders.order import Unit
    from fairgate.service.shared.session_view import SessionView


class SeatView(Struct, frozen=True, tag_field="kind", tag="seat"):
    seat: str
    section: str
    tier: str
    label: str
    quantity: int | UnsetType = UNSET  # of a table or box for several


class AreaView(Struct, frozen=True, tag_field="kind", tag="area"):
    area: str
    quantity: int
    tier: str
    label: str


class HoldView(Struct, frozen=True):
    hold: str
    session: str
    expires_at: str
    units: list[SeatView | AreaView]


def unit_view(unit: Unit) -> SeatView | AreaView:
    if unit.kind == "seat":
        several = unit.quantity if unit.quantity > 1 else UNSET
        return SeatView(unit.place, unit.section, unit.tier, unit.label, several)
    return AreaView(unit.place, unit.quantity, unit.tier, unit.label)


def hold_view(session: str, hold: str, expires_at: str, units: Iterable[Unit]) -> HoldView:
    return HoldView(hold, session, expires_at, [unit_view(unit) for unit in _one_an_area(units)])


def _one_an_area(units: Iterable[Unit]) -> list[Unit]:
    """An area's places as one unit, whatever counters they were taken from."""
    merged: dict[tuple[str, str], Unit] = {}
    for unit in units:
        key = (unit.kind, unit.place)
        before = merged.get(key)
        quantity = unit.quantity + (before.quantity if before else 0)
        merged[key] = replace(unit, quantity=quantity)
    return list(merged.values())


def holds_view(view: SessionView) -> list[HoldView]:
    """The session's live holds in the order in which they were made."""
    session, expires_at = view.session.id, view.due_at
    holds: dict[str, list[Unit]] = {}
    for reservation in view.reservations:
        holds.setdefault(reservation.hold_id, []).append(reservation.unit)
    return [hold_view(session, hold, expires_at, units) for hold, units in holds.items()]
