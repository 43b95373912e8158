"""Read times as an operator types them, in the zone of their event."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo

from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.service.shared.start_text import known_zone

_EXAMPLE = "like “2030-06-01T20:00”, in the event's time zone, or “2030-06-01T18:00:00Z”"


def moment_in(text: str, zone_name: str) -> int:
    """Return a typed time in milliseconds since the epoch.

    Without an offset it is the zone's own time; ``Z`` is UTC in every zone.

    Args:
        text: ISO 8601 with a date and a time.
        zone_name: IANA name; "": none is known, so the text needs an offset.

    Raises:
        ValueError: it is no such time, its offset is not the zone's then, or the zone's clocks show
            it twice or never. Its text goes on after “the time …”.
    """
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is not None:
            epoch_ms(text)
    except (ValueError, OverflowError, TypeError, AttributeError) as error:
        raise ValueError(f"must be a date with a time, {_EXAMPLE}") from error
    if len(text) <= len("2030-06-01"):
        raise ValueError(f"must be a date with a time, {_EXAMPLE}")
    try:
        return _in_zone(moment, text, zone_name)
    except OverflowError as error:  # on the first or last day that there is, by UTC or the zone
        raise ValueError("is in no year from 1000 to 9999") from error


def utc_moment(text: str, zone_name: str) -> str:
    """Convert a typed time to the form of the tables; "" stays. Raises ValueError."""
    return rfc3339(moment_in(text, zone_name)) if text else ""


def moment_problem(text: str, zone_name: str) -> str:
    """Return what is wrong with a typed time; "": nothing."""
    try:
        moment_in(text, zone_name)
    except ValueError as error:
        return str(error)
    return ""


def _in_zone(moment: datetime, text: str, zone_name: str) -> int:
    zone = known_zone(zone_name) if zone_name else None
    if moment.tzinfo is None:
        if zone is None and zone_name:
            raise ValueError(
                f"is of no zone: “{zone_name}” is no zone's name, like “Europe/Berlin”"
            )
        if zone is None:
            raise ValueError(
                "has no zone, and the event has none: write it in UTC, like"
                " “2030-06-01T18:00:00Z”, or give the start of the performance and its zone, too"
            )
        return _local(moment, zone, zone_name)
    if zone is not None:
        there = moment.astimezone(zone)
        if not text.upper().endswith("Z") and there.utcoffset() != moment.utcoffset():
            raise ValueError(
                f"has the offset {_offset(moment)}, and {zone_name} has {_offset(there)} then:"
                f" write {moment:%Y-%m-%dT%H:%M} for the time there, or {there:%Y-%m-%dT%H:%M}"
                " for this moment"
            )
    return epoch_ms(text)


def _local(moment: datetime, zone: tzinfo, zone_name: str) -> int:
    first, second = (moment.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if first.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != moment:
        raise ValueError(f"does not exist in {zone_name}: the clocks go forward then")
    if first.utcoffset() != second.utcoffset():
        texts = (f"{moment:%Y-%m-%dT%H:%M}{_offset(one)}" for one in (first, second))
        raise ValueError(f"comes twice in {zone_name}: write {' or '.join(texts)}")
    return epoch_ms(first.isoformat())


def _offset(moment: datetime) -> str:
    return moment.isoformat()[-6:]
