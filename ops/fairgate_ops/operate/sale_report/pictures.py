"""Draw what happened by minute, as SVG that fits any width: letters stand beside it as HTML."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import tzinfo

    from fairgate_ops.operate.sale_report.answers import Answer

BUCKETS_MAX = 180  # columns of a picture: on a telephone each has two points
WIDTH, HEIGHT = 1_000, 300  # of the drawing, which is stretched
_MINUTE = "%Y-%m-%d %H:%M"
_STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 240, 720, 1_440)  # minutes
_SHOWN_IN_SECONDS_MAX = 300
_GAP = 0.15  # of a column
_MARKS_MIN, _MARKS_MAX = 3, 6  # times below a picture
Kind = Literal["columns", "lines"]


@dataclass(frozen=True)
class Series:
    """A column of the answer. ``tone``: a class of the page: brand, good, warn, bad, dim."""

    column: str
    name: str
    tone: str


@dataclass(frozen=True)
class Picture:
    """A drawing, and what is written around it."""

    shapes: str
    top: str  # the greatest value, at the left of the upper end
    half: str
    marks: Sequence[tuple[float, str]]  # percent of the width, time
    legend: Sequence[Series]
    minutes: int  # in each column
    unit: str


@dataclass(frozen=True)
class Span:
    """The time that all pictures of a page show."""

    start: datetime
    minutes: int

    @property
    def step(self) -> int:
        """Return the minutes in a column."""
        fitting = (step for step in _STEPS if self.minutes / step <= BUCKETS_MAX)
        return next(fitting, math.ceil(self.minutes / BUCKETS_MAX))

    @property
    def count(self) -> int:
        return math.ceil(self.minutes / self.step)


@dataclass(frozen=True)
class Style:
    """How a question is drawn.

    Attributes:
        kind: columns are stacked; lines have an area below the first.
        gaps: minutes without a row have no value, and are not 0.
        lasting: the values are seconds, shown as minutes where they are long.
    """

    kind: Kind
    series: Sequence[Series]
    unit: str
    gaps: bool = False
    lasting: bool = False


def span_of(answers: Sequence[Answer]) -> Span | None:
    """Return the time from the first to the last minute of the answers; None if there is none."""
    times = [
        _time(row[answer.columns.index("minute")])
        for answer in answers
        for row in answer.rows
        if row[answer.columns.index("minute")]
    ]
    if not times:
        return None
    return Span(min(times), math.ceil((max(times) - min(times)).total_seconds() / 60) + 1)


def picture(answer: Answer, style: Style, span: Span, zone: tzinfo) -> Picture | None:
    """Draw an answer over its column ``minute``; None if it has no rows."""
    at = {name: place for place, name in enumerate(answer.columns)}
    rows = [row for row in answer.rows if row[at["minute"]]]
    if not rows:
        return None
    gather: Callable[[float, float], float] = max if style.gaps else float.__add__
    empty = None if style.gaps else 0.0
    values: dict[str, list[float | None]] = {
        one.column: [empty] * span.count for one in style.series
    }
    for row in rows:
        since = (_time(row[at["minute"]]) - span.start).total_seconds()
        place = int(since // 60 // span.step)
        for one in style.series:
            value = float(row[at[one.column]] or 0)
            before = values[one.column][place]
            values[one.column][place] = value if before is None else gather(before, value)
    unit, greatest = style.unit, _greatest(values, style.kind)
    if style.lasting and greatest > _SHOWN_IN_SECONDS_MAX:
        unit, greatest = "minutes", greatest / 60
        values = {name: [v and v / 60 for v in those] for name, those in values.items()}
    top = round_up(greatest)
    draw = lines if style.kind == "lines" else _columns
    return Picture(
        draw(values, style.series, top),
        number_text(top),
        number_text(top / 2),
        _marks(span, zone),
        style.series,
        span.step,
        unit,
    )


def _columns(
    values: Mapping[str, Sequence[float | None]], series: Sequence[Series], top: float
) -> str:
    """Stack them, the first lowest."""
    shapes, floor = [], [0.0] * len(values[series[0].column])
    width = WIDTH / len(floor)
    for one in series:
        path = []
        for place, value in enumerate(values[one.column]):
            if value:
                left, high = (place + _GAP / 2) * width, value / top * HEIGHT
                low = HEIGHT - floor[place] / top * HEIGHT
                path.append(
                    f"M{left:.1f} {low:.1f}h{width * (1 - _GAP):.1f}v{-high:.1f}H{left:.1f}z"
                )
                floor[place] += value
        shapes.append(f'<path class="fill {one.tone}" d="{"".join(path)}"/>')
    return "".join(shapes)


def lines(
    values: Mapping[str, Sequence[float | None]], series: Sequence[Series], top: float
) -> str:
    """Draw a line each, over an area for the first; minutes without a value are left out."""
    shapes = []
    for number, one in enumerate(series):
        known = [(p, v) for p, v in enumerate(values[one.column]) if v is not None]
        width = WIDTH / len(values[one.column])
        points = [((p + 0.5) * width, HEIGHT - v / top * HEIGHT) for p, v in known]
        line = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        if not number:
            ends = f"L{points[-1][0]:.1f} {HEIGHT}L{points[0][0]:.1f} {HEIGHT}z"
            shapes.append(f'<path class="area {one.tone}" d="M{line}{ends}"/>')
        if len(points) == 1:
            line += f"h{width / 4:.1f}"
        shapes.append(f'<path class="line {one.tone}" d="M{line}"/>')
    return "".join(shapes)


def _greatest(values: Mapping[str, Sequence[float | None]], kind: Kind) -> float:
    whole = zip(*values.values(), strict=True)
    known = [[value or 0.0 for value in column] for column in whole]
    return max(max(column) if kind == "lines" else sum(column) for column in known)


def _marks(span: Span, zone: tzinfo) -> list[tuple[float, str]]:
    """Choose some times, by the clocks of the zone."""
    minutes, start = span.step * span.count, span.start
    every = next((s for s in _STEPS if minutes / s <= _MARKS_MAX), minutes)
    local = start.astimezone(zone)
    midnight = local.replace(hour=0, minute=0)
    since = (local - midnight).total_seconds() / 60
    first = math.ceil(since / every) * every - since
    found = []
    while first < minutes:
        time = (start + timedelta(minutes=first)).astimezone(zone)
        found.append((100 * first / minutes, f"{time:%H:%M}"))
        first += every
    return found if len(found) >= _MARKS_MIN else [(0.0, f"{local:%H:%M}")]


def _time(minute: str) -> datetime:
    return datetime.strptime(minute, _MINUTE).replace(tzinfo=UTC)


def round_up(value: float) -> float:
    """Return the next round number."""
    if value <= 1:
        return 1.0
    power = math.pow(10, math.floor(math.log10(value)))
    return next(m * power for m in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if m * power >= value)


def number_text(value: float) -> str:
    return f"{value:,.0f}" if value >= 1 and value == int(value) else f"{value:g}"
