"""The glossary of docs/architecture.md: one meaning a word, and each names what there is."""

from __future__ import annotations

import importlib
import re

import pytest

from fairgate_ops.shared.paths import ROOT

TEXT = (ROOT / "docs" / "architecture.md").read_text("utf-8")
ROW = re.compile(r"^\| ([^|]+) \| ([^|]+) \| `([\w.]+)` \|$", re.MULTILINE)


def glossary(text: str) -> str:
    return text.partition("\n## Words\n")[2].partition("\n## ")[0]


def rows(text: str) -> list[tuple[str, str, str]]:
    return ROW.findall(glossary(text))


def home(name: str) -> object:
    """The module, or the member of one, that a dotted name below ``fairgate`` means.

    Raises:
        ImportError, AttributeError: there is no such thing.
    """
    parts = ["fairgate", *name.split(".")]
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


@pytest.mark.parametrize(("word", "name"), [(word, name) for word, _, name in rows(TEXT)])
def test_what_a_word_names_can_be_imported(word: str, name: str) -> None:
    assert home(name) is not None, word


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("domain.seating.venue.Gone", AttributeError),
        ("domain.seating.gone.Venue", ModuleNotFoundError),
        ("gone", AttributeError),
    ],
)
def test_a_name_that_is_gone_is_noticed(name: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        home(name)
