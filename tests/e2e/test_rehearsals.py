"""Runbooks of docs/disaster.md, done on the running system; and the doctor looks at it."""

from __future__ import annotations

import json

import pytest

from fairgate_ops.run.rehearse import runbooks as rehearse
from tests.support.running import Running

# A leaked key takes the minutes that a rotation waits; `make rehearse` plays it.
QUICK = sorted(set(rehearse.REHEARSALS) - {"leaked-key"})


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.usefixtures("forked")
def test_a_runbook_makes_all_well_again(system: Running, name: str, capsys: object) -> None:
    words = [name, "--run-file", str(system.run_file), "--event", system.event]
    assert rehearse.main(words) == 0


def test_a_rehearsal_that_finds_it_broken_says_so(
    system: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_stage: rehearse.Stage) -> None:
        raise rehearse.RehearsalError("still broken")

    monkeypatch.setitem(rehearse.REHEARSALS, "cache-loss", broken)
    assert rehearse.main(["cache-loss", "--run-file", str(system.run_file)]) == 1


def test_the_doctor_finds_the_running_system_ready(system: Running) -> None:
    answer = json.loads(system.fairgate("doctor", "--json"))
    assert answer["ready"] is True, answer
