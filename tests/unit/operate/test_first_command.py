"""The first commands of docs/organising.md, typed into a shell as they stand there."""

from __future__ import annotations

import subprocess
import textwrap
from pathlib import Path

from fairgate_ops.shared.paths import ROOT


def test_the_first_command_of_the_page_works_as_written(tmp_path: Path) -> None:
    """In a clone that `make setup` has been run in, which takes too long for a test."""
    page = (ROOT / "docs/organising.md").read_text("utf-8")
    block = (
        page.partition("\n## Put it on sale\n")[2]
        .partition("\n    ")[2]
        .partition("\n    fairgate event")[0]
    )
    first, *typed = textwrap.dedent(f"    {block}").splitlines()
    assert first == "make setup"
    for name in ("docs", ".venv"):
        (tmp_path / name).symlink_to(ROOT / name)
    script = "\n".join(typed)
    done = subprocess.run(
        ["bash", "-euc", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("gala.json: good. “Harbour Hall”: ")
