"""How a page looks, in numbers that another Chromium gives as well, and what changed in it.

A look is a list of what is seen: where each element lies, its colours, its letters; and a coarse
picture, for what a style sheet does not say (the map, pictures). Both are taken with the fonts that
`make setup` builds, so that no machine's own fonts are in them.
"""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image

from fairgate_ops.run.pictures.fonts import UNHINTED, font_environment
from fairgate_ops.run.pictures.screenshots import ARGS, installed_chromium
from fairgate_ops.shared.paths import ROOT
from tests.e2e import browser
from tests.e2e.stub.server import Stub
from tests.edge.page_states import at_rest, opened
from tests.support.waiting import eventually

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserType, Page, ViewportSize

SIZES: dict[str, ViewportSize] = {
    "phone": {"width": 390, "height": 844},
    "desktop": {"width": 1440, "height": 900},
}
CELL = 10  # pixels of the page, each way, are one of the coarse picture
# Thresholds. Two runs here give the same boxes and cells, but for a clock that has moved on by a
# second: one cell, by 37 of 255. The rest is for another Chromium's smoothing of letters.
PIXELS_MOST, SHADE_MOST, CELLS_MOST = 2, 40, 8
BOXES = 4  # of what is seen: left, top, width, height; then colours and letters
SEEN = (ROOT / "tests" / "edge" / "seen.js").read_text("utf-8")
ASPECTS = ("colour", "ground", "line", "letters", "corners")


@dataclass(frozen=True)
class Look:
    """What is seen of a page: values of each element, and the coarse picture."""

    seen: dict[str, list[Any]]
    coarse: Image.Image

    def written(self, path: Path) -> None:
        """Write both beside each other: ``path`` with .json and .png."""
        lines = [f"{json.dumps(name)}: {json.dumps(each)}" for name, each in self.seen.items()]
        path.with_suffix(".json").write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
        self.coarse.save(path.with_suffix(".png"), optimize=True)


def read(path: Path) -> Look:
    """Return the look that is kept at ``path``."""
    seen = json.loads(path.with_suffix(".json").read_text("utf-8"))
    return Look(seen, Image.open(path.with_suffix(".png")).convert("RGB"))


@contextmanager
def with_built_fonts(kind: BrowserType, folder: Path) -> Iterator[Browser]:
    """Chromium that has no fonts but those of `make setup`."""
    started = kind.launch(
        executable_path=installed_chromium(),
        args=[*ARGS, browser.LOOPBACK_ONLY, UNHINTED],
        env={**font_environment(folder)},
    )
    try:
        yield started
    finally:
        started.close()


@contextmanager
def showing(
    chromium: Browser, state: str, size: str, *, dark: bool, scale: int = 1
) -> Iterator[Page]:
    """A page in this state, whose clocks stand still and which has come to rest."""
    phone, stub = size == "phone", Stub().start()
    context = chromium.new_context(
        viewport=SIZES[size],
        is_mobile=phone,
        has_touch=phone,
        device_scale_factor=scale,
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
        locale="en-GB",
        timezone_id="Europe/Berlin",
    )
    try:
        page = context.new_page()
        at_rest(stub, page)
        opened(page, stub, state)
        before: list[Look] = [look_of(page)]

        def rests() -> bool:
            now = look_of(page)
            same = not changes(before[-1], now)
            before.append(now)
            return same

        assert eventually(rests, every_s=0.3), f"{state} comes to no rest"
        yield page
    finally:
        context.close()
        stub.stop()


def look_of(page: Page) -> Look:
    """Return what is seen of the page as it is now."""
    whole = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    scale = CELL * whole.width / (page.viewport_size or SIZES["phone"])["width"]
    size = (round(whole.width / scale), round(whole.height / scale))
    return Look(page.evaluate(SEEN), whole.resize(size, Image.Resampling.BOX))


def changes(before: Look, after: Look) -> list[str]:
    """Return what changed, a line each: elements by name, then what only the picture shows."""
    lines = [f"{name} is gone" for name in before.seen if name not in after.seen]
    lines += [f"{name} is new" for name in after.seen if name not in before.seen]
    for name, values in before.seen.items():
        if name in after.seen:
            lines += _changes_of(name, values, after.seen[name])
    if not lines:
        lines = _in_the_picture(before, after)
    return lines


def _changes_of(name: str, before: list[Any], after: list[Any]) -> list[str]:
    old, new = before[:BOXES], after[:BOXES]
    moved = max(abs(one - other) for one, other in zip(old, new, strict=True)) > PIXELS_MOST
    lines = [f"{name} moved from {old} to {new} (left, top, width, height)"] if moved else []
    aspects = zip(ASPECTS, before[BOXES:], after[BOXES:], strict=True)
    return lines + [
        f"{name}: {what} {one} → {other}" for what, one, other in aspects if one != other
    ]


def _in_the_picture(before: Look, after: Look) -> list[str]:
    """Return the elements, the smallest that hold the cells whose shade changed."""
    (width, height), size = before.coarse.size, after.coarse.size
    if (width, height) != size:
        return [f"the picture has {size} cells instead of {(width, height)}"]
    old, new = before.coarse.tobytes(), after.coarse.tobytes()
    shades = [abs(one - other) for one, other in zip(old, new, strict=True)]
    cells = [i // 3 for i in range(0, len(shades), 3) if max(shades[i : i + 3]) > SHADE_MOST]
    if len(cells) <= CELLS_MOST:
        return []
    held = Counter(_smallest_at(after, cell % width, cell // width) for cell in cells)
    return [f"{name} looks different in {count} cells" for name, count in held.most_common()]


def _smallest_at(look: Look, x: int, y: int) -> str:
    """Return the smallest element at the middle of a cell."""
    at_x, at_y = (x + 0.5) * CELL, (y + 0.5) * CELL
    areas = [
        (width * height, name)
        for name, (left, top, width, height, *_) in look.seen.items()
        if left <= at_x < left + width and top <= at_y < top + height
    ]
    return min(areas)[1] if areas else "the page's ground"
