"""Child processes that never outlive their parent, log to a file, and are named when they die."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

PR_SET_PDEATHSIG = 1  # prctl(2)
TERM_S = 5.0  # between a kind SIGTERM and SIGKILL
LOG_LINES = 12


class StartError(Exception):
    """A part of the local system did not start or died; the text says which and what to do."""


def die_with_parent(parent: int = 0) -> None:
    """Ask the kernel to end this process by SIGTERM when its parent ends, however that happens.

    Args:
        parent: its process id, where the parent could give it: one that has ended by now is
            that is otherwise missed. 0: the present parent.
    """
    parent = parent or os.getppid()
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it has ended
            os.kill(os.getpid(), signal.SIGTERM)


class Child:
    """One server process in a process group of its own."""

    def __init__(self, name: str, process: subprocess.Popen[bytes], log: Path) -> None:
        self.name, self.process, self.log = name, process, log

    @property
    def running(self) -> bool:
        return self.process.poll() is None

    def epitaph(self) -> str:
        """Who died, how, and its last words."""
        code = self.process.poll()
        return f"{self.name} ended with {code}. The end of {self.log}:\n{last_lines(self.log)}"

    def stop(self, wait_s: float = TERM_S) -> None:
        """End the whole group: politely, then not."""
        if self.running:
            self._signal(signal.SIGTERM)
            # Whoever is late gets SIGKILL below, like every straggler of the group.
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(wait_s)
        self._signal(signal.SIGKILL)
        self.process.wait(wait_s)

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):  # the whole group may be gone already
            os.killpg(self.process.pid, number)


def start_child(
    name: str,
    command: Sequence[str],
    *,
    logs_dir: Path,
    env: Mapping[str, str],
    cwd: Path | None = None,
    pass_fds: Sequence[int] = (),
) -> Child:
    """Start ``command`` in its own process group, its output in ``logs_dir/<name>.log``.

    It is started by this module's own ``main``, which ties it to its parent's life before it
    becomes the command: the tie survives exec. Call it from a thread that lives as long as the
    child should, for the kernel counts the thread as the parent.
    """
    logs_dir.mkdir(parents=True, exist_ok=True)
    log = logs_dir / f"{name}.log"
    with log.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, "-S", __file__, str(os.getpid()), *command],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=dict(env),
            cwd=cwd,
            pass_fds=pass_fds,
            start_new_session=True,
        )
    return Child(name, process, log)


def last_lines(log: Path, count: int = LOG_LINES) -> str:
    if not log.is_file():
        return "  (no log)"
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - 32_768))
        text = file.read().decode(errors="replace")
    return "\n".join(f"  | {line}" for line in text.splitlines()[-count:]) or "  (empty)"


def wait_until(
    ready: Callable[[], bool],
    what: str,
    *,
    child: Child | None = None,
    within_s: float = 30.0,
    every_s: float = 0.05,
    moved: Callable[[], object] | None = None,
) -> None:
    """Poll until ``ready``: a slow machine is waited for, as long as something moves.

    Args:
        within_s: how long nothing may move.
        moved: returns something else when it has. Without it, and with a child, that is each
            second of the processor that the child and its own children use.

    Raises:
        StartError: nothing moved for ``within_s``, or ``child`` ended first.
    """
    if moved is None:
        moved = (lambda: None) if child is None else partial(processor_s, child.process.pid)
    pause = threading.Event()
    seen, deadline = moved(), time.monotonic() + within_s
    while not ready():
        if child is not None and not child.running:
            raise StartError(child.epitaph())
        if time.monotonic() > deadline:
            now = moved()
            if now == seen:
                words = f" The end of {child.log}:\n{last_lines(child.log)}" if child else ""
                raise StartError(f"{what} was not ready within {within_s:.0f} s.{words}")
            seen, deadline = now, time.monotonic() + within_s
        pause.wait(every_s)


def processor_s(root: int) -> int:
    """Return the whole seconds of the processor that a process and all below it have used.

    0 where there is no ``/proc``. What polls now and then needs minutes for one second.
    """
    parents, ticks = dict[int, int](), dict[int, int]()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended
            fields = stat.read_text().rpartition(")")[2].split()
            pid = int(stat.parent.name)
            parents[pid], ticks[pid] = int(fields[1]), sum(map(int, fields[11:15]))

    def below(pid: int) -> bool:
        while pid > 1 and pid != root:
            pid = parents.get(pid, 0)
        return pid == root

    return sum(used for pid, used in ticks.items() if below(pid)) // os.sysconf("SC_CLK_TCK")


def accepts(port: int) -> bool:
    """Whether somebody listens on this loopback port."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


_given: set[int] = set()


def free_port() -> int:
    """Return a loopback port that nobody uses now, outside the range the kernel hands out itself.

    No port is given twice while its process lives, neither to it nor to another: servers choose
    first and bind later.
    """
    for _ in range(200):
        port = 20_000 + int.from_bytes(os.urandom(2), "big") % 12_000
        if port not in _given and bindable(port) and _marked(port):
            _given.add(port)
            return port
    raise StartError("no free port between 20000 and 32000")


def _marked(port: int) -> bool:
    """Mark the port as given, for as long as this process lives, unless another has done so."""
    with socket.socket(socket.AF_UNIX) as mark:
        try:
            mark.bind(f"\0fairgate-port-{port}")  # Linux's abstract names: nothing is left behind
        except OSError:
            return False
        mark.detach()  # never closed
    return True


def bindable(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


if __name__ == "__main__":
    die_with_parent(int(sys.argv[1]))
    os.execvp(sys.argv[2], sys.argv[2:])  # noqa: S606 it becomes the server, no shell wanted
