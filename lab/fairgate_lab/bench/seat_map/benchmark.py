"""What the seat map costs a buyer's browser (``make bench-map``): first picture, frames, changes.

And what a chart that no event has costs the function that answers its drawing to the console.

It drives headless Chromium and counts the processor time of the page's main thread, which other
work on the machine does not change, times how much slower the buyer's processor is. What the
graphics processor does is not in it. With ``--beside`` the npm package
``@alisaitteke/seatmap-canvas`` shows the same seats in the same run: ``npm pack`` it elsewhere,
unpack it, and name its folder ``package``.
"""

from __future__ import annotations

import gzip
import json
import time
from argparse import Namespace
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairgate.domain.seating.dump_venue import dump_venue
from fairgate.domain.seating.layout import OVERVIEW, SEATS, compact, split_layout
from fairgate.errors import MalformedInputError
from fairgate_lab.bench.kit.benchmark import Benchmark, Option, Part
from fairgate_lab.bench.kit.measure import BenchError, Range
from fairgate_ops.operate.cli.venues import run_validate
from fairgate_ops.operate.importers.demo import demo_venue
from fairgate_ops.run.pictures.screenshots import ARGS, NO_CHROMIUM, installed_chromium
from fairgate_ops.shared.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page, Route, ViewportSize

    from fairgate_lab.bench.kit.benchmark import Options

SITE = "http://map.test"
WEB = ROOT / "edge" / "web"
TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".ftl": "text/plain; charset=utf-8",
}
SOFTWARE_GL = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist")
HTML = (
    '<!doctype html><html lang="en"><link rel="stylesheet" href="/assets/app.css">'
    '<script type="importmap">{"imports": {"@fluent/bundle/": "/fluent/"}}</script><body>'
)
FLUENT = WEB.parents[1] / "node_modules/@fluent/bundle"
SIZE: ViewportSize = {"width": 1056, "height": 780}
PATIENCE_MS = 300_000
FRAMES, ROUNDS = 20, 10
LEVELS = {"the whole venue": 0, "dots of 6 px": 6, "seats of 26 px": 26}
FRAME_MS = 1000 / 60
ANSWER_BYTES_MAX = 6_000_000  # of a Lambda function
PRICES = (12_000, 9_500, 7_500, 6_000, 4_500)


class Chromium:
    """A page as wide as the map on a desktop, and the processor time of its main thread."""

    def __init__(self, page: Page, slower: float) -> None:
        self.page = page
        self._slower = slower
        self._session = page.context.new_cdp_session(page)
        self._session.send("Performance.enable")

    def asked(self, call: str, value: object = None) -> Any:
        """Call a function of page.js."""
        words = f"value => import('/bench.js').then(bench => bench.{call})"
        return self.page.evaluate(words, value)

    def took_ms(self, call: str) -> float:
        """Call it, and return what it cost the main thread of the slower processor."""
        before = self._thread_s()
        self.asked(call)
        return (self._thread_s() - before) * 1000 * self._slower

    def _thread_s(self) -> float:
        metrics = self._session.send("Performance.getMetrics")["metrics"]
        return float(next(one["value"] for one in metrics if one["name"] == "ThreadTime"))


@contextmanager
def opened(options: Options) -> Iterator[Chromium]:
    """Open a page of its own, with nothing from the network."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        args = [word for word in ARGS if word != "--disable-gpu"]
        browser = playwright.chromium.launch(
            executable_path=installed_chromium(), args=[*args, *SOFTWARE_GL], headless=True
        )
        page = browser.new_page(viewport=SIZE)
        page.set_default_timeout(PATIENCE_MS)
        page.route(f"{SITE}/**", lambda route: answer(route, options.beside))
        page.goto(f"{SITE}/")
        page.add_style_tag(content=".map { width: 100vw; height: 100vh } body { margin: 0 }")
        try:
            yield Chromium(page, options.slower)
        finally:
            browser.close()


def answer(route: Route, beside: Path | None) -> None:
    """Serve the page, its scripts, this benchmark's own, and the package beside it."""
    path = route.request.url.removeprefix(SITE)
    if path == "/bench.js":
        file = Path(__file__).with_name("page.js")
    elif path.startswith("/fluent/"):
        file = FLUENT / path.removeprefix("/fluent/")
    elif path.startswith("/peer/") and beside:
        file = beside / path.removeprefix("/peer/")
    else:
        file = WEB / path.lstrip("/")
    if path == "/" or not file.is_file():
        route.fulfill(body=HTML, content_type="text/html")
    else:
        route.fulfill(body=file.read_bytes(), content_type=TYPES[file.suffix])


def layout(seats: int) -> dict[str, Any]:
    """Return the layout's files as texts, as the browser has them, and the event's prices."""
    venue = demo_venue(seats)
    files = split_layout(venue).files
    tiers = [
        {"id": tier.id, "name": tier.name, "whole_minor": PRICES[at % len(PRICES)]}
        for at, tier in enumerate(venue.tiers)
    ]
    event = {"currency": "EUR", "tiers": tiers}
    return {"venue": files[OVERVIEW].decode(), "seats": files[SEATS].decode(), "event": event}


def drawing(options: Options, folder: Path) -> Part:
    """Check a chart as `venue validate` does for the console: a good one, and one with a fault."""
    document, rows, most = dump_venue(demo_venue(options.seats)), [], 0
    for name, tier in (("a good chart", None), ("the same with a fault", "nowhere")):
        if tier:
            document["sections"][0]["blocks"][0]["rows"][0]["seats"][0]["tier"] = tier
        file = folder / "chart.json"
        file.write_text(json.dumps(document), "utf-8")
        took = []
        for _ in range(options.runs):
            began_s = time.process_time()
            answer = compact(checked(str(file)))
            took.append((time.process_time() - began_s) * 1000)
        most = max(most, len(answer))
        rows.append((name, Range.of(took).shown(0), f"{len(answer):,}", f"{packed(answer):,}"))
    return Part(
        f"{options.seats:,} seats, checked and drawn for the console: processor ms here; bytes.",
        ("what", "ms", "answer", "packed"),
        rows,
        goals={f"an answer above {ANSWER_BYTES_MAX:,} bytes": most <= ANSWER_BYTES_MAX},
    )


def checked(chart: str) -> dict[str, Any]:
    try:
        return dict(run_validate(Namespace(chart=chart, map=True)).data)
    except MalformedInputError as error:
        return dict(error.fields)


def packed(answer: bytes) -> int:
    return len(gzip.compress(answer))


def measure(options: Options, folder: Path) -> Iterator[Part]:
    """Draw a chart; show the same venue with either renderer, then with the package beside it."""
    yield drawing(options, folder)
    files = layout(options.seats)
    for renderer in ("webgl2", "canvas"):
        with opened(options) as chromium:
            chromium.asked(f"prepare(value, '{renderer}')", files)
            yield one(chromium, options, renderer)
    if options.beside:
        with opened(options) as chromium:
            chromium.asked("prepare(value)", files)
            took = chromium.took_ms("peer()")
            count = chromium.page.locator(".peer *").count()
            yield Part(f"The package beside it: {took:,.0f} ms, {count:,} elements in the page.")


def one(chromium: Chromium, options: Options, renderer: str) -> Part:
    """Measure one renderer."""
    first = Range.of([chromium.took_ms("first()") for _ in range(options.runs)])
    drew = chromium.page.evaluate("globalThis.map.renderer.constructor.name")
    if (drew == "GlRenderer") != (renderer == "webgl2"):
        raise BenchError(f"The page drew with {drew}, not with {renderer}.")
    rows = [("first picture of all seats", first.shown(0))]
    goals = {f"first picture above {options.first_ms:.0f} ms": first.median <= options.first_ms}
    for name, px in LEVELS.items():
        chromium.asked(f"goTo({px})")
        took = [chromium.took_ms(f"frames({FRAMES})") / FRAMES for _ in range(options.runs)]
        frame = Range.of(took)
        rows.append((f"a frame, {name}", frame.shown()))
        goals[f"a frame, {name}, above {FRAME_MS:.1f} ms"] = frame.median <= FRAME_MS
    chromium.asked("goTo(0)")
    for drawn, name in (("false", "changes"), ("true", "changes and the frame that shows them")):
        call = f"changes({options.changes}, {ROUNDS}, {drawn})"
        took = [chromium.took_ms(call) / ROUNDS for _ in range(options.runs)]
        changed = Range.of(took)
        rows.append((f"{options.changes:,} {name}", changed.shown()))
        if drawn == "false":
            goal = f"{options.changes:,} changes above {options.changes_ms:.0f} ms"
            goals[goal] = changed.median <= options.changes_ms
    return Part(
        f"{options.seats:,} seats, {renderer}: processor ms of the main thread, {options.slower:g}"
        " times slower than here; median (least–most).",
        ("what", "ms"),
        rows,
        goals=goals if renderer == "webgl2" else {},
    )


def missing(options: Options) -> str | None:
    if options.beside and not (options.beside / "dist").is_dir():
        return f"{json.dumps(str(options.beside))} has no folder dist: unpack the package there."
    return None if installed_chromium() else NO_CHROMIUM


BENCHMARK = Benchmark(
    about="What the seat map costs a buyer's browser, and a chart's drawing the console.",
    measure=measure,
    options={
        "seats": Option(100_000),
        "slower": Option(4.0, "how many times slower the processor is made"),
        "runs": Option(5),
        "changes": Option(1_000),
        "first_ms": Option(1_000.0),
        "changes_ms": Option(5.0),
        "beside": Option(None, "the unpacked npm package to compare with"),
    },
    goal="with WebGL2: --first-ms, a frame at 60 Hz, --changes-ms",
    missing=missing,
)
