"""Ports for the servers of one system: chosen before any of them is bound."""

from __future__ import annotations

import os

from fairgate_ops.run.local.processes import free_port


def test_no_port_is_given_twice(monkeypatch) -> None:
    drawn = iter([b"\x00\x07", b"\x00\x07", b"\x00\x08"])
    monkeypatch.setattr(os, "urandom", lambda _count: next(drawn))
    monkeypatch.setattr("fairgate_ops.run.local.processes.bindable", lambda _port: True)
    monkeypatch.setattr("fairgate_ops.run.local.processes._given", set())
    assert [free_port(), free_port()] == [20_007, 20_008]
