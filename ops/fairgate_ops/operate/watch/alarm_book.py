"""Find an alarm's step in the runbook: docs/alarms.md, which a test holds to the templates."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from fairgate_ops.shared.paths import ROOT

_BESIDE = Path(__file__).with_name("alarms.md")  # in a function: infra/shipped.py copies it there
PAGE = _BESIDE if _BESIDE.is_file() else ROOT / "docs/alarms.md"
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_NAME = re.compile(r"`(\w+)(…?)`")
_NAMES, _DO = 1, 3  # cells of a row; before the first is nothing


@cache
def steps() -> dict[str, str]:
    """Read what to do, by the alarm's name; one that ends in … stands for all that begin so."""
    if not PAGE.is_file():
        return {}
    found: dict[str, str] = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if line.startswith("| `") and len(cells) > _DO:
            for name, more in _NAME.findall(cells[_NAMES]):
                found[f"{name}{more}"] = _LINK.sub(r"\1", cells[_DO])
    return found


def step_of(alarm: str) -> str:
    """Return what to do about an alarm; the page's name where it does not say."""
    known = steps()
    alarm = alarm.partition("-")[0]  # behind which an alarm of the edge has the distribution's id
    if alarm in known:
        return known[alarm]
    begun = [name for name in known if name.endswith("…") and alarm.startswith(name[:-1])]
    return known[max(begun, key=len)] if begun else "docs/alarms.md"
