"""Write when a performance begins, in the local time of its venue."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

from fairgate.domain.shared.language import DEFAULT, Language
from fairgate.domain.shared.wording import wording


def start_text(starts_at: str, time_zone: str, language: Language = DEFAULT) -> str:
    """Format a start as on a ticket: ``Sat 1 Jun 2030, 20:00 CEST``; "" if none is given.

    Args:
        starts_at: RFC 3339, or "".
        time_zone: IANA name; one that this machine does not know is shown in UTC.
    """
    if not starts_at:
        return ""
    words = wording(language)
    local = datetime.fromisoformat(starts_at).astimezone(known_zone(time_zone) or UTC)
    name = local.tzname() or "UTC"
    zone = name if name[0].isalpha() else f"UTC{name}"  # many zones have no letters: "+03"
    zones = dict(pair.split("=") for pair in words("zones").split())
    return words(
        "moment",
        day=words("days").split()[local.weekday()],
        date=str(local.day),
        month=words("months").split()[local.month - 1],
        year=str(local.year),
        time=f"{local:%H:%M}",
        zone=zones.get(zone, zone),
    )


def known_zone(name: str) -> tzinfo | None:
    """Return the zone of an IANA name; None if this machine has none."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # unknown; no zone's file; a folder of zones
        return None
