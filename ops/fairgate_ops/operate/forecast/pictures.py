"""Draw a forecast as SVG that needs nothing else, or as a page with it. All of it is modelled."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from fairgate_ops.operate.sale_report.pictures import (
    HEIGHT,
    WIDTH,
    Series,
    lines,
    number_text,
    round_up,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Curve = Mapping[str, Sequence[float | None]]

_LEFT, _RIGHT, _TOP, _GAP = 90, 24, 92, 110  # around the drawings
_MARKS = 6
_NOTE = "Modelled by fairgate simulate, not measured. Times are minutes after the sale start."
_MINUTE_S, _LONG_S = 60, 7_200
# Each colour is as dark as sale_report's page has it.
_STYLE = """\
svg{font:16px system-ui,sans-serif;background:#fff;fill:#15181d}.dim{fill:#555a64;font-size:14px}
.grid{stroke:#dddcd6}.brand{--c:#0e5560}.good{--c:#0b8c80}.warn{--c:#ac7c12}
.line{fill:none;stroke:var(--c);stroke-width:2.5;vector-effect:non-scaling-stroke}
.area{fill:var(--c);opacity:.14}.key{fill:var(--c)}.warn.line{stroke-dasharray:8 5}
h1{font-size:24px}.head{font-size:22px;font-weight:700}
"""


class _Plot(NamedTuple):
    title: str
    series: Sequence[Series]


_PLOTS = (
    _Plot("Buyers who wait", (Series("waiting", "waiting", "brand"),)),
    _Plot(
        "Shoppers", (Series("live", "inside at once", "good"), Series("target", "target", "warn"))
    ),
    _Plot("Admissions a second", (Series("admitted_per_s", "come in", "brand"),)),
    _Plot("Tickets sold", (Series("sold", "sold", "good"), Series("places", "places", "warn"))),
)


def plot_svg(title: str, runs: Sequence[Mapping[str, Any]]) -> str:
    """Return the plots of each run, below each other, a column for each run.

    Args:
        runs: as ``fairgate simulate --json`` has them: figures, and the curve.
    """
    across = WIDTH + _LEFT + _RIGHT
    high = _TOP + len(_PLOTS) * (HEIGHT + _GAP)
    shapes = [
        f'<text class="head" x="{_LEFT}" y="34">{escape(title)}: how the sale may go</text>',
        f'<text class="dim" x="{_LEFT}" y="60">{_NOTE}</text>',
    ]
    for number, one in enumerate(runs):
        shapes.append(f'<g transform="translate({number * across} 0)">{"".join(_run(one))}</g>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across * len(runs)} {high}"'
        f' role="img" aria-label="{escape(title)}: modelled"><style>{_STYLE}</style>'
        f"{''.join(shapes)}</svg>\n"
    )


def plot_page(title: str, runs: Sequence[Mapping[str, Any]], lines_below: Sequence[str]) -> str:
    """Return a page with the plots, and the figures and assumptions as text."""
    text = escape("\n".join(lines_below))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}: a simulated sale</title>"
        "<style>body{margin:16px;font:16px system-ui,sans-serif;background:#fff;color:#15181d}"
        "svg{max-width:100%;height:auto}pre{overflow-x:auto}</style></head>\n"
        f"<body><main>{plot_svg(title, runs)}<pre>{text}</pre></main></body></html>\n"
    )


def _run(one: Mapping[str, Any]) -> Iterator[str]:
    curve = dict(one["curve"])
    offsets = curve["offset_s"]
    for name, value in (("target", one["live_target"]), ("places", one["places"])):
        if value is not None:
            curve[name] = [float(value)] * len(offsets)
    yield f'<text x="{_LEFT}" y="84">{one["buyers"]:,} buyers</text>'
    for number, plot in enumerate(_PLOTS):
        top = _TOP + number * (HEIGHT + _GAP)
        yield f'<g transform="translate({_LEFT} {top})">{"".join(_plot(plot, curve))}</g>'


def _plot(plot: _Plot, curve: Curve) -> Iterator[str]:
    series = [one for one in plot.series if one.column in curve]
    drawn = {one.column: curve[one.column] for one in series}
    offsets = curve["offset_s"]
    yield f'<text x="0" y="30">{plot.title}</text>'
    at = 0
    for one in series:
        yield f'<g class="{one.tone}"><rect class="key" x="{at}" y="40" width="14" height="8"/></g>'
        yield f'<text class="dim" x="{at + 20}" y="49">{one.name}</text>'
        at += 160
    if not offsets:
        yield '<text class="dim" x="0" y="120">Nobody came.</text>'
        return
    greatest = round_up(max(value or 0.0 for column in drawn.values() for value in column))
    yield '<g transform="translate(0 60)">'
    for share, value in ((0.0, greatest), (0.5, greatest / 2), (1.0, 0.0)):
        y = share * HEIGHT
        yield f'<path class="grid" d="M0 {y:.0f}H{WIDTH}"/>'
        yield f'<text class="dim" text-anchor="end" x="-8" y="{y + 5:.0f}">'
        yield f"{number_text(value)}</text>"
    yield lines(drawn, series, greatest)
    last_s = float(offsets[-1] or 0) + 1
    for number in range(_MARKS + 1):
        x = WIDTH * number / _MARKS
        yield f'<text class="dim" text-anchor="middle" x="{x:.0f}" y="{HEIGHT + 20}">'
        yield f"{_minutes(last_s * number / _MARKS, last_s)}</text>"
    yield "</g>"


def _minutes(seconds: float, last_s: float) -> str:
    return f"{seconds / _MINUTE_S:.0f}" if last_s >= _LONG_S else f"{seconds / _MINUTE_S:.1f}"
