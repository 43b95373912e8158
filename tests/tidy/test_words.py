"""Names say what they hold in the field's words: no private metaphors, no leftovers of telling."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
METAPHORS = {"weather", "sky", "gossip", "beat", "beats"}  # as a word of any name
MANNERS = {"told", "found", "kept", "said"}  # as a whole name: how it came, not what it is
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def _names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.ClassDef(name=name) | ast.alias(name=name):
                yield name
            case ast.keyword(arg=str(name)) | ast.MatchAs(name=str(name)):
                yield name
            case ast.ExceptHandler(name=str(name)):
                yield name


def _metaphors(tree: ast.AST) -> set[str]:
    return {
        name for name in _names(tree) if METAPHORS & {word.lower() for word in WORD.findall(name)}
    }


def _manners(tree: ast.AST) -> set[str]:
    return {name for name in _names(tree) if name.strip("_") in MANNERS}


def _trees(*folders: str) -> Iterator[tuple[str, ast.AST]]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text("utf-8"))


def test_no_name_is_a_metaphor_of_our_own() -> None:
    found = {
        path: _metaphors(tree)
        for path, tree in _trees("layers", "functions", "ops", "infra", "lab/fairgate_lab")
    }
    assert {path: names for path, names in found.items() if names} == {}


def test_names_are_for_what_they_hold_and_not_for_how_it_came() -> None:
    found = {path: _manners(tree) for path, tree in _trees("layers", "functions")}
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    "text",
    [
        "weather = 1",
        "class BlueSky: ...",
        "def f(gossip): ...",
        "BEATS_MAX = 6",
        "self.last_beat = 1",
        "f(beat=1)",
    ],
)
def test_a_metaphor_is_noticed(text: str) -> None:
    assert _metaphors(ast.parse(text))


@pytest.mark.parametrize(
    "text",
    [
        "found = 1",
        "def f(told): ...",
        "self._kept = 1",
        "if said := f(): ...",
        "for found in (): ...",
        "[found for found in ()]",
    ],
)
def test_a_manner_is_noticed(text: str) -> None:
    assert _manners(ast.parse(text))


@pytest.mark.parametrize("text", ["skylight = beaten", "not_found = KEPT_S", "'found'", "# said"])
def test_other_words_pass(text: str) -> None:
    tree = ast.parse(text)
    assert (_metaphors(tree), _manners(tree)) == (set(), set())
