"""Pictures of every state of the buyers' pages, anew: `make pictures`.

    python -m tests.edge.pictures

writes docs/states/*.webp for people, and tests/edge/looks/, with which test_visual.py compares.
"""

from __future__ import annotations

import io
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from fairgate_ops.shared.paths import ROOT
from tests.e2e import browser
from tests.edge import visual
from tests.edge.page_states import STATES

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

OUT = ROOT / "docs" / "states"
LOOKS = ROOT / "tests" / "edge" / "looks"
DARK = ("event-early", "waiting", "sale", "checkout", "order")
# A handful is compared: each kind of page once at each size, one of them dark.
COMPARED = [
    *((state, "phone", False) for state in ("events", "event-early", "waiting", "section")),
    *((state, "phone", False) for state in ("checkout", "declined", "order", "orders")),
    *((state, "desktop", False) for state in ("event-early", "sale", "checkout")),
    *((state, size, True) for state, size in (("waiting", "phone"), ("event-early", "desktop"))),
]
HEIGHT, GAP, QUALITY = 640, 16, 60


def look_path(state: str, size: str, dark: bool) -> Path:
    return LOOKS / f"{state}-{size}-{'dark' if dark else 'light'}"


def beside(phone: Image.Image, desktop: Image.Image) -> Image.Image:
    """Return both pictures of a state in one, equally high."""
    parts = [
        part.resize((round(part.width * HEIGHT / part.height), HEIGHT), Image.Resampling.LANCZOS)
        for part in (phone, desktop)
    ]
    whole = Image.new("RGB", (sum(part.width for part in parts) + GAP, HEIGHT), "#808080")
    whole.paste(parts[0], (0, 0))
    whole.paste(parts[1], (parts[0].width + GAP, 0))
    return whole


def shot(page: Page) -> Image.Image:
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def state_picture(chromium: Browser, state: str, *, dark: bool) -> Image.Image:
    with visual.showing(chromium, state, "phone", dark=dark, scale=2) as page:
        phone = shot(page)
    with visual.showing(chromium, state, "desktop", dark=dark) as page:
        return beside(phone, shot(page))


def keep_looks(chromium: Browser) -> None:
    """Keep how the pages look now as what is right."""
    LOOKS.mkdir(parents=True, exist_ok=True)
    for old in LOOKS.iterdir():
        old.unlink()
    for state, size, dark in COMPARED:
        with visual.showing(chromium, state, size, dark=dark) as page:
            visual.look_of(page).written(look_path(state, size, dark))


def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    for old in OUT.glob("*.webp"):
        old.unlink()
    with (
        browser.started() as any_fonts,
        tempfile.TemporaryDirectory() as folder,
        visual.with_built_fonts(any_fonts.browser_type, Path(folder)) as chromium,
    ):
        for state in STATES:
            for dark in (False, True)[: 1 + (state in DARK)]:
                name = f"{state}-dark" if dark else state
                made = state_picture(chromium, state, dark=dark)
                made.save(OUT / f"{name}.webp", quality=QUALITY, method=6)
        keep_looks(chromium)
    size = sum(file.stat().st_size for file in OUT.glob("*.webp"))
    print(f"docs/states: {len(list(OUT.glob('*.webp')))} pictures, {size / 1000:.0f} kB.")


if __name__ == "__main__":
    main()
