"""Serve seat maps: what is free now, in shapes that a CDN keeps for as long as there is no news."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from itertools import groupby
from operator import itemgetter
from typing import Any

import msgspec
from aws_lambda_powertools.event_handler import Response
from msgspec.structs import replace

from fairgate import bootstrap
from fairgate.adapters.aws.emf import emit
from fairgate.domain.seating.status_vector import digits, pack
from fairgate.domain.shared.times import rfc3339
from fairgate.http import paths
from fairgate.http.app import create_app, header, resolve
from fairgate.http.views.availability import (
    AreaChange,
    AreaCount,
    BlocksView,
    ChangesWindow,
    CountsView,
    SeatChange,
    SeatCount,
    SeatsView,
    SectionChange,
)
from fairgate.ports.availability import Window
from fairgate.service.availability.read_availability import AvailabilityReader
from fairgate.service.availability.reading_pace import (
    Keeping,
    keeping_of_changes,
    keeping_of_read,
)
from fairgate.service.availability.reads import Counts, SectionStatuses, Source, VenueStatuses

# How long an answer is kept, and how soon its readers come back: ``reading_pace``.
TABLE_S = 2  # with the cache gone: not for less
# A shared cache that asks whether an answer has changed keeps the old body when it has not: so old
# may the ``id`` in it get, which has to stay within the reach of the change log (WINDOW_MS).
TAG_MS = 15_000
STALE_IF_ERROR_S = 30

OCTETS, EVENTS = "application/octet-stream", "text/event-stream"
# CloudFront compresses JSON by itself, but neither of these two; and nothing under 1,000 bytes.
# Source: CloudFront Developer Guide, "Serve compressed files".
ZIPPED = (OCTETS, EVENTS)
ZIP_BYTES_MIN = 1_000
ZIP_LEVEL = 4  # beyond it, time for hardly a byte (``make bench-availability``)

app = create_app()


@app.get(paths.powertools_rule(paths.AVAILABILITY))
def availability(event: str) -> Response[Any]:
    section = _section_asked()
    if section:
        counts = _reader().blocks(event, section)
        return _json(BlocksView(event, section, _seats(counts.blocks), *_moment(counts)), counts)
    counts = _reader().counts(event)
    sections, areas = _seats(counts.sections), _areas(counts.areas)
    return _json(CountsView(event, sections, areas, *_moment(counts)), counts)


@app.get(paths.powertools_rule(paths.SECTION_SEATS))
def section_seats(event: str, section: str) -> Response[Any]:
    seats = _reader().section(event, section)
    return _json(SeatsView(event, section, digits(seats.codes), *_moment(seats)), seats)


@app.get(paths.powertools_rule(paths.STATUS_VECTOR))
def status_vector(event: str) -> Response[Any]:
    venue = _reader().venue(event)
    body = b"".join(pack(codes) for codes in venue.sections.values())
    tag = f'"{_hash(body)}-{_tag_period(venue)}"'
    answer = _cached(OCTETS, body, tag, venue.source, _keeping(venue))
    answer.headers[paths.HEADER_ID] = str(venue.position.id)
    return answer


@app.get(paths.powertools_rule(paths.CHANGES))
def changes(event: str) -> Response[Any]:
    """Stream what happened lately, finite: same address, same answer for everyone."""
    section = _section_asked()
    lines, window, again_s = (
        _section_messages(event, section) if section else _event_messages(event)
    )
    source: Source = "table" if window is None else "cache"
    if window is None:  # the cache is gone: the viewer has to read everything again
        window = Window(bootstrap.container().clock.now_ms() * 1000, 0)
    lines = [f"retry: {_spread_ms(again_s, window)}", *lines, *_window(window, again_s)]
    return _cached(EVENTS, "\n".join([*lines, ""]), None, source, keeping_of_changes(again_s))


def _section_messages(event: str, section: str) -> tuple[list[str], Window | None, int]:
    """Make one message of all that happened at one moment: ``[[seat index, status code], …]``."""
    news = _reader().seat_changes(event, section)
    if news.changes is None:
        return [], None, news.again_s
    lines: list[str] = []
    for id_, same in groupby(news.changes.seats, key=itemgetter(0)):
        lines += _message("seats", [SeatChange(seat, code) for _, seat, code in same], id_)
    return lines, news.changes.window, news.again_s


def _event_messages(event: str) -> tuple[list[str], Window | None, int]:
    """Make one message for each section and area that changed: its counts as they are now."""
    news = _reader().place_changes(event)
    changes, counts = news.changes, news.counts
    if changes is None or counts is None:
        return [], None, news.again_s
    messages: list[tuple[int, str, SectionChange | AreaChange]] = [
        (id_, "section", SectionChange(section, *counts.sections[section]))
        for section, id_ in changes.sections.items()
        if section in counts.sections
    ]
    messages += [
        (id_, "area", AreaChange(area, *counts.areas[area]))
        for area, id_ in changes.areas.items()
        if area in counts.areas
    ]
    lines: list[str] = []
    for id_, name, body in sorted(messages, key=itemgetter(0)):
        lines += _message(name, body, id_)
    return lines, changes.window, news.again_s


def _spread_ms(again_s: int, window: Window) -> int:
    """Say the pause to a browser that comes back by itself: from stream to stream another one,
    from 3/4 to 5/4, so that viewers who were answered together spread out.
    """
    chance = zlib.crc32(f"{window}".encode()) / 2**32
    return round(again_s * 1000 * (3 / 4 + chance / 2))


def _window(window: Window, again_s: int) -> list[str]:
    """Close the stream: a viewer takes it in once it has it whole."""
    return _message("window", ChangesWindow(window.since, window.until, again_s * 1000))


def _message(name: str, body: object, id_: int | None = None) -> list[str]:
    id_lines = [] if id_ is None else [f"id: {id_}"]
    return [*id_lines, f"event: {name}", f"data: {msgspec.json.encode(body).decode()}", ""]


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    answered = resolve(app, event, context)
    world = bootstrap.container()
    if fallbacks := world.availability.fallbacks():
        emit(world.settings, world.clock.now_ms(), fallbacks)
    return answered


def _reader() -> AvailabilityReader:
    return bootstrap.container().availability


def _section_asked() -> str:
    return str(app.current_event.get_query_string_value("section", default_value="") or "")


def _seats(counts: dict[str, tuple[int, int]]) -> dict[str, SeatCount]:
    return {place: SeatCount(*figures) for place, figures in counts.items()}


def _areas(counts: dict[str, tuple[int, int]]) -> dict[str, AreaCount]:
    return {area: AreaCount(*figures) for area, figures in counts.items()}


def _moment(read: SectionStatuses | Counts) -> tuple[str, int]:
    return rfc3339(read.as_of_ms), read.position.id


def _keeping(read: SectionStatuses | VenueStatuses | Counts) -> Keeping:
    now_ms = bootstrap.container().clock.now_ms()
    keeping = keeping_of_read(read.sale, now_ms, read.position.quiet_ms)
    return (
        replace(keeping, keep_s=max(TABLE_S, keeping.keep_s)) if read.source == "table" else keeping
    )


def _json(
    body: CountsView | BlocksView | SeatsView, read: SectionStatuses | Counts
) -> Response[Any]:
    # The tag covers all but ``as_of`` and ``id``: the same figures a second later are not modified.
    # The bytes then differ, so the tag is a weak one. Source: RFC 9110 section 8.8.1.
    figures = msgspec.json.encode(msgspec.structs.replace(body, as_of="", id=0))
    tag = f'W/"{_hash(figures)}-{_tag_period(read)}"'
    return _cached(
        "application/json", msgspec.json.encode(body).decode(), tag, read.source, _keeping(read)
    )


def _tag_period(read: SectionStatuses | VenueStatuses | Counts) -> str:
    return f"{read.as_of_ms // TAG_MS:x}"


def _cached(
    content_type: str, body: str | bytes, tag: str | None, source: Source, keeping: Keeping
) -> Response[Any]:
    headers: dict[str, str | list[str]] = {
        "cache-control": f"public, max-age=0, s-maxage={keeping.keep_s},"
        f" stale-while-revalidate={keeping.stale_s},"
        f" stale-if-error={STALE_IF_ERROR_S}",
        paths.HEADER_SOURCE: source,
    }
    zip_it = content_type in ZIPPED and len(body) >= ZIP_BYTES_MIN and _takes_gzip()
    if content_type in ZIPPED:
        headers["vary"] = "accept-encoding"
    if tag is not None:
        # The same content in other bytes has a weak tag, as when CloudFront compresses.
        headers["etag"] = f"W/{tag}" if zip_it else tag
        if _matches(header(app, "if-none-match"), tag):
            return Response(304, body="", headers=headers)
    if zip_it:
        headers["content-encoding"] = "gzip"
        content = body if isinstance(body, bytes) else body.encode()
        body = gzip.compress(content, ZIP_LEVEL, mtime=0)
    return Response(200, content_type, body, headers=headers)


def _takes_gzip() -> bool:
    return "gzip" in header(app, "accept-encoding")


def _matches(condition: str, tag: str) -> bool:
    """Compare weakly, as If-None-Match asks for. Source: RFC 9110 section 13.1.2."""
    opaque = tag.removeprefix("W/")
    known = {part.strip().removeprefix("W/") for part in condition.split(",")}
    return opaque in known or condition.strip() == "*"


def _hash(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()[:32]
