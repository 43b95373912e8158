"""Rotations and formats as an operator types them, or a timer runs them."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace

import msgspec
import pytest
from msgspec import structs

from fairgate.adapters.aws.keyvaluestore import KeyValueStore
from fairgate.adapters.dynamodb.guarded_writer import GuardedWriter
from fairgate.domain.gate.gate_config import VERSION, VERSION_BEFORE
from fairgate.errors import DependencyUnavailableError
from fairgate.service.shared.keys import gate_value_key
from fairgate.service.shared.records.gate import GateValueRecord
from fairgate_ops.operate import target
from fairgate_ops.operate.cli import keys, main
from tests.support.world import NAMES
from tests.unit.operate.test_cli import (  # noqa: F401 fixtures are asked for by their names
    chart,
    create,
    gate_of,
    secret_file,
    system,
)


@pytest.fixture
def sale(system, chart, monkeypatch):  # noqa: F811 the fixtures that are imported above
    """One event on sale and no other; two minutes pass at once."""
    create(chart)
    system.client.delete_item(
        TableName=NAMES["catalog"], Key={"PK": {"S": "EVENT"}, "SK": {"S": "show"}}
    )
    monkeypatch.setattr(keys, "_wait_for_spread", lambda: system.clock.tick(121))
    return system


def test_one_command_on_a_timer_makes_every_step(sale, tmp_path, capsys):
    signing = []
    for _ in range(20):
        for which in ("final", "--auth"):
            assert main.main(["keys", "rotate", which, "--every-h", "24"]) == 0
        signing.append(gate_of(tmp_path, "final").token_kid)
        sale.clock.tick(3 * 3600)
    assert len(set(signing)) == 3
    assert len(gate_of(tmp_path, "final").token_keys) == 1
    printed = capsys.readouterr().out
    for what in ("token keys of final", "auth keys"):
        for end in ("the new key signs.", "the old key verifies no longer.", "nothing is due yet."):
            assert f"{what}: {end}" in printed


def test_a_rotation_by_hand_is_refused_while_what_the_old_key_signed_lives(sale, capsys):
    assert main.main(["keys", "rotate", "final"]) == 0
    sale.clock.tick(60)
    assert main.main(["keys", "rotate", "final"]) == 1
    assert "Tokens of the old key are still valid." in capsys.readouterr().err
    sale.clock.tick(3600)
    assert main.main(["keys", "rotate", "final"]) == 0


@pytest.mark.parametrize("hours", ["often", "-1", "nan", "1e9"])
def test_a_timer_s_hours_are_hours(hours):
    with pytest.raises(SystemExit) as caught:
        main.main(["keys", "rotate", "final", f"--every-h={hours}"])
    assert caught.value.code == 2


def deployed(system, monkeypatch, version):  # noqa: F811 a parameter
    reached = replace(target.target_of(argparse.Namespace()), gate_format=lambda: version)
    monkeypatch.setattr(target, "target_of", lambda _options: reached)


def test_a_value_is_upgraded_once_the_deployment_reads_it(
    system,  # noqa: F811 a fixture
    chart,  # noqa: F811 a fixture
    tmp_path,
    monkeypatch,
    capsys,
):
    deployed(system, monkeypatch, VERSION_BEFORE)
    create(chart)
    assert gate_of(tmp_path, "final").version == VERSION_BEFORE
    assert main.main(["event", "upgrade", "final"]) == 1
    assert "Deploy this version first" in capsys.readouterr().err
    deployed(system, monkeypatch, VERSION)
    assert main.main(["event", "upgrade", "final", "--dry-run"]) == 0
    assert main.main(["event", "pause", "final"]) == 0
    assert gate_of(tmp_path, "final").version == VERSION_BEFORE
    assert main.main(["event", "upgrade", "final"]) == 0
    assert gate_of(tmp_path, "final").version == VERSION
    assert main.main(["event", "upgrade", "final", "--back", "--reason", "rolled back"]) == 0
    assert gate_of(tmp_path, "final").version == VERSION_BEFORE


def test_keys_that_were_rotated_while_seats_were_written_are_in_the_new_event_s_gate(
    system,  # noqa: F811 a fixture
    chart,  # noqa: F811 a fixture
    tmp_path,
    monkeypatch,
):
    """Else nobody who signs in from now on could join it, until the next rotation."""
    put_many = GuardedWriter.put_many

    def long(self, records):
        put_many(self, records)
        system.secrets.current = structs.replace(system.secrets.current, auth={"2": b"b" * 32})

    monkeypatch.setattr(GuardedWriter, "put_many", long)
    assert create(chart) == 0
    assert gate_of(tmp_path, "final").auth_keys == {"2": b"b" * 32}


def closed_long_ago(system, value="of a format of years ago"):  # noqa: F811 a parameter
    system.put(msgspec.structs.replace(system.event, sk="old", state="closed"))
    where = gate_value_key("old")
    record = GateValueRecord(*where, value=value, at_ms=1, version=3, heard=3)
    system.put(record)


def test_a_closed_event_of_an_old_format_keeps_no_key_from_being_rotated(sale, tmp_path, capsys):
    closed_long_ago(sale)
    assert main.main(["keys", "rotate", "--auth"]) == 0
    assert "old is closed and its gate cannot be read" in capsys.readouterr().out
    assert len(gate_of(tmp_path, "final").auth_keys) == 2


def test_an_open_event_that_cannot_be_read_is_not_left_behind(sale, capsys):
    """Whoever signs in with a new key would be refused there."""
    closed_long_ago(sale)
    sale.put(msgspec.structs.replace(sale.event, sk="old", state="open"))
    assert main.main(["keys", "rotate", "--auth"]) == 1
    assert "old" in capsys.readouterr().err


def test_a_rotation_says_so_when_edges_do_not_have_the_new_key(sale, capsys, monkeypatch):
    def away(*_arguments):
        raise DependencyUnavailableError("gone", retry_after_s=5)

    with monkeypatch.context() as silent:
        silent.setattr(KeyValueStore, "_call", away)
        assert main.main(["keys", "rotate", "final", "--step", "add"]) == 0
        said = capsys.readouterr().out
        assert "the new key verifies" in said
        assert "final: The KeyValueStore does not answer: what edges have is not known." in said
        assert main.main(["keys", "rotate", "--auth", "--step", "add"]) == 1
        assert "has not taken it" in capsys.readouterr().err
    sale.clock.tick(3600)
    assert main.main(["keys", "rotate", "--auth"]) == 1  # edges hear of it now, late
    sale.clock.tick(121)
    capsys.readouterr()
    assert main.main(["keys", "rotate", "--auth", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["at_edges"] is True
