"""Scripts of the pages export nothing that nobody uses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from fairgate_ops.build import page_client

ROOT = Path(__file__).parents[2]
WEB = ROOT / "edge" / "web"
CONSOLE = ROOT / "edge" / "console" / "js"  # its map is that of the pages
VIEWS = "view-*.js"  # main.js loads them and calls their `open`

_EXPORT = re.compile(r"^export (?:async )?(?:const|function\*?|class) (\w+)", re.MULTILINE)
_FILE = r"['\"][./\w-]*?([\w-]+\.js)['\"]"
_NAMES = re.compile(rf"\b(?:im|ex)port\s*\{{([^}}]*)\}}\s*from\s*{_FILE}")
_LATER = re.compile(rf"\{{([^{{}}]*)\}} = await (?:loaded\(\(\) => )?import\({_FILE}\)")


def _texts(paths: list[Path]) -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in paths}


def unused_exports(sources: Mapping[str, str], tests: Mapping[str, str]) -> list[str]:
    """List the exports that no other script, test or console imports, as ``file: name``."""
    imported = {
        (path, name.split(" as ")[0].strip())
        for text in [*sources.values(), *tests.values()]
        for names, path in [*_NAMES.findall(text), *_LATER.findall(text)]
        for name in names.split(",")
    }
    return [
        f"{path}: {name}"
        for path, text in sources.items()
        for name in _EXPORT.findall(text)
        if (path, name) not in imported and not (Path(path).match(VIEWS) and name == "open")
    ]


def test_every_export_is_imported() -> None:
    users = [*(WEB / "tests").glob("*.mjs"), *CONSOLE.rglob("*.js"), *CONSOLE.rglob("*.jsx")]
    tests = _texts(sorted(users))
    sources = _texts(
        [path for path in (WEB / "assets" / "js").rglob("*.js") if path != page_client.OUTPUT]
    )
    assert unused_exports(sources, tests) == []
    sources["dom.js"] += "\nexport const nobody = 1;\n"
    assert unused_exports(sources, tests) == ["dom.js: nobody"]
