"""Read JSON that others wrote: every defect is noted with its place, and reading goes on.

One pass lists everything that is wrong, so that a chart is repaired at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fairgate.domain.shared.labels import TURNING, is_seen, trimmed
from fairgate.domain.shared.printable import unprintable
from fairgate.errors import MalformedInputError

Point = tuple[float, float]

SHOWN_MAX = 200  # a list for a person to read; the count beside it is exact
ALSO_MAX = 50
COORDINATE_MAX = 1_000_000.0
NAME_CHARS_MAX = 120
# No control characters, line separators, lone surrogates or changes of direction.
_TEXT = rf"[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff{TURNING}]"
_PRINTABLE = re.compile(rf"(?!\s){_TEXT}+(?<!\s)")


class Problems:
    """Collects what is wrong and where, up to ``SHOWN_MAX`` entries and an exact total."""

    def __init__(self) -> None:
        self._shown: list[dict[str, Any]] = []
        self.total = 0
        self.notes: list[str] = []  # what is read in another way than it is written, or looks wrong

    @property
    def shown(self) -> list[tuple[str, str]]:
        """Return the first entries, each where and what."""
        return [(entry["where"], entry["what"]) for entry in self._shown]

    def add(self, where: str, what: str, also: Sequence[str] = ()) -> None:
        """``also``: the other places that it concerns."""
        self.total += 1
        if len(self._shown) < SHOWN_MAX:
            more = {"also": list(also[:ALSO_MAX])} if also else {}
            self._shown.append({"where": where, "what": what, **more})

    def note(self, where: str, what: str) -> None:
        """Say something that stops nothing."""
        self.notes.append(f"{where}: {what}")

    def raise_if_any(self, subject: str) -> None:
        """Raise MalformedInputError with ``errors`` and ``errors_total`` if anything was added."""
        if not self.total:
            return
        many = f"{self.total} things are wrong, first"
        which = "one thing is wrong," if self.total == 1 else many
        first = self._shown[0]
        raise MalformedInputError(
            f"{subject} cannot be used: {which} {first['where']}: {first['what']}",
            errors=self._shown,
            errors_total=self.total,
        )


class Reader:
    """Reads one JSON object at a known place. A wrong value is noted and its default returned."""

    __slots__ = ("_data", "_problems", "where")

    def __init__(self, data: object, where: str, problems: Problems) -> None:
        self.where = where
        self._problems = problems
        self._data: Mapping[str, object] = {}
        if isinstance(data, Mapping):
            self._data = data
        else:
            problems.add(where or "the document", f"must be an object, not {kind_of(data)}")

    def __contains__(self, key: str) -> bool:
        """Say whether the key is there with a value other than null."""
        return self._data.get(key) is not None

    def at(self, key: str) -> str:
        return f"{self.where}.{key}" if self.where else key

    def wrong(self, key: str, what: str) -> None:
        self._problems.add(self.at(key), what)

    def raw(self, key: str) -> object:
        return self._data.get(key)

    def only(self, known: frozenset[str]) -> None:
        """Note every key that the format does not know: most are typing errors."""
        if self._data.keys() <= known:
            return
        for key in self._data:
            if key not in known:
                name = "".join(one if one.isprintable() else "�" for one in key[:NAME_CHARS_MAX])
                self.wrong(name, "is not a field of the format")  # half of a pair cannot be sent

    def text(self, key: str, *, chars_max: int = NAME_CHARS_MAX, printed: bool = True) -> str:
        """Read a text of 1 to ``chars_max`` characters without space around it, or ''.

        ``printed``: tickets or invoices show it, so that their fonts must have all of it.
        """
        value = self._data.get(key)
        if isinstance(value, str) and (short := trimmed(value)) and short != value:
            self._problems.note(self.at(key), f"the space around {quoted(short)} is left out")
            value = short
        if isinstance(value, str) and (turning := next((c for c in value if c in TURNING), "")):
            what = f"has the character U+{ord(turning):04X}, which turns text around: leave it out"
            self.wrong(key, what)
            return ""
        if isinstance(value, str) and value and not is_seen(value):
            self.wrong(key, "has nothing that can be seen")
            return ""
        if isinstance(value, str) and printed and (missing := unprintable(value)):
            codes = " ".join(f"U+{ord(one):04X}" for one in missing)
            self.wrong(key, f"has {quoted(missing)} ({codes}), which no ticket can print")
            return ""
        if isinstance(value, str) and 0 < len(value) <= chars_max and _PRINTABLE.fullmatch(value):
            return value
        self.wrong(key, _expected(value, f"a printable text of 1 to {chars_max} characters"))
        return ""

    def matching(self, key: str, pattern: re.Pattern[str], example: str) -> str:
        """Read a text of this pattern, or ''."""
        value = self._data.get(key)
        if isinstance(value, str) and pattern.fullmatch(value):
            return value
        self.wrong(key, _expected(value, f"like {example}"))
        return ""

    def number(self, key: str, low: float = -COORDINATE_MAX, high: float = COORDINATE_MAX) -> float:
        """Read a finite number within the bounds, rounded to 0.01, or 0."""
        value = self._data.get(key)
        if (number := coordinate(value, low, high)) is not None:
            return number
        self.wrong(key, _expected(value, f"a number from {low:g} to {high:g}"))
        return 0.0

    def whole(self, key: str, low: int, high: int) -> int:
        value = self._data.get(key)
        if isinstance(value, float) and value.is_integer():
            value = int(value)  # JSON knows one kind of number
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
        self.wrong(key, _expected(value, f"a whole number from {low} to {high}"))
        return low

    def flag(self, key: str) -> bool:
        """Read true or false; absent and null are false."""
        value = self._data.get(key)
        if isinstance(value, bool):
            return value
        if value is not None:
            self.wrong(key, _expected(value, "true or false"))
        return False

    def point(self, key: str) -> Point:
        """Read ``[x, y]``, or the origin."""
        value = self._data.get(key)
        if (point := pair(value)) is not None:
            return point
        self.wrong(key, _expected(value, "a point [x, y]"))
        return (0.0, 0.0)

    def xy(self, key: str) -> Point:
        """Read ``{"x": …, "y": …}``, or the origin."""
        inner = Reader(self._data.get(key), self.at(key), self._problems)
        return (inner.number("x"), inner.number("y")) if inner._data else (0.0, 0.0)

    def outline(self, key: str, points_max: int) -> tuple[Point, ...]:
        """Read a closed polygon as ``[[x, y], …]`` of 3 points or more, or ()."""
        value = self._data.get(key)
        if not isinstance(value, list) or not 3 <= len(value) <= points_max:  # noqa: PLR2004 a polygon
            self.wrong(key, _expected(value, f"a list of 3 to {points_max} points [x, y]"))
            return ()
        points = []
        for position, item in enumerate(value):
            if (point := pair(item)) is not None:
                points.append(point)
            else:
                self.wrong(f"{key}[{position}]", _expected(item, "a point [x, y]"))
        return tuple(points)

    def child(self, key: str) -> Reader:
        return Reader(self._data.get(key), self.at(key), self._problems)

    def children(
        self, key: str, *, low: int = 0, high: int = 1_000_000, optional: bool = False
    ) -> Iterator[Reader]:
        """Return a reader for each object of the list ``key``."""
        value = self._data.get(key)
        if value is None and optional:
            return
        if not isinstance(value, list):
            self.wrong(key, _expected(value, "a list"))
            return
        if not low <= len(value) <= high:
            self.wrong(key, f"must have {low} to {high:,} entries, not {len(value):,}")
            return
        where = self.at(key)
        for position, item in enumerate(value):
            yield Reader(item, f"{where}[{position}]", self._problems)


def coordinate(value: object, low: float, high: float) -> float | None:
    """Return ``value`` rounded to 0.01 if it is a number within the bounds."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if not low <= value <= high:  # neither is NaN
        return None
    return round(float(value), 2) + 0.0  # no negative zero


def pair(value: object) -> Point | None:
    if not isinstance(value, list | tuple) or len(value) != 2:  # noqa: PLR2004 x and y
        return None
    x = coordinate(value[0], -COORDINATE_MAX, COORDINATE_MAX)
    y = coordinate(value[1], -COORDINATE_MAX, COORDINATE_MAX)
    return None if x is None or y is None else (x, y)


def quoted(value: object) -> str:
    """Return a short, printable rendering for a message."""
    shown = ascii(value) if not isinstance(value, str) else value
    shown = "".join(c if c.isprintable() else "?" for c in shown[:60])
    return f"“{shown}{'…' if len(str(value)) > 60 else ''}”"  # noqa: PLR2004 a line's worth


def kind_of(value: object) -> str:
    """Return the JSON name of a value's type, for people."""
    names: tuple[tuple[type, str], ...] = (
        (type(None), "missing"),
        (bool, "true or false"),
        (str, "a text"),
        (int, "a number"),
        (float, "a number"),
        (list, "a list"),
        (Mapping, "an object"),
    )
    return next((name for kind, name in names if isinstance(value, kind)), "something else")


def _expected(value: object, what: str) -> str:
    if value is None:
        return f"is missing; it must be {what}"
    if isinstance(value, str):
        return f"must be {what}, not {quoted(value)}"
    if isinstance(value, bool | int | float):
        return f"must be {what}, not {str(value)[:24]}"
    return f"must be {what}, not {kind_of(value)}"
