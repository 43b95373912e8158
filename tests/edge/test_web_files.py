"""The pages' files: their own unit tests, the security policy, contrast."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from fairgate_ops.operate.api.roles import MAY
from tests.support.waiting import patience_s

WEB = Path(__file__).parents[2] / "edge" / "web"
CONSOLE = WEB.with_name("console")
TOKENS = WEB / "assets" / "css" / "tokens.css"
SCRIPTS = sorted((WEB / "assets" / "js").rglob("*.js"))
CONSOLE_SCRIPTS = sorted((CONSOLE / "js").rglob("*.js*"))
TEXT, LARGE_OR_SHAPE = 4.5, 3.0  # WCAG 2.2, 1.4.3 and 1.4.11
STATUSES = ("good", "warn", "bad", "info")
GROUNDS = ("paper", "ground", "raised", "sunk", "brand-soft", *(f"{one}-bg" for one in STATUSES))


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_the_pages_logic_keeps_its_promises() -> None:
    tests = [str(path) for at in (WEB, CONSOLE) for path in sorted(at.glob("tests/*.test.mjs"))]
    assert len(tests) > 10
    node = shutil.which("node") or "node"
    done = subprocess.run(
        [node, "--test", *tests],
        capture_output=True,
        text=True,
        timeout=patience_s(120),
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


def test_the_page_obeys_the_security_policy() -> None:
    for page in (WEB / "index.html", CONSOLE / "console.html"):
        text = page.read_text()
        assert not re.search(r"<script(?![^>]*\bsrc=)", text)
        assert not re.search(r"\sstyle=|\son\w+=|<style", text)
        assert not re.search(r"""(?:src|href)=["'](?:https?:)?//""", text)
    raw = re.compile(r"inner.?HTML|outerHTML|insertAdjacentHTML|\beval\(", re.IGNORECASE)
    for script in (*SCRIPTS, *CONSOLE_SCRIPTS):
        text = script.read_text()
        assert not raw.search(text), script
        assert not re.search(r"h\([^)]*\bstyle:", text), f"{script}: inline style"


def test_the_console_asks_for_no_act_that_there_is_not() -> None:
    """``may`` hides what is not served, so nobody would see a wrong name."""
    written = re.compile(
        r"""(?:\b(?:may|look|perform|useAct|actNamed)\(|\bact[=:] ?)["']([a-z]+(?: [a-z-]+)?)["']"""
    )
    asked = {act for script in CONSOLE_SCRIPTS for act in written.findall(script.read_text())}
    assert len(asked) > 30
    assert asked <= set(MAY)


def test_every_import_leads_to_a_file() -> None:
    assert len(SCRIPTS) > 10
    for script in (*SCRIPTS, *CONSOLE_SCRIPTS):
        for name in re.findall(r"""(?:from|import\()\s*'(\.\.?/[^']+)'""", script.read_text()):
            assert (script.parent / name).is_file(), f"{script.name} imports {name}"


def _luminance(color: str) -> float:
    digits = color.lstrip("#")
    digits = "".join(d * 2 for d in digits) if len(digits) == 3 else digits
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _scheme(dark: bool) -> dict[str, str]:
    blocks = re.findall(r":root \{(.*?)\}", TOKENS.read_text("utf-8"), re.DOTALL)
    colors = dict(re.findall(r"--([\w-]+): (#\w+)", blocks[0]))
    return colors | dict(re.findall(r"--([\w-]+): (#\w+)", blocks[1])) if dark else colors


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("front", "back", "least"),
    [
        ("ink", "paper", TEXT),
        ("ink", "ground", TEXT),
        ("dim", "paper", TEXT),
        ("dim", "ground", TEXT),
        ("ink", "sunk", TEXT),
        ("dim", "sunk", TEXT),
        ("dim", "raised", TEXT),
        *(("brand-ink", ground, TEXT) for ground in GROUNDS),
        *(("ink", f"{status}-bg", TEXT) for status in STATUSES),
        *((status, f"{status}-bg", LARGE_OR_SHAPE) for status in STATUSES),
        *((status, "paper", LARGE_OR_SHAPE) for status in STATUSES),
        ("on-brand", "brand", TEXT),
        ("on-brand", "brand-press", LARGE_OR_SHAPE),
        ("brand", "paper", LARGE_OR_SHAPE),
        *(("edge", ground, LARGE_OR_SHAPE) for ground in ("paper", "ground", "raised")),
        ("dim", "floor", TEXT),
        ("rim", "floor", LARGE_OR_SHAPE),
        ("on-stage", "map-stage", TEXT),
        ("on-yours", "yours", TEXT),
        *((f"on-tier-{rank}", f"tier-{rank}", TEXT) for rank in range(1, 9)),
    ],
)
def test_colours_can_be_told_apart(front: str, back: str, least: float, *, dark: bool) -> None:
    colors = _scheme(dark)
    assert _contrast(colors[front], colors[back]) >= least
