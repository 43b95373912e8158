"""JavaScript and style sheet: no circles of imports, no long lines, nothing that nobody uses."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from fairgate_ops.build import page_client
from tests.support import needs

ROOT = Path(__file__).parents[2]
EDGE = ROOT / "edge"
WEB = EDGE / "web"
LINE_CHARS_MAX = 120  # biome.json has the same; Biome leaves comments and texts as long as they are
VIEWS = "view-*.js"  # main.js loads them and calls their `open`

SCRIPTS = {
    "web": sorted((WEB / "assets" / "js").glob("*.js")),
    "gate": sorted((EDGE / "gate" / "src").glob("*.js")),
}
_IMPORT = re.compile(
    r"""(?:\bfrom\s*|\bimport\s*\(?\s*|\bnew\s+Worker\(\s*)['"](?:\./|/assets/js/)([\w-]+\.js)['"]"""
)
_EXPORT = re.compile(r"^export (?:async )?(?:const|function\*?|class) (\w+)", re.MULTILINE)
_NAMES = re.compile(r"\bimport\s*\{([^}]*)\}\s*from\s*['\"][./\w-]*?([\w-]+\.js)['\"]")


def _texts(paths: list[Path]) -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in paths}


# --- circles


def find_circle(sources: Mapping[str, str]) -> list[str]:
    """Return one circle of imports, lazy ones and workers included, or an empty list."""
    imports = {name: sorted(set(_IMPORT.findall(text))) for name, text in sources.items()}
    finished: set[str] = set()

    def visit(name: str, path: list[str]) -> list[str]:
        if name in path:
            return [*path[path.index(name) :], name]
        if name in finished:
            return []
        for other in imports.get(name, ()):
            if circle := visit(other, [*path, name]):
                return circle
        finished.add(name)
        return []

    return next((circle for name in imports if (circle := visit(name, []))), [])


@pytest.mark.parametrize("part", list(SCRIPTS))
def test_no_scripts_import_each_other_in_a_circle(part: str) -> None:
    sources = _texts(SCRIPTS[part])
    assert any(_IMPORT.search(text) for text in sources.values())
    assert find_circle(sources) == []


@pytest.mark.parametrize(
    "line",
    [
        "import { start } from './main.js';",
        "import {\n  start\n} from './main.js';",
        "import './main.js';",
        "export { start } from './main.js';",
        "const main = () => import('./main.js');",
        "const worker = new Worker('/assets/js/main.js', { type: 'module' });",
    ],
)
def test_a_circle_is_noticed_when_a_page_imports_main_again(line: str) -> None:
    sources = _texts(SCRIPTS["web"])
    sources["page.js"] += line
    circle = find_circle(sources)
    assert circle[0] == circle[-1]
    assert {"main.js", "page.js"} <= set(circle)


def test_no_view_imports_another_view() -> None:
    views = [path for path in SCRIPTS["web"] if path.match(VIEWS)]
    assert views
    for path in views:
        others = [name for name in _IMPORT.findall(path.read_text()) if Path(name).match(VIEWS)]
        assert others == [], path.name


# --- long lines


def long_lines(text: str) -> Iterator[int]:
    """Yield the numbers of the lines that are too long."""
    for number, line in enumerate(text.splitlines(), 1):
        # A regular expression cannot be split (docs/adr/0016: joined, it is compiled each time).
        one_pattern = re.fullmatch(r"\s*/\^.*\$/;", line) is not None
        if len(line) > LINE_CHARS_MAX and not one_pattern:
            yield number


def _laid_out() -> list[Path]:
    suffixes = {".js", ".mjs", ".css", ".html"}
    return [path for path in sorted(EDGE.rglob("*")) if path.suffix in suffixes]


def test_no_line_is_longer_than_a_screen_is_wide() -> None:
    paths = [*_laid_out(), *ROOT.glob("*.mjs")]
    assert len(paths) > len(SCRIPTS["web"]) + len(SCRIPTS["gate"])
    long = {str(p.relative_to(ROOT)): list(long_lines(p.read_text("utf-8"))) for p in paths}
    assert {path: lines for path, lines in long.items() if lines} == {}


@pytest.mark.parametrize("line", ["// {}", "const text = '{}';", "const text = `{}`;", "{}x"])
def test_a_long_line_is_noticed_whatever_it_is(line: str) -> None:
    assert list(long_lines("short\n" + line.format("x" * LINE_CHARS_MAX))) == [2]


def test_only_a_whole_pattern_may_be_long() -> None:
    pattern = f"/^{'a' * LINE_CHARS_MAX}$/"
    assert list(long_lines(f"  {pattern};")) == []
    assert list(long_lines(f"  {pattern}; // {pattern}")) == [1]
    assert list(long_lines(f"const shape = {pattern};")) == [1]


# --- what nobody uses


def unused_exports(sources: Mapping[str, str], tests: Mapping[str, str]) -> list[str]:
    """List the exports that no other script and no test imports, as ``file: name``."""
    imported = {
        (path, name.split(" as ")[0].strip())
        for text in [*sources.values(), *tests.values()]
        for names, path in _NAMES.findall(text)
        for name in names.split(",")
    }
    return [
        f"{path}: {name}"
        for path, text in sources.items()
        for name in _EXPORT.findall(text)
        if (path, name) not in imported and not (Path(path).match(VIEWS) and name == "open")
    ]


def test_every_export_is_imported() -> None:
    tests = _texts(sorted((WEB / "tests").glob("*.mjs")))
    sources = _texts([path for path in SCRIPTS["web"] if path != page_client.OUTPUT])
    assert unused_exports(sources, tests) == []
    sources["dom.js"] += "\nexport const nobody = 1;\n"
    assert unused_exports(sources, tests) == ["dom.js: nobody"]


def unused_classes(style: str, pages: str) -> list[str]:
    """List the classes of a style sheet that no page spells, whole or as ``prefix-${…}``.

    A text spells classes when it is nothing but words in small letters.
    """
    selectors = re.sub(r"/\*.*?\*/|\{[^{}]*\}", "{}", style, flags=re.DOTALL)
    classes = sorted(set(re.findall(r"\.([a-zA-Z][\w-]*)", selectors)))
    code = re.sub(r"(?:^|\s)//[^\n]*|/\*.*?\*/", "", pages, flags=re.DOTALL)
    words: set[str] = set()
    prefixes: set[str] = set()
    for text in re.findall(r"""'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`""", code):
        plain = re.sub(r"\$\{.*\}", "$", "".join(text))
        if re.fullmatch(r"[a-z$-]+(?: [a-z$-]+)*", plain):
            words |= set(plain.replace("$", " ").split())
            prefixes |= set(re.findall(r"([a-z][a-z-]*-)\$", plain))
    return [name for name in classes if name not in words and not name.startswith(tuple(prefixes))]


def test_every_class_of_the_style_sheet_is_used() -> None:
    style = (WEB / "assets" / "app.css").read_text("utf-8")
    pages = (WEB / "index.html").read_text("utf-8") + "".join(_texts(SCRIPTS["web"]).values())
    assert unused_classes(style, pages) == []
    assert unused_classes(style + ".nobody { color: red; }", pages) == ["nobody"]
    assert "card" in unused_classes(style, pages.replace("card", "sheet"))


# --- the formatter


def _node(script: str) -> str:
    command = [needs.node(), "--input-type=module", "-e", script]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


@pytest.mark.node
def test_the_check_says_why_when_a_machine_has_no_formatter() -> None:
    reasons = json.loads(
        _node(
            "import { reasonToLeaveOut as r } from './edge/format.mjs';"
            "console.log(JSON.stringify([r('linux', 'x64', '2.36'), r('linux', 'x64', undefined),"
            "r('linux', 'arm64', '2.36'), r('darwin', 'arm64', undefined)]));"
        )
    )
    assert reasons[0] == ""
    assert "linux on x64 without glibc" in reasons[1]
    assert "linux on arm64." in reasons[2]
    assert "darwin on arm64." in reasons[3]


def test_the_formatter_covers_every_script_and_lint_runs_it() -> None:
    patterns = json.loads((ROOT / "biome.json").read_text("utf-8"))["files"]["includes"]
    paths = [*_laid_out(), *ROOT.glob("*.mjs"), *(ROOT / "tests").rglob("*.js")]
    uncovered = [
        path.relative_to(ROOT)
        for path in paths
        if path.suffix != ".html"
        and not any(path in set(ROOT.glob(p)) for p in patterns if not p.startswith("!"))
    ]
    assert uncovered == []
    assert "npm run --silent format:check" in (ROOT / "Makefile").read_text("utf-8")


@pytest.mark.node
@pytest.mark.parametrize("ignores_build", [True, False])
def test_a_checkout_in_build_does_not_stop_the_formatter(
    tmp_path: Path, *, ignores_build: bool
) -> None:
    """``make fresh`` leaves one there, with a biome.json of its own."""
    node = needs.node()
    biome = (ROOT / "biome.json").read_text("utf-8")
    if not ignores_build:
        biome = biome.replace(', "!!build"', "")
    nested = tmp_path / "build" / "fresh" / "srv" / "fairgate"
    for folder in (tmp_path, nested):
        (folder / "edge").mkdir(parents=True)
        (folder / "biome.json").write_text(biome)
        shutil.copy(EDGE / "format.mjs", folder / "edge")
    (tmp_path / "node_modules").symlink_to(ROOT / "node_modules")
    ran = subprocess.run(
        [node, "edge/format.mjs"], cwd=tmp_path, check=False, capture_output=True, text=True
    )
    if "is left out" in ran.stdout:
        pytest.skip("Biome is not installed for this machine")
    said = ran.stdout + ran.stderr
    assert ran.returncode == (0 if ignores_build else 1), said
    assert ("nested root configuration" in said) is not ignores_build
