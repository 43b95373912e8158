"""The line at the payment provider, and its circuit, on a real table: many processes, one rate."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.adapters.dynamodb.schema import RESERVATIONS, create_table_request
from fairgate.errors import DependencyUnavailableError, ProviderAwayError
from fairgate.service.checkout.payment_turns import BURST_MS, PaymentTurns
from fairgate.service.shared.provider_circuit import FAILURES_MAX, ProviderCircuit
from fairgate_lab.engine.clock import MemoryClock
from tests.support.availability import started_ministack
from tests.support.world import NAMES

PER_S, TAKEN = 25, 200


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    ministack = started_ministack(tmp_path_factory.mktemp("ministack"))
    made = ministack.client("dynamodb")
    made.create_table(**create_table_request(RESERVATIONS, NAMES["reservations"]))
    yield made
    ministack.stop()


def test_processes_at_once_get_each_turn_once(client: Any) -> None:
    clock = MemoryClock()

    def process(_number: int) -> list[int]:
        turns = PaymentTurns(DynamoTable(lambda: client, NAMES), clock, PER_S)
        return [turns.take() for _ in range(TAKEN // 8)]

    with ThreadPoolExecutor(8) as pool:
        given = sorted(turn for some in pool.map(process, range(8)) for turn in some)
    token_ms = 1_000 // PER_S
    at_once = BURST_MS // token_ms
    assert given == [clock.ms + max(0, n - at_once + 1) * token_ms for n in range(TAKEN)]


def test_failures_of_several_processes_open_one_circuit(client: Any) -> None:
    clock = MemoryClock()

    def circuit() -> ProviderCircuit:
        return ProviderCircuit(DynamoTable(lambda: client, NAMES), clock)

    for _ in range(FAILURES_MAX):
        with pytest.raises(DependencyUnavailableError), circuit().call():
            raise DependencyUnavailableError("no answer")
    with pytest.raises(ProviderAwayError), circuit().call():
        pass
