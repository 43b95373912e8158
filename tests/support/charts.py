"""The charts that tests read: those of the repository, and large ones beside it where they are."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
CHARTS = ROOT / "tests" / "charts"
SHARED = ROOT.parent / "shared" / "charts"


def chart(name: str) -> dict[str, Any]:
    """A fresh copy of one of tests/charts."""
    return copy.deepcopy(json.loads((CHARTS / name).read_text()))


def shared_chart(name: str) -> Path:
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"needs the chart ../shared/charts/{name} beside the repository")
    return path


def places(error: Any) -> dict[str, str]:
    """The places and texts of a refused document."""
    return {entry["where"]: entry["what"] for entry in error.fields["errors"]}
