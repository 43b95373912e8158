"""Commands that the end-to-end tests fork end as commands that are started."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fairgate_ops.run.local.environment import base_environment
from tests.e2e.commands import Commands

SOON_S = 30.0


@pytest.fixture(scope="module")
def commands() -> Iterator[Commands]:
    with Commands() as started:
        yield started


@pytest.mark.parametrize(
    "line",
    [
        "--version",
        "tau --help",
        "tau sett",
        "event list --run-file /nowhere",
        "event list --run-file /nowhere --json",
        "venue validate /nowhere --run-file /nowhere",
    ],
)
def test_a_forked_command_says_and_ends_as_one_that_is_started(
    commands: Commands, line: str
) -> None:
    command = [sys.executable, "-m", "fairgate_ops.operate.cli.main", *line.split()]
    started = subprocess.run(
        command, capture_output=True, text=True, check=False, env=base_environment()
    )
    forked = commands.run(line.split(), SOON_S)
    assert (forked.returncode, forked.stdout, forked.stderr) == (
        started.returncode,
        started.stdout,
        started.stderr,
    )


def test_each_of_many_at_once_has_its_own_answer(commands: Commands) -> None:
    names = [f"/nowhere/{number}" for number in range(12)]
    with ThreadPoolExecutor(4) as threads:
        lines = [["event", "list", "--run-file", name] for name in names]
        done = list(threads.map(lambda words: commands.run(words, SOON_S), lines))
    assert [
        name for name, one in zip(names, done, strict=True) if f"{name} " not in one.stderr
    ] == []
    assert {one.returncode for one in done} == {1}


def test_a_command_that_takes_too_long_is_killed_and_the_next_is_answered(
    commands: Commands, tmp_path: Path
) -> None:
    endless = tmp_path / "endless"
    subprocess.run(["mkfifo", str(endless)], check=True)
    with pytest.raises(subprocess.TimeoutExpired):
        commands.run(["event", "list", "--run-file", str(endless)], 1.0)
    assert commands.run(["--version"], SOON_S).returncode == 0
