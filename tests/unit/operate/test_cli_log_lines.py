"""The log is read one line an act, whatever was typed or what somebody wrote into the table."""

from __future__ import annotations

import pytest

from fairgate_ops.operate.cli import main
from tests.unit.operate.test_cli import chart, create, secret_file, system

__all__ = ["chart", "secret_file", "system"]  # fixtures

FORGED = "x\n2027-01-15T08:00:00.000Z  done        tau set         boss  tau_s 1\x1b[1A"


def lines_of_log(capsys: pytest.CaptureFixture[str]) -> list[str]:
    capsys.readouterr()
    main.main(["event", "log", "final"])
    return capsys.readouterr().out.split("\n")[:-1]


@pytest.mark.parametrize(
    "words",
    [
        ["event", "edit", "final", "--text", "Doors at seven.\nBe on time."],  # which is allowed
        ["desk", "pardon", "final", FORGED, "--reason", "x"],
        ["draw", "announce", "final", "--source", FORGED, "--at", "2030-01-01T00:00:00Z"],
        ["draw", "beacon", "final", "--value", FORGED],
        ["event", "open", "final", "--at", "2030-06-01\n18:00:00Z"],
    ],
)
def test_nothing_that_is_typed_makes_a_line_of_its_own(system, chart, capsys, words):
    create(chart)
    main.main(words)
    lines = lines_of_log(capsys)
    assert len(lines) == 5  # two of the creation, two of the act, and the verdict
    assert all(line.isprintable() for line in lines)
    assert lines[-1] == "Every entry is as it was signed."


def test_who_an_operator_says_to_be_makes_no_line_of_its_own(system, chart, capsys, monkeypatch):
    create(chart)
    monkeypatch.setenv("LOGNAME", FORGED)
    main.main(["event", "pause", "final"])
    assert len(lines_of_log(capsys)) == 5
    monkeypatch.setenv("LOGNAME", "ann")
    capsys.readouterr()
    main.main(["event", "resume", "final"])
    said = capsys.readouterr().out
    assert "Somebody else has changed it: x" in said
    assert "\n2027-01-15T08:00:00.000Z  done" not in said


@pytest.mark.parametrize("spoilt", ["[]", "7", '"x"', "null", "{"])
def test_an_entry_that_somebody_spoilt_is_shown_and_named(system, chart, capsys, spoilt):
    create(chart)
    main.main(["event", "pause", "final", "--reason", "smoke"])
    item = system.item("catalog", ("LOG#final", "00000004"))
    system.put_item("catalog", item | {"detail": spoilt})
    lines = lines_of_log(capsys)
    assert "THE LOG WAS TAMPERED WITH:" in lines
    assert "Entry 4 is not what was signed." in lines
    assert main.main(["event", "resume", "final"]) == 0
