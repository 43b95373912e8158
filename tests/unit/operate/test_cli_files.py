"""What the command writes for its operator is whole or not there, and refused beforehand."""

from __future__ import annotations

import io
import json
import os
import resource
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fairgate.errors import MalformedInputError
from fairgate_ops.operate.audit.log_file import write_log
from fairgate_ops.operate.cancel_event.report import report_to
from fairgate_ops.operate.cli import main
from fairgate_ops.shared.whole_file import check_writable, write_whole
from tests.unit.operate.test_cli import chart, create, secret_file, system

__all__ = ["chart", "secret_file", "system"]  # fixtures

WRITES = (
    "ticket void-list final --out OUT",
    "audit export final --out OUT",
    "venue import CHART --out OUT",
)


@pytest.mark.parametrize("command", WRITES)
@pytest.mark.parametrize("switches", [[], ["--dry-run"]])
def test_where_nothing_can_be_written_it_is_refused_in_a_dry_run_as_well(
    system, chart, tmp_path, capsys, command, switches
):
    create(chart)
    words = [{"CHART": chart}.get(word, word) for word in command.split()]
    for out in (tmp_path / "none" / "x.json", tmp_path):
        capsys.readouterr()
        typed = [str(out) if word == "OUT" else word for word in words]
        assert main.main([*typed, *switches, "--json"]) == 1
        error = json.loads(capsys.readouterr().out)["error"]
        assert error["code"] in ("malformed-input", "wrong-state")
        assert str(out) in error["detail"]


def test_a_log_and_its_rules_are_not_written_into_one_file(system, chart, tmp_path, capsys):
    create(chart)
    main.main(["event", "close", "final", "--yes"])
    main.main(["draw", "reveal", "final", "--yes"])
    out = str(tmp_path / "log.jsonl.gz")
    words = ["audit", "export", "final", "--out", out, "--config", out]
    for switches in (["--dry-run"], []):
        assert main.main([*words, *switches]) == 1
        assert "another file for the rules" in capsys.readouterr().err
    assert not Path(out).exists()


def test_what_is_there_stays_until_the_whole_is_written(tmp_path: Path) -> None:
    path = tmp_path / "void.json"
    write_whole(path, "old")
    write_whole(path, "new")
    assert [file.name for file in tmp_path.iterdir()] == ["void.json"]
    assert path.read_text() == "new"
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "\ud800")
    assert (path.read_text(), len(list(tmp_path.iterdir()))) == ("new", 1)


def test_a_pipe_or_device_is_written_to_and_stays_what_it_is(tmp_path: Path) -> None:
    """Whoever is root would make a file of /dev/null by giving a draft its name."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_whole(path, "text")
        assert os.read(reader, 100) == b"text"
        with report_to(path):
            pass
        assert stat.S_ISFIFO(path.stat().st_mode)
    finally:
        os.close(reader)


@contextmanager
def full_disk() -> Iterator[None]:
    """No file grows any more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def write_entries(path: Path) -> None:
    """A log that is larger than what is held back."""
    with write_log(str(path)) as log:
        for _ in range(2):
            log.head(os.urandom(100_000).hex(), published=False, exported_at="now")
        log.end(0)


def test_a_log_for_which_there_is_no_room_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    with full_disk(), pytest.raises(MalformedInputError, match=f"{path} cannot be written: File"):
        write_entries(path)
    assert list(tmp_path.iterdir()) == []
    full = tmp_path / "full.gz"
    full.symlink_to("/dev/full")
    with pytest.raises(MalformedInputError, match=f"{full} cannot be written: No space left"):
        write_entries(full)
    write_entries(path)
    assert {file.name for file in tmp_path.iterdir()} == {"a.gz", "full.gz"}


def test_a_file_for_which_there_is_no_room_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "void.json"
    write_whole(path, "old")
    with full_disk(), pytest.raises(MalformedInputError, match="cannot be written: File too"):
        write_whole(path, "new")
    assert (path.read_text(), len(list(tmp_path.iterdir()))) == ("old", 1)


def test_what_is_interrupted_on_a_full_disk_is_interrupted(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), full_disk(), report_to(tmp_path / "r.csv"):
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_lets_nobody_write_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_asked: False)  # root may write everywhere
    with pytest.raises(MalformedInputError, match="lets nobody write"):
        check_writable(tmp_path / "x")


def test_a_code_that_is_no_text_is_refused_and_shown_harmless(capsys, monkeypatch):
    raw = io.TextIOWrapper(io.BytesIO(b"FG1.\xff\x1b[2J\nnonsense\n"), "utf-8")
    monkeypatch.setattr("sys.stdin", raw)
    assert main.main(["ticket", "verify", "--public-key=" + "A" * 43]) == 1
    said = capsys.readouterr().out
    assert said.startswith("REFUSED  FG1.��[2J…  not signed with this key\nREFUSED  nonsense…")


def test_a_list_of_another_event_is_no_list_for_this_door(tmp_path, capsys):
    path = tmp_path / "void.json"
    path.write_text(json.dumps({"event": "semi", "void": []}))
    words = ["ticket", "verify", "x", "--public-key=" + "A" * 43, "--void-list", str(path)]
    assert main.main([*words, "--event", "final"]) == 1
    assert "is the list of semi, not of final" in capsys.readouterr().err
    main.main([*words, "--event", "semi"])
    main.main(words)
    assert capsys.readouterr().out.count("REFUSED") == 2
