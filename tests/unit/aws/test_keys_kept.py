"""Keys that were read once serve on while nobody can read them again."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass

import pytest
from botocore.exceptions import ClientError

from fairgate import settings
from fairgate.adapters.aws import secrets
from fairgate.adapters.aws.secrets import CachedSecrets
from fairgate.domain.shared.jws import b64url
from fairgate.errors import DependencyUnavailableError
from fairgate_lab.engine.clock import MemoryClock

OUTAGE = DependencyUnavailableError("The keys are unavailable.", retry_after_s=5)


def document(kid: str = "1", **more: object) -> str:
    key = b64url(b"k" * 32)
    keys = {"auth": {kid: key}, "auth_kid": kid, "session": {kid: key}, "session_kid": kid}
    return json.dumps(keys | more)


@dataclass
class Store:
    """Answers with a text, or fails."""

    answer: str | Exception
    asked: int = 0

    def __call__(self, _name: str) -> str:
        self.asked += 1
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def served_on(answer: str | Exception) -> None:
    """For ten minutes of a request a second, of which one in ten asks; then by the next keys."""
    store, clock = Store(document()), MemoryClock()
    keys = CachedSecrets(store, clock)
    known = keys.sign_in()
    store.answer = answer
    clock.tick(61)
    store.asked = 0
    for _ in range(600):
        assert keys.sign_in() is known
        clock.tick(1)
    assert 50 <= store.asked <= 60
    store.answer = document("2")
    clock.tick(11)
    assert keys.sign_in().auth_kid == "2"
    store.asked = 0
    for _ in range(60):
        assert keys.sign_in().auth_kid == "2"
        clock.tick(1)
    assert store.asked == 0


@pytest.mark.parametrize(
    "answer", [OUTAGE, "", "{}", "[]", "null", document(auth="1"), document(session={"1": "é"})]
)
def test_the_last_keys_serve_on_until_others_can_be_read(
    answer: str | Exception, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        served_on(answer)
    assert "keys not read again, the last ones stay" in caplog.text
    assert b64url(b"k" * 32) not in caplog.text


def test_control_every_request_fails_when_an_outage_counts_as_an_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(secrets, "_NOT_READ", ())
    with pytest.raises(DependencyUnavailableError):
        served_on(OUTAGE)


@pytest.mark.parametrize("code", ["AccessDeniedException", "DecryptionFailure"])
def test_the_last_keys_serve_on_when_the_store_refuses(
    code: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    answers: list[str] = [document()]

    def call(operation: str, **request: str) -> dict[str, str]:
        assert request == {"SecretId": "fairgate/test/keys", "VersionStage": "AWSCURRENT"}
        if not answers:
            raise ClientError({"Error": {"Code": code}}, operation)
        return {"SecretString": answers[0]}

    monkeypatch.setattr(secrets, "aws_calls", lambda _service: call)
    clock = MemoryClock()
    named = settings.from_environment({settings.SECRETS: "fairgate/test/"})
    keys = secrets.secret_store(named, clock)
    known = keys.sign_in()
    answers.clear()
    clock.tick(61)
    assert keys.sign_in() is known
    assert code in caplog.text
    with pytest.raises(DependencyUnavailableError):
        secrets.secret_store(named, clock).sign_in()


@pytest.mark.parametrize(
    ("lacking", "said"),
    [
        ({}, "it has no ticket"),
        ({"ticket": b64url(b"t" * 32)}, "it has no links"),
        ({"ticket": "é", "links": ""}, "cannot be used: "),
    ],
)
def test_a_secret_that_lacks_a_key_is_an_outage_of_its_own_and_the_log_says_of_what(
    lacking: dict[str, str], said: str, caplog: pytest.LogCaptureFixture
) -> None:
    """As between an update and `keys split`."""
    texts = {"keys": document(), "tickets": json.dumps(lacking)}
    asked: list[str] = []

    def read(name: str) -> str:
        asked.append(name)
        return texts[name]

    keys = CachedSecrets(read, MemoryClock())
    with pytest.raises(DependencyUnavailableError):
        keys.tickets()
    assert "the secret tickets cannot be used" in caplog.text
    assert said in caplog.text
    assert not any(key and key in caplog.text for key in lacking.values())
    assert keys.sign_in().auth_kid == "1"
    texts["tickets"] = json.dumps(dict.fromkeys(("ticket", "links"), b64url(b"t" * 32)))
    assert keys.tickets().ticket == b"t" * 32
    # Each secret is read when it is first needed, and again only after a failure.
    for _ in range(2):
        keys.sign_in()
        keys.tickets()
    assert asked == ["tickets", "keys", "tickets"]


def test_a_defect_of_ours_is_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError):
        served_on(ZeroDivisionError())


def test_it_is_an_outage_when_they_were_never_read() -> None:
    with pytest.raises(DependencyUnavailableError):
        CachedSecrets(Store(OUTAGE), MemoryClock()).sign_in()
