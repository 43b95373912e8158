"""The world of most unit tests: the table in memory, and boto3's validation of every request.

Not for THROUGH_BOTO3, which go the whole way: boto3, its parsing of answers, and moto. At full
length IN_FULL_THROUGH_BOTO3 do as well, and all others are on moto's tables, called in place.
Between them these modules open a session, hold, check out, settle, refund, cancel, sweep,
reconcile, publish and change a gate.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support import lengths
from tests.support.moto_direct import dynamodb
from tests.support.world import World

THROUGH_BOTO3 = frozenset(
    {
        "catalog/test_event_rows.py",
        "gate/test_control_gate.py",
        "holds/test_hold_seats.py",
        "sessions/test_open_session.py",
    }
)
IN_FULL_THROUGH_BOTO3 = frozenset(
    {
        "orders/test_checkout_and_settle.py",
        "orders/test_reconcile_payments.py",
        "orders/test_sweep_expired.py",
    }
)
# The first reads a table through a filter, the second sends messages through boto3, the others are
# about moto.
ON_MOTO = frozenset(
    {
        "operate/test_check.py",
        "operate/test_cli_box_office.py",
        "shared/test_moto_queries.py",
        "shared/test_moto_transactions.py",
    }
)


@pytest.fixture
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    module = "/".join(request.path.parts[-2:])
    through = THROUGH_BOTO3 | lengths.at_length(frozenset(), IN_FULL_THROUGH_BOTO3)
    with dynamodb(through_boto3=module in through, on_moto=module in ON_MOTO) as client:
        yield World(client)
