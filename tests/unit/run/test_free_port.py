"""Ports for the servers of one system: chosen before any of them is bound."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from fairgate_ops.run.local.processes import free_port
from tests.support.waiting import patience_s

ANOTHER = """
import sys
from fairgate_ops.run.local.processes import free_port
print(free_port(), flush=True)
sys.stdin.read()
"""


def test_no_port_is_given_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter([b"\x00\x07", b"\x00\x07", b"\x00\x08"])
    monkeypatch.setattr(os, "urandom", lambda _count: next(drawn))
    for free in ("bindable", "_marked"):
        monkeypatch.setattr(f"fairgate_ops.run.local.processes.{free}", lambda _port: True)
    monkeypatch.setattr("fairgate_ops.run.local.processes._given", set())
    assert [free_port(), free_port()] == [20_007, 20_008]


def test_no_port_is_given_to_two_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairgate_ops.run.local.processes._given", set())
    with subprocess.Popen(
        [sys.executable, "-c", ANOTHER],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdout is not None
        theirs = int(other.stdout.readline()) - 20_000
        ours = (theirs + 1) % 12_000
        drawn = iter(number.to_bytes(2, "big") for number in (theirs, ours))
        monkeypatch.setattr(os, "urandom", lambda _count: next(drawn))
        assert free_port() == 20_000 + ours
        other.communicate(timeout=patience_s(10))
