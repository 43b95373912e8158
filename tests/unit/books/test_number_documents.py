"""Invoices and credit notes get their numbers once and without gaps, whoever sweeps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from fairgate.errors import DependencyUnavailableError
from fairgate.ports.table import Action, Put, TransactionRefusedError
from fairgate.service.books import number_documents
from fairgate.service.books.number_documents import DocumentOffice
from fairgate.service.catalog.edit_event import edit_event
from fairgate.service.refunds import owe_refund, refunds
from fairgate.service.refunds.refund_part import PartRefunder
from fairgate.service.shared.change import ATTEMPTS_MAX
from fairgate.service.shared.due import refund_due
from fairgate.service.shared.keys import document_key
from fairgate.service.shared.records.orders import Document, Order
from tests.support.beaten_table import Beaten
from tests.support.world import EVENT, World
from tests.unit.checkout.test_checkout_and_settle import begin, held, order_of, settle
from tests.unit.expiry.test_sweep_expired import OVER_S, sweep
from tests.unit.refunds import test_refunds as refunding
from tests.unit.refunds.test_refunds import arrives, cancelled_while_pending, heard, paid
from tests.unit.shared.test_idempotency import cancel

SELLER = {"seller_name": "Tides GmbH", "seller_address": "Quay 1", "seller_vat_id": "DE123"}


@pytest.fixture
def billing(world: World) -> World:
    edit_event(world.table, world.clock, EVENT, SELLER)
    return world


def documents(world: World, order: Order) -> list[Document]:
    key = document_key(order.order_id)
    return sorted(world.table.query(Document, key.pk, key.sk), key=lambda one: one.number)


def office(world: World) -> DocumentOffice:
    return DocumentOffice(world.table, world.clock)


def bought(world: World, user: str, seat: int) -> Order:
    order = begin(world, held(world, user, world.seat_ids[seat])).order
    settle(world, order, f"evt_{user}", payment=f"pay_{user}")
    return order


def test_a_sold_order_has_its_invoice_once_its_checkout_is_over(billing: World) -> None:
    order = paid(billing)
    billing.clock.tick(300 + OVER_S)
    for _ in range(3):
        assert not sweep(billing).failures
    (invoice,) = documents(billing, order)
    assert (invoice.number, invoice.kind, invoice.amount_minor) == (1, "invoice", 10_000)
    assert (invoice.seller_name, invoice.seller_vat_id) == ("Tides GmbH", "DE123")
    assert [line.label for line in invoice.lines] == billing.seat_ids[:2]


def test_without_a_seller_there_is_none_and_a_later_one_begins_with_1(world: World) -> None:
    first = bought(world, "ann", 0)
    assert office(world).invoices(world.event.id, [first.order_id]) == 0
    edit_event(world.table, world.clock, EVENT, SELLER)
    assert office(world).invoices(world.event.id, [first.order_id]) == 1
    assert [one.number for one in documents(world, first)] == [1]


def test_what_bought_nothing_has_neither_invoice_nor_credit_note(billing: World) -> None:
    order = paid(billing)
    settle(billing, order, "evt2", payment="pay2")
    unpaid = begin(billing, held(billing, "bob", billing.seat_ids[5])).order
    assert office(billing).invoices(billing.event.id, [unpaid.order_id]) == 0
    assert not office(billing).credit_note(order.order_id, "pay2")
    assert documents(billing, order) == documents(billing, unpaid) == []


def test_a_refund_that_has_arrived_has_its_credit_note_behind_its_invoice(billing: World) -> None:
    order = cancelled_while_pending(billing)
    assert not office(billing).credit_note(order.order_id, "pay1")
    arrives(billing, "succeeded")
    heard(billing, order, "succeeded")
    billing.clock.tick(300 + OVER_S)
    for _ in range(8):
        refunding.sweep(billing)
    invoice, note = documents(billing, order)
    assert (invoice.kind, note.kind) == ("invoice", "credit-note")
    assert (invoice.number, note.number, note.invoice) == (1, 2, 1)
    assert note.amount_minor == invoice.amount_minor


def test_a_refund_that_is_entered_in_a_swept_minute_has_its_note_all_the_same(
    billing: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow write: its minute was looked at before it landed."""
    order = paid(billing)
    late: list[Put] = []

    def under_way(*about: Any, **more: Any) -> Put:
        late.append(refund_due(*about, **more))
        return refund_due(*about, **more | {"in_s": 10 * 86_400})

    monkeypatch.setattr(refunds, "refund_due", under_way)
    monkeypatch.setattr(owe_refund, "refund_due", under_way)
    assert cancel(billing, order, "").state == "refunded"
    monkeypatch.undo()
    swept_until(billing, 420)
    billing.table.transact([late[0]])  # due after five minutes, which are swept
    asked: list[str] = []
    monkeypatch.setattr(billing.payments, "find_refund", asked.append)
    swept_until(billing, 1_320)
    assert [one.kind for one in documents(billing, order)] == ["invoice", "credit-note"]
    assert asked == []


def swept_until(world: World, seconds: int) -> None:
    for _ in range(seconds // 60):
        world.clock.tick(60)
        assert not refunding.sweep(world).failures


def test_parts_and_the_rest_have_a_note_each_which_add_up(billing: World) -> None:
    order = paid(billing)
    facts = {"starts_at": "2027-06-01T18:00:00.000Z", "time_zone": "Europe/Berlin"}
    edit_event(billing.table, billing.clock, EVENT, facts)
    refunder = PartRefunder(billing.table, billing.clock, billing.payments)
    refunder.refund(order_of(billing, order), 300, key="a")
    cancel(billing, order_of(billing, order), "")
    for part in (0, 1, 1, 0):
        office(billing).credit_note(order.order_id, "pay1", part)
    invoice, *notes = documents(billing, order)
    assert [one.number for one in notes] == [2, 3]
    assert [one.amount_minor for one in notes] == [9_700, 300]
    assert {(one.starts_at, one.time_zone) for one in (invoice, *notes)} == {tuple(facts.values())}
    assert sum(line.vat_minor for one in notes for line in one.lines) == sum(
        line.vat_minor for line in invoice.lines
    )


def test_many_are_numbered_in_the_order_of_their_payments(
    billing: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(number_documents, "TOGETHER", 2)
    orders = []
    for seat, user in enumerate(("ann", "bob", "cid", "dot", "eve")):
        orders.append(bought(billing, user, seat))
        billing.clock.tick(1)
    names = [order.order_id for order in orders]
    assert office(billing).invoices(billing.event.id, names[:2]) == 2
    assert office(billing).invoices(billing.event.id, names[:1:-1] + names[:2]) == 3
    numbers = [one.number for order in orders for one in documents(billing, order)]
    assert sorted(numbers) == [1, 2, 3, 4, 5]
    assert numbers[:2] == [1, 2]


class Beside:
    """A table in which another worker numbers the same orders just before the first write."""

    def __init__(self, world: World, other: Sequence[Order]) -> None:
        self._world, self._other, self.refused = world, list(other), 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._world.table, name)

    def transact(self, actions: Sequence[Action], token: str | None = None) -> None:
        others, self._other = [order.order_id for order in self._other], []
        office(self._world).invoices(self._world.event.id, others)
        try:
            self._world.table.transact(actions, token)
        except TransactionRefusedError:
            self.refused += 1
            raise


@pytest.mark.parametrize("others", [("ann",), ("bob",), ("ann", "bob")])
def test_two_workers_at_once_leave_no_gap_and_nothing_twice(
    billing: World, others: tuple[str, ...]
) -> None:
    orders = {"ann": bought(billing, "ann", 0), "bob": bought(billing, "bob", 1)}
    table: Any = Beside(billing, [orders[name] for name in others])
    DocumentOffice(table, billing.clock).invoices(
        billing.event.id, [order.order_id for order in orders.values()]
    )
    assert table.refused == 1
    found = [one for order in orders.values() for one in documents(billing, order)]
    assert sorted(one.number for one in found) == [1, 2]


def test_a_worker_that_never_gets_its_turn_says_so(billing: World) -> None:
    order = paid(billing)
    beaten = DocumentOffice(Beaten(billing, ATTEMPTS_MAX), billing.clock)
    with pytest.raises(DependencyUnavailableError):
        beaten.invoices(billing.event.id, [order.order_id])
