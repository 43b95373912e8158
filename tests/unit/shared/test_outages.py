"""An AWS service that cannot be reached is a 503 with a kind text, never a stack trace."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from fairgate.adapters.aws.secrets import secret_store
from fairgate.adapters.aws.sqs import SqsExpiryQueue
from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.record import Key
from fairgate.service.shared.records.seats import SeatRecord
from fairgate.settings import SECRETS, from_environment
from fairgate_lab.engine.clock import MemoryClock
from tests.support.world import NAMES


@pytest.fixture
def _nobody_listens(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with socket.socket() as taken:  # until the test ends, or another server might get its port
        taken.bind(("127.0.0.1", 0))
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{taken.getsockname()[1]}")
        yield


def find_an_item() -> None:
    from fairgate.adapters.dynamodb.light import dynamodb_client

    DynamoTable(dynamodb_client, NAMES, sleep=lambda _s: None).find(SeatRecord, Key("a", "b"))


ASKED = {
    "the table": find_an_item,
    "the queue": lambda: SqsExpiryQueue("http://127.0.0.1/q").remind("ses_1", 5),
    "the keys": lambda: secret_store(
        from_environment({SECRETS: "fairgate/"}), MemoryClock()
    ).sign_in(),
}


@pytest.mark.usefixtures("_nobody_listens")
@pytest.mark.parametrize("service", ASKED)
def test_unavailable_when_a_service_cannot_be_reached(service: str) -> None:
    with pytest.raises(DependencyUnavailableError):
        ASKED[service]()
