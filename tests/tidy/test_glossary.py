"""The words and walks of docs/architecture.md name what there is, as it is imported."""

from __future__ import annotations

import ast
import importlib
import re

from fairgate_ops.shared.paths import ROOT

TEXT = (ROOT / "docs" / "architecture.md").read_text("utf-8")
ROW = re.compile(r"^\| ([^|]+) \| ([^|]+) \| `([\w.]+)` \|$", re.MULTILINE)


def glossary(text: str) -> str:
    return text.partition("\n## Words\n")[2].partition("\n## ")[0]


def rows(text: str) -> list[tuple[str, str, str]]:
    return ROW.findall(glossary(text))


def home(name: str) -> object:
    """Import the module, or the member of one, that a dotted name means."""
    parts = name.split(".")
    if parts[0] not in {"fairgate_ops", "fairgate_lab"}:
        parts.insert(0, "fairgate")
    try:
        return importlib.import_module(".".join(parts))
    except ModuleNotFoundError as error:
        if error.name != ".".join(parts):
            raise
    return getattr(importlib.import_module(".".join(parts[:-1])), parts[-1])


def test_each_word_has_one_meaning() -> None:
    words = [word for word, _, _ in rows(TEXT)]
    assert len(words) == glossary(TEXT).count("\n| ") - 1  # every row but the table's head
    assert len(words) == len(set(words))
    assert len(words) > 20


def test_what_each_word_names_can_be_imported() -> None:
    assert [word for word, _, name in rows(TEXT) if home(name) is None] == []


# --- the walks

PACKAGE = ROOT / "layers" / "core" / "python"
HEADING = re.compile(r"^### (.+)$", re.MULTILINE)
STEP = re.compile(r"^(\d+)\. `([\w/]+\.py)`(.*(?:\n {3,}.*)*)", re.MULTILINE)
COUNT = re.compile(r"\bin (\d+) modules\b")


def walks(text: str) -> dict[str, str]:
    """The text of each walk, by its heading."""
    _, *parts = HEADING.split(text.partition("\n## Two walks\n")[2])
    return dict(zip(parts[::2], parts[1::2], strict=True))


def imports(path: str) -> set[str]:
    """The modules of ``fairgate`` that a walk's module imports, at its top or later.

    What only the type checker imports does not count.
    """
    file = ROOT / path if path.startswith("functions/") else PACKAGE / "fairgate" / path
    tree = ast.parse(file.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = [ast.Pass()]
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def strays(modules: list[str]) -> list[str]:
    """Modules of a walk that none before them imports."""
    reached = imports(modules[0])
    found = []
    for module in modules[1:]:
        if "fairgate." + module.removesuffix(".py").replace("/", ".") not in reached:
            found.append(module)
        reached |= imports(module)
    return found


def test_a_walk_numbers_and_counts_its_modules_and_none_comes_twice() -> None:
    for text in walks(TEXT).values():
        steps = STEP.findall(text)
        assert [int(number) for number, _, _ in steps] == list(range(1, len(steps) + 1))
        assert len({module for _, module, _ in steps}) == len(steps)
        assert COUNT.findall(text) == [str(len(steps))]


def test_each_module_of_a_walk_is_imported_by_one_before_it() -> None:
    for text in walks(TEXT).values():
        assert strays([module for _, module, _ in STEP.findall(text)]) == []
    # Of the sale's clock the holder knows only the type.
    assert strays(["service/holds/hold_seats.py", "ports/world.py"]) == ["ports/world.py"]
