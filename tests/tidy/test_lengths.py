"""Long forms are chosen in one place, and one command asks for them."""

from __future__ import annotations

import re

from fairgate_ops.shared.paths import ROOT
from tests.support.lengths import VARIABLE

PLACE = ROOT / "tests" / "support" / "lengths.py"


def test_nothing_but_its_module_reads_the_variable() -> None:
    named = [path for path in (ROOT / "tests").rglob("*.py") if VARIABLE in path.read_text()]
    assert named == [PLACE]


def test_make_test_long_sets_it_and_make_test_does_not() -> None:
    text = (ROOT / "Makefile").read_text()
    recipes = dict(re.findall(r"^(test[a-z-]*):.*\n((?:\t.*\n)+)", text, re.MULTILINE))
    assert f"{VARIABLE}=1 " in recipes["test-long"]
    assert VARIABLE not in recipes["test"] + recipes["test-quick"]
