"""Check what must hold between the parts of a venue, beyond the shape of each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.domain.shared.labels import label_key, look_key, mixes_scripts
from fairgate.domain.shared.reading import Point, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fairgate.domain.seating.venue import Area, Row, Section, Tier, Venue, Zone
    from fairgate.domain.shared.reading import Problems

_SLACK = 0.01  # coordinates are rounded to it


def check_venue(
    venue: Venue, problems: Problems, *, section_seats_max: int, units_max: int
) -> None:
    """Note every reference to nothing, id used twice, and limit exceeded."""
    _check_names(venue, problems)
    _check_references(venue, problems)
    _check_sizes(venue, problems, section_seats_max, units_max)
    _check_tickets(venue, problems)
    _check_points(venue, problems)
    _check_bounds(venue, problems)


class _Names:
    """Holds one namespace of ids: notes an id that was there before, and where."""

    def __init__(self, problems: Problems) -> None:
        self._seen: dict[str, str] = {}
        self._problems = problems

    def take(self, name: str, where: str) -> None:
        first = self._seen.setdefault(name, where)
        if first != where and name:  # an empty one is noted already
            self._problems.add(where, f"the id {quoted(name)} is used already, at {first}")


class _Labels:
    """Holds the labels of one kind: refuses two that read alike, notes two that look alike."""

    def __init__(self, problems: Problems) -> None:
        self._seen: dict[str, tuple[str, str]] = {}
        self._looks: dict[str, tuple[str, str]] = {}
        self._problems = problems

    def take(self, label: str, where: str, *, once: bool = False) -> None:
        """Note what is wrong with a label; ``once``: the same one may not come again."""
        first, there = self._seen.setdefault(label_key(label), (label, where))
        if first != label or (once and label and there != where):
            reads = "is also the name" if first == label else f"reads like {quoted(first)},"
            self._problems.add(where, f"{quoted(label)} {reads} at {there}: name one differently")
            return
        first, there = self._looks.setdefault(look_key(label), (label, where))
        if first != label:
            what = f"{quoted(label)} looks like {quoted(first)}, at {there}, in another script"
            self._problems.note(where, what)
        elif there == where and mixes_scripts(label):
            self._problems.note(where, f"{quoted(label)} mixes letters of two scripts")


def _check_names(venue: Venue, problems: Problems) -> None:
    """Require unique ids and labels of each kind that a buyer can tell apart.

    Sections, areas and seats share one namespace of ids, because they share table keys: a section
    and an area the index, a seat and an area the table. Sections and areas are labels of one kind.
    """
    places, blocks, rows = _Names(problems), _Names(problems), _Names(problems)
    labels, rows_of = _Labels(problems), [_Labels(problems) for _ in venue.sections]
    kinds: list[tuple[str, Sequence[Tier | Zone | Area | Section], _Names, _Labels]] = [
        ("tiers", venue.tiers, _Names(problems), _Labels(problems)),
        ("zones", venue.zones, _Names(problems), _Labels(problems)),
        ("areas", venue.areas, places, labels),
        ("sections", venue.sections, places, labels),
    ]
    for kind, things, ids, names in kinds:
        for number, thing in enumerate(things):
            ids.take(thing.id, f"{kind}[{number}].id")
            names.take(thing.name, f"{kind}[{number}].name", once=kind in ("tiers", "areas"))
    for number, section in enumerate(venue.sections):
        for position, block in enumerate(section.blocks):
            here = f"sections[{number}].blocks[{position}]"
            blocks.take(block.id, f"{here}.id")
            for place, row in enumerate(block.rows):
                rows.take(row.id, f"{here}.rows[{place}].id")
                rows_of[number].take(row.name, f"{here}.rows[{place}].name")
                for seat_at, seat in enumerate(row.seats):
                    places.take(seat.id, f"{here}.rows[{place}].seats[{seat_at}].id")


def _check_points(venue: Venue, problems: Problems) -> None:
    """Note seats that lie on one point: only the upper one can be seen and chosen on the map."""
    seen: dict[Point, str] = {}
    for _, section, row in _rows(venue):
        for seat in row.seats:
            here = f"{section.name}, row {row.name}, seat {seat.number}"
            first = seen.setdefault((seat.x, seat.y), here)
            if first != here:
                problems.note(f"({seat.x:g}, {seat.y:g})", f"{first} and {here} lie on one point")


def _check_references(venue: Venue, problems: Problems) -> None:
    tiers = {tier.id for tier in venue.tiers} | {""}  # an empty one is noted already
    zones = {zone.id for zone in venue.zones} | {"", None}
    for number, section in enumerate(venue.sections):
        if section.zone not in zones:
            problems.add(f"sections[{number}].zone", f"there is no zone {quoted(section.zone)}")
    for number, area in enumerate(venue.areas):
        if area.tier not in tiers:
            problems.add(f"areas[{number}].tier", f"there is no tier {quoted(area.tier)}")
    for where, _, row in _rows(venue):
        for position, seat in enumerate(row.seats):
            if seat.tier not in tiers:
                what = f"there is no tier {quoted(seat.tier)}"
                problems.add(f"{where}.seats[{position}].tier", what)


def _check_sizes(venue: Venue, problems: Problems, section_seats_max: int, units_max: int) -> None:
    for number, section in enumerate(venue.sections):
        seats = sum(len(row.seats) for _, row in section.rows())
        if seats > section_seats_max:
            what = f"has {seats:,} seats; at most {section_seats_max:,} fit one section"
            problems.add(f"sections[{number}]", what)
    units = venue.unit_count()
    if units > units_max:
        problems.add("sections", f"seats and areas make {units:,} places, at most {units_max:,}")
    if units == 0:
        problems.add("sections", "there is no seat and no area: nothing to sell")


def _check_tickets(venue: Venue, problems: Problems) -> None:
    """Require that section, row and number, as they read on a ticket, name one seat."""
    seen: dict[tuple[str, str, str], str] = {}
    twice: dict[tuple[str, str], list[tuple[str, str]]] = {}  # by the two sections
    for where, section, row in _rows(venue):
        named = label_key(section.name), label_key(row.name)
        for position, seat in enumerate(row.seats):
            here = f"{where}.seats[{position}].number"
            first = seen.setdefault((*named, label_key(seat.number)), here)
            if first != here and seat.number:
                shown = f"{section.name}, row {row.name}, seat {seat.number}"
                sections = where.partition(".")[0], first.partition(".")[0]
                what = f"a ticket for {quoted(shown)} would also name {first}"
                twice.setdefault(sections, []).append((here, what))
    for [(here, what), *others] in twice.values():
        more = f"; the same of {len(others):,} more seats there" if others else ""
        problems.add(here, what + more)


def _check_bounds(venue: Venue, problems: Problems) -> None:
    def check(points: Iterable[Point], where: str) -> None:
        for position, (x, y) in enumerate(points):
            inside = -_SLACK <= x <= venue.width + _SLACK and -_SLACK <= y <= venue.height + _SLACK
            if not inside:
                what = f"({x:g}, {y:g}) lies outside the bounds"
                problems.add(f"{where}[{position}]", what)

    for number, section in enumerate(venue.sections):
        check(section.outline, f"sections[{number}].outline")
    for number, area in enumerate(venue.areas):
        check(area.outline, f"areas[{number}].outline")
    for number, shape in enumerate(venue.shapes):
        check(shape.outline, f"shapes[{number}].outline")
    for where, _, row in _rows(venue):
        check([(seat.x, seat.y) for seat in row.seats], f"{where}.seats")


def _rows(venue: Venue) -> Iterable[tuple[str, Section, Row]]:
    for number, section in enumerate(venue.sections):
        for position, block in enumerate(section.blocks):
            for place, row in enumerate(block.rows):
                yield f"sections[{number}].blocks[{position}].rows[{place}]", section, row
