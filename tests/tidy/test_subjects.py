"""Every test module says in its first line what it is about."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted(path for path in (ROOT / "tests").rglob("*.py") if path.name != "__init__.py")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_module_states_its_subject(path: Path) -> None:
    assert re.match(r'"""[^\s"]', path.read_text("utf-8")), (
        f"{path.relative_to(ROOT)} begins without a docstring: say in a sentence what it promises"
    )
