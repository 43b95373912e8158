"""The day of docs/operating.md, typed as it stands there, on the running system."""

from __future__ import annotations

import json
import re
import shlex
import time
from pathlib import Path
from subprocess import CompletedProcess

from fairgate.domain.seating.dump_venue import dump_venue
from fairgate.domain.shared.ids import EventId, UserId
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.table import Update
from fairgate.service.shared.keys import user_status_key
from fairgate_ops.operate.importers.demo import demo_venue
from fairgate_ops.run.rehearse.day.record import target_of_run
from tests.support.running import Running
from tests.support.waiting import wait_until
from tests.unit.operate.test_operating_day import PARTS, TIMES, blocks, inline

SEATS = 80
OPENS_IN_S = 12
# What may find something on a shared system, or in what other tests left; it says so by its code.
MAY_FIND = ("check", "doctor", "orders reconcile", "audit")


def typed(line: str, folder: Path) -> list[str]:
    """The line's words, with files of the test's and a sale that starts soon."""
    line = re.sub(r"--sale-starts-at \S+", f"--sale-starts-in {OPENS_IN_S}", line)
    return [str(folder / word) if word == "chart.json" else word for word in shlex.split(line)[1:]]


def ran(system: Running, *words: str) -> CompletedProcess[str]:
    """Run it; what ``watch`` shows of an event is first made in its first ten seconds."""
    if words[0] == "watch":
        wait_until(lambda: system.ran(*words).returncode == 0, "its figures are known", 60)
    return system.ran(*words)


def test_every_step_of_the_day_does_what_it_says(system: Running, tmp_path: Path) -> None:
    chart = json.dumps(dump_venue(demo_venue(SEATS)))
    (tmp_path / "chart.json").write_text(chart, encoding="utf-8")
    steps = [line for part in TIMES if part != "Trouble" for line in blocks(PARTS[part])]
    assert len(steps) > 20
    for line in steps:
        words = typed(line, tmp_path)
        done = ran(system, *words)
        well = (0, 1) if " ".join(words).startswith(MAY_FIND) else (0,)
        assert done.returncode in well, (line, done)
        assert "Traceback" not in done.stderr
    log = json.loads(system.fairgate("event", "log", "final", "--json"))
    acts = [e["act"] for e in log["entries"] if e["phase"] == "done"]
    assert acts[0] == "create"
    assert {"tau set", "close", "orders reconcile", "draw reveal"} <= set(acts)


IN_TROUBLE = "trouble"
BUYER = "ann"
# On this machine: the sandbox has keys of its own.
REFUSED = {"keys payments --back": "Use --target aws"}


def test_every_step_in_trouble_does_what_it_says(system: Running, tmp_path: Path) -> None:
    """The commands of the symptoms, and those first for an alarm, each typed and run."""
    _put_on_sale(system, tmp_path)
    alarms = inline(PARTS["Every alarm, and what to do"])
    steps = [line for line in (*inline(PARTS["Trouble"]), *alarms) if len(line.split()) > 2]
    assert len(steps) > 30
    for line in steps:
        words = [{"final": IN_TROUBLE, "USER": BUYER}.get(word, word) for word in shlex.split(line)]
        if words[1:3] == ["desk", "pardon"]:
            _lock_out(system)
        text = " ".join(words[1:])
        if text.startswith("tau set"):  # a row before may have paused it, which tau set respects
            system.fairgate("event", "resume", IN_TROUBLE)
        done = ran(system, *words[1:])
        if text in REFUSED:
            assert (done.returncode, REFUSED[text] in done.stderr) == (1, True), done
        else:
            well = (0, 1) if text.startswith(MAY_FIND) else (0,)
            assert done.returncode in well, (line, done)
        assert "Traceback" not in done.stderr
    log = json.loads(system.fairgate("event", "log", IN_TROUBLE, "--json"))["entries"]
    acts = {entry["act"] for entry in log if entry["phase"] == "done"}
    assert {"resume", "pause", "tau set", "target set", "sample set", "desk pardon"} <= acts
    assert {"cache rebuild", "queue redrive", "orders reconcile", "close"} <= acts
    last = log[-1]
    assert (last["act"], last["phase"], last["detail"]["tau_s"]) == ("tau set", "done", 300)


def _put_on_sale(system: Running, folder: Path) -> None:
    chart = folder / "chart.json"
    chart.write_text(json.dumps(dump_venue(demo_venue(SEATS))), encoding="utf-8")
    words = f"event create {IN_TROUBLE} --venue {chart} --price-all 45 --sale-starts-in 2 --tau 600"
    system.fairgate(*words.split(), "--name", "In trouble", "--publish")


def _lock_out(system: Running) -> None:
    """As the risk desk does it: the buyer's extension asked too often."""
    until = rfc3339(time.time_ns() // 1_000_000 + 600_000)
    status = user_status_key(UserId(BUYER), EventId(IN_TROUBLE))
    change = {"lockedUntil": until, "deskRule": "early", "deskNoticed": "9 early attempts"}
    world = target_of_run(system.run_file).world
    world.table.update(Update("reservations", *status, set=change))
