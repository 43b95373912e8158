"""A command makes each of AWS's clients once, and finds out once who calls."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import botocore.session
import pytest
from botocore.exceptions import ClientError
from botocore.stub import Stubber
from moto import mock_aws

from fairgate.errors import MalformedInputError
from fairgate_ops.operate.aws_clients import AwsClients
from fairgate_ops.operate.cli.main import parser
from fairgate_ops.operate.target import target_of

REGION = "eu-central-1"


@pytest.fixture
def sessions(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Every session that is made."""
    made: list[Any] = []
    new = botocore.session.get_session

    def counted() -> Any:
        made.append(new())
        return made[-1]

    monkeypatch.setattr(botocore.session, "get_session", counted)
    return made


def test_one_session_makes_all_clients_and_each_once(sessions: list[Any]) -> None:
    clients = AwsClients()
    with ThreadPoolExecutor(8) as pool:
        services = ["sqs", "ssm"] * 8
        made = list(pool.map(lambda service: clients.client(service, REGION), services))
    assert len({id(client) for client in made}) == 2
    assert len(sessions) == 1


@pytest.mark.parametrize("other", [{"read_s": 35}, {"attempts": 1}])
def test_what_is_asked_for_otherwise_is_another(other: dict[str, Any]) -> None:
    clients = AwsClients()
    one = clients.client("sqs", REGION)
    assert clients.client("sqs", REGION, **other) is not one
    assert clients.client("sqs", "eu-west-1").meta.region_name == "eu-west-1"
    assert clients.client("sqs", REGION) is one


def test_an_address_that_is_none_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "nowhere")
    clients = AwsClients()
    with pytest.raises(MalformedInputError, match="AWS_ENDPOINT_URL"):
        clients.client("sqs", REGION)
    monkeypatch.delenv("AWS_ENDPOINT_URL")
    assert clients.client("sqs", REGION)


@pytest.mark.parametrize("code", ["ExpiredToken", "ExpiredTokenException"])
def test_keys_that_were_renewed_in_their_file_are_taken_up(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: str
) -> None:
    """`fairgate watch` runs for longer than such keys are valid."""
    file = tmp_path / "credentials"
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(file))
    keys = "[default]\naws_access_key_id = {}\naws_secret_access_key = s\naws_session_token = t\n"
    file.write_text(keys.format("before"))
    clients = AwsClients()
    client = clients.client("sqs", REGION)
    with Stubber(client) as answers:
        answers.add_client_error("list_queues", "AccessDenied")
        answers.add_client_error("list_queues", code)
        for renewed in (False, True):
            file.write_text(keys.format("after"))
            with pytest.raises(ClientError):
                client.list_queues()
            assert (clients.client("sqs", REGION) is not client) == renewed
    signer = clients.client("sqs", REGION)._request_signer
    assert signer._credentials.access_key == "after"


def test_who_looks_again_and_again_makes_no_client_anew(
    sessions: list[Any], tmp_path: Path
) -> None:
    """`fairgate watch` asks for the client of the queues at each look."""
    run_file = tmp_path / "local.json"
    document = {
        "dynamodb_endpoint": "http://127.0.0.1:1",
        "kvs_arn": "arn",
        "public_url": "http://127.0.0.1:1",
        "queues": {},
        "region": REGION,
        "secrets_dir": str(tmp_path),
        "tables": {"catalog": "c", "reservations": "r", "seats": "s"},
    }
    run_file.write_text(json.dumps(document))
    words = ["queue", "list", "--run-file", str(run_file)]
    target = target_of(parser(words).parse_args(words))
    assert target.sqs() is target.sqs()
    assert target.dynamodb() is target.dynamodb()
    assert len(sessions) == 1


@pytest.mark.parametrize("told", [{}, {"backup_days": 0}, {"backup_days": 35}])
def test_the_command_knows_how_long_backups_are_kept_if_the_deployment_says_it(
    monkeypatch: pytest.MonkeyPatch, told: dict[str, int]
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    tables = {"catalog": "c", "reservations": "r", "seats": "s"}
    document = {"region": REGION, "tables": tables, "kvs_arn": "arn", "public_url": "https://x"}
    with mock_aws():
        AwsClients().client("ssm", REGION).put_parameter(
            Name="/fairgate/dev/operator", Value=json.dumps(document | told), Type="String"
        )
        words = ["--target", "aws", "--stage", "dev", "--region", REGION, "event", "list"]
        target = target_of(parser(words).parse_args(words))
    assert target.backup_days == told.get("backup_days")
