"""A command that is pointed at what is not there says so in a line, and ends with 1."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import BotoCoreError, ClientError, NoCredentialsError

from fairgate_ops.operate.cli import main
from fairgate_ops.operate.cli.report import refusal_of
from fairgate_ops.run.rehearse import runbooks as rehearse

KEYS = {"AWS_ACCESS_KEY_ID": "no-one", "AWS_SECRET_ACCESS_KEY": "nothing"}


def refused(capsys: Any, *words: str) -> str:
    assert main.main([*words, "doctor", "--json"]) == 1
    detail: str = json.loads(capsys.readouterr().out)["error"]["detail"]
    return detail


def client_error(message: str) -> ClientError:
    return ClientError({"Error": {"Code": "Denied", "Message": message}}, "Query")


@pytest.mark.parametrize("text", ["{}", "[]", "7", "null", "{", '{"region": "local"}'])
def test_a_run_file_that_is_none_is_refused(tmp_path: Path, capsys: Any, text: str) -> None:
    path = tmp_path / "local.json"
    path.write_text(text)
    assert str(path) in refused(capsys, "--run-file", str(path))
    assert rehearse.main(["--run-file", str(path)]) == 1
    assert str(path) in capsys.readouterr().err


@pytest.mark.parametrize(
    ("environment", "region", "says"),
    [
        ({"AWS_ENDPOINT_URL": "nowhere"}, "eu-central-1", "AWS_ENDPOINT_URL"),
        ({"AWS_PROFILE": "nobody"}, "eu-central-1", "nobody"),
        ({}, "no region!", "no region!"),
        ({"AWS_ENDPOINT_URL": "http://127.0.0.1:9"}, "eu-central-1", "127.0.0.1:9"),
    ],
)
def test_an_environment_that_leads_nowhere_is_refused(
    monkeypatch: pytest.MonkeyPatch,
    capsys: Any,
    environment: dict[str, str],
    region: str,
    says: str,
) -> None:
    for name, value in (KEYS | environment).items():
        monkeypatch.setenv(name, value)
    assert says in refused(capsys, "--target", "aws", "--region", region)


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (NoCredentialsError(), "No answer: Unable to locate credentials. Check the credentials"),
        (BotoCoreError(), "No answer: An unspecified error occurred. Check the credentials"),
        (client_error("Not yours"), "AWS refused Query (Denied): Not yours. Check the"),
        (client_error("Not yours."), "AWS refused Query (Denied): Not yours. Check the"),
        (client_error(""), "AWS refused Query (Denied). Check the"),
    ],
)
def test_the_sdks_words_end_before_ours_begin(error: Exception, says: str) -> None:
    assert refusal_of(error, "aws").detail.startswith(says)


def test_a_rehearsal_goes_on_after_one_that_breaks_by_surprise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    played = []

    def surprise(_stage: rehearse.Stage) -> None:
        raise KeyError("valkey_url")

    monkeypatch.setattr(rehearse.Stage, "target", lambda _stage: None)
    monkeypatch.setattr(
        rehearse, "REHEARSALS", {"surprise": surprise, "next": lambda _stage: played.append(1)}
    )
    assert rehearse.main(["--run-file", str(tmp_path / "local.json")]) == 1
    assert "surprise: BROKEN" in capsys.readouterr().out
    assert played == [1]
