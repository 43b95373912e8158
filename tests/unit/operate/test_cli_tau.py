"""What an event was created with is set later by ``tau set``; no controller is left blind."""

from __future__ import annotations

import pytest

from fairgate_ops.operate.cli import main
from tests.unit.operate.test_cli import chart, create, gate_of, said, secret_file, system

__all__ = ["chart", "secret_file", "system"]  # fixtures
TAU_AND_MEAN = ["tau", "set", "final", "300", "--session-mean-s", "0"]


def test_what_a_creation_was_told_can_be_set_later(system, chart, tmp_path, capsys):
    create(chart, "--control", "auto")
    pace = gate_of(tmp_path, "final").epochs
    system.clock.tick(3600)
    words = "tau set final --sample-violations 0.2 --session-mean-s 240"
    assert main.main([*words.split(), "--dry-run"]) == 0
    assert gate_of(tmp_path, "final").sample_violations == 0.05
    capsys.readouterr()
    assert main.main([*words.split(), "--json"]) == 0
    assert said(capsys)["changed"]
    assert gate_of(tmp_path, "final").sample_violations == 0.2
    assert gate_of(tmp_path, "final").epochs == pace
    assert system.item("catalog", ("EVENT", "final"))["sessionMeanS"] == 240
    assert main.main([*TAU_AND_MEAN, "--json"]) == 0
    assert "automatic" in said(capsys)["note"]
    assert system.item("catalog", ("EVENT", "final"))["sessionMeanS"] == 0
    assert gate_of(tmp_path, "final").epochs[-1].slope == 1 / 300


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("--sample-violations 1.5", "share from 0 to 1"),
        ("--session-mean-s 9", "10 to 600, or 0"),
        ("--session-mean-s 601", "10 to 600, or 0"),
    ],
)
def test_what_cannot_be_set_is_refused_with_what_can(system, chart, capsys, words, text):
    create(chart)
    capsys.readouterr()
    assert main.main(f"tau set final {words}".split()) == 1
    assert text in capsys.readouterr().err


def test_a_controller_that_would_be_blind_is_refused(system, chart, capsys):
    assert create(chart, "--control", "auto", "--sample", "0") == 1
    assert "knows the crowd by nothing else" in capsys.readouterr().err


@pytest.mark.parametrize("words", ["300 --sample-violations 5", "300 --session-mean-s 9"])
def test_all_is_set_or_nothing(system, chart, tmp_path, capsys, words):
    create(chart)
    before = gate_of(tmp_path, "final"), system.item("catalog", ("EVENT", "final"))
    assert main.main(f"tau set final {words}".split()) == 1
    assert (gate_of(tmp_path, "final"), system.item("catalog", ("EVENT", "final"))) == before
