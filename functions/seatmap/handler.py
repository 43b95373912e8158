"""Seat maps: what is free now, in shapes that a CDN keeps for a second."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit

from fairgate import bootstrap
from fairgate.domain.status_vector import digits, pack
from fairgate.domain.times import rfc3339
from fairgate.http import paths
from fairgate.http.app import create_app, header, resolve
from fairgate.service.read_availability import AvailabilityReader, Counts, Source

# Shared caches answer for a second, then refresh behind a stale answer; browsers ask them anew.
CACHE_CONTROL = "public, max-age=0, s-maxage=1, stale-while-revalidate=5, stale-if-error=30"
RETRY_MS = 1_000  # how soon an EventSource comes back for the next finite stream

app = create_app()


@app.get(paths.powertools_rule(paths.AVAILABILITY))
def availability(event: str) -> Response[Any]:
    counts = _reader().counts(event)
    return _json(_figures(event, counts), counts.as_of_ms, counts.source)


@app.get(paths.powertools_rule(paths.SECTION_SEATS))
def section_seats(event: str, section: str) -> Response[Any]:
    seats = _reader().section(event, section)
    body = {"event": event, "section": section, "statuses": digits(seats.codes)}
    return _json(body, seats.as_of_ms, seats.source)


@app.get(paths.powertools_rule(paths.STATUS_VECTOR))
def status_vector(event: str) -> Response[Any]:
    venue = _reader().venue(event)
    body = b"".join(pack(codes) for codes in venue.sections.values())
    return _cached("application/octet-stream", body, f'"{_hash(body)}"', venue.source)


@app.get(paths.powertools_rule(paths.CHANGES))
def changes(event: str) -> Response[Any]:
    counts = _reader().counts(event)
    figures = {**_figures(event, counts), "as_of": rfc3339(counts.as_of_ms)}
    lines = [
        f"retry: {RETRY_MS}",
        f"id: {counts.as_of_ms}",
        "event: availability",
        f"data: {_text(figures)}",
    ]
    return _cached("text/event-stream", "\n".join([*lines, "", ""]), None, counts.source)


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    return resolve(app, event, context)


def _reader() -> AvailabilityReader:
    return bootstrap.container().availability


def _figures(event: str, counts: Counts) -> dict[str, Any]:
    return {
        "event": event,
        "sections": {
            section: {"total": total, "available": available}
            for section, (total, available) in counts.sections.items()
        },
        "areas": {
            area: {"capacity": capacity, "available": available}
            for area, (capacity, available) in counts.areas.items()
        },
    }


def _json(body: dict[str, Any], as_of_ms: int, source: Source) -> Response[Any]:
    # The tag covers all but ``as_of``: the same figures a second later are not modified. The bytes
    # then differ, so the tag is a weak one. Source: RFC 9110 section 8.8.1.
    tag = f'W/"{_hash(_text(body).encode())}"'
    return _cached("application/json", _text({**body, "as_of": rfc3339(as_of_ms)}), tag, source)


def _cached(content_type: str, body: str | bytes, tag: str | None, source: Source) -> Response[Any]:
    headers: dict[str, str | list[str]] = {
        "cache-control": CACHE_CONTROL,
        paths.HEADER_SOURCE: source,
    }
    if source == "table":
        metrics = EphemeralMetrics()  # namespace and service come from the environment
        metrics.add_metric("SeatMapFromTable", MetricUnit.Count, 1)
        metrics.flush_metrics()
    if tag is not None:
        headers["etag"] = tag
        if _matches(header(app, "if-none-match"), tag):
            return Response(304, body="", headers=headers)
    return Response(200, content_type, body, headers=headers)


def _matches(condition: str, tag: str) -> bool:
    """Weak comparison, as If-None-Match asks for. Source: RFC 9110 section 13.1.2."""
    opaque = tag.removeprefix("W/")
    known = {part.strip().removeprefix("W/") for part in condition.split(",")}
    return opaque in known or condition.strip() == "*"


def _text(body: object) -> str:
    return json.dumps(body, separators=(",", ":"))


def _hash(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()[:32]
