"""A calendar file: what other programs read of it, however an event is named; and its start."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from fairgate.adapters.tickets.calendar_file import calendar_file
from fairgate.domain.shared.times import epoch_ms
from fairgate.domain.tickets.calendar_entry import CalendarEntry
from fairgate.service.shared.start_text import start_text
from tests.support.calendars import event_in

LINE_BYTES_MAX = 75  # RFC 5545 section 3.1
ENTRY = CalendarEntry(
    uid="0b2f7a1e-5d3f-5c6e-9d3a-111111111111",
    sequence=7,
    name="Łódź, live; \\ “loud” 東京 " + "long " * 30,
    starts_at_ms=epoch_ms("2030-06-01T18:00:00Z"),
    said_at_ms=epoch_ms("2030-05-01T08:30:15.250Z"),
    place="Harbour Hall, Quay 1; Hamburg",
    details="Begins Sat 1 Jun 2030\nRow 1, Seat 2\nTickets: https://x.example/#/o/ord_1",
    url="https://x.example/#/o/ord_1",
)


def test_a_parser_reads_what_was_written() -> None:
    event = event_in(calendar_file(ENTRY))
    assert str(event["SUMMARY"]) == ENTRY.name
    assert str(event["LOCATION"]) == ENTRY.place
    assert str(event["DESCRIPTION"]) == ENTRY.details
    assert str(event["URL"]) == ENTRY.url
    assert str(event["UID"]) == ENTRY.uid
    assert int(event["SEQUENCE"]) == 7
    assert event["DTSTART"].dt == datetime(2030, 6, 1, 18, tzinfo=UTC)
    assert event["DTSTAMP"].dt == datetime(2030, 5, 1, 8, 30, 15, tzinfo=UTC)
    assert "DTEND" not in event  # nobody says how long it lasts


def test_its_lines_are_as_the_format_asks() -> None:
    file = calendar_file(ENTRY)
    assert file.startswith(b"BEGIN:VCALENDAR\r\n")
    assert file.endswith(b"END:VCALENDAR\r\n")
    assert b"\nVERSION:2.0\r\n" in file
    assert b"\nDTSTART:20300601T180000Z\r\n" in file
    lines = file.split(b"\r\n")
    assert not any(b"\n" in line or b"\r" in line for line in lines)
    assert max(map(len, lines)) <= LINE_BYTES_MAX
    for line in lines:
        line.decode()  # no letter is cut in two
    unfolded = file.replace(b"\r\n ", b"").decode()
    assert "LOCATION:Harbour Hall\\, Quay 1\\; Hamburg\r\n" in unfolded
    assert "DESCRIPTION:Begins Sat 1 Jun 2030\\nRow 1\\, Seat 2\\n" in unfolded


def test_a_name_adds_no_line_of_its_own() -> None:
    evil = "x\r\nATTENDEE:mailto:eve@example.org\x00\u2028y"
    event = event_in(calendar_file(replace(ENTRY, name=evil, place=evil, details=evil)))
    assert "ATTENDEE" not in event
    assert "ATTENDEE" in event["SUMMARY"]


def test_a_place_that_is_not_said_is_left_out() -> None:
    assert "LOCATION" not in event_in(calendar_file(replace(ENTRY, place="")))


@pytest.mark.parametrize(
    ("starts_at", "zone", "text"),
    [
        ("", "", ""),
        ("2030-06-01T18:00:00.000Z", "Europe/Berlin", "Sat 1 Jun 2030, 20:00 CEST"),
        ("2030-12-01T19:00:00.000Z", "Europe/Berlin", "Sun 1 Dec 2030, 20:00 CET"),
        ("2030-06-01T23:30:00.000Z", "America/Sao_Paulo", "Sat 1 Jun 2030, 20:30 UTC-03"),
        ("2030-06-01T18:00:00.000Z", "Mars/Olympus", "Sat 1 Jun 2030, 18:00 UTC"),
        ("2030-06-01T18:00:00.000Z", "Europe", "Sat 1 Jun 2030, 18:00 UTC"),
        ("2030-06-01T18:00:00.000Z", "", "Sat 1 Jun 2030, 18:00 UTC"),
    ],
)
def test_a_start_is_shown_by_the_clocks_of_its_place(starts_at: str, zone: str, text: str) -> None:
    assert start_text(starts_at, zone) == text
