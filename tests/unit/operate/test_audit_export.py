"""An admission log is whole or refused: what it cannot read it names."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fairgate.ports.record import DamagedItemError, Key
from fairgate.service.shared.keys import order_key, session_key, user_status_key
from fairgate.service.shared.records.sessions import Session
from fairgate_ops.operate.audit.export import export_log
from tests.support.moto_direct import dynamodb
from tests.support.world import EVENT, World
from tests.unit.operate.test_cancel_event import Office

DECIDED = {"iat": 1, "h": 0.5, "lot": "bG90", "kid": "1", "verdict": "in", "edgeAt": 2, "d": 0}


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    """One session that bought, of the form that a sale writes."""
    with dynamodb() as client:
        made = Office(World(client), tmp_path)
        (order,) = made.sell(1)
        session = made.world.table.find(Session, session_key(order.session))
        assert session is not None
        made.world.put(msgspec.structs.replace(session, admission=DECIDED))
        yield made


def kinds(office: Office) -> dict[str, Key]:
    (order,) = office.orders()
    return {
        "session": session_key(order.session),
        "order": order_key(order.session, order.order_id),
        "standing": user_status_key(order.user_id, EVENT),
    }


def test_a_log_has_the_session_as_it_was_admitted(office: Office, tmp_path: Path) -> None:
    path = tmp_path / "log.gz"
    assert export_log(office.target, EVENT, str(path)) == {
        "admissions": 1,
        "orders": 1,
        "sessions_used": 1,
    }
    lines = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    (line,) = (line for line in lines if "lot" in line)
    decided = {"edge_at" if name == "edgeAt" else name: DECIDED[name] for name in DECIDED}
    assert {name: line[name] for name in decided} == decided
    (order,) = office.orders()
    assert (line["session"], line["user"]) == (order.session, order.user_id)


@pytest.mark.parametrize(
    ("kind", "damage"),
    [
        ("session", {"userId": None}),
        ("session", {"userId": {"SS": ["ann"]}}),
        ("session", {"openedAt": {"S": "soon"}}),
        ("session", {"tokenId": None}),
        ("session", {"admission": {"S": "x"}}),
        ("session", {"admission": {"M": {}}}),
        ("session", {"state": {"N": "1"}}),
        ("order", {"orderId": None}),
        ("order", {"state": {"B": b"x"}}),
        ("standing", {"sessionsUsed": {"S": "one"}}),
    ],
)
def test_a_damaged_item_is_named_and_leaves_no_log(
    office: Office, tmp_path: Path, kind: str, damage: dict[str, Any]
) -> None:
    key, path = kinds(office)[kind], tmp_path / "log.gz"
    office.world.spoil("reservations", key, **damage)
    with pytest.raises(DamagedItemError) as refused:
        export_log(office.target, EVENT, str(path))
    assert f"({key.pk} {key.sk})" in refused.value.detail
    assert list(tmp_path.glob("log*")) == []
