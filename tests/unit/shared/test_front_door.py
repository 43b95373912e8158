"""Only requests with CloudFront's value are admitted, and the time tells nothing about it."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pytest

from fairgate import settings
from fairgate.adapters.aws import front_door as adapter
from fairgate.errors import DependencyUnavailableError
from fairgate.http import paths
from fairgate.service.shared.front_door import AGAIN_MS, KEPT_MS, FrontDoor
from fairgate_lab.engine.clock import MemoryClock
from fairgate_ops.run.local.front_door import behind
from functions.authorizer import handler as authorizer

NEW, OLD, OLDER = "n" * 48, "o" * 48, "x" * 48


class Store:
    def __init__(self, *values: str) -> None:
        self.values, self.reads, self.away = values, 0, False

    def __call__(self) -> tuple[str, ...]:
        self.reads += 1
        if self.away:
            raise DependencyUnavailableError("away", retry_after_s=1)
        return self.values


@pytest.mark.parametrize(
    ("given", "admitted"),
    [(NEW, True), (OLD, True), (OLDER, False), ("", False), (NEW[:-1], False), ("é" * 48, False)],
)
def test_two_values_are_valid_and_no_other(given: str, admitted: bool) -> None:
    assert FrontDoor(Store(NEW, OLD, OLDER), MemoryClock()).admits(given) is admitted


@pytest.mark.parametrize("value", ["", "short"])
def test_nothing_is_admitted_when_the_store_holds_no_secret(value: str) -> None:
    door = FrontDoor(Store(value), MemoryClock())
    assert door.admits(value) is False
    with pytest.raises(DependencyUnavailableError):
        door.admits(NEW)


def test_every_value_is_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []

    def compare(given: bytes, value: bytes) -> bool:
        compared.append(value)
        return compare_digest(given, value)

    compare_digest = hmac.compare_digest
    monkeypatch.setattr(hmac, "compare_digest", compare)
    assert FrontDoor(Store(NEW, OLD), MemoryClock()).admits(NEW)
    assert compared == [NEW.encode(), OLD.encode()]


def test_a_new_value_is_admitted_at_once_when_nobody_asked_lately() -> None:
    clock, store = MemoryClock(), Store(NEW)
    door = FrontDoor(store, clock)
    assert door.admits(NEW)
    store.values = (OLDER, NEW)
    clock.ms += AGAIN_MS
    assert door.admits(OLDER)


def test_the_store_is_asked_rarely_when_somebody_guesses() -> None:
    clock, store = MemoryClock(), Store(NEW)
    door = FrontDoor(store, clock)
    for _ in range(100):
        assert not door.admits(OLDER)
        clock.ms += 100
    assert store.reads == 1


def test_a_value_that_is_withdrawn_is_refused_after_a_minute() -> None:
    clock, store = MemoryClock(), Store(NEW, OLD)
    door = FrontDoor(store, clock)
    assert door.admits(OLD)
    store.values = (OLDER, NEW)
    clock.ms += KEPT_MS + 1
    assert not door.admits(OLD)


@pytest.mark.parametrize(
    "code", ["AccessDeniedException", "DecryptionFailure", "InvalidRequestException"]
)
def test_the_last_values_serve_on_when_the_store_refuses(
    code: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    clock, held, refusal = MemoryClock(), {"AWSCURRENT": NEW}, {"Code": "ResourceNotFoundException"}
    door = FrontDoor(
        adapter.front_door_values(_from_secrets_manager(monkeypatch, held, refusal)), clock
    )
    assert door.admits(NEW)
    refusal["Code"] = code
    held.clear()
    clock.ms += KEPT_MS + 1
    assert door.admits(NEW)
    with pytest.raises(DependencyUnavailableError):
        door.admits(OLD)
    assert code in caplog.text
    assert NEW not in caplog.text
    refusal["Code"] = "ResourceNotFoundException"
    held["AWSCURRENT"] = OLD
    clock.ms += KEPT_MS + 1
    assert door.admits(OLD)
    assert not door.admits(NEW)


@pytest.mark.parametrize("emptied", [(), ("",), ("short",)])
def test_the_last_values_serve_on_when_the_store_was_emptied(emptied: tuple[str, ...]) -> None:
    clock, store = MemoryClock(), Store(NEW)
    door = FrontDoor(store, clock)
    assert door.admits(NEW)
    store.values = emptied
    clock.ms += KEPT_MS + 1
    assert door.admits(NEW)
    assert not door.admits("")
    with pytest.raises(DependencyUnavailableError):
        door.admits(OLD)


def test_unavailable_when_the_values_were_never_read() -> None:
    store = Store(NEW)
    store.away = True
    with pytest.raises(DependencyUnavailableError):
        FrontDoor(store, MemoryClock()).admits(NEW)


@pytest.mark.parametrize("emptied", [False, True])
def test_an_unknown_value_is_never_refused_by_a_read_that_failed(emptied: bool) -> None:
    """CloudFront sends a new value: a no would be kept for an hour, and nobody would get in."""
    clock, store = MemoryClock(), Store(OLD)
    door = FrontDoor(store, clock)
    assert door.admits(OLD)
    clock.ms += AGAIN_MS
    store.away, store.values = not emptied, ()
    for reads in (2, 3, 4):  # asked again each time
        with pytest.raises(DependencyUnavailableError):
            door.admits(NEW)
        assert store.reads == reads
    store.away, store.values = False, (NEW, OLD)
    assert door.admits(NEW)


def test_a_known_value_waits_rarely_when_the_store_is_away() -> None:
    clock, store = MemoryClock(), Store(NEW)
    door = FrontDoor(store, clock)
    assert door.admits(NEW)
    store.away = True
    clock.ms += KEPT_MS + 1
    assert [door.admits(NEW) for _ in range(10)] == [True] * 10
    assert store.reads == 2


def test_both_labels_are_read_when_the_value_was_changed_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held = {"AWSCURRENT": NEW, "AWSPREVIOUS": OLD}
    read = adapter.front_door_values(_from_secrets_manager(monkeypatch, held))
    assert read() == (NEW, OLD)
    del held["AWSPREVIOUS"]
    assert read() == (NEW,)


def _from_secrets_manager(
    monkeypatch: pytest.MonkeyPatch,
    held: dict[str, str],
    refusal: Mapping[str, str] = MappingProxyType({"Code": "ResourceNotFoundException"}),
) -> settings.Settings:
    from botocore.exceptions import ClientError

    def call(operation: str, **request: Any) -> dict[str, Any]:
        assert (operation, request["SecretId"]) == ("GetSecretValue", "arn:door")
        if request["VersionStage"] not in held:
            error: Any = {"Error": dict(refusal)}
            raise ClientError(error, operation)
        return {"SecretString": held[request["VersionStage"]]}

    monkeypatch.setattr(adapter, "aws_calls", lambda _service: call)
    return settings.from_environment({settings.FRONT_DOOR_SECRET_ID: "arn:door"})


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The real function behind the local gateway; which values it was asked for."""
    values: list[str] = []

    class Container:
        front_door = FrontDoor(Store(NEW), MemoryClock())

    def container() -> Container:
        values.append("asked")
        return Container()

    monkeypatch.setattr(authorizer, "container", container)
    return values


@pytest.mark.parametrize(
    ("headers", "status"),
    [({}, 401), ({paths.HEADER_FRONT_DOOR: OLD}, 403), ({paths.HEADER_FRONT_DOOR: NEW}, 200)],
)
def test_no_function_runs_when_the_edge_did_not_send_the_request(
    asked: list[str], headers: dict[str, str], status: int
) -> None:
    ran = []

    def function(_event: dict[str, Any], _context: Any) -> dict[str, Any]:
        ran.append(1)
        return {"statusCode": 200}

    guarded = behind(authorizer.handler, {"orders": function})["orders"]
    for _ in range(3):
        assert guarded({"headers": headers}, None)["statusCode"] == status
    assert len(ran) == (3 if status == 200 else 0)
    assert len(asked) == (1 if headers else 0)  # once a value
