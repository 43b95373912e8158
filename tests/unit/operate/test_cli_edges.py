"""The command says when edges do not have what is written."""

from __future__ import annotations

import argparse

from msgspec.structs import replace

from fairgate.adapters.aws.keyvaluestore import KeyValueStore
from fairgate.domain.gate.gate_config import dump_gate, gate_key
from fairgate.errors import DependencyUnavailableError
from fairgate_ops.operate import target
from fairgate_ops.operate.cli import main
from fairgate_ops.operate.cli.gate_report import NOT_AT_EDGES
from tests.support.world import START_MS
from tests.unit.operate.test_cli import (  # noqa: F401 fixtures are asked for by their names
    chart,
    create,
    gate_of,
    said,
    secret_file,
    system,
)


def test_what_edges_have_is_shown_when_it_is_not_what_is_written(
    system,  # noqa: F811 a fixture
    chart,  # noqa: F811 a fixture
    tmp_path,
    capsys,
):
    create(chart)
    capsys.readouterr()
    assert main.main(["tau", "get", "final", "--json"]) == 0
    assert said(capsys)["at_edges"] is True
    store = target.target_of(argparse.Namespace()).world.edge_config
    other = dump_gate(replace(gate_of(tmp_path, "final"), open_until_s=START_MS // 1000))
    store.write(gate_key("final"), other, store.etag())
    assert main.main(["tau", "get", "final"]) == 0
    assert "has another value than the Catalog" in capsys.readouterr().out


def test_a_change_says_so_when_the_store_of_the_edges_does_not_answer(
    system,  # noqa: F811 a fixture
    chart,  # noqa: F811 a fixture
    capsys,
    monkeypatch,
):
    create(chart)
    capsys.readouterr()

    def away(*_arguments):
        raise DependencyUnavailableError("gone", retry_after_s=5)

    monkeypatch.setattr(KeyValueStore, "_call", away)
    assert main.main(["event", "pause", "final"]) == 0
    assert NOT_AT_EDGES in " ".join(capsys.readouterr().out.split())
    assert system.item("catalog", ("EVENT", "final"))["state"] == "paused"
    assert main.main(["tau", "get", "final"]) == 0
    assert "what edges have is not known" in capsys.readouterr().out
