"""``fairgate books``: an event's ledger as lines, rows or a document, and whether it adds up."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest

from fairgate.bootstrap import Container
from fairgate.ports.payments import Capture
from fairgate_ops.operate.cli.ledger_shape import COLUMNS
from tests.support.sale import Sale
from tests.support.world import EVENT
from tests.unit.refunds.test_refunds import paid
from tests.unit.shared.test_idempotency import cancel

if TYPE_CHECKING:
    from pathlib import Path

    from fairgate.service.shared.records.orders import Order
    from tests.support.world import World


@pytest.fixture
def office(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sale:
    monkeypatch.setattr(Container, "payments", world.payments)
    return Sale(world, tmp_path)


@pytest.fixture
def order(world: World) -> Order:
    """Paid and given back."""
    made = paid(world)
    world.payments.taken.append(
        Capture("pay1", made.order_id, made.total_minor, "EUR", world.clock.ms)
    )
    world.clock.tick(1)
    cancel(world, made, "")
    return made


def run(office: Sale, capsys: pytest.CaptureFixture[str], words: str, code: int = 0) -> str:
    capsys.readouterr()
    assert office.run(f"books {words}") == code
    return capsys.readouterr().out


def test_the_ledger_is_one_document(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    document = json.loads(run(office, capsys, f"ledger {EVENT} --json"))
    assert (document["event"], document["count"], document["complete"]) == (EVENT, 2, True)
    assert [(one["kind"], one["amount_minor"]) for one in document["entries"]] == [
        ("capture", 10_000),
        ("refund", -10_000),
    ]
    assert {one["order"] for one in document["entries"]} == {order.order_id}


@pytest.mark.usefixtures("order")
def test_the_ledger_is_a_table_whose_amounts_can_be_added(
    office: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    first, *rows = csv.reader(io.StringIO(run(office, capsys, f"ledger {EVENT} --csv")[1:]))
    assert tuple(first) == COLUMNS
    assert sum(float(row[first.index("amount")]) for row in rows) == 0
    assert run(office, capsys, f"ledger {EVENT}").endswith(f"\n2 entries of {EVENT}.\n")


@pytest.mark.usefixtures("order")
def test_the_books_are_checked_and_what_differs_is_not_well(
    office: Sale, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    document = json.loads(run(office, capsys, f"check {EVENT} --json"))
    assert document["agrees"]
    assert document["ledger"] == document["provider"]
    assert document["ledger"]["captured_minor"] == 10_000
    assert "2 entries add up" in run(office, capsys, f"check {EVENT}")
    world.payments.taken.clear()
    text = run(office, capsys, f"check {EVENT}", 1)
    assert "no-capture" in text
    assert text.endswith("\n1 difference.\n")


def test_two_forms_at_once_and_no_event_are_refused(
    office: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        office.run(f"books ledger {EVENT} --csv --json")
    run(office, capsys, "ledger nowhere", 1)
    run(office, capsys, "check nowhere", 1)
