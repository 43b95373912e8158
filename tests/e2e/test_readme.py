"""Every command that the README and the page of measurements show is run here, or is the run that
this test is part of.

The short form leaves those to the long one whose parts another test runs (``IN_SHORT_BY``).
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from fairgate_lab.bench.__main__ import TABLE
from fairgate_ops.run.local.processes import free_port
from fairgate_ops.shared.paths import ROOT
from infra import bytecode
from tests.support.lengths import at_length
from tests.support.running import EVENT, Running, missing
from tests.support.waiting import patience_s

PAGES = (ROOT / "README.md", ROOT / "lab" / "docs" / "measurements.md")
CHART = "tests/charts/two-rooms.seatsio.json"
UP_S, MAKE_S = 120, 420
SMALL = ("SEATS=300", "SALE_STARTS_IN=1")

Run = Callable[[str, Path, Running], None]


def commands() -> list[str]:
    texts = [page.read_text("utf-8") for page in PAGES]
    blocks = [block for text in texts for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL)]
    return [line for block in blocks for line in block.splitlines() if line.strip()]


def up(command: str, run_dir: Path, _system: Running) -> None:
    """Smaller than the one shown, on another port; comes up, serves, and leaves at Ctrl-C."""
    port = free_port()
    words = command.replace("path/to/chart.json", CHART).replace("CROWD=2000", "CROWD=20").split()
    process = subprocess.Popen(
        [*words, *SMALL, f"PORT={port}", f"RUN_DIR={run_dir}"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    said = []
    try:
        for line in process.stdout:
            said.append(line)
            if "Ctrl-C" in line:
                break
        assert said, "make up said nothing"
        assert "Ctrl-C" in said[-1], "".join(said)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=patience_s(10)) as page:
            assert page.status == 200
    finally:
        with suppress(ProcessLookupError):  # it ended by itself, and has said why
            os.killpg(process.pid, signal.SIGINT)
        rest, _ = process.communicate(timeout=patience_s(60))
    assert "Nothing runs any more" in rest


def make(*options: str) -> Run:
    def run(command: str, _run_dir: Path, _system: Running) -> None:
        done = subprocess.run(
            [*command.split(), *options],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=patience_s(MAKE_S),
            check=False,
        )
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]

    return run


def cold(command: str, run_dir: Path, system: Running) -> None:
    if bytecode.interpreter() is None:
        pytest.skip(bytecode.MISSING)
    make("BENCH=--runs 1 --function catalog")(command, run_dir, system)


def operate(command: str, _run_dir: Path, system: Running) -> None:
    words = command.replace("path/to/chart.json", CHART).split()
    assert words[0] == ".venv/bin/fairgate"
    # Each command on its own, because its neighbour may run on another worker's system; and
    # afterwards the room is as the other tests want it.
    at_once = ("--starts-in", "0")
    if words[1:3] == ["event", "resume"]:
        system.fairgate("event", "pause", EVENT, *at_once)
    system.fairgate(*words[1:])
    if words[1:3] in (["tau", "set"], ["event", "resume"]):
        system.fairgate("tau", "set", EVENT, "1", "--yes", *at_once)
    elif words[1:3] == ["event", "pause"]:
        system.fairgate("event", "resume", EVENT, "--tau", "1", *at_once)


def this_very_run(command: str, _run_dir: Path, _system: Running) -> None:
    """`make test` runs pytest over everything, and CI calls it."""
    shown = subprocess.run(
        [*command.split(), "--dry-run", "PYTEST=pytest"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert re.search(r"pytest .* tests\b", shown.stdout)
    targets = re.search(r"(?m)^targets=\((.*)\)$", (ROOT / ".ci" / "run").read_text("utf-8"))
    assert targets is not None
    assert command.removeprefix("make ") in targets[1].split()


RUNS: dict[str, Run] = {
    "make up": up,
    "make up CROWD=2000": up,
    "make up CHART=path/to/chart.json": up,
    "make test": this_very_run,
    "make rush": make("BUYERS=20", "SECONDS_LONG=5"),
    "make synth": make(),
    "make bench-availability": make(
        "BENCH=--seats 1000 --viewers 40 --seconds 2 --every 0.5 --parts hot"
    ),
    "make bench-cold": cold,
    "make bench-gate": make("BENCH=--processes 1 --sections 2 --rounds 1 --requests 80"),
    "make bench-tickets": make("BENCH=--rounds 1"),
    "make bench-reconcile": make("CAPTURES=100"),
    "make bench-orders": make("BENCH=--engine dynoxide --orders 200"),
    "make bench-map": make("BENCH=--seats 300 --runs 1"),
    "make bench-pages": make("BENCH=--rounds 1 --lcp-s 60"),
    "make bench-forecast": make("BENCH=--buyers 1000 --goal-s 6000"),
    "make bench-help": make("BENCH=--runs 1 --goal-ms 60000"),
    "make bench-hold": make("BENCH=--rounds 1 --calls 3"),
    "make race PROCESSES=64 SECONDS=10": make("PROCESSES=8", "SECONDS=1"),
    ".venv/bin/fairgate event list": operate,
    ".venv/bin/fairgate check demo --crowd 10000": operate,
    ".venv/bin/fairgate watch --once": operate,
    ".venv/bin/fairgate tau get demo": operate,
    ".venv/bin/fairgate tau set demo 30 --yes": operate,
    ".venv/bin/fairgate event pause demo": operate,
    ".venv/bin/fairgate event resume demo": operate,
    ".venv/bin/fairgate venue validate path/to/chart.json": operate,
}


# Who runs parts of these commands in `make test`; `make test-long` runs the commands themselves.
IN_SHORT_BY = {
    "make up": "tests/unit/run/test_up.py",  # and below, with a crowd
    "make up CHART=path/to/chart.json": "tests/unit/run/test_up.py",
    "make rush": "lab/tests/e2e/test_rush.py",
    "make synth": "tests/infra/test_layers.py",  # and all of tests/infra: the same app.py
    "make bench-availability": "lab/tests/bench/test_bench_availability.py",
    "make bench-cold": "lab/tests/bench/test_bench_cold.py",
    "make bench-gate": "lab/tests/bench/test_bench_gate.py",
    "make bench-tickets": "lab/tests/bench/test_bench_tickets.py",
    "make bench-reconcile": "lab/tests/bench/test_bench_reconcile.py",
    "make bench-orders": "lab/tests/bench/test_bench_orders.py",
    "make bench-map": "lab/tests/bench/test_bench_map.py",
    "make bench-pages": "lab/tests/bench/test_bench_pages.py",
    "make bench-forecast": "lab/tests/bench/test_bench_forecast.py",
    "make bench-help": "lab/tests/bench/test_bench_help.py",
    "make bench-hold": "lab/tests/bench/test_bench_hold.py",
    "make race PROCESSES=64 SECONDS=10": "lab/tests/attack/test_race.py",
}


def test_no_command_is_shown_that_is_not_run() -> None:
    assert set(commands()) == set(RUNS)


@pytest.mark.parametrize("command", IN_SHORT_BY)
def test_another_test_runs_parts_of_what_the_short_form_leaves_out(command: str) -> None:
    """The module that the command starts is one that the other test imports."""
    assert RUNS[command] not in (operate, this_very_run)
    shown = subprocess.run(
        [*command.split(), "--dry-run"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    typed = re.findall(r"python -m (fairgate_(?:ops|lab)\.[a-z_.]+) *([a-z-]*)", shown.stdout)
    table = {
        name: f"fairgate_lab.bench.{module.removesuffix('.benchmark')}"
        for name, module in TABLE.items()
    }
    started = {table.get(word, module) for module, word in typed}
    other = (ROOT / IN_SHORT_BY[command]).read_text("utf-8")
    parents = re.findall(r"^from (fairgate_\S+) import (.+)$", other, re.MULTILINE)
    used = {parent for parent, _ in parents}
    used |= {
        f"{parent}.{name.split(' as ')[0].strip()}"
        for parent, names in parents
        for name in names.split(",")
    }
    assert used & started, (started, used)


@pytest.mark.parametrize("command", [c for c in RUNS if c not in at_length(IN_SHORT_BY, {})])
def test_a_command_that_is_shown_does_what_it_says(
    command: str, tmp_path: Path, system: Running
) -> None:
    if reason := missing():
        pytest.skip(reason)
    RUNS[command](command, tmp_path / "run", system)
