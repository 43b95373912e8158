"""Every function works within its time, and one record that stalls leaves some to the others."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from fairgate import bootstrap
from fairgate.deadline import MARGIN_S, SHARE_S_MIN, left_s
from fairgate_ops.run.local.api_events import LambdaContext, given_s_of
from fairgate_ops.run.local.api_host import load_handlers
from fairgate_ops.shared.paths import ROOT
from infra.functions import BY_NAME, FUNCTIONS
from infra.routes import ROUTES
from tests.contract.http import request

GIVEN_S = 8.0


class StopError(BaseException):
    """Ends a handler at once; nothing in it catches this."""


@pytest.fixture
def module(request: pytest.FixtureRequest) -> ModuleType:
    name: str = request.param
    load_handlers(ROOT / "functions", [name])
    return sys.modules[f"fairgate_function_{name}"]


def stopping(seen: list[float]) -> Callable[..., Any]:
    def stop(*_arguments: Any, **_options: Any) -> None:
        seen.append(left_s())
        raise StopError

    return stop


def asked(name: str) -> dict[str, Any]:
    (route, *_) = [route for route in ROUTES if route.function == name]
    return request(route.method, route.path.replace("{", "").replace("}", ""))


@pytest.mark.parametrize("module", [spec.name for spec in FUNCTIONS], indirect=True)
def test_a_function_works_within_what_it_is_given(
    module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = module.__name__.removeprefix("fairgate_function_")
    seen: list[float] = []
    event: dict[str, Any] = {"Records": [{"messageId": "m", "body": "{}"}]}
    if BY_NAME[name].trigger == "http":
        monkeypatch.setattr(module.app, "resolve", stopping(seen))
        event = asked(name)
    else:  # whichever it asks first: for its world, or for the message
        monkeypatch.setattr(bootstrap, "container", stopping(seen))
        monkeypatch.setattr(module, "container", stopping(seen), raising=False)
        reader = SimpleNamespace(loads=stopping(seen))
        monkeypatch.setattr(module, "json", reader, raising=False)
    with pytest.raises(StopError):
        module.handler(event, LambdaContext(name, "r", GIVEN_S))
    assert 0 < seen[0] <= GIVEN_S - MARGIN_S


class Unreadable:
    """Stands for ``json``, and understands no message."""

    def __init__(self) -> None:
        self.shares: list[float] = []

    def loads(self, _text: str) -> None:
        self.shares.append(left_s())
        raise ValueError


@pytest.mark.parametrize("module", ["expiry", "ticketer"], indirect=True)
def test_each_record_of_a_batch_has_its_share_of_the_time(
    module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Unreadable()
    monkeypatch.setattr(module, "json", reader)
    world = SimpleNamespace(table=None, clock=None, payments=None, expiry_queue=None)
    monkeypatch.setattr(module, "container", lambda: world)
    records = [{"messageId": str(number), "body": "{}"} for number in range(4)]
    answer = module.handler({"Records": records}, LambdaContext("x", "r", GIVEN_S))
    assert len(answer["batchItemFailures"]) == 4
    all_s = GIVEN_S - MARGIN_S
    for left, share in zip((4, 3, 2, 1), reader.shares, strict=True):
        fair_s = max(all_s / left, SHARE_S_MIN)
        assert fair_s - 1 < share <= fair_s


def test_a_local_run_gives_what_aws_gives() -> None:
    assert given_s_of("holds", 30.0) == BY_NAME["holds"].timeout_s
    assert given_s_of("orders", 30.0) == BY_NAME["orders"].timeout_s
    assert given_s_of("reconcile", 30.0) == 30.0
    assert given_s_of("somebody's own", 0.3) == 0.3
    began = time.monotonic()
    context = LambdaContext("holds", "r", given_s_of("holds", 30.0), started_s=began)
    assert context.get_remaining_time_in_millis() <= 1000 * BY_NAME["holds"].timeout_s
