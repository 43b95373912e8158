"""Every handler on the small world; moto's tables are called in place, or by ``through_boto3``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any
from unittest.mock import patch

import pytest
from aws_lambda_powertools.event_handler import APIGatewayHttpResolver

from fairgate import bootstrap
from fairgate.adapters.payments.sandbox import SandboxPayments
from tests.contract.described import complaint
from tests.support.moto_direct import dynamodb
from tests.support.payment_providers import Sandbox, Stripe
from tests.support.world import World


@pytest.fixture(autouse=True)
def _as_described(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hold each answer of each handler against docs/openapi.json."""
    answer, complaints = APIGatewayHttpResolver.resolve, []

    def resolve(self: Any, event: Any, context: Any) -> dict[str, Any]:
        answered = answer(self, event, context)
        complaints.append(complaint(event.get("routeKey", "$default"), answered))
        return answered

    monkeypatch.setattr(APIGatewayHttpResolver, "resolve", resolve)
    yield
    wrong = [one for one in complaints if one]
    assert not wrong, "\n".join(wrong)


@pytest.fixture
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    """The small world, with every handler's container replaced by its own."""
    through_boto3 = request.node.get_closest_marker("through_boto3") is not None
    with dynamodb(through_boto3=through_boto3) as client:
        made = World(client)
        made.container.__dict__["payments"] = SandboxPayments(
            "http://127.0.0.1:9", made.secrets, made.clock
        )
        bootstrap.container.cache_clear()
        with patch.object(bootstrap, "Container", lambda _settings: made.container):
            yield made
        bootstrap.container.cache_clear()


@pytest.fixture(params=[Sandbox, Stripe])
def provider(request: pytest.FixtureRequest) -> Iterator[Any]:
    """Every payment provider with its adapter, one after the other."""
    with ExitStack() as stack:
        yield request.param(stack)


@pytest.fixture
def stripe_provider() -> Iterator[Stripe]:
    with ExitStack() as stack:
        yield Stripe(stack)
