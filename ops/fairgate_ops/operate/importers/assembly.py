"""What every importer has in common: from a chart's own parts to a Fairgate venue.

Ids are made from the chart's names, double names are found in the chart's own terms, sections that
are too large are split between rows, and everything is moved into the positive quadrant.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairgate.domain.seating.dump_venue import dump_place, dump_webp
from fairgate.domain.seating.parse_venue import FORMAT, SEAT_NUMBER, SECTION_SEATS_MAX, parse_venue
from fairgate.domain.seating.venue import Picture, Venue
from fairgate.domain.shared.ids import PLACE_ID
from fairgate.domain.shared.reading import Point, Problems, Reader, quoted
from fairgate_ops.operate.importers import geometry
from fairgate_ops.operate.importers.picture import ChartPicture, found_picture

_MARGIN = 40.0
_COLOR = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")
_PALETTE = ("#1f6fb2", "#c8553d", "#2a9d8f", "#7a3e9d", "#d98e04", "#5c6b73", "#a23b72", "#3d7a2e")
_NAME_CHARS_MAX = 120
_SHOWN_PLACES = 3
_AGAIN = "`fairgate venue import CHART --number-again --out FILE` numbers them through"


@dataclass
class Reading:
    """How a chart is read, and what is said about it.

    Attributes:
        number_again: rows that repeat their numbers get new ones.
        beside: the folder where a chart's picture may be.
        notes: what is read in another way than it is written, and what looks wrong.
        picture: what lies below the chart, in its own coordinates, also where it has faults.
    """

    number_again: bool = False
    beside: Path | None = None
    notes: list[str] = field(default_factory=list)
    picture: Picture | None = None


@dataclass
class ChartSeat:
    number: str
    x: float
    y: float
    tier: str  # the chart's own name of the category
    where: str
    kind: str = "standard"
    restricted_view: bool = False
    unit: str = "seat"
    capacity: int = 1
    id: str = ""  # the chart's own id, kept where Fairgate allows it


@dataclass
class ChartRow:
    name: str
    where: str
    seats: list[ChartSeat]


@dataclass
class ChartSection:
    name: str
    where: str
    rows: list[ChartRow]
    outline: list[Point] = field(default_factory=list)  # empty: the hull of the seats
    zone: str | None = None
    short_name: str = ""  # what the ids of its seats begin with, where that is not its name


@dataclass
class ChartArea:
    name: str
    outline: list[Point]
    capacity: int
    tier: str


@dataclass
class ChartZone:
    key: str
    name: str
    focal_point: Point


@dataclass
class ChartTier:
    key: str
    name: str
    color: str


@dataclass
class ChartShape:
    kind: str
    name: str
    outline: list[Point]


@dataclass
class Chart:
    """A chart read whole, in its own coordinates."""

    name: str
    tiers: list[ChartTier]
    sections: list[ChartSection] = field(default_factory=list)
    areas: list[ChartArea] = field(default_factory=list)
    zones: list[ChartZone] = field(default_factory=list)
    shapes: list[ChartShape] = field(default_factory=list)
    focal_point: Point | None = None
    picture: ChartPicture | None = None


def seat_number(reader: Reader, key: str) -> str:
    return reader.matching(key, SEAT_NUMBER, "“14” (at most 16 characters, no #)")


def assemble(chart: Chart, problems: Problems, how: Reading) -> Venue:
    """The chart as a venue.

    Raises:
        MalformedInputError: whatever ``problems`` holds, and what is found here, in the chart's own
            places; nothing is left out to make the rest fit.
    """
    if how.number_again:
        _number_again(chart, problems)
    _note_double_names(chart, problems)
    for section in chart.sections:
        for row in section.rows:
            if len(row.seats) > SECTION_SEATS_MAX:
                what = f"one row has {len(row.seats):,} seats, at most {SECTION_SEATS_MAX:,} fit"
                problems.add(row.where, what)
    how.picture = found_picture(chart.picture, how.beside, problems) if chart.picture else None
    problems.raise_if_any("The chart")
    venue = parse_venue(_Assembly(chart).document(how.picture), how.notes)
    how.notes[:0] = problems.notes
    return venue


def _number_again(chart: Chart, problems: Problems) -> None:
    """Number the seats of rows with the same name and numbers through, in the chart's order.

    An id that a chart uses twice is made from the new number.
    """
    for section in chart.sections:
        rows: dict[str, list[ChartSeat]] = {}
        for row in section.rows:
            rows.setdefault(row.name, []).extend(row.seats)
        for name, seats in rows.items():
            if len({seat.number for seat in seats}) < len(seats):
                for number, seat in enumerate(seats, 1):
                    seat.number, seat.id = str(number), ""
                what = f"row {quoted(name)} is numbered again from 1 to {len(seats):,}"
                problems.note(section.where, what)
    seats = [s for section in chart.sections for row in section.rows for s in row.seats]
    uses = Counter(seat.id for seat in seats)
    for seat in seats:
        if uses[seat.id] > 1:
            seat.id = ""


def _note_double_names(chart: Chart, problems: Problems) -> None:
    _note_double(
        problems,
        ((section.name, section.where) for section in chart.sections),
        "the section",
    )
    mend = f". {_AGAIN}"
    for section in chart.sections:
        rows: dict[str, list[ChartRow]] = {}
        for row in section.rows:
            rows.setdefault(row.name, []).append(row)
        for name, same in rows.items():
            seats = [(seat.number, seat.where) for row in same for seat in row.seats]
            if len(seats) == len({number for number, _ in seats}):
                continue
            if len(same) > 1:
                places = _places([row.where for row in same])
                what = f"row {quoted(name)} exists {len(same)} times with the same seat numbers"
                others = [row.where for row in same[1:]]
                problems.add(same[0].where, f"{what}: {places}{mend}", others)
                mend = ""
            else:
                _note_double(problems, seats, f"in row {quoted(name)}, seat")
    ids = ((s.id, s.where) for c in chart.sections for r in c.rows for s in r.seats if s.id)
    _note_double(problems, ids, "the seat id")


def _note_double(problems: Problems, named: Iterable[tuple[str, str]], what: str) -> None:
    """One entry for each name that is used more than once, with the places."""
    uses: dict[str, list[str]] = {}
    for name, where in named:
        if name:
            uses.setdefault(name, []).append(where)
    for name, places in uses.items():
        if len(places) > 1:
            used = f"is used {len(places)} times: {_places(places)}"
            problems.add(places[0], f"{what} {quoted(name)} {used}", places[1:])


def _places(places: Sequence[str]) -> str:
    shown = ", ".join(places[:_SHOWN_PLACES])
    more = len(places) - _SHOWN_PLACES
    return f"{shown} and {more} more" if more > 0 else shown


class _Ids:
    """Ids of one namespace, made from names; the second of the same spelling gets ``-2``."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def take(self, *names: str) -> str:
        base = "-".join(slug(name) for name in names)
        if len(base) > 60:  # noqa: PLR2004 leaves room for a suffix within PLACE_ID's 64
            base = base[:60]
        made, count = base, 1
        while made in self._taken:
            count += 1
            made = f"{base[: 63 - len(str(count))]}-{count}"
        self._taken.add(made)
        return made

    def keep(self, wanted: str) -> bool:
        """Takes ``wanted`` as it is, if it is an id and still free."""
        if wanted in self._taken or not PLACE_ID.fullmatch(wanted):
            return False
        self._taken.add(wanted)
        return True


def slug(name: str) -> str:
    """``Goal Stand 4`` → ``Goal-Stand-4``; ``x`` where no character may stand in an id."""
    return re.sub(r"[^A-Za-z0-9._]+", "-", name).strip("-._") or "x"


def color_or(color: object, position: int) -> str:
    """``#rrggbb`` from any hexadecimal colour, else one of a palette."""
    if not isinstance(color, str) or not _COLOR.fullmatch(color):
        return _PALETTE[position % len(_PALETTE)]
    if len(color) == 4:  # noqa: PLR2004 #rgb
        return "#" + "".join(digit * 2 for digit in color[1:])
    return color[:7]


class _Assembly:
    """Builds the document; the chart is sound by now, so nothing here can fail."""

    def __init__(self, chart: Chart) -> None:
        self._chart = chart
        self._places, self._blocks, self._rows = _Ids(), _Ids(), _Ids()
        tiers, zones = _Ids(), _Ids()
        used = {a.tier for a in chart.areas} | {
            seat.tier for section in chart.sections for row in section.rows for seat in row.seats
        }
        self._tiers = {t.key: (t, tiers.take(t.name)) for t in chart.tiers if t.key in used}
        zoned = {section.zone for section in chart.sections}
        self._zones = {z.key: (z, zones.take(z.name)) for z in chart.zones if z.key in zoned}
        self._parts = [part for section in chart.sections for part in _split(section)]
        for part in self._parts:
            if not part.outline:
                part.outline = _seats_outline(part)
        self._left, self._top, self._right, self._bottom = self._extent()

    def document(self, picture: Picture | None) -> dict[str, Any]:
        # Sections and areas first: their plain names should become their ids.
        sections = [(part, self._places.take(part.name)) for part in self._parts]
        areas = [self._area(area) for area in self._chart.areas]
        focal = self._chart.focal_point or self._stage_center() or self._center()
        return {
            "format": FORMAT,
            "name": self._chart.name,
            "bounds": {
                "width": max(1.0, round(self._right - self._left, 2)),
                "height": max(1.0, round(self._bottom - self._top, 2)),
            },
            "focalPoint": self._moved(focal),
            "tiers": [{"id": i, "name": t.name, "color": t.color} for t, i in self._tiers.values()],
            "zones": [
                {"id": i, "name": z.name, "focalPoint": self._moved(z.focal_point)}
                for z, i in self._zones.values()
            ],
            "sections": [self._section(part, name) for part, name in sections],
            "areas": areas,
            "shapes": [
                {"kind": s.kind, "outline": self._outline(s.outline)}
                | ({"name": s.name} if s.name else {})
                for s in self._chart.shapes
            ],
        } | ({} if picture is None else {"picture": self._picture(picture)})

    def _picture(self, picture: Picture) -> dict[str, Any]:
        x, y = self._moved((picture.x, picture.y))
        return dump_webp(picture) | dump_place(picture) | {"x": x, "y": y}

    def _section(self, part: ChartSection, section: str) -> dict[str, Any]:
        block = self._blocks.take(section)
        rows = [self._row(row, part.short_name or section, block) for row in part.rows]
        named: dict[str, Any] = {"id": section, "name": part.name}
        if part.zone is not None:
            named["zone"] = self._zones[part.zone][1]
        return named | {
            "outline": self._outline(part.outline),
            "blocks": [{"id": block, "name": part.name, "rows": rows}],
        }

    def _row(self, row: ChartRow, prefix: str, block: str) -> dict[str, Any]:
        return {
            "id": self._rows.take(block, row.name),
            "name": row.name,
            "seats": [self._seat(seat, prefix, row.name) for seat in row.seats],
        }

    def _seat(self, seat: ChartSeat, prefix: str, row: str) -> dict[str, Any]:
        own = self._places.keep(seat.id)
        x, y = self._moved((seat.x, seat.y))
        document: dict[str, Any] = {
            "id": seat.id if own else self._places.take(prefix, row, seat.number),
            "number": seat.number,
            "x": x,
            "y": y,
            "tier": self._tiers[seat.tier][1],
        }
        if seat.kind != "standard":
            document["kind"] = seat.kind
        if seat.restricted_view:
            document["restrictedView"] = True
        if seat.unit != "seat":
            document |= {"unit": seat.unit, "capacity": seat.capacity}
        return document

    def _area(self, area: ChartArea) -> dict[str, Any]:
        return {
            "id": self._places.take(area.name),
            "name": area.name,
            "outline": self._outline(area.outline),
            "capacity": area.capacity,
            "tier": self._tiers[area.tier][1],
        }

    def _moved(self, point: Point) -> list[float]:
        return [round(point[0] - self._left, 2), round(point[1] - self._top, 2)]

    def _outline(self, points: Iterable[Point]) -> list[list[float]]:
        return [self._moved(point) for point in points]

    def _drawn(self) -> Iterator[Point]:
        for part in self._parts:
            yield from part.outline
            yield from ((seat.x, seat.y) for row in part.rows for seat in row.seats)
        for area in self._chart.areas:
            yield from area.outline
        for shape in self._chart.shapes:
            yield from shape.outline

    def _extent(self) -> tuple[float, float, float, float]:
        points = list(self._drawn()) or [(0.0, 0.0)]
        xs, ys = [x for x, _ in points], [y for _, y in points]
        return (
            min(xs) - _MARGIN,
            min(ys) - _MARGIN,
            max(xs) + _MARGIN,
            max(ys) + _MARGIN,
        )

    def _center(self) -> Point:
        return ((self._left + self._right) / 2, (self._top + self._bottom) / 2)

    def _stage_center(self) -> Point | None:
        stage = next((s.outline for s in self._chart.shapes if s.kind == "stage"), None)
        if not stage:
            return None
        return (
            sum(x for x, _ in stage) / len(stage),
            sum(y for _, y in stage) / len(stage),
        )


def _split(section: ChartSection) -> list[ChartSection]:
    """The section, or parts of nearly equal size cut between rows, none above the limit."""
    seats = sum(len(row.seats) for row in section.rows)
    if seats <= SECTION_SEATS_MAX:
        return [section]
    share = seats / math.ceil(seats / SECTION_SEATS_MAX)
    groups: list[list[ChartRow]] = [[]]
    filled = 0
    for row in section.rows:
        count = len(row.seats)
        fair = groups[-1] and filled + count / 2 > share
        if fair or filled + count > SECTION_SEATS_MAX:
            groups.append([])
            filled = 0
        groups[-1].append(row)
        filled += count
    parts = []
    for group in groups:
        rows = group[0].name if len(group) == 1 else f"{group[0].name}–{group[-1].name}"
        suffix = f" (rows {rows})"[:_NAME_CHARS_MAX]
        name = section.name[: _NAME_CHARS_MAX - len(suffix)] + suffix
        parts.append(
            ChartSection(name.strip(), section.where, group, [], section.zone, section.name)
        )
    return parts


def _seats_outline(section: ChartSection) -> list[Point]:
    """A hull around the seats, one spacing of the seats wide of them."""
    seats = [(seat.x, seat.y) for row in section.rows for seat in row.seats]
    hull = geometry.hull_around(seats, geometry.spacing(seats) * 0.75)
    step = math.ceil(len(hull) / 300)  # within the format's limit of points
    return hull[::step]
