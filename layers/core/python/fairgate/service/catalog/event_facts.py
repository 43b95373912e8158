"""What an event is beside what it sells: when and where, who plays, in which words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.shared.reading import NAME_CHARS_MAX, Problems, Reader
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.service.shared.start_text import known_zone

if TYPE_CHECKING:
    from collections.abc import Mapping

CATEGORY_CHARS_MAX = 40
ADDRESS_CHARS_MAX = 200
TEXT_CHARS_MAX = 2_000
VAT_ID_CHARS_MAX = 20

_ZONE = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}")
_CHARS_MAX = {
    "name": NAME_CHARS_MAX,
    "artist": NAME_CHARS_MAX,
    "category": CATEGORY_CHARS_MAX,
    "venue_name": NAME_CHARS_MAX,
    "venue_address": ADDRESS_CHARS_MAX,
    "seller_name": NAME_CHARS_MAX,
    "seller_address": ADDRESS_CHARS_MAX,
    "seller_vat_id": VAT_ID_CHARS_MAX,
}


SELLER = {"seller_name", "seller_address", "seller_vat_id"}


class EventFacts(Struct, frozen=True, kw_only=True):
    """What buyers are told of an event; "" where nothing is."""

    venue_name: str = ""  # "": as the seating chart has it
    venue_address: str = ""
    artist: str = ""
    category: str = ""
    text: str = ""  # plain, in lines
    seller_name: str = ""  # on invoices, which are given out once all three are said
    seller_address: str = ""
    seller_vat_id: str = ""
    starts_at: str = ""  # of the performance, RFC 3339 with an offset
    time_zone: str = ""  # IANA name, in which the start is shown


def fact_problems(facts: Mapping[str, object], sale_opens_at: str) -> list[tuple[str, str]]:
    """Return what is wrong with those of an event's facts that are given, each with its field.

    Args:
        facts: by the field's name; "" is nothing said.
        sale_opens_at: RFC 3339; a performance begins after it.
    """
    given = {name: value for name, value in facts.items() if value != ""}
    problems: list[tuple[str, str]] = []
    for name, chars_max in _CHARS_MAX.items():
        if name in given:
            problems += _text_problem(given, name, chars_max)
    if "text" in given:
        problems += _lines_problem(str(given["text"]))
    if 0 < len(SELLER & given.keys()) < len(SELLER):
        missing = sorted(SELLER - given.keys())
        problems += [(name, "is missing: invoices need all of the seller") for name in missing]
    return problems + _start_problems(given, sale_opens_at)


def utc_moment(moment: str) -> str:
    """Return a moment as the tables have it, and "" as it is."""
    return rfc3339(epoch_ms(moment)) if moment else ""


def _text_problem(given: Mapping[str, object], name: str, chars_max: int) -> list[tuple[str, str]]:
    problems = Problems()
    Reader(given, "", problems).text(name, chars_max=chars_max)
    if problems.total:
        return [(name, f"must be a printable text of at most {chars_max} characters")]
    return []


def _lines_problem(text: str) -> list[tuple[str, str]]:
    lines = [line for line in text.split("\n") if line]
    odd = any(_text_problem({"line": line}, "line", TEXT_CHARS_MAX) for line in lines)
    if odd or len(text) > TEXT_CHARS_MAX:
        what = f"must be printable lines of at most {TEXT_CHARS_MAX} characters together"
        return [("text", f"{what}, without space around a line")]
    return []


def _start_problems(given: Mapping[str, object], sale_opens_at: str) -> list[tuple[str, str]]:
    starts_at, zone = str(given.get("starts_at", "")), str(given.get("time_zone", ""))
    problems: list[tuple[str, str]] = []
    try:
        starts_ms = epoch_ms(starts_at) if starts_at else None
    except (ValueError, OverflowError):
        what = "must be a time with its zone, like “2030-06-01T20:00:00+02:00”"
        return [("starts_at", what)]
    if zone and not _is_zone(zone):
        problems.append(("time_zone", "must be a zone's name, like “Europe/Berlin”"))
    if bool(starts_at) != bool(zone):
        problems.append(("time_zone", "goes with starts_at: give both, or neither"))
    if starts_ms is not None and _opens_after(sale_opens_at, starts_ms):
        problems.append(("starts_at", f"must be after the sale opens, at {sale_opens_at}"))
    return problems


def _opens_after(sale_opens_at: str, starts_ms: int) -> bool:
    try:
        return epoch_ms(sale_opens_at) >= starts_ms
    except (ValueError, OverflowError, TypeError):
        return False  # which is named by itself


def _is_zone(name: str) -> bool:
    return bool(_ZONE.fullmatch(name)) and known_zone(name) is not None
