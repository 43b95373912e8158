"""Write a calendar file, as RFC 5545 has it: by ``icalendar``."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from fairgate.domain.shared.labels import harmless

if TYPE_CHECKING:
    from fairgate.domain.tickets.calendar_entry import CalendarEntry


def calendar_file(entry: CalendarEntry) -> bytes:
    """Write one entry without an end, because an event has none.

    Its start is in UTC, which every calendar shows in its owner's time zone.
    """
    from icalendar import Calendar, Event

    event = Event()
    event.add("uid", entry.uid)
    event.add("sequence", entry.sequence)
    event.add("dtstamp", _utc(entry.said_at_ms))
    event.add("dtstart", _utc(entry.starts_at_ms))
    event.add("summary", harmless(entry.name, " "))
    if entry.place:
        event.add("location", harmless(entry.place, " "))
    event.add("description", harmless(entry.details, " "))
    event.add("url", entry.url)
    calendar = Calendar()
    calendar.add("prodid", "-//Fairgate//Tickets//EN")
    calendar.add("version", "2.0")
    calendar.add_component(event)
    file: bytes = calendar.to_ical()
    return file


def _utc(epoch_ms: int) -> datetime:
    return datetime.fromtimestamp(epoch_ms // 1000, tz=UTC)
