"""Read a calendar file as another program does."""

from __future__ import annotations

from typing import Any

from icalendar import Calendar


def event_in(file: bytes | str) -> Any:
    """Return the one event of a file, by property."""
    (event,) = Calendar.from_ical(file).walk("VEVENT")
    return event
