"""How long the long tests are, said in one place: short, or in full with FAIRGATE_LONG=1.

`make test` and CI run the short forms, `make test-long` the full ones. A short form asks the same
of fewer examples, or of a cheaper stand-in that other tests compare with the real thing.
"""

from __future__ import annotations

import os
from typing import TypeVar

import pytest

VARIABLE = "FAIRGATE_LONG"
LONG = os.environ.get(VARIABLE, "") not in {"", "0"}

Made = TypeVar("Made")


def at_length(short: Made, full: Made) -> Made:
    """Return what this run uses: ``short``, or ``full`` where the variable asks for it."""
    return full if LONG else short


def in_full_only(why: str) -> pytest.MarkDecorator:
    """Leave a test to the full length, and say so among what was skipped."""
    return pytest.mark.skipif(not LONG, reason=f"{why}: make test-long")
