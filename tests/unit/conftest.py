"""The world of most unit tests: moto's tables, called in place.

Not for THROUGH_BOTO3. Between them these modules open a session, hold, check out, settle, refund,
cancel, sweep, reconcile, publish and change a gate, so every call that a service makes to DynamoDB
goes through boto3's parameter validation and its parsing of answers. All others would only repeat
that, at four times the time.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.moto_direct import dynamodb
from tests.support.world import World

THROUGH_BOTO3 = frozenset(
    {
        "catalog/test_publish_event.py",
        "gate/test_control_gate.py",
        "holds/test_hold_seats.py",
        "orders/test_checkout_and_settle.py",
        "orders/test_reconcile_payments.py",
        "orders/test_sweep_expired.py",
        "sessions/test_open_session.py",
    }
)


@pytest.fixture
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    module = "/".join(request.path.parts[-2:])
    with dynamodb(through_boto3=module in THROUGH_BOTO3) as client:
        yield World(client)
