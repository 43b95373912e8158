"""The documentation tells the truth about the repository: links, anchors, files and commands."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from fairgate_ops.shared.paths import ROOT
from tests.tidy import markdown

ELSEWHERE = ("http://", "https://", "mailto:")
ADRS = ROOT / "docs" / "adr"
ADR_INDEX = ADRS / "README.md"
# What the system writes while it runs, named as a path in the documentation.
WRITTEN_AT_RUN_TIME = {"index.json", "venue.json", "rules.json", "void.json"}


def broken_links(root: Path) -> list[str]:
    """The relative links of every page that lead to no file or to no heading."""
    broken = []
    for page in markdown.documents(root):
        for target in markdown.links((root / page).read_text("utf-8")):
            if target.startswith(ELSEWHERE):
                continue
            file, _, anchor = unquote(target).partition("#")
            there = (root / page.parent / file).resolve() if file else root / page
            if not there.is_relative_to(root) or not there.exists():
                broken.append(f"{page}: {target}: no such file")
            elif anchor and anchor not in markdown.anchors(there.read_text("utf-8")):
                broken.append(f"{page}: {target}: no such heading")
    return broken


def missing_files(root: Path) -> list[str]:
    """The files and folders that a page names, in full or by the end of their path, and that
    are not there.
    """
    paths = {f"/{path.as_posix()}" for path in markdown.files(root)}
    folders = {f"/{parent.as_posix()}/" for path in markdown.files(root) for parent in path.parents}
    there = paths | folders
    missing = []
    for page in markdown.documents(root):
        for name in markdown.named_files((root / page).read_text("utf-8")):
            known = name in WRITTEN_AT_RUN_TIME or any(path.endswith(f"/{name}") for path in there)
            if not known and not name.startswith(("build/", "path/to/")):
                missing.append(f"{page}: {name}")
    return missing


def test_every_link_of_the_documentation_leads_somewhere() -> None:
    assert broken_links(ROOT.resolve()) == []


def test_every_file_that_the_documentation_names_exists() -> None:
    assert missing_files(ROOT) == []


def test_every_make_target_that_the_documentation_names_exists() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([a-z][a-z-]*):", makefile, re.MULTILINE))
    named = {
        target
        for page in markdown.documents(ROOT)
        for target in re.findall(r"`make ([a-z][a-z-]*)", (ROOT / page).read_text("utf-8"))
    }
    assert "up" in named
    assert named - targets == set()


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("[a](gone.md)", "page.md: gone.md: no such file"),
        ("[a](../outside.md)", "page.md: ../outside.md: no such file"),
        ("[a](other.md#gone)", "page.md: other.md#gone: no such heading"),
        ("[a](#gone)", "page.md: #gone: no such heading"),
        ("| [`a`](gone.md) | and [b](other.md) |", "page.md: gone.md: no such file"),
    ],
)
def test_a_broken_link_is_found(tmp_path: Path, page: str, expected: str) -> None:
    (tmp_path / "page.md").write_text(page)
    (tmp_path / "other.md").write_text("# Other\n")
    assert broken_links(tmp_path) == [expected]


def test_a_sound_link_and_a_link_in_code_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text(
        "# A `heading`, with punctuation: here\n\n"
        "[a](other.md#τ-twice-1) [b](#a-heading-with-punctuation-here) [c](https://example.org/x)\n"
        "`[d](gone.md)`\n\n```\n[e](gone.md)\n```\n\n    [f](gone.md)\n"
    )
    (tmp_path / "other.md").write_text("# τ twice\n\n## τ twice\n")
    assert broken_links(tmp_path) == []


def test_a_file_that_is_named_and_not_there_is_found(tmp_path: Path) -> None:
    (tmp_path / "domain").mkdir()
    (tmp_path / "domain" / "here.py").touch()
    (tmp_path / "page.md").write_text(
        "`here.py` `domain/here.py` `domain/` `/api/x.json` `x.y` `gone.py` `service/here.py`"
    )
    assert missing_files(tmp_path) == ["page.md: gone.py", "page.md: service/here.py"]


def decisions() -> list[Path]:
    return sorted(path for path in ADRS.glob("*.md") if path != ADR_INDEX)


def test_every_decision_carries_its_number_status_and_date_and_stands_in_the_index() -> None:
    rows = []
    for number, path in enumerate(decisions(), start=1):
        head = re.match(
            r"# (\d+)\. (.+)\n\n\*\*Status:\*\* (.+)\. \*\*Date:\*\* (\d{4}-\d\d-\d\d)\.\n\n",
            path.read_text("utf-8"),
        )
        assert head, f"{path.name} begins otherwise than with title, status and date"
        assert (int(head[1]), path.name[:4]) == (number, f"{number:04d}")
        rows.append(f"| {number} | [{head[2]}]({path.name}) | {head[3]} | {head[4]} |")
    lines = ADR_INDEX.read_text("utf-8").splitlines()
    assert [line for line in lines if re.match(r"\| \d", line)] == rows
