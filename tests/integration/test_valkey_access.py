"""The functions' user of the cache: it may do what they do, and nothing else."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from valkey import Valkey
from valkey.exceptions import NoPermissionError

from fairgate.adapters.valkey import claims, rates, scripts
from fairgate.adapters.valkey.access import COMMANDS, KINDS, access_string
from fairgate.adapters.valkey.availability import ValkeyAvailability
from fairgate.domain.shared.rate_limit import RateLimit
from fairgate.ports.availability import CacheUnavailableError, Claim, ShardStatus
from fairgate_ops.run.local.valkey_server import FUNCTIONS, ValkeyServer
from tests.integration.test_cache_errors import QUESTIONS
from tests.support.availability import NOW_MS, locked, seats

SLOW, USED_UP = RateLimit(3, 3_600), RateLimit(1, 3_600)
FOREIGN = ("FLUSHALL", "KEYS *", "CONFIG GET *", "SCRIPT FLUSH", "ACL WHOAMI", "GET other", "INFO")
KEYS = {"AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "s", "AWS_REGION": "eu-central-1"}


def everything(cache: ValkeyAvailability, event: str) -> None:
    """Ask all that functions ask, in each of the ways that lead to other commands."""
    for question in QUESTIONS.values():
        question(cache)
    life = cache.life(event, "a")
    cache.fill(event, "a", [locked(0, 1, until_ms=NOW_MS), *seats(4)[1:]], life)
    cache.apply(event, "a", [locked(1, 2), *seats(4, version=3)[2:]])
    cache.counts(event, ["a"], NOW_MS)
    cache.fill_area(event, "f", [ShardStatus("f", 0, 3, 1)])
    cache.forget_area(event, "f")
    cache.claim(event, [Claim((("a", "1"), ("b", "2")))], "ann", 1)
    cache.claim(event, [Claim((("a", "1"), ("b", "2")))], "bob", 60_000)
    for _ in range(2):
        cache.take(event, [("one", SLOW), ("two", USED_UP)])
    cache.end_refill(event, "a")
    cache.forget(event, "a")


@pytest.fixture
def admin(server: ValkeyServer) -> Iterator[Any]:
    client = Valkey.from_url(server.url)
    client.flushall()
    yield client
    client.execute_command("ACL", "SETUSER", FUNCTIONS, "resetkeys", *access_string().split())
    client.close()


@pytest.fixture
def functions(server: ValkeyServer, admin: Any) -> Iterator[ValkeyAvailability]:
    cache = ValkeyAvailability(server.functions_url, timeout_s=2)
    admin.script_flush()  # so that each script is handed over once more
    yield cache
    cache.close()


def test_the_functions_may_ask_all_that_they_ask(functions: ValkeyAvailability) -> None:
    everything(functions, "final")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_less_is_noticed(functions: ValkeyAvailability, admin: Any, command: str) -> None:
    admin.execute_command("ACL", "SETUSER", FUNCTIONS, f"-{command}")
    with pytest.raises(CacheUnavailableError, match="permission"):
        everything(functions, "final")


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_of_key_less_is_noticed(
    functions: ValkeyAvailability, admin: Any, kind: str
) -> None:
    others = [f"~{one}:{{*" for one in KINDS if one != kind]
    admin.execute_command("ACL", "SETUSER", FUNCTIONS, "resetkeys", *others)
    with pytest.raises(CacheUnavailableError, match="permission"):
        everything(functions, "final")


@pytest.mark.parametrize("foreign", FOREIGN)
def test_what_they_do_not_ask_is_refused(server: ValkeyServer, foreign: str) -> None:
    with (
        closing(Valkey.from_url(server.functions_url)) as client,
        pytest.raises(NoPermissionError),
    ):
        client.execute_command(*foreign.split())


def test_every_command_within_a_script_is_among_them() -> None:
    texts = [t for m in (scripts, claims, rates) for t in vars(m).values() if isinstance(t, str)]
    called = {name.lower() for name in re.findall(r"redis\.call\('([A-Z]+)'", "\n".join(texts))}
    assert called <= set(COMMANDS)


# --- signing in


def named(server: ValkeyServer, user: str) -> str:
    return f"valkey://{user}@127.0.0.1:{server.port}?iam=fairgate-test-availability"


def test_a_token_of_the_role_signs_the_function_in(
    server: ValkeyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    with closing(ValkeyAvailability(named(server, FUNCTIONS), timeout_s=2)) as cache:
        everything(cache, "final")
        user, token = (
            cache._client()
            .client.connection_pool.connection_kwargs["credential_provider"]
            .get_credentials()
        )
    assert user == FUNCTIONS
    assert token.startswith("fairgate-test-availability/?Action=connect&ResourceType=Serverless")
    assert "X-Amz-Signature=" in token


@pytest.mark.parametrize("question", QUESTIONS)
def test_who_is_not_known_goes_without_the_cache_and_is_heard(
    server: ValkeyServer,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    question: str,
) -> None:
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    with (
        closing(ValkeyAvailability(named(server, "nobody"), timeout_s=2)) as cache,
        pytest.raises(CacheUnavailableError, match="username-password"),
    ):
        QUESTIONS[question](cache)
    (line,) = [r for r in caplog.records if r.levelno == logging.ERROR]
    assert "the cache refuses our user" in line.getMessage()


def test_a_right_that_is_missing_is_heard(
    functions: ValkeyAvailability, admin: Any, caplog: pytest.LogCaptureFixture
) -> None:
    admin.execute_command("ACL", "SETUSER", FUNCTIONS, "-get")
    with pytest.raises(CacheUnavailableError):
        functions.places("final")
    assert "the cache refuses our user" in caplog.text


def test_without_keys_there_is_no_cache(
    server: ValkeyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("fairgate.adapters.valkey.iam._by_sdk", lambda: None)
    with (
        closing(ValkeyAvailability(named(server, FUNCTIONS), timeout_s=2)) as cache,
        pytest.raises(CacheUnavailableError, match="no keys"),
    ):
        cache.places("final")
