"""``fairgate orders drop-codes``: what older versions stored goes, and tickets stay the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.ports.table import Update
from fairgate.service.tickets.issue_tickets import faces_of
from tests.support.world import EVENT
from tests.unit.operate.test_cli_orders_staff import office, order, run
from tests.unit.refunds.test_give_back import now

if TYPE_CHECKING:
    import pytest

    from fairgate.service.shared.records.orders import Order
    from tests.support.sale import Sale

__all__ = ["office", "order"]  # fixtures
WORDS = f"drop-codes {EVENT}"


def codes(office: Sale, order: Order) -> list[str]:
    return [face.code for face in faces_of(now(office.world, order), None, office.world.sign)]


def store(office: Sale, order: Order, texts: list[str]) -> None:
    pairs = zip(order.tickets, texts, strict=True)
    tickets = [entry.as_map() | {"code": text} for entry, text in pairs]
    office.world.table.update(Update("reservations", *order.key, set={"tickets": tickets}))


def test_stored_codes_go_and_are_drawn_as_before(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    before = codes(office, order)
    store(office, order, before)
    assert run(office, capsys, f"{WORDS} --dry-run")["orders"] == 1
    assert [entry.code for entry in now(office.world, order).tickets] == before
    done = run(office, capsys, WORDS)
    assert (done["event"], done["dropped"], done["kept"]) == (EVENT, 1, [])
    assert now(office.world, order).tickets == order.tickets
    assert codes(office, order) == before
    assert run(office, capsys, WORDS)["dropped"] == 0


def test_an_order_whose_code_is_not_its_own_keeps_it_and_is_named(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    store(office, order, ["FG1.x", codes(office, order)[1]])
    assert run(office, capsys, WORDS, code=1)["kept"] == [order.order_id]
    assert [entry.code for entry in now(office.world, order).tickets] == ["FG1.x", ""]
    assert office.run(f"orders {WORDS}") == 1
    assert f"{order.order_id} keeps a code" in capsys.readouterr().out
    assert run(office, capsys, "drop-codes none", code=1)["error"]["code"] == "not-found"
