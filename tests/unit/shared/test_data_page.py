"""docs/data.md says what the records say."""

from __future__ import annotations

import re

import msgspec
import pytest

from fairgate.adapters.dynamodb.models import KINDS
from fairgate_ops.shared.paths import ROOT

PAGE = (ROOT / "docs" / "data.md").read_text("utf-8")
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
    for heading in ("Keys", "Attributes", "About a person", "Who writes, who reads"):
        assert list(rows(heading)) == list(KINDS), heading


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
def test_whoever_writes_or_reads_a_kind_exists(name: str) -> None:
    writers, readers = rows("Who writes, who reads")[name]
    assert re.findall(r"`([a-z_/]+)`", writers) != []
    for module in re.findall(r"`([a-z_/]+)`", writers + readers):
        assert (PACKAGE / "service" / f"{module}.py").is_file(), module
