"""What is said reaches terminals that know little, and streams that are closed; or is let go."""

from __future__ import annotations

import argparse
import io
import json
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from fairgate_ops.operate import target
from fairgate_ops.operate.cli import main
from tests.unit.operate.test_cli import chart, create, gate_of, secret_file, system

__all__ = ["chart", "secret_file", "system"]  # fixtures
UNWRITTEN = "answer could not be written: No space left on device.\n"


def said_in(encoding: str, words: str, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str, str]:
    """Run the command where standard output and standard error have this encoding."""
    raw = [io.BytesIO(), io.BytesIO()]
    for name, buffer in zip(("stdout", "stderr"), raw, strict=True):
        monkeypatch.setattr(f"sys.{name}", io.TextIOWrapper(buffer, encoding, write_through=True))
    status = main.main(words.split())
    out, err = (buffer.getvalue().decode(encoding) for buffer in raw)
    return status, out, err


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437", "utf-8"])
def test_a_command_is_done_and_said_where_letters_are_missing(system, chart, monkeypatch, encoding):
    create(chart)
    status, out, err = said_in(encoding, "tau set final 300", monkeypatch)
    assert (status, err) == (0, "")
    assert "300 s" in out
    assert "?" not in out
    status, out, _ = said_in(encoding, "tau get final", monkeypatch)
    assert status == 0
    if encoding == "ascii":
        assert out.startswith("final: before the sale, at 2027-01-15T08:01:00Z - standing still\n")
        assert "tau 300 s" in out


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_json_is_whole_where_letters_are_missing(system, chart, monkeypatch, encoding):
    create(chart, "--name", "Größe · τ 🎟")  # the last of them in two halves
    status, out, _ = said_in(encoding, "event show final --json", monkeypatch)
    assert (status, json.loads(out)["name"]) == (0, "Größe · τ 🎟")
    status, out, _ = said_in(encoding, "tau get ü --json", monkeypatch)
    assert status == 1
    assert "ü" in json.loads(out)["error"]["detail"]


def test_a_refusal_is_said_where_letters_are_missing(system, monkeypatch):
    status, _, err = said_in("ascii", "tau get τ", monkeypatch)
    assert status == 1
    assert "no event tau" in err


@pytest.mark.parametrize("closed", ["stdin", "stdout", "stderr"])
def test_a_stream_that_is_closed_stops_nothing(system, chart, monkeypatch, closed):
    create(chart)
    monkeypatch.setattr(f"sys.{closed}", None)  # as Python has it, of `>&-`
    assert main.main(["tau", "set", "final", "300"]) == 0
    assert main.main(["tau", "get", "nothing"]) == 1
    assert main.main(["event", "close", "final"]) == 1  # nobody is there to ask
    assert main.main(["event", "close", "final", "--yes"]) == 0


@pytest.mark.parametrize("buffered", ["", "1"])
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("--version", 1, f"The {UNWRITTEN}"),
        ("event --help", 1, f"The {UNWRITTEN}"),
        ("completion bash", 1, f"The {UNWRITTEN}"),
        (
            f"ticket verify FG1.x --public-key={'A' * 43}",
            1,
            f"Not all is well, and the {UNWRITTEN}",
        ),
        ("nonsense --json", 2, f"The {UNWRITTEN}"),
        ("ticket verify FG1.x --public-key=none --json", 1, f"The {UNWRITTEN}"),
    ],
)
def test_a_full_disk_is_no_traceback_nor_is_it_at_pythons_end(words, code, said, buffered):
    command = [sys.executable, "-m", "fairgate_ops.operate.cli.main", *words.split()]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env={"PYTHONPATH": ":".join(sys.path), "PYTHONUNBUFFERED": buffered},
        )
    assert done.returncode == code
    assert done.stderr.endswith(said)
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    if words.endswith("--json"):  # why not, where the document cannot say so
        assert "invalid choice" in done.stderr or "Not done: --public-key" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("event pause final", f"Done, but the {UNWRITTEN}"),
        ("event pause final --json", f"Done, but the {UNWRITTEN}"),
        ("event pause final --dry-run", f"The {UNWRITTEN}"),
        ("event list", f"The {UNWRITTEN}"),
        ("tau get final --json", f"The {UNWRITTEN}"),
        ("orders list final --csv", f"The {UNWRITTEN}"),
        (
            "tau get nothing --json",
            f"`event list` shows what there is.\nHelp: fairgate tau get --help\nThe {UNWRITTEN}",
        ),
    ],
)
def test_what_is_done_is_said_where_its_answer_cannot_be_written(
    system, chart, monkeypatch, capsys, tmp_path, words, said
):
    create(chart)
    capsys.readouterr()
    with Path("/dev/full").open("w") as full:
        monkeypatch.setattr("sys.stdout", full)
        assert main.main(words.split()) == 1
    told = capsys.readouterr().err
    assert told.endswith(said)
    assert ("Done" in told) == ("Done" in said)
    paused = "pause" in words and "--dry-run" not in words
    assert gate_of(tmp_path, "final").state == ("paused" if paused else "open")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("nonsense", 2),
        ("ticket verify FG1.x --public-key=none", 1),
        ("completion bash", 0),
    ],
)
def test_a_standard_error_on_a_full_disk_changes_no_end(words, code):
    command = [sys.executable, "-m", "fairgate_ops.operate.cli.main", *words.split()]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=full,
            check=False,
            env={"PYTHONPATH": ":".join(sys.path)},
        )
    assert (done.returncode, bool(done.stdout)) == (code, code == 0)


def test_what_is_said_beforehand_on_a_full_standard_error_stops_nothing(
    system, chart, monkeypatch, tmp_path
):
    create(chart)
    ahead = replace(target.target_of(argparse.Namespace()), clock_ahead_s=90)
    monkeypatch.setattr(target, "target_of", lambda _options: ahead)
    with Path("/dev/full").open("w", buffering=1) as full, monkeypatch.context() as deaf:
        deaf.setattr("sys.stderr", full)
        assert main.main(["event", "pause", "final"]) == 0
        with suppress(OSError):
            full.close()
    assert gate_of(tmp_path, "final").state == "paused"
