"""Convert an event's admission threshold to and from its item, and read it for the controller."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate.domain.gate.capacity_reached import FORGOTTEN_S, AdmissionThreshold, threshold_at
from fairgate.ports.record import attribute
from fairgate.service.shared.keys import admission_threshold_key
from fairgate.service.shared.records.sessions import AdmissionThresholdRecord

if TYPE_CHECKING:
    from fairgate.ports.table import Table

_DIGITS = 12  # after the point: the table takes no number that is closer to 0
_AS_THEY_ARE = ("e", "rise", "follows", "live")
_ROUNDED = ("pace", "pending", "arrived", "risen", "ended", "watched_s")


def reached(table: Table, event: str, h: float, now_s: float) -> float | None:
    """Return how far H has admitted buyers in fact, at most ``h``: for the controller.

    None if nobody has advanced the threshold for FORGOTTEN_S. A refused buyer asks again sooner,
    so nobody is held back then, and an old threshold must not slow an empty sale down.

    Cost: a read.
    """
    record = table.find(AdmissionThresholdRecord, admission_threshold_key(event))
    if record is None or abs(now_s - record.at_ms / 1000) > FORGOTTEN_S:
        return None
    return threshold_at(threshold_of(record), h, now_s)


def threshold_of(record: AdmissionThresholdRecord) -> AdmissionThreshold:
    same = {name: getattr(record, name) for name in (*_AS_THEY_ARE, *_ROUNDED)}
    return AdmissionThreshold(at_s=record.at_ms / 1000, alone_s=record.alone_ms / 1000, **same)


def attributes_of(threshold: AdmissionThreshold) -> dict[str, Any]:
    """Return the attributes of the item, without ``bucket``, ``opened`` and ``ttl``."""
    return {
        "atMs": round(threshold.at_s * 1000),
        "aloneMs": round(threshold.alone_s * 1000),
        **{name: getattr(threshold, name) for name in _AS_THEY_ARE},
        **{attribute(name): round(getattr(threshold, name), _DIGITS) for name in _ROUNDED},
    }
