"""Each mistake of docs/operating.md's table with its command, and what is said of it."""

from __future__ import annotations

import contextlib
import re
import shlex
from pathlib import Path

import pytest

from fairgate_ops.operate.cli import main
from tests.unit.operate.test_cli import chart, create, secret_file, system

__all__ = ["chart", "secret_file", "system"]  # fixtures

PAGE = (Path(__file__).parents[3] / "docs" / "operating.md").read_text("utf-8")
ROWS = re.findall(
    r"^\| `fairgate (.*?)` \| (.*?) \|$",
    PAGE.partition("\n## What a mistake is told\n")[2].partition("\n## ")[0],
    re.MULTILINE,
)


def test_the_table_is_there() -> None:
    assert len(ROWS) >= 12


@pytest.mark.parametrize(("command", "told"), ROWS, ids=lambda text: text[:40])
def test_a_mistake_is_told_what_the_page_says(system, chart, capsys, command, told):
    create(chart, "--sample", "0")
    main.main(["tau", "plan", "final", "200", "--at", "2027-01-15T09:00:00Z"])
    capsys.readouterr()
    words = [chart if word == "chart.json" else word for word in shlex.split(command)]
    with contextlib.suppress(SystemExit):
        main.main([word.replace("\\n", "\n") for word in words])
    said = capsys.readouterr()
    text = " ".join((said.out + said.err).split())
    for part in told.strip("“”").split(" … "):
        assert part in text
