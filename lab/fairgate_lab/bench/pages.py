"""How soon an event's page shows itself on a slow phone: ``python -m fairgate_lab.bench pages``.

Chromium opens it anew each time, as a bundle and as its sources, by turns, with its processor four
times slower and the network of the developer tools' "Slow 4G".
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from fairgate.domain.gate.gate_config import page_key
from fairgate_lab.bench.kit.benchmark import Benchmark, Option, Part
from fairgate_lab.bench.kit.measure import Range, alternating
from fairgate_ops.operate.importers.demo import demo_venue
from fairgate_ops.run.local.demo_event import Sale, put_on_sale
from fairgate_ops.run.local.processes import wait_until
from fairgate_ops.run.local.system import LocalSystem
from fairgate_ops.run.pictures.screenshots import ARGS, NO_CHROMIUM, installed_chromium
from fairgate_ops.shared.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from playwright.sync_api import Browser, CDPSession, Page

    from fairgate_lab.bench.kit.benchmark import Options

EVENT, SEATS = "bench", 12_000
BUNDLE, GERMAN, SOURCES = "the bundle", "the bundle in German", "its sources"
# "Slow 4G" of Chromium's developer tools: what Lighthouse's 150 ms and 1.6 Mbit/s come to there.
SLOW_4G = {
    "offline": False,
    "latency": 562.5,
    "downloadThroughput": 1_600_000 / 8 * 0.9,
    "uploadThroughput": 750_000 / 8 * 0.9,
}
SLOWER = 4
PHONE: Any = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
SHOWN_MS, LOOK_MS, SETTLED_MS = 60_000, 250, 1_500
# The venue's geometry, its seats' states, and what draws them where they come into view.
MAP = re.compile(r"/layouts/|status\.bin|/js/map|/map\.ftl|/assets/(venue-map|map-\w\w|gl|canvas)-")
OBSERVED = """
window.seen = { lcp: 0, cls: 0 };
const on = (type, note) =>
  new PerformanceObserver((list) => list.getEntries().forEach(note))
    .observe({ type, buffered: true });
on('largest-contentful-paint', (entry) => (seen.lcp = entry.startTime));
on('layout-shift', (entry) => (seen.cls += entry.hadRecentInput ? 0 : entry.value));
"""


@dataclass
class Opened:
    """What one opening of the page took, without the map."""

    lcp_ms: float = 0.0
    cls: float = 0.0
    paths: dict[str, str] = field(default_factory=dict)  # by the request's id
    sizes: dict[str, float] = field(default_factory=dict)  # bytes of an answer, compressed

    def asked(self, event: dict[str, Any]) -> None:
        url = urlsplit(event["request"]["url"])
        if url.scheme != "data" and not MAP.search(url.path):
            self.paths[event["requestId"]] = url.path

    def came(self, event: dict[str, Any]) -> None:
        self.sizes[event["requestId"]] = event["encodedDataLength"]

    @property
    def requests(self) -> int:
        """How many addresses were asked for; that of the changes is asked for again and again."""
        return len(set(self.paths.values()))

    @property
    def kb(self) -> float:
        return sum(self.sizes.get(request, 0) for request in self.paths) / 1e3


def opened(browser: Browser, address: str, locale: str = "en-GB") -> Opened:
    """Open the page in a fresh profile, until its map is there and some time after."""
    context = browser.new_context(**PHONE, locale=locale)
    try:
        page, took = context.new_page(), Opened()
        tools = context.new_cdp_session(page)
        tools.on("Network.requestWillBeSent", took.asked)
        tools.on("Network.loadingFinished", took.came)
        tools.send("Network.enable")
        tools.send("Network.emulateNetworkConditions", SLOW_4G)
        tools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.add_init_script(OBSERVED)
        page.goto(address)
        _wait_for_map(page, tools)
        page.wait_for_timeout(SETTLED_MS)
        seen = page.evaluate("seen")
        took.lcp_ms, took.cls = seen["lcp"], seen["cls"]
        return took
    finally:
        context.close()


def _wait_for_map(page: Page, tools: CDPSession) -> None:
    """Look for the map now and then: Playwright's own wait takes the page's processor for 50 ms."""
    expression = "!!document.querySelector('.map-stage')"
    for _ in range(SHOWN_MS // LOOK_MS):
        page.wait_for_timeout(LOOK_MS)
        if tools.send("Runtime.evaluate", {"expression": expression})["result"]["value"]:
            return
    raise TimeoutError(f"no map within {SHOWN_MS} ms")


def measure(options: Options, folder: Path) -> Iterator[Part]:
    """Open both by turns at a local system, and compare the bundle with its goals."""
    from playwright.sync_api import sync_playwright

    sale = Sale(EVENT, name="Lights over the Harbour", sale_starts_in_s=3_600)
    with LocalSystem(folder / "run") as system, sync_playwright() as playwright:
        put_on_sale(system.place.config, sale, demo_venue(SEATS))
        _copy_sources(system.place.pages)
        browser = playwright.chromium.launch(
            executable_path=installed_chromium(), args=list(ARGS), headless=True
        )
        mark = system.place.kvs / quote(page_key(EVENT), safe="")
        wait_until(mark.is_file, "the event's own page", within_s=70)
        bundle = f"{system.base_url}/e/{EVENT}"
        sources = f"{system.base_url}/assets/sources.html#/e/{EVENT}"
        ways = {
            SOURCES: partial(opened, browser, sources),
            BUNDLE: partial(opened, browser, bundle),
            GERMAN: partial(opened, browser, bundle, "de-DE"),
        }
        seen = alternating(ways, options.rounds)
        browser.close()
    yield compared(seen, options)


def _copy_sources(pages: Path) -> None:
    """Put the sources beside the bundle: they have no file's name in common."""
    web = ROOT / "edge/web"
    shutil.copytree(web / "assets", pages / "assets", dirs_exist_ok=True)
    shutil.copytree(web / "words", pages / "words")
    shutil.copy(web / "index.html", pages / "assets/sources.html")
    # A browser finds no package by its name.
    shutil.copytree(ROOT / "node_modules/@fluent/bundle/esm", pages / "assets/fluent")
    for script in (pages / "assets/js").glob("word*.js"):
        text = script.read_text("utf-8")
        script.write_text(text.replace("@fluent/bundle/esm", "/assets/fluent"), "utf-8")


def compared(seen: dict[str, list[Opened]], options: Options) -> Part:
    """Show medians and ranges, and judge the bundle."""
    rows: list[Sequence[object]] = []
    for name, ones in seen.items():
        lcp = Range.of(one.lcp_ms / 1000 for one in ones)
        requests = Range.of(one.requests for one in ones)
        shift = max(one.cls for one in ones)
        rows.append((name, lcp.shown(2), requests.shown(0), _kb(ones).shown(), f"{shift:.3f}"))
    bundles = [seen[BUNDLE], seen[GERMAN]]
    lcp_s = max(Range.of(one.lcp_ms for one in ones).median / 1000 for ones in bundles)
    every = [one for ones in bundles for one in ones]
    return Part(
        f"An event's page, {options.rounds} times each; processor {SLOWER} times slower, slow 4G.",
        ("", "LCP s", "requests without the map", "KB without the map", "CLS"),
        rows,
        goals={
            f"LCP at most {options.lcp_s} s": lcp_s <= options.lcp_s,
            f"at most {options.requests} requests": all(
                one.requests <= options.requests for one in every
            ),
            f"at most {options.kb} KB": _kb(every).most <= options.kb,
            "nothing moves": not any(one.cls for one in every),
        },
    )


def _kb(ones: Sequence[Opened]) -> Range:
    return Range.of(one.kb for one in ones)


def _missing(_options: Options) -> str | None:
    return None if installed_chromium() else NO_CHROMIUM


BENCHMARK = Benchmark(
    about="How soon an event's page shows itself on a slow phone, bundled and as sources.",
    measure=measure,
    options={
        "rounds": Option(5),
        "lcp_s": Option(2.0),
        "requests": Option(8),
        "kb": Option(45.0),
    },
    goal="LCP, requests and KB of the bundle, as the options say; nothing moves",
    missing=_missing,
)
