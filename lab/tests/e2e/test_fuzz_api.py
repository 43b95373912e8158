"""What the running system answers to anything is what docs/openapi.json describes."""

from __future__ import annotations

import json

import pytest

from fairgate.http import paths
from fairgate_lab.attack.fuzz_api import Asking, Pass, fuzz, fuzz_all, schemathesis
from fairgate_ops.build.openapi import document

SEED = 1
PHASES = ("examples", "fuzzing")  # the coverage phase: `make fuzz-api`


@pytest.fixture
def asking():
    command = schemathesis()
    if command is None:
        pytest.skip("Schemathesis is not installed: `make test` does it (.venv-openapi)")
    return Asking(command, 5, SEED, PHASES)


def test_every_answer_is_described(system, asking, capfd):
    assert fuzz_all(system.base_url, system.event, asking) == 0, capfd.readouterr().out


def test_a_status_that_is_not_described_is_found(system, asking, tmp_path, capfd):
    less = document()
    del less["paths"][paths.EVENT]["get"]["responses"]["404"]
    told = tmp_path / "openapi.json"
    told.write_text(json.dumps(less))
    asked = Asking(asking.command, 5, SEED, PHASES, told)
    assert fuzz(system.base_url, Pass("a guest", {}, only=["getEvent"]), asked) == 1
    assert "404" in capfd.readouterr().out
