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
    return json.dumps(keys | {"webhook": key, "ticket": key} | more)


@dataclass
class Store:
    """Answers with a text, or fails."""

    answer: str | Exception
    asked: int = 0

    def __call__(self) -> str:
        self.asked += 1
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def served_on(answer: str | Exception) -> None:
    """For ten minutes of a request a second, of which one in ten asks; then by the next keys."""
    store, clock = Store(document()), MemoryClock()
    keys = CachedSecrets(store, clock)
    known = keys.secrets()
    store.answer = answer
    clock.tick(61)
    store.asked = 0
    for _ in range(600):
        assert keys.secrets() is known
        clock.tick(1)
    assert 50 <= store.asked <= 60
    store.answer = document("2")
    clock.tick(11)
    assert keys.secrets().auth_kid == "2"
    store.asked = 0
    for _ in range(60):
        assert keys.secrets().auth_kid == "2"
        clock.tick(1)
    assert store.asked == 0


@pytest.mark.parametrize(
    "answer", [OUTAGE, "", "{}", "[]", "null", document(auth="1"), document(webhook="é")]
)
def test_the_last_keys_serve_on_until_others_can_be_read(
    answer: str | Exception, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        served_on(answer)
    assert "keys not read again" in caplog.text
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

    def call(operation: str, **_request: str) -> dict[str, str]:
        if not answers:
            raise ClientError({"Error": {"Code": code}}, operation)
        return {"SecretString": answers[0]}

    monkeypatch.setattr(secrets, "aws_calls", lambda _service: call)
    clock = MemoryClock()
    named = settings.from_environment({settings.SECRET_ID: "keys"})
    keys = secrets.secret_store(named, clock)
    known = keys.secrets()
    answers.clear()
    clock.tick(61)
    assert keys.secrets() is known
    assert code in caplog.text
    with pytest.raises(DependencyUnavailableError):
        secrets.secret_store(named, clock).secrets()


def test_a_defect_of_ours_is_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError):
        served_on(ZeroDivisionError())


def test_it_is_an_outage_when_they_were_never_read() -> None:
    with pytest.raises(DependencyUnavailableError):
        CachedSecrets(Store(OUTAGE), MemoryClock()).secrets()
