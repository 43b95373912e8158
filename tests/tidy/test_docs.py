"""The documentation tells the truth about the repository: links, anchors, files and commands."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

from fairgate_ops.shared.paths import ROOT
from tests.tidy import markdown

ELSEWHERE = ("http://", "https://", "mailto:")
ADRS = ROOT / "docs" / "adr"
ADR_INDEX = ADRS / "README.md"
# What the system writes while it runs, named as a path in the documentation.
WRITTEN_AT_RUN_TIME = {
    *("index.json", "venue.json", "seats.json", "picture.json", "rules.json", "void.json"),
    *("events.json", "e/written.json", ".run/brand.toml"),
}


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


def test_what_leads_nowhere_is_found_and_code_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "domain").mkdir()
    (tmp_path / "domain" / "here.py").touch()
    (tmp_path / "other.md").write_text("# τ twice\n\n## τ twice\n")
    (tmp_path / "page.md").write_text(
        "# A `heading`, with punctuation: here\n\n"
        "[a](gone.md) [a](../outside.md) [a](other.md#gone)\n"
        "| [`a`](#gone) | [b](other.md#τ-twice-1) [c](#a-heading-with-punctuation-here) |\n"
        "`[d](lost.md)`\n\n```\n[e](lost.md)\n```\n\n    [f](lost.md)\n\n"
        "`here.py` `domain/here.py` `domain/` `/api/x.json` `x.y` `gone.py` `service/here.py`"
    )
    assert broken_links(tmp_path) == [
        "page.md: gone.md: no such file",
        "page.md: ../outside.md: no such file",
        "page.md: other.md#gone: no such heading",
        "page.md: #gone: no such heading",
    ]
    assert missing_files(tmp_path) == ["page.md: gone.py", "page.md: service/here.py"]


def test_every_decision_carries_its_number_status_and_date_and_stands_in_the_index() -> None:
    rows = []
    for number, path in enumerate(sorted(ADRS.glob("0*.md")), start=1):
        head = re.match(
            r"# (\d+)\. (.+)\n\n\*\*Status:\*\* (.+)\. \*\*Date:\*\* (\d{4}-\d\d-\d\d)\.\n\n",
            path.read_text("utf-8"),
        )
        assert head, f"{path.name} begins otherwise than with title, status and date"
        assert (int(head[1]), path.name[:4]) == (number, f"{number:04d}")
        rows.append(f"| {number} | [{head[2]}]({path.name}) | {head[3]} |")
    lines = ADR_INDEX.read_text("utf-8").splitlines()
    assert [line for line in lines if re.match(r"\| \d", line)] == rows


def test_each_picture_is_shown_once_with_its_text_and_all_are_small() -> None:
    page = (ROOT / "docs" / "organising.md").read_text("utf-8")
    shown = re.findall(r'<img src="pictures/([^"]+)" width="\d+" alt="([^"]+)">', page)
    files = sorted((ROOT / "docs" / "pictures").iterdir())
    assert sorted(name for name, _ in shown) == [file.name for file in files]
    assert len(shown) == page.count("<img ")
    assert min(len(text.split()) for _, text in shown) >= 5
    sizes = {file.name: file.stat().st_size for file in files}
    scripts = sizes.pop("scripts.webp")  # of many letters
    assert scripts < 300_000
    assert [name for name, size in sizes.items() if size > 60_000] == []  # bytes
