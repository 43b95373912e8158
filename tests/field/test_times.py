"""Times as organisers type them, with the zone of their event."""

from __future__ import annotations

from typing import Any

import pytest

from fairgate.domain.shared.times import rfc3339
from fairgate.service.shared.zoned_times import moment_in

BERLIN = "Europe/Berlin"
READ = [
    ("2027-07-01T20:00", BERLIN, "2027-07-01T18:00:00.000Z"),
    ("2027-07-01 20:00", BERLIN, "2027-07-01T18:00:00.000Z"),
    ("2027-07-01T20:00:00+02:00", BERLIN, "2027-07-01T18:00:00.000Z"),
    ("2027-01-05T20:00:00+01:00", BERLIN, "2027-01-05T19:00:00.000Z"),
    ("2027-07-01T18:00:00Z", BERLIN, "2027-07-01T18:00:00.000Z"),
    ("2027-10-31T02:30+02:00", BERLIN, "2027-10-31T00:30:00.000Z"),
    ("2027-10-31T02:30+01:00", BERLIN, "2027-10-31T01:30:00.000Z"),
    ("2027-07-01T20:00", "Asia/Kathmandu", "2027-07-01T14:15:00.000Z"),
    ("2027-07-01T20:00:00+02:00", "", "2027-07-01T18:00:00.000Z"),
]
REFUSED = [
    # pretix/pretix: events an hour off, whose offset was that of the other half of the year
    ("2027-07-01T20:00:00+01:00", BERLIN, r"\+01:00, and Europe/Berlin has \+02:00 then"),
    ("2027-01-05T20:00:00+01:00", "Asia/Tokyo", r"\+01:00, and Asia/Tokyo has \+09:00 then"),
    ("2027-07-01T20:00:00+00:00", BERLIN, r"\+00:00, and Europe/Berlin has \+02:00 then"),
    ("2027-03-28T02:30", BERLIN, "does not exist in Europe/Berlin"),
    (
        "2027-10-31T02:30",
        BERLIN,
        r"twice .* 02:30\+02:00 or .*02:30\+01:00".replace(" 02", " .*02"),
    ),
    ("2027-10-03T02:15", "Australia/Lord_Howe", "does not exist"),  # half an hour
    ("2027-07-01T20:00", "", "has no zone"),
    ("2027-07-01", BERLIN, "a date with a time"),
    ("tomorrow", BERLIN, "a date with a time"),
    ("", BERLIN, "a date with a time"),
    ("2027-07-01T25:00", BERLIN, "a date with a time"),
    ("0000-07-01T20:00Z", BERLIN, "a date with a time"),
]


@pytest.mark.parametrize(("typed", "zone", "read"), READ)
def test_a_time_is_read_in_the_events_zone(typed: str, zone: str, read: str) -> None:
    assert rfc3339(moment_in(typed, zone)) == read


@pytest.mark.parametrize(("typed", "zone", "why"), REFUSED)
def test_a_time_that_may_mean_another_moment_is_refused(typed: str, zone: str, why: Any) -> None:
    with pytest.raises(ValueError, match=why):
        moment_in(typed, zone)
