"""A full hall's level as the table has it, and how far it has come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate.domain.gate.capacity_reached import FORGOTTEN_S, AdmissionThreshold, threshold_at
from fairgate.service.shared.keys import admission_threshold_key
from fairgate.service.shared.records.sessions import AdmissionThresholdRecord

if TYPE_CHECKING:
    from fairgate.ports.table import Table

_DIGITS = 12  # after the point; the table takes no number that fades away


def reached(table: Table, event: str, h: float, now_s: float) -> float | None:
    """Return how far turns have been let in, at most ``h``: for the controller.

    None where nobody has looked for FORGOTTEN_S: whoever was refused is back sooner, so nobody
    is held back any more. Else an old level would brake a room that has long been empty.

    Cost: a read.
    """
    record = table.find(AdmissionThresholdRecord, admission_threshold_key(event))
    if record is None or abs(now_s - record.at_ms / 1000) > FORGOTTEN_S:
        return None
    return threshold_at(threshold_of(record), h, now_s)


def threshold_of(record: AdmissionThresholdRecord) -> AdmissionThreshold:
    """Return the level as it stands in the table."""
    return AdmissionThreshold(
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


def attributes_of(threshold: AdmissionThreshold) -> dict[str, Any]:
    """Return what the table holds of a level; it takes no number that has faded away."""
    return {
        "atMs": round(threshold.at_s * 1000),
        "e": threshold.e,
        "rise": threshold.rise,
        "follows": threshold.follows,
        "pace": round(threshold.pace, _DIGITS),
        "live": threshold.live,
        "pending": round(threshold.pending, _DIGITS),
        "arrived": round(threshold.arrived, _DIGITS),
        "risen": round(threshold.risen, _DIGITS),
        "ended": round(threshold.ended, _DIGITS),
        "watchedS": round(threshold.watched_s, _DIGITS),
        "aloneMs": round(threshold.alone_s * 1000),
    }
