"""The words and walks of docs/architecture.md name what there is, as it is imported."""

from __future__ import annotations

import ast
import pkgutil
import re

from fairgate_ops.shared.paths import ROOT

TEXT = (ROOT / "docs" / "architecture.md").read_text("utf-8")
GLOSSARY = TEXT.partition("\n## Words\n")[2].partition("\n## ")[0]
ROWS = re.findall(r"^\| ([^|]+) \| ([^|]+) \| `([\w.]+)` \|$", GLOSSARY, re.MULTILINE)


def test_each_word_has_one_meaning() -> None:
    words = [word for word, _, _ in ROWS]
    assert len(words) == GLOSSARY.count("\n| ") - 1 > 20  # every row but the table's head
    assert len(words) == len(set(words))


def test_what_each_word_names_can_be_imported() -> None:
    tools = ("fairgate_ops.", "fairgate_lab.")
    for _, _, name in ROWS:
        pkgutil.resolve_name(name if name.startswith(tools) else f"fairgate.{name}")


PACKAGE = ROOT / "layers" / "core" / "python"
HEADING = re.compile(r"^### (.+)$", re.MULTILINE)
STEP = re.compile(r"^(\d+)\. `([\w/]+\.py)`(.*(?:\n {3,}.*)*)", re.MULTILINE)
COUNT = re.compile(r"\bin (\d+) modules\b")
WALKS = HEADING.split(TEXT.partition("\n## Two walks\n")[2])[2::2]


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
    for text in WALKS:
        steps = STEP.findall(text)
        assert [int(number) for number, _, _ in steps] == list(range(1, len(steps) + 1))
        assert len({module for _, module, _ in steps}) == len(steps)
        assert COUNT.findall(text) == [str(len(steps))]


def test_each_module_of_a_walk_is_imported_by_one_before_it() -> None:
    for text in WALKS:
        assert strays([module for _, module, _ in STEP.findall(text)]) == []
    # Of the sale's clock the holder knows only the type.
    assert strays(["service/holds/hold_seats.py", "ports/world.py"]) == ["ports/world.py"]
