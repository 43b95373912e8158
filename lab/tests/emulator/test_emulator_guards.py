"""Nothing that deploys into the emulator can reach AWS; each guard is missed when it is gone."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import pytest

from fairgate_lab.emulator import deploy_local, engine
from fairgate_lab.emulator.engine import (
    CREDENTIALS,
    INTERPRETER,
    Emulator,
    Told,
    caller_environment,
    emulator_client,
)
from fairgate_ops.run.local.environment import base_environment
from tests.support.waiting import patience_s

ENDPOINT = "http://127.0.0.1:4599"
# What a shell of somebody who works with AWS may have; none of it is to get in.
SHELL = {
    "AWS_ACCESS_KEY_ID": "AKIAREAL",
    "AWS_SECRET_ACCESS_KEY": "real",
    "AWS_SESSION_TOKEN": "real",
    "AWS_PROFILE": "production",
    "AWS_DEFAULT_PROFILE": "production",
    "AWS_REGION": "us-east-1",
    "AWS_ENDPOINT_URL": "https://aws.example",
    "AWS_ENDPOINT_URL_DYNAMODB": "https://dynamodb.us-east-1.amazonaws.com",
    "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "true",
    "AWS_ROLE_ARN": "arn:aws:iam::123456789012:role/deployer",
    "AWS_WEB_IDENTITY_TOKEN_FILE": "/tmp/token",  # noqa: S108 nobody reads it
    "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://169.254.170.2/real",
    "AWS_CONFIG_FILE": "/somebody/.aws/config",
    "AWS_SHARED_CREDENTIALS_FILE": "/somebody/.aws/credentials",
    "AWS_EC2_METADATA_DISABLED": "false",
    "HTTPS_PROXY": "http://proxy.example:3128",
}
SERVICES = (
    *("apigatewayv2", "cloudformation", "cloudfront", "cloudwatch", "dynamodb", "elasticache"),
    *("iam", "lambda", "logs", "s3", "scheduler", "secretsmanager", "sns", "sqs", "ssm", "sts"),
)
# Prints each service's endpoint and the key it would sign with.
_ASK = f"""
from botocore.session import Session
session = Session()
key = session.get_credentials().access_key
for service in {SERVICES!r}:
    print(session.create_client(service).meta.endpoint_url, key)
"""
_RESOLVE = "import socket, sys; print(socket.getaddrinfo(sys.argv[1], 443)[0][4][0])"

Guard = Callable[[Mapping[str, str]], bool]
# What keeps a process here, each by itself.
OF_EACH: dict[str, Guard] = {
    "AWS_ACCESS_KEY_ID": lambda told: told["AWS_ACCESS_KEY_ID"] == "test",
    "AWS_SECRET_ACCESS_KEY": lambda told: told["AWS_SECRET_ACCESS_KEY"] == "test",
    "AWS_CONFIG_FILE": lambda told: told["AWS_CONFIG_FILE"] == os.devnull,
    "AWS_SHARED_CREDENTIALS_FILE": lambda told: told["AWS_SHARED_CREDENTIALS_FILE"] == os.devnull,
    "AWS_EC2_METADATA_DISABLED": lambda told: told["AWS_EC2_METADATA_DISABLED"] == "true",
    "PYTHONPATH": lambda told: str(INTERPRETER) in told["PYTHONPATH"].split(os.pathsep),
}
OF_CALLERS: dict[str, Guard] = {
    **OF_EACH,
    "AWS_ENDPOINT_URL": lambda told: told["AWS_ENDPOINT_URL"] == ENDPOINT,
    "AWS_REGION": lambda told: told["AWS_REGION"] == "eu-central-1",
    "AWS_DEFAULT_REGION": lambda told: told["AWS_DEFAULT_REGION"] == "eu-central-1",
}
OF_THE_EMULATOR: dict[str, Guard] = {
    **OF_EACH,
    "BIND_HOST": lambda told: told["BIND_HOST"] == "127.0.0.1",
    "AUTH": lambda told: told["AUTH"] == "true",
    "LAMBDA_EXECUTOR": lambda told: told["LAMBDA_EXECUTOR"] == "local",
    "SFTP_ENABLED": lambda told: told["SFTP_ENABLED"] == "0",
    "IOT_MTLS_ENABLED": lambda told: told["IOT_MTLS_ENABLED"] == "0",
}


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in SHELL.items():
        monkeypatch.setenv(name, value)


def of_callers() -> dict[str, str]:
    return caller_environment(ENDPOINT, base_environment())


def of_the_emulator(tmp_path: Path) -> dict[str, str]:
    hints = Told("http://127.0.0.1:1", "localhost:1", tmp_path / "cache.pem")
    return dict(Emulator(tmp_path, 4599, hints)._environment())


def broken(told: Mapping[str, str], guards: Mapping[str, Guard]) -> list[str]:
    """The guards that do not hold."""
    return [name for name, holds in guards.items() if name not in told or not holds(told)]


def strangers(told: Mapping[str, str]) -> set[str]:
    """What of the shell got in."""
    return {name for name, value in told.items() if SHELL.get(name) == value}


def test_every_guard_holds_whatever_the_shell_says(shell: None, tmp_path: Path) -> None:
    callers, emulator = of_callers(), of_the_emulator(tmp_path)
    assert (broken(callers, OF_CALLERS), strangers(callers)) == ([], set())
    assert (broken(emulator, OF_THE_EMULATOR), strangers(emulator)) == ([], set())


@pytest.mark.parametrize("name", OF_CALLERS)
def test_a_guard_of_callers_is_missed_when_it_is_gone(shell: None, name: str) -> None:
    told = of_callers()
    without = {key: value for key, value in told.items() if key != name}
    assert broken(without, OF_CALLERS) == [name]
    assert broken({**told, name: SHELL.get(name, "")}, OF_CALLERS) == [name]


@pytest.mark.parametrize("name", OF_THE_EMULATOR)
def test_a_guard_of_the_emulator_is_missed_when_it_is_gone(tmp_path: Path, name: str) -> None:
    told = of_the_emulator(tmp_path)
    without = {key: value for key, value in told.items() if key != name}
    assert broken(without, OF_THE_EMULATOR) == [name]
    assert broken({**told, name: "0.0.0.0"}, OF_THE_EMULATOR) == [name]  # noqa: S104 refused


def endpoints(environment: Mapping[str, str]) -> set[tuple[str, ...]]:
    done = subprocess.run(
        [sys.executable, "-c", _ASK],
        env=dict(environment),
        capture_output=True,
        text=True,
        check=True,
        timeout=patience_s(120),
    )
    return {tuple(line.split()) for line in done.stdout.splitlines()}


def test_every_service_of_a_caller_is_the_emulator(shell: None) -> None:
    assert endpoints(of_callers()) == {(ENDPOINT, CREDENTIALS["AWS_ACCESS_KEY_ID"])}


def test_one_service_that_the_shell_sends_elsewhere_would_be_noticed(shell: None) -> None:
    name = "AWS_ENDPOINT_URL_DYNAMODB"
    found = endpoints({**of_callers(), name: SHELL[name]})
    assert found == {(ENDPOINT, "test"), (SHELL[name], "test")}


def resolves(host: str, environment: Mapping[str, str]) -> str:
    """The address that a process finds, or why it finds none."""
    done = subprocess.run(
        [sys.executable, "-c", _RESOLVE, host],
        env=dict(environment),
        capture_output=True,
        text=True,
        check=False,
        timeout=patience_s(60),
    )
    return done.stdout.strip() or done.stderr.strip().splitlines()[-1]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "000000000000.127.0.0.1"])
def test_a_process_finds_this_machine(host: str) -> None:
    assert resolves(host, of_callers()) in {"127.0.0.1", "::1"}


@pytest.mark.parametrize(
    "host",
    [
        "sts.amazonaws.com",
        "169.254.169.254",
        "000000000000.127.0.0.1.example.org",
        "127.0.0.1.example.org",
        "10.0.0.1",
    ],
)
def test_a_process_finds_no_other_machine(host: str) -> None:
    assert "is not on this machine" in resolves(host, of_callers())


def test_the_interpreters_guard_is_missed_when_it_is_gone() -> None:
    told = of_callers()
    paths = told["PYTHONPATH"].split(os.pathsep)
    told["PYTHONPATH"] = os.pathsep.join(path for path in paths if path != str(INTERPRETER))
    assert resolves("10.0.0.1", told) == "10.0.0.1"


def test_a_client_of_the_tests_is_told_where_by_its_maker(shell: None) -> None:
    client = emulator_client("dynamodb", ENDPOINT)
    assert client.meta.endpoint_url == ENDPOINT
    assert client._request_signer._credentials.access_key == CREDENTIALS["AWS_ACCESS_KEY_ID"]


def test_a_shell_that_reads_the_file_speaks_to_the_emulator_alone(
    shell: None, tmp_path: Path
) -> None:
    class Place:
        run_dir = tmp_path

    class System:
        place, endpoint = Place, ENDPOINT

    written = deploy_local._write_shell(cast(Any, System))
    told = subprocess.run(
        ["bash", "-c", f". {written}; env"], capture_output=True, text=True, check=True
    ).stdout
    seen = dict(line.split("=", 1) for line in told.splitlines() if line.startswith("AWS_"))
    assert strangers(seen) == set()
    assert seen["AWS_ENDPOINT_URL"] == ENDPOINT


def test_a_folder_with_other_files_is_not_cleared(tmp_path: Path) -> None:
    from fairgate_lab.emulator.system import EmulatedSystem
    from fairgate_ops.run.local.processes import StartError

    (tmp_path / "thesis.txt").write_text("years of work", "utf-8")
    with pytest.raises(StartError, match="holds other files"):
        EmulatedSystem(tmp_path)._clear()
    assert (tmp_path / "thesis.txt").exists()


def test_it_does_not_start_where_something_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fairgate_lab.emulator.system import EmulatedSystem
    from fairgate_ops.run.local.processes import StartError

    monkeypatch.setattr(engine, "emulator_python", lambda: None)
    with pytest.raises(StartError, match="emulator-packages"):
        EmulatedSystem(tmp_path / "run")._start()
    assert not (tmp_path / "run").exists()


def test_a_layer_that_does_not_fit_leaves_nothing_beside_its_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each time that a function is tried again there would be half a layer more."""
    for name in ("ministack", "ministack.core", "ministack.core.lambda_runtime"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setattr(sys.modules["ministack.core"], "lambda_runtime", None, raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    archive = importlib.import_module("fairgate_lab.emulator.additions.layers")._Archive
    process = tmp_path / "process"
    mounted = process / "layer_0"
    mounted.mkdir(parents=True)
    with zipfile.ZipFile(process / "layer_0.zip", "w") as made:
        made.writestr("a.py", "")
        made.writestr("b.py", "")
    (mounted / "b.py").mkdir()  # which no file can take the place of
    with archive(process / "layer_0.zip") as layer, pytest.raises(IsADirectoryError):
        layer.extractall(mounted)
    assert [*tmp_path.iterdir()] == [process]
    (mounted / "b.py").rmdir()
    with archive(process / "layer_0.zip") as layer:
        layer.extractall(mounted)
    assert mounted.is_symlink()
    assert {path.name for path in mounted.iterdir()} == {"a.py", "b.py"}
