"""A table that answers nothing: an operator hears of it after one round of tries."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from functools import partialmethod
from pathlib import Path

import pytest

from fairgate.adapters.dynamodb import client
from fairgate_ops.operate.aws_clients import AwsClients
from fairgate_ops.operate.cli import main
from tests.support.listeners import Listener
from tests.support.waiting import eventually


class Silent(Listener):
    """Takes calls and answers none."""

    def __init__(self) -> None:
        self.calls = 0
        super().__init__()

    def serve(self, caller: socket.socket) -> None:
        with caller:
            self.calls += 1
            while caller.recv(65_536):
                pass


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> Iterator[Silent]:
    monkeypatch.setattr(AwsClients, "client", partialmethod(AwsClients.client, read_s=0.05))
    listener = Silent()
    yield listener
    listener.close()


def test_a_command_asks_no_more_than_one_round_when_the_table_is_silent(
    silent: Silent, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_file = tmp_path / "local.json"
    run_file.write_text(
        json.dumps(
            {
                "dynamodb_endpoint": f"http://127.0.0.1:{silent.port}",
                "kvs_arn": "arn:aws:cloudfront::000000000000:key-value-store/none",
                "kvs_endpoint": f"http://127.0.0.1:{silent.port}",
                "public_url": "http://127.0.0.1:1",
                "region": "eu-central-1",
                "secrets_dir": str(tmp_path),
                "tables": {name: name for name in ("seats", "reservations", "catalog")},
            }
        )
    )
    assert main.main(["event", "list", "--run-file", str(run_file)]) == 1
    said = capsys.readouterr().err
    assert "DynamoDB does not answer" in said  # buyers are told that the system is busy
    assert "Is `make up` still running? Then please try again." in said
    # The listener counts a call a moment after it has been given up.
    assert eventually(lambda: silent.calls >= client.ATTEMPTS_MAX)
    assert silent.calls == client.ATTEMPTS_MAX
