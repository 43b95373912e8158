"""seats.io chart JSON, as the designer stores it, read without loss of anything that is sold.

Seats lie in their section's own coordinates: the sub-chart's origin is the section's ``topLeft``
and its scale is that of the chart. Curves and rotations are already in the seats' coordinates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fairgate.domain.seating.parse_venue import CAPACITY_MAX, OUTLINE_POINTS_MAX, UNIT_CAPACITY_MAX
from fairgate.domain.seating.venue import Venue
from fairgate.domain.shared.reading import Point, Problems, Reader, quoted
from fairgate_ops.operate.importers import geometry
from fairgate_ops.operate.importers.assembly import (
    Chart,
    ChartArea,
    ChartRow,
    ChartSeat,
    ChartSection,
    ChartShape,
    ChartTier,
    ChartZone,
    Reading,
    assemble,
    color_or,
    seat_number,
)
from fairgate_ops.operate.importers.picture import ChartPicture, file_name

_FLOOR_GAP = 200.0
_DRAWN = ("rectangle", "circle", "polygon")  # other shapes are decoration that cannot be outlined
_FLAGS = ("accessible", "companionSeat", "restrictedView")


def import_seatsio(document: object, how: Reading | None = None) -> Venue:
    """The venue of a seats.io chart: sections, rows, tables, seats, general admission, stage.

    Raises:
        MalformedInputError: with every defect and its place in the chart.
    """
    problems = Problems()
    chart = _Chart(Reader(document, "", problems), problems).read()
    return assemble(chart, problems, how or Reading())


class _Chart:
    def __init__(self, top: Reader, problems: Problems) -> None:
        self._top = top
        self._problems = problems
        self._chart = Chart(top.text("name"), [])
        self._tiers: set[str] = set()
        self._zones: set[str] = set()

    def read(self) -> Chart:
        self._read_categories()
        self._read_zones()
        down = 0.0
        for floor in self._floors():
            self._read_floor(floor, (0.0, down))
            down += (floor.number("height", 0) if "height" in floor else 0.0) + _FLOOR_GAP
        return self._chart

    def _floors(self) -> Iterator[Reader]:
        """Floors of a multi-floor chart are drawn below each other."""
        if "subChartFloors" in self._top:
            yield from self._top.children("subChartFloors", low=1, high=50)
        else:
            yield self._top.child("subChart")

    def _read_categories(self) -> None:
        categories = self._top.child("categories")
        for position, reader in enumerate(categories.children("list", high=100)):
            key = _key(reader, "key")
            if key in self._tiers:
                reader.wrong("key", f"the category {quoted(key)} is defined twice")
            self._tiers.add(key)
            tier = ChartTier(key, reader.text("label"), color_or(reader.raw("color"), position))
            self._chart.tiers.append(tier)

    def _read_zones(self) -> None:
        if "zones" not in self._top:
            return
        for reader in self._top.child("zones").children("list", high=200, optional=True):
            key = _key(reader, "key")
            if key in self._zones:
                reader.wrong("key", f"the zone {quoted(key)} is defined twice")
            self._zones.add(key)
            zone = ChartZone(key, reader.text("label"), reader.xy("focalPoint"))
            self._chart.zones.append(zone)

    def _read_floor(self, floor: Reader, origin: Point) -> None:
        if "focalPoint" in floor and self._chart.focal_point is None:
            self._chart.focal_point = _plus(origin, floor.xy("focalPoint"))
        if "backgroundImage" in floor and self._chart.picture is None:
            faults = self._problems.total
            picture = _read_picture(floor.child("backgroundImage"), origin)
            self._chart.picture = picture if self._problems.total == faults else None
        for section in floor.children("sections", high=1_000, optional=True):
            self._read_section(section, origin)
        loose = self._read_rows(floor, origin, None)
        groups: dict[str, list[ChartRow]] = {}
        for group, row in loose:
            groups.setdefault(group or self._chart.name, []).append(row)
        for name, rows in groups.items():
            self._chart.sections.append(ChartSection(name, rows[0].where, rows))
        self._read_areas(floor, origin, None)
        for shape in floor.children("shapes", high=5_000, optional=True):
            self._read_shape(shape, origin)

    def _read_section(self, reader: Reader, origin: Point) -> None:
        name = reader.text("label")
        outline = [_plus(origin, point) for point in _points(reader)]
        inner = reader.child("subChart")
        corner = _plus(origin, reader.xy("topLeft"))
        category = self._category(reader, None) if "categoryKey" in reader else None
        zone = _key(reader, "zone") if "zone" in reader else None
        if zone is not None and zone not in self._zones:
            reader.wrong("zone", f"there is no zone {quoted(zone)}")
            zone = None
        rows = [row for _, row in self._read_rows(inner, corner, category)]
        self._read_areas(inner, corner, category)
        for shape in inner.children("shapes", high=5_000, optional=True):
            self._read_shape(shape, corner)
        if rows:
            self._chart.sections.append(ChartSection(name, reader.where, rows, outline, zone))
        else:  # nothing to sell under this name, but part of the picture
            self._chart.shapes.append(ChartShape("other", name, outline))

    def _read_rows(
        self, reader: Reader, origin: Point, category: str | None
    ) -> list[tuple[str, ChartRow]]:
        """Rows and tables, each with the name of the section that it gives itself, if any."""
        rows = []
        wholes: dict[tuple[str, str], ChartRow] = {}
        for key in ("rows", "tables"):
            for row in reader.children(key, high=20_000, optional=True):
                own = self._category(row, category) if "categoryKey" in row else category
                seats = [
                    self._read_seat(seat, origin, own)
                    for seat in row.children("seats", low=1, high=100_000)
                ]
                group = row.text("sectionLabel") if "sectionLabel" in row else ""
                if row.flag("bookAsAWhole"):
                    kept = wholes.setdefault((group, "Tables"), ChartRow("Tables", row.where, []))
                    kept.seats.append(self._whole_table(row, seats, origin, own))
                else:
                    rows.append((group, ChartRow(row.text("label"), row.where, seats)))
        for booth in reader.children("booths", high=20_000, optional=True):
            group = booth.text("sectionLabel") if "sectionLabel" in booth else ""
            kept = wholes.setdefault((group, "Booths"), ChartRow("Booths", booth.where, []))
            kept.seats.append(self._read_box(booth, _booth_center(booth), origin, category))
        for area in reader.children("generalAdmissionAreas", high=500, optional=True):
            if area.flag("bookAsAWhole") and area.raw("type") in _DRAWN:
                outline = _outline(area, (0.0, 0.0))
                center = (_mean(x for x, _ in outline), _mean(y for _, y in outline))
                kept = wholes.setdefault(("", "Boxes"), ChartRow("Boxes", area.where, []))
                kept.seats.append(self._read_box(area, center, origin, category))
        return rows + [(group, row) for (group, _), row in wholes.items()]

    def _whole_table(
        self, reader: Reader, seats: list[ChartSeat], origin: Point, category: str | None
    ) -> ChartSeat:
        """A table that is sold to one party: one unit for as many as it has seats."""
        if len(seats) > UNIT_CAPACITY_MAX:
            what = f"has {len(seats)} seats; at most {UNIT_CAPACITY_MAX} are sold as a whole"
            reader.wrong("seats", what)
        if "center" in reader:
            x, y = _plus(origin, reader.xy("center"))
        else:
            x, y = _mean(seat.x for seat in seats), _mean(seat.y for seat in seats)
        for_wheelchairs = bool(seats) and all(seat.kind != "standard" for seat in seats)
        tier = self._category(reader, category or (seats[0].tier if seats else None))
        return ChartSeat(
            number=seat_number(reader, "label"),
            x=x,
            y=y,
            tier=tier,
            where=reader.where,
            kind="accessible" if for_wheelchairs else "standard",
            restricted_view=any(seat.restricted_view for seat in seats),
            unit="table",
            capacity=len(seats),
        )

    def _read_box(
        self, reader: Reader, center: Point, origin: Point, category: str | None
    ) -> ChartSeat:
        """A booth, or an area that is sold to one party. A booth says no capacity: it is one."""
        x, y = _plus(origin, center)
        return ChartSeat(
            number=seat_number(reader, "label"),
            x=x,
            y=y,
            tier=self._category(reader, category),
            where=reader.where,
            unit="box",
            capacity=reader.whole("capacity", 1, UNIT_CAPACITY_MAX) if "capacity" in reader else 1,
        )

    def _read_seat(self, reader: Reader, origin: Point, category: str | None) -> ChartSeat:
        x, y = _plus(origin, (reader.number("x"), reader.number("y")))
        accessible, companion, restricted = (reader.flag(key) for key in _FLAGS)
        return ChartSeat(
            number=seat_number(reader, "label"),
            x=x,
            y=y,
            tier=self._category(reader, category),
            where=reader.where,
            kind="accessible" if accessible else "companion" if companion else "standard",
            restricted_view=restricted,
        )

    def _category(self, reader: Reader, inherited: str | None) -> str:
        if "categoryKey" not in reader and inherited is not None:
            return inherited
        key = _key(reader, "categoryKey")
        if key and key not in self._tiers:
            reader.wrong("categoryKey", f"there is no category {quoted(key)}")
        return key

    def _read_areas(self, reader: Reader, origin: Point, category: str | None) -> None:
        for area in reader.children("generalAdmissionAreas", high=500, optional=True):
            if area.raw("type") not in _DRAWN:
                area.wrong("type", f"must be one of {', '.join(_DRAWN)}")
                continue
            if area.raw("bookAsAWhole") is True:  # a box, read with the rows
                continue
            self._chart.areas.append(
                ChartArea(
                    area.text("label"),
                    _outline(area, origin),
                    area.whole("capacity", 1, CAPACITY_MAX),
                    self._category(area, category),
                )
            )

    def _read_shape(self, reader: Reader, origin: Point) -> None:
        if reader.raw("type") not in _DRAWN:
            return
        stage = "stage" in (reader.raw("smartType"), reader.raw("icon"))
        label = reader.raw("label")
        name = reader.text("label") if isinstance(label, str) and label.strip() else ""
        outline = _outline(reader, origin)
        self._chart.shapes.append(ChartShape("stage" if stage else "other", name, outline))


def _read_picture(reader: Reader, origin: Point) -> ChartPicture | None:
    """The picture that buyers see: it lies around its origin, at a scale in percent."""
    if "showOnRenderedCharts" in reader and not reader.flag("showOnRenderedCharts"):
        return None
    named = (reader.raw(key) for key in ("backgroundImageUrl", "backgroundImageKey"))
    return ChartPicture(
        where=reader.where,
        files=[file_name(name) for name in named if isinstance(name, str)],
        center=_plus(origin, reader.xy("origin")),
        scale=reader.number("backgroundImageZoom", 0.01) / 100,
        width=_size(reader, "backgroundImageWidth"),
        height=_size(reader, "backgroundImageHeight"),
        opacity=reader.number("opacity", 0, 1) if "opacity" in reader else 1.0,
    )


def _size(reader: Reader, key: str) -> float:
    """A side in the picture's own units; 0 where it is not said."""
    return reader.number(key, 0) if key in reader else 0.0


def _outline(reader: Reader, origin: Point) -> list[Point]:
    kind = reader.raw("type")
    if kind == "polygon":
        return [_plus(origin, point) for point in _points(reader)]
    center = _plus(origin, reader.xy("center"))
    degrees = reader.number("rotationAngle") if "rotationAngle" in reader else 0.0
    if kind == "circle":
        radius = (reader.number("radius1", 0), reader.number("radius2", 0))
        return geometry.ellipse(center, *radius, degrees)
    return geometry.rectangle(
        center, reader.number("width", 0), reader.number("height", 0), degrees
    )


def _booth_center(reader: Reader) -> Point:
    return reader.xy("center") if "center" in reader else (reader.number("x"), reader.number("y"))


def _mean(values: Iterable[float]) -> float:
    known = list(values)
    return sum(known) / len(known) if known else 0.0


def _points(reader: Reader) -> list[Point]:
    points = list(reader.children("points", low=3, high=OUTLINE_POINTS_MAX))
    return [(point.number("x"), point.number("y")) for point in points]


def _key(reader: Reader, key: str) -> str:
    """Keys are numbers or texts; both as text."""
    value = reader.raw(key)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value) if abs(value) < 10**15 else "0"
    return reader.text(key)


def _plus(a: Point, b: Point) -> Point:
    return (a[0] + b[0], a[1] + b[1])
