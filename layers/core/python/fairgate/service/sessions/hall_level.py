"""A full hall's level as the table has it, and how far it has come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate.domain.gate.full_hall import FORGOTTEN_S, HallLevel, level_at
from fairgate.service.shared.keys import hall_level_key
from fairgate.service.shared.records.sessions import HallLevelRecord

if TYPE_CHECKING:
    from fairgate.ports.table import Table

_DIGITS = 12  # after the point; the table takes no number that fades away


def reached(table: Table, event: str, h: float, now_s: float) -> float | None:
    """Return how far turns have been let in, at most ``h``: for the controller.

    None where nobody has looked for FORGOTTEN_S: whoever was refused is back sooner, so nobody
    is held back any more. Else an old level would brake a room that has long been empty.

    Cost: a read.
    """
    record = table.find(HallLevelRecord, hall_level_key(event))
    if record is None or abs(now_s - record.at_ms / 1000) > FORGOTTEN_S:
        return None
    return level_at(level_of(record), h, now_s)


def level_of(record: HallLevelRecord) -> HallLevel:
    """Return the level as it stands in the table."""
    return HallLevel(
        at_s=record.at_ms / 1000,
        e=record.e,
        rise=record.rise,
        follows=record.follows,
        pace=record.pace,
        live=record.live,
        pending=record.pending,
        arrived=record.arrived,
        risen=record.risen,
        ended=record.ended,
        watched_s=record.watched_s,
        alone_s=record.alone_ms / 1000,
    )


def attributes_of(level: HallLevel) -> dict[str, Any]:
    """Return what the table holds of a level; it takes no number that has faded away."""
    return {
        "atMs": round(level.at_s * 1000),
        "e": level.e,
        "rise": level.rise,
        "follows": level.follows,
        "pace": round(level.pace, _DIGITS),
        "live": level.live,
        "pending": round(level.pending, _DIGITS),
        "arrived": round(level.arrived, _DIGITS),
        "risen": round(level.risen, _DIGITS),
        "ended": round(level.ended, _DIGITS),
        "watchedS": round(level.watched_s, _DIGITS),
        "aloneMs": round(level.alone_s * 1000),
    }
