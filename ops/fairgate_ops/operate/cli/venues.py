"""``fairgate venue …``: charts of other systems, as Fairgate's own venue files."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairgate.domain.seating.dump_venue import dump_venue
from fairgate.domain.seating.layout import compact, drawn_layout
from fairgate.domain.seating.venue import Venue
from fairgate.errors import MalformedInputError
from fairgate_ops.operate.cli.report import Report
from fairgate_ops.operate.importers.assembly import Reading
from fairgate_ops.operate.importers.chart_places import with_places
from fairgate_ops.operate.importers.chart_sketch import sketched
from fairgate_ops.operate.importers.detect import import_chart, read_document
from fairgate_ops.shared.whole_file import check_writable, write_whole

NOTES_SHOWN = 20
MAP_BYTES_MAX, FAULTS_BYTES_MAX = 4_300_000, 1_500_000  # an answer of a function has 6 MB


def run_validate(options: argparse.Namespace) -> Report:
    chart = Path(options.chart)
    how, document = Reading(beside=chart.parent), read_document(chart)
    try:
        venue = import_chart(document if isinstance(document, Mapping) else {}, how)
    except MalformedInputError as error:
        if "errors" in error.fields:
            placed = with_places(error.fields["errors"], document)
            found = sketched(placed, document, how.picture) if options.map else {"errors": placed}
            faults = _fitting(found["errors"])
            error.fields = {**error.fields, **bounded(found), "errors": faults}
        raise
    data = _figures(venue) | {"notes": how.notes}
    if options.map:
        data |= bounded({"map": drawn_layout(venue)})
    return Report(data, [f"{options.chart}: good. {_text(data)}", *note_lines(how)])


def bounded(answer: dict[str, Any]) -> dict[str, Any]:
    """Return it with a ``map`` that fits into an answer: else without its picture, or None."""
    if "map" not in answer:
        return answer
    drawn = answer["map"] or {}
    plain = {part: drawn[part] for part in drawn if part != "picture"}
    fits = (one for one in (drawn, plain) if one and _bytes_of(one) <= MAP_BYTES_MAX)
    return answer | {"map": next(fits, None)}


def _fitting(faults: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the faults of a chart; where they are too large, the first place of each alone."""
    if _bytes_of({"errors": faults}) <= FAULTS_BYTES_MAX:
        return faults
    lists = ("places", "also", "spans")
    return [one | {name: one[name][:1] for name in lists if name in one} for one in faults]


def _bytes_of(part: dict[str, Any]) -> int:
    """Return its length in the answer of a function, where JSON is a text of JSON."""
    return len(json.dumps(compact(part).decode(), ensure_ascii=False).encode())


def run_import(options: argparse.Namespace) -> Report:
    how, out = Reading(number_again=options.number_again), options.out
    venue = import_chart(options.chart, how)
    check_writable(out)
    data = _figures(venue) | {"out": out, "dry_run": options.dry_run, "notes": how.notes}
    if options.dry_run:
        return Report(data, [f"Dry run, nothing written. {_text(data)}", *note_lines(how)])
    text = json.dumps(dump_venue(venue), ensure_ascii=False, indent=1) + "\n"
    write_whole(out, text)
    return Report(data, [f"{out}: written. {_text(data)}", *note_lines(how)])


def note_lines(how: Reading) -> list[str]:
    """Return what is said of a chart that can be used, as far as people read it."""
    more = len(how.notes) - NOTES_SHOWN
    rest = [f"  … and {more:,} more; --json lists all."] if more > 0 else []
    return [*(f"Note: {note}." for note in how.notes[:NOTES_SHOWN]), *rest]


def _figures(venue: Venue) -> dict[str, Any]:
    of_section = {
        section.id: sum(len(row.seats) for _, row in section.rows()) for section in venue.sections
    }
    of_tier = Counter(
        seat.tier for part in venue.sections for _, row in part.rows() for seat in row.seats
    )
    standing = Counter[str]()
    for area in venue.areas:
        standing[area.tier] += area.capacity
    return {
        "name": venue.name,
        "seats": venue.seat_count(),
        "sections": [section.id for section in venue.sections],
        "area_places": sum(area.capacity for area in venue.areas),
        "areas": [area.id for area in venue.areas],
        "tiers": [
            {
                "id": tier.id,
                "name": tier.name,
                "color": tier.color,
                "seats": of_tier[tier.id],
                "area_places": standing[tier.id],
            }
            for tier in venue.tiers
        ],
        "seats_of": of_section,
        "places_of": {area.id: area.capacity for area in venue.areas},
    }


def _text(data: dict[str, Any]) -> str:
    tiers = ", ".join(str(tier["id"]) for tier in data["tiers"])
    return (
        f"“{data['name']}”: {data['seats']:,} seats in {len(data['sections'])} sections,"
        f" {data['area_places']:,} places in {len(data['areas'])} areas; tiers to price: {tiers}."
    )
