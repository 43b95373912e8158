"""The day of docs/operating.md, typed as it stands there, on the running system."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

from fairgate.domain.seating.dump_venue import dump_venue
from fairgate_ops.operate.importers.demo import demo_venue
from tests.e2e.conftest import Running
from tests.unit.operate.test_operating_day import PARTS, TIMES, blocks

SEATS = 80
OPENS_IN_S = 6
# What may find something on a shared system, or in what other tests left; it says so by its code.
MAY_FIND = ("doctor", "orders reconcile", "audit")


def typed(line: str, folder: Path) -> list[str]:
    """The line's words, with files of the test's and doors that come soon."""
    line = re.sub(r"--opens-at \S+", f"--opens-in {OPENS_IN_S}", line)
    return [str(folder / word) if word == "chart.json" else word for word in shlex.split(line)[1:]]


def test_every_step_of_the_day_does_what_it_says(system: Running, tmp_path: Path) -> None:
    chart = json.dumps(dump_venue(demo_venue(SEATS)))
    (tmp_path / "chart.json").write_text(chart, encoding="utf-8")
    steps = [line for part in TIMES if part != "Trouble" for line in blocks(PARTS[part])]
    assert len(steps) > 20
    for line in steps:
        words = typed(line, tmp_path)
        done = system.ran(*words)
        well = (0, 1) if " ".join(words).startswith(MAY_FIND) else (0,)
        assert done.returncode in well, (line, done)
        assert "Traceback" not in done.stderr
    log = json.loads(system.fairgate("event", "log", "final", "--json"))
    acts = [e["act"] for e in log["entries"] if e["phase"] == "done"]
    assert acts[0] == "create"
    assert {"tau set", "close", "orders reconcile", "draw reveal"} <= set(acts)
