"""Commands and functions of the running system that are ended by SIGKILL in the middle."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fairgate_ops.run.local.environment import base_environment
from fairgate_ops.shared.paths import ROOT
from tests.support.running import Running
from tests.support.waiting import patience_s

# The operators' command, which kills itself where ``setup`` has let something become ``dies``.
_COMMAND = """
import os, signal, sys
from fairgate.service.gate.operator_log import OperatorLog
from fairgate_ops.operate.cli.main import main

def dies(*_arguments, **_named):
    os.kill(os.getpid(), signal.SIGKILL)

def dies_at_the_last_entry():
    append = OperatorLog.append
    OperatorLog.append = lambda log, who, act, phase, *more: (
        dies() if phase == "done" else append(log, who, act, phase, *more)
    )

exec(sys.argv[1])
main(sys.argv[2:])
"""


def begun(system: Running, *words: str) -> subprocess.Popen[str]:
    """Start the command in a process of its own, for the test to kill."""
    return subprocess.Popen(
        [
            *(sys.executable, "-m", "fairgate_ops.operate.cli.main", *words),
            *("--run-file", str(system.run_file)),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=base_environment(),
    )


def killed(system: Running, setup: str, *words: str) -> None:
    """Run the command, which ends itself where ``setup``, in Python, says ``dies``."""
    done = subprocess.run(
        [sys.executable, "-c", _COMMAND, setup, *words, "--run-file", str(system.run_file)],
        capture_output=True,
        text=True,
        timeout=patience_s(60),
        check=False,
        cwd=ROOT,
        env=base_environment(),
    )
    assert done.returncode == -signal.SIGKILL, done


@contextmanager
def silent(system: Running, part: str) -> Iterator[None]:
    """Let a part of the system take connections and answer nobody."""
    group = system.system.part(part).process.pid
    os.killpg(group, signal.SIGSTOP)
    try:
        yield
    finally:
        os.killpg(group, signal.SIGCONT)


def end_functions(system: Running) -> None:
    """Kill every environment that serves the API, whatever it is doing; others take their place."""
    host = system.system.part("api").process.pid
    for pid in Path(f"/proc/{host}/task/{host}/children").read_text().split():
        os.kill(int(pid), signal.SIGKILL)
