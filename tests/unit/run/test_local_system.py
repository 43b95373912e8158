"""What a local system leaves behind when it ends: nothing that has keys, and nothing that runs."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

from fairgate_ops.run.local import edge, system
from fairgate_ops.run.local.environment import Ports
from fairgate_ops.run.local.processes import StartError
from fairgate_ops.run.local.shares import SHARES
from fairgate_ops.run.local.system import LocalSystem, build_gate
from tests.support.waiting import eventually

if TYPE_CHECKING:
    from collections.abc import Iterator


def test_a_stop_leaves_the_logs_and_the_mails_alone(tmp_path: Path) -> None:
    running = LocalSystem(tmp_path)
    running._claim()
    place = running.place
    place.secrets.mkdir()
    for folder in (place.secrets, place.kvs, place.layouts, place.edge, place.logs, place.mail):
        (folder / "file").write_text("with keys", "utf-8")
    for file in (place.config, place.front_door):
        file.write_text("with keys", "utf-8")
    running.stop()
    assert {path.name for path in tmp_path.iterdir()} == {"lock", "logs", "mail"}
    assert [(place.logs / "file").exists(), (place.mail / "file").exists()] == [True, True]


def test_what_nginx_had_to_say_outlives_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = tmp_path / "gate.js"
    gate.touch()
    running = LocalSystem(tmp_path / "run")
    running._claim()
    monkeypatch.setattr(edge, "edge_available", lambda: None)
    monkeypatch.setattr(edge, "start_child", lambda *_asked, **_how: None)
    ports = Ports(8_001, 8_002, 8_003, 8_004, 8_005, 8_006, 8_007, dict.fromkeys(SHARES, 8_008))
    edge.start_edge(running.place, ports, gate, "", lambda _text: None)
    (running.place.edge / "error.log").write_text("no file descriptors", "utf-8")
    running.stop()
    assert (running.place.logs / "nginx-errors.log").read_text("utf-8") == "no file descriptors"


def test_what_a_killed_run_left_is_cleared_by_the_next(tmp_path: Path) -> None:
    (tmp_path / "lock").touch()
    place = LocalSystem(tmp_path).place
    for folder in (place.secrets, place.kvs, place.logs):
        folder.mkdir()
        (folder / "file").write_text("with keys", "utf-8")
    running = LocalSystem(tmp_path)
    running._claim()
    assert list(place.kvs.iterdir()) == list(place.logs.iterdir()) == []
    assert not place.secrets.exists()
    running.stop()


NPM = """#!/bin/sh
sleep 600 &
echo $! >{pid}.new
mv {pid}.new {pid}
wait
"""


@pytest.fixture
def slow_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where the process that npm has started says which it is; it would take ten minutes."""
    pid = tmp_path / "pid"
    (tmp_path / "node_modules").mkdir()
    npm = tmp_path / "npm"
    npm.write_text(NPM.format(pid=pid), "utf-8")
    npm.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(system, "ROOT", tmp_path)
    yield pid
    if pid.exists() and runs(pid):
        os.kill(int(pid.read_text()), signal.SIGKILL)


def runs(pid: Path) -> bool:
    """Whether the process is there and has not ended, waited for or not."""
    try:
        state = Path(f"/proc/{int(pid.read_text())}/stat").read_text()
    except OSError:
        return False
    return state.rpartition(")")[2].split()[0] != "Z"


def begun(pid: Path) -> None:
    while not pid.exists():
        time.sleep(0.01)


def ended(pid: Path, within_s: float = 1.0) -> bool:
    return eventually(lambda: not runs(pid), within_s)


def test_a_build_that_is_interrupted_leaves_none_of_its_processes(
    tmp_path: Path, slow_build: Path
) -> None:
    def interrupt(*_signal: object) -> NoReturn:
        raise KeyboardInterrupt

    def when_begun() -> None:
        begun(slow_build)
        os.kill(os.getpid(), signal.SIGUSR1)

    place = LocalSystem(tmp_path).place
    place.logs.mkdir()
    before = signal.signal(signal.SIGUSR1, interrupt)
    threading.Thread(target=when_begun, daemon=True).start()
    try:
        with pytest.raises(KeyboardInterrupt):
            build_gate(place)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert ended(slow_build)


def test_a_build_that_takes_too_long_leaves_none_of_its_processes(
    tmp_path: Path, slow_build: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system, "BUILD_S", 1)
    place = LocalSystem(tmp_path).place
    place.logs.mkdir()
    with pytest.raises(StartError, match="took over 1 s"):
        build_gate(place)
    assert ended(slow_build)


def test_a_build_without_npm_says_what_is_missing(
    tmp_path: Path, slow_build: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(slow_build.parent / "node_modules"))
    with pytest.raises(StartError, match="npm is missing"):
        build_gate(LocalSystem(tmp_path).place)


def test_a_build_that_fails_says_why(tmp_path: Path, slow_build: Path) -> None:
    (slow_build.parent / "npm").write_text("#!/bin/sh\necho no such file; exit 3\n", "utf-8")
    place = LocalSystem(tmp_path).place
    place.logs.mkdir()
    with pytest.raises(StartError, match="no such file"):
        build_gate(place)
