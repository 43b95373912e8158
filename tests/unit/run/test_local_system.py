"""What a local system leaves behind when it ends: nothing that has keys, and nothing that runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fairgate_ops.run.local import edge
from fairgate_ops.run.local.environment import Ports
from fairgate_ops.run.local.shares import SHARES
from fairgate_ops.run.local.system import LocalSystem

if TYPE_CHECKING:
    import pytest


def test_a_stop_leaves_the_logs_and_the_mails_alone(tmp_path: Path) -> None:
    system = LocalSystem(tmp_path)
    system._claim()
    place = system.place
    for folder in (place.kvs, place.layouts, place.edge, place.logs, place.mail):
        (folder / "file").write_text("with keys", "utf-8")
    for file in (place.config, place.secrets, place.front_door):
        file.write_text("with keys", "utf-8")
    system.stop()
    assert {path.name for path in tmp_path.iterdir()} == {"lock", "logs", "mail"}
    assert [(place.logs / "file").exists(), (place.mail / "file").exists()] == [True, True]


def test_what_nginx_had_to_say_outlives_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = tmp_path / "gate.js"
    gate.touch()
    system = LocalSystem(tmp_path / "run")
    system._claim()
    monkeypatch.setattr(edge, "edge_available", lambda: None)
    monkeypatch.setattr(edge, "start_child", lambda *_asked, **_how: None)
    ports = Ports(8_001, 8_002, 8_003, 8_004, 8_005, 8_006, 8_007, dict.fromkeys(SHARES, 8_008))
    edge.start_edge(system.place, ports, gate, "", lambda _text: None)
    (system.place.edge / "error.log").write_text("no file descriptors", "utf-8")
    system.stop()
    assert (system.place.logs / "nginx-errors.log").read_text("utf-8") == "no file descriptors"


def test_what_a_killed_run_left_is_cleared_by_the_next(tmp_path: Path) -> None:
    (tmp_path / "lock").touch()
    place = LocalSystem(tmp_path).place
    for folder in (place.kvs, place.logs):
        folder.mkdir()
        (folder / "file").write_text("with keys", "utf-8")
    place.secrets.write_text("with keys", "utf-8")
    system = LocalSystem(tmp_path)
    system._claim()
    assert list(place.kvs.iterdir()) == list(place.logs.iterdir()) == []
    assert not place.secrets.exists()
    system.stop()
