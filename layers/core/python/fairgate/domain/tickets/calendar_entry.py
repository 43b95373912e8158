"""Define the calendar entry of an order's event."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct


class CalendarEntry(Struct, frozen=True):
    """An order's event, as a calendar keeps it.

    Attributes:
        uid: the same for the same order, so that a calendar replaces its former entry.
        sequence: rises whenever the event is changed: the higher one counts.
        starts_at_ms, said_at_ms: epoch milliseconds; of the performance, and of this file.
        place, details: plain text, the details in lines.
        url: of the order's page.
    """

    uid: str
    sequence: int
    name: str
    starts_at_ms: int
    said_at_ms: int
    place: str
    details: str
    url: str


DrawCalendar = Callable[[CalendarEntry], bytes]
