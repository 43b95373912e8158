"""Write a sale's report: one page that needs nothing else, and a table for each question."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2

from fairgate_ops.operate.sale_report.pictures import (
    Picture,
    Series,
    Span,
    Style,
    picture,
    span_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import tzinfo

    from fairgate_ops.operate.sale_report.answers import Answer

SHOWN_MAX = 60  # rows of a table on the page; its CSV has all
# What is drawn of a question; the others are tables alone.
DRAWN = {
    "arrivals_by_minute": Style(
        "lines",
        (Series("joined", "joined", "brand"), Series("came_in", "came in", "good")),
        "buyers",
    ),
    "waits_by_arrival": Style(
        "lines",
        (
            Series("p95_s", "one in twenty waited longer", "warn"),
            Series("median_s", "half waited longer", "brand"),
        ),
        "seconds",
        gaps=True,
        lasting=True,
    ),
    "seats_by_minute": Style(
        "columns",
        (
            Series("held", "held", "good"),
            Series("taken", "taken by others", "warn"),
            Series("otherwise", "refused otherwise", "bad"),
        ),
        "requests for seats",
    ),
    "requests_by_minute": Style(
        "columns",
        (
            Series("cached", "from a cache", "soft"),
            Series("by_the_gate", "by the gate", "brand"),
            Series("passed", "by the API", "grey"),
            Series("failed", "failed", "bad"),
        ),
        "requests",
    ),
}
BARRED = "requests"  # a column whose figures have bars behind them
FAILED_PERCENT_MAX = 0.1  # from here on it is a bad sign
WORDS = {
    "p95_ms": "p95, ms",
    "p99_ms": "p99, ms",
    "median_ms": "median, ms",
    "median_s": "median, s",
}
WORDS |= {"p95_s": "p95, s", "longest_s": "longest, s", "refused_percent": "refused, %"}


@dataclass(frozen=True)
class Tile:
    """A figure at the head of the page."""

    value: str
    name: str
    tone: str = ""


@dataclass(frozen=True)
class Part:
    """A question with its picture and its table."""

    name: str
    title: str
    meaning: str
    logged: bool
    columns: Sequence[str]
    numeric: Sequence[bool]
    shares: Sequence[float]  # percent of the greatest figure in the column with bars
    rows: Sequence[Sequence[Any]]
    more: int
    drawn: Picture | None


def report_page(
    title: str,
    when: str,
    answers: Mapping[str, Answer],
    zone: tzinfo,
    notes: Sequence[str] = (),
) -> str:
    """Return the page as HTML.

    Args:
        title: the event's name.
        when: which hours it is about, in words.
        zone: of the times on the page; tables and CSV have UTC.
        notes: what a reader has to know first, a sentence each.
    """
    folder = Path(__file__).parent
    world = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder), autoescape=True, undefined=jinja2.StrictUndefined
    )
    span = span_of([answers[name] for name in DRAWN])
    parts = [_part(answer, span, zone) for answer in answers.values()]
    zoned = "UTC" if zone is UTC else str(zone)
    return world.get_template("page.html.j2").render(
        title=title, when=when, notes=notes, tiles=_tiles(answers), parts=parts, zone=zoned
    )


def _part(answer: Answer, span: Span | None, zone: tzinfo) -> Part:
    question, drawn = answer.question, None
    if span is not None and question.name in DRAWN:
        drawn = picture(_with_rest(answer), DRAWN[question.name], span, zone)
    columns = [WORDS.get(name, name.replace("_", " ")) for name in answer.columns]
    rows = [[_shown(cell) for cell in row] for row in answer.rows[:SHOWN_MAX]]
    more = max(0, len(answer.rows) - SHOWN_MAX)
    first = answer.rows[0] if answer.rows else ()
    numeric = [isinstance(cell, int | float) for cell in first] or [False] * len(columns)
    return Part(
        question.name,
        question.title,
        question.meaning,
        answer.logged,
        columns,
        numeric,
        _shares(answer),
        rows,
        more,
        drawn,
    )


def _shares(answer: Answer) -> list[float]:
    if BARRED not in answer.columns or not answer.rows or answer.question.name in DRAWN:
        return []
    place = answer.columns.index(BARRED)
    most = max(row[place] for row in answer.rows) or 1
    return [100 * row[place] / most for row in answer.rows]


def _with_rest(answer: Answer) -> Answer:
    """Add what is left of a sum, so that columns stack up to it."""
    rests = {
        "requests_by_minute": ("passed", "requests", ("cached", "by_the_gate", "failed")),
        "seats_by_minute": ("otherwise", "asked", ("held", "taken")),
    }
    if answer.question.name not in rests:
        return answer
    name, whole, parts = rests[answer.question.name]
    at = {column: place for place, column in enumerate(answer.columns)}
    rows = [
        (*row, max(0, (row[at[whole]] or 0) - sum(row[at[part]] or 0 for part in parts)))
        for row in answer.rows
    ]
    return answer._replace(columns=(*answer.columns, name), rows=rows)


def _shown(cell: Any) -> str:
    if cell is None:
        return "–"
    if isinstance(cell, float):
        return f"{cell:,.0f}" if cell == int(cell) else f"{cell:,.1f}"
    return f"{cell:,}" if isinstance(cell, int) else str(cell)


def _tiles(answers: Mapping[str, Answer]) -> list[Tile]:
    came, joined = _sum(answers, "arrivals_by_minute", "came_in", "joined")
    asked, held, taken = _sum(answers, "seats_by_minute", "asked", "held", "taken")
    requests, failed = _sum(answers, "requests_by_minute", "requests", "failed")
    waited = answers["waits_by_arrival"]
    longest = max((row[waited.columns.index("p95_s")] or 0 for row in waited.rows), default=None)
    share = 100 * failed / requests if requests else 0.0
    return [
        Tile(f"{joined:,.0f}", "joined the waiting room"),
        Tile(f"{came:,.0f}", "came in"),
        Tile(
            "–" if longest is None else _lasting(longest),
            "worst minute: one in twenty waited longer",
        ),
        Tile(f"{held:,.0f}", f"holds, of {asked:,.0f} that were asked for"),
        Tile(f"{100 * taken / asked:.0f} %" if asked else "–", "of those found a seat taken"),
        Tile(
            f"{share:.2g} %" if requests else "–",
            f"of {requests:,.0f} requests failed",
            ("bad" if share > FAILED_PERCENT_MAX else "good") if requests else "",
        ),
    ]


def _sum(answers: Mapping[str, Answer], name: str, *columns: str) -> list[float]:
    answer = answers[name]
    places = [answer.columns.index(column) for column in columns]
    return [float(sum(row[place] or 0 for row in answer.rows)) for place in places]


def _lasting(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds >= 2 * 60 else f"{seconds:.0f} s"
