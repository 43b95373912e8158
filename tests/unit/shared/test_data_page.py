"""docs/data.md, and docs/people.md about persons, say what the records say."""

from __future__ import annotations

import re

import msgspec
import pytest

from fairgate_ops.operate.models import KINDS
from fairgate_ops.shared.paths import ROOT

PAGE = "\n".join((ROOT / "docs" / name).read_text("utf-8") for name in ("data.md", "people.md"))
PACKAGE = ROOT / "layers" / "core" / "python" / "fairgate"


def rows(heading: str) -> dict[str, list[str]]:
    """The rows of the table under a heading, by their first cell."""
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in section.splitlines()
        if line.startswith("|")
    ]
    return {first: rest for first, *rest in cells[2:]}


def test_every_kind_has_a_row_in_each_table_and_no_other_has() -> None:
    for heading in ("Keys", "Attributes", "Who writes"):
        assert list(rows(heading)) == list(KINDS), heading
    nothing = PAGE.partition("Nothing about a person: ")[2].partition(".\n")[0]
    about = [*rows("About a person"), *" ".join(nothing.split()).split(", ")]
    assert sorted(about) == sorted(KINDS)


def test_every_kind_stands_in_its_table() -> None:
    tables = {name: cells[0].lower() for name, cells in rows("Keys").items()}
    assert tables == {name: kind.table for name, kind in KINDS.items()}


@pytest.mark.parametrize("name", KINDS)
def test_a_kinds_attributes_are_its_records(name: str) -> None:
    listed = rows("Attributes")[name][0].split(", ")
    fields = [
        field.encode_name + ("" if field.required else "?")
        for field in msgspec.structs.fields(KINDS[name])
        if field.encode_name not in ("PK", "SK")
    ]
    assert listed == fields


@pytest.mark.parametrize("name", KINDS)
def test_the_writers_of_a_kind_exist(name: str) -> None:
    modules = re.findall(r"`([a-z_/]+)`", rows("Who writes")[name][0])
    assert modules != []
    for module in modules:
        assert (PACKAGE / "service" / f"{module}.py").is_file(), module
