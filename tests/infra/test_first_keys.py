"""A deployment begins without keys, gets them once, and never loses them to a second try."""

from __future__ import annotations

import json

import pytest

from fairgate.adapters.aws.secrets import parse_secrets
from fairgate.errors import WrongStateError
from fairgate_ops.operate.first_keys import make_addresses_key, make_first_keys

from .conftest import Assembly


class Document:
    def __init__(self, text: str) -> None:
        self.text = text

    def read(self) -> str:
        return self.text

    def write(self, before: str, after: str) -> None:
        assert before == self.text
        self.text = after


def test_secret_becomes_readable_when_it_is_as_deployed(assembly: Assembly) -> None:
    generated = assembly.keys_secret()["Properties"]["GenerateSecretString"]
    deployed = json.loads(generated["SecretStringTemplate"])
    document = Document(json.dumps({**deployed, generated["GenerateStringKey"]: "random"}))
    make_first_keys(document)
    made = parse_secrets(document.text)
    assert made.auth_kid in made.auth
    assert made.session_kid in made.session
    keys = [*made.auth.values(), *made.session.values(), made.webhook, made.ticket, made.addresses]
    assert len(set(keys)) == 5
    assert {len(key) for key in keys} == {32}


def test_a_secret_of_before_gets_its_key_of_addresses_once() -> None:
    document = Document("{}")
    with pytest.raises(WrongStateError, match="no keys yet"):
        make_addresses_key(document)
    make_first_keys(document)
    before = json.loads(document.text)
    del before["addresses"]
    document.text = json.dumps(before)
    assert parse_secrets(document.text).addresses == b""
    make_addresses_key(document)
    made = json.loads(document.text)
    assert {name: made[name] for name in before} == before
    assert len(parse_secrets(document.text).addresses) == 32
    with pytest.raises(WrongStateError, match="find nothing that was bought before"):
        make_addresses_key(document)
    assert json.loads(document.text) == made


def test_keys_stay_when_there_are_some() -> None:
    document = Document("{}")
    make_first_keys(document)
    kept = document.text
    with pytest.raises(WrongStateError, match="There are keys already"):
        make_first_keys(document)
    assert document.text == kept
