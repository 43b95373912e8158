"""``make deploy-local``: what it says when it stands, and how it ends."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from typing import Any, Self

import pytest

from fairgate_lab.emulator import deploy_local
from fairgate_lab.emulator.system import STAGE
from fairgate_ops.run.local.environment import Place
from fairgate_ops.run.local.processes import StartError


class StandIn:
    """A system that is started and stopped at once, and notes both."""

    log: list[str]
    dies = ""

    def __init__(self, run_dir: Path, port: int, *, say: Any) -> None:
        self.place, self.base_url = Place(run_dir), f"http://127.0.0.1:{port}"
        self.endpoint = "http://127.0.0.1:4566"
        say("the stacks")

    def __enter__(self) -> Self:
        self.place.run_dir.mkdir()
        self.log.append("started")
        return self

    def __exit__(self, *_: object) -> None:
        self.log.append("stopped")

    def create_event(self, event: str, *_: object) -> None:
        self.log.append(event)

    def watch(self) -> None:
        if self.dies:
            raise StartError(self.dies)
        os.kill(os.getpid(), signal.SIGINT)
        threading.Event().wait(5)  # the signal comes in between


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Any:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    monkeypatch.setattr(deploy_local, "WATCHED_EVERY_S", 0.01)
    monkeypatch.setattr(deploy_local, "EmulatedSystem", StandIn)
    monkeypatch.setattr(StandIn, "log", [], raising=False)
    yield StandIn
    for number, handler in before.items():
        signal.signal(number, handler)


def run(tmp_path: Path) -> int:
    return deploy_local.main(["--port", "8391", "--run-dir", str(tmp_path / "run")])


def test_it_says_where_all_is_and_stops_all_at_ctrl_c(
    tmp_path: Path, log: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path) == 0
    said = capsys.readouterr().out
    assert "http://127.0.0.1:8391/" in said
    assert "http://127.0.0.1:4566" in said
    assert f"--stage {STAGE} tau get {deploy_local.EVENT}" in said
    assert said.endswith("Stopped. Nothing runs any more.\n")
    assert log.log == ["started", "demo", "stopped"]


def test_the_shell_that_it_offers_speaks_to_the_emulator_alone(tmp_path: Path, log: Any) -> None:
    run(tmp_path)
    shell = (tmp_path / "run" / "environment").read_text("utf-8")
    assert "AWS_ENDPOINT_URL=http://127.0.0.1:4566" in shell
    assert "AWS_CONFIG_FILE=/dev/null" in shell


def test_it_ends_with_the_reason_when_a_part_dies(
    tmp_path: Path, log: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(StandIn, "dies", "the cache ended with 1.")
    assert run(tmp_path) == 1
    assert "the cache ended with 1." in capsys.readouterr().err
    assert log.log[-1] == "stopped"
