"""A buyer's address is erased once nothing is owed, and what the law keeps stays as it was."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec
import pytest
from msgspec.structs import asdict

from fairgate.adapters.mail.letters import word_letter
from fairgate.domain.orders.erasure import (
    ERASED,
    KEPT_YEARS,
    kept_until,
    law_keeps,
    took_place,
)
from fairgate.domain.orders.order import PostalAddress
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import DependencyUnavailableError, NotFoundError, WrongStateError
from fairgate.ports.payments import PaymentEvent
from fairgate.ports.record import GSI1SK, Key, Record
from fairgate.ports.table import Update
from fairgate.service.books.number_documents import DocumentOffice
from fairgate.service.catalog.edit_event import edit_event
from fairgate.service.checkout.settle_payment import PaymentSettler
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate.service.ledger.manual_tasks import ManualTasks
from fairgate.service.orders.erase_buyer import BuyerEraser
from fairgate.service.orders.find_buyer import items_of_account, items_of_address
from fairgate.service.orders.list_event_orders import event_orders
from fairgate.service.orders.list_orders import list_orders
from fairgate.service.orders.read_documents import documents_of
from fairgate.service.orders.void_tickets import TicketVoider
from fairgate.service.refunds.cancel_order import OrderCanceller
from fairgate.service.refunds.refund_part import PartRefunder
from fairgate.service.shared.change import ATTEMPTS_MAX
from fairgate.service.shared.keys import (
    dispute_key,
    order_in_event,
    refund_key,
    session_key,
    shape_of,
)
from fairgate.service.shared.mailbox_keys import mailbox_key
from fairgate.service.shared.order_update import order_changed
from fairgate.service.shared.records.mails import MailboxOrder
from fairgate.service.shared.records.orders import Order
from fairgate.service.tickets.mail_tickets import MailDeps, mail_tickets
from fairgate_lab.engine.outside import MemoryMailer
from fairgate_lab.engine.table import InterleavedTable
from tests.support.beaten_table import Beaten
from tests.support.world import EVENT, NAMES, World
from tests.unit.books.test_number_documents import SELLER
from tests.unit.checkout.test_checkout_and_settle import begin, held, settle
from tests.unit.refunds.test_disputes import hear
from tests.unit.refunds.test_give_back import now, ticketed

ADDRESS = "ann@example.org"
POSTAL = PostalAddress("Ann Buyer", "Quay 1", "20457", "Hamburg", "Germany")
STARTS = "2026-06-02T20:00:00.000Z"


def eraser(world: World, table: Any = None) -> BuyerEraser:
    return BuyerEraser(table or world.table, world.clock)


def owed(world: World, order: Order) -> str:
    keeper = eraser(world)
    return keeper.owed(keeper.read(order.key), keeper.orders_with_tasks())


def erase(world: World, order: Order) -> Order:
    keeper = eraser(world)
    return keeper.erase(order.key, keeper.orders_with_tasks())


def voided(world: World) -> Order:
    """Nobody is let in by it any more, so nothing of it is owed."""
    order = ticketed(world)
    TicketVoider(world.table, world.clock).void(order)
    return now(world, order)


def cancelled(world: World) -> Order:
    order = ticketed(world, cancel_until="2099-01-01T00:00:00.000Z")
    OrderCanceller(world.table, world.clock, world.payments).cancel(world.event, order)
    return now(world, order)


def kinds(items: list[Record]) -> set[str]:
    return {shape_of(one.table, one.key) or "" for one in items}


def test_the_address_goes_and_nothing_else_changes(world: World) -> None:
    order = voided(world)
    assert order.email == ADDRESS
    world.clock.tick(5)
    after = erase(world, order)
    assert after == now(world, order)
    assert (after.email, after.erased_at) == (ERASED, rfc3339(world.clock.ms))
    changed = msgspec.structs.replace(
        after,
        email=order.email,
        mailbox=order.mailbox,
        erased_at="",
        updated_at=order.updated_at,
        version=order.version,
    )
    assert changed == order


def test_the_postal_address_goes_from_the_order_and_later_from_its_documents(world: World) -> None:
    edit_event(world.table, world.clock, EVENT, SELLER)
    order = voided(world)
    update = Update("reservations", *order.key, set={"postalAddress": asdict(POSTAL)})
    world.table.update(update)
    DocumentOffice(world.table, world.clock).invoices(world.event.id, [order.order_id])
    assert erase(world, now(world, order)).postal_address is None
    assert now(world, order).postal_address is None
    keeper = eraser(world)
    assert [one.postal_address for one in documents_of(world.table, order)] == [POSTAL]
    world.clock.tick((KEPT_YEARS + 1) * 366 * 86_400)
    assert keeper.erase_documents(keeper.read(order.key), KEPT_YEARS) == 1
    assert [one.postal_address for one in documents_of(world.table, order)] == [None]
    stored = world.client.scan(TableName=NAMES["reservations"])["Items"]
    assert not [item for item in stored if POSTAL.name in repr(item)]


def test_again_changes_nothing(world: World) -> None:
    order = cancelled(world)
    first = erase(world, order)
    world.clock.tick(60)
    assert erase(world, order) == first == now(world, order)


def test_who_asked_for_erasure_is_found_by_no_list_and_mailed_no_more(world: World) -> None:
    order = voided(world)
    world.table.update(Update("reservations", *order.key, set={"voided": []}))
    update = {"email": ERASED, "erasedAt": STARTS}
    world.table.update(Update("reservations", *order.key, set=update))
    found = [
        one for some in event_orders(world.table, EVENT, email=ADDRESS) for one in some.records
    ]
    assert found == []
    assert list_orders(world.table, "ann").orders == []
    mailer = MemoryMailer()
    room = MailDeps(
        world.table,
        world.clock,
        mailer,
        document=lambda *_all: b"",
        word=word_letter,
        calendar=lambda _entry: b"",
        public_url="https://x.example",
        sign=world.sign,
    )
    assert not mail_tickets(room, order.order_id, again="asked")
    assert not mail_tickets(room, order.order_id)
    assert mailer.sent == []


def test_an_order_that_may_still_be_paid_or_ticketed_is_refused(world: World) -> None:
    order = begin(world, held(world)).order
    with pytest.raises(WrongStateError, match="pending"):
        erase(world, order)
    settle(world, order)
    with pytest.raises(WrongStateError, match="not made yet"):
        erase(world, order)
    assert now(world, order).email == ADDRESS


def test_good_tickets_are_refused_until_a_day_after_the_event_began(world: World) -> None:
    order = ticketed(world)
    assert "the event has no date" in owed(world, order)
    start = rfc3339(world.clock.ms + 3_600_000)
    edit_event(world.table, world.clock, EVENT, {"starts_at": start, "time_zone": "UTC"})
    assert "valid until a day after" in owed(world, order)
    world.clock.tick(3_600 + 24 * 3_600 - 1)
    with pytest.raises(WrongStateError, match="valid until"):
        erase(world, order)
    world.clock.tick(1)
    assert erase(world, order).email == ERASED


@pytest.mark.parametrize("state", ["owed", "pending"])
def test_a_refund_under_way_is_refused_also_of_a_part(world: World, state: str) -> None:
    order = voided(world)
    refunder = PartRefunder(world.table, world.clock, world.payments)
    refunder.refund(order, 100, key="k")
    assert owed(world, order) == ""
    key = refund_key(order.session, order.order_id, "pay1", 1)
    world.table.update(Update("reservations", *key, set={"state": state}))
    assert "refund of it is under way" in owed(world, order)
    world.table.update(Update("reservations", *key, set={"state": "succeeded"}))
    assert erase(world, order).erased_at


def test_what_is_owed_as_a_whole_is_refused(world: World) -> None:
    order = cancelled(world)
    world.table.update(Update("reservations", *order.key, set={"state": "refund_due"}))
    assert "refund of it is under way" in owed(world, order)


def test_an_open_dispute_is_refused_in_the_order_and_beside_it(world: World) -> None:
    order = voided(world)
    dispute = {
        "orderId": order.order_id,
        "paymentId": "pay2",
        "disputeId": "dp1",
        "amountMinor": 100,
        "currency": "EUR",
        "state": "open",
        "openedAt": STARTS,
    }
    key = dispute_key(order.session, order.order_id, "dp1")
    world.table.update(Update("reservations", *key, set=dispute))
    assert "dispute" in owed(world, order)
    world.table.update(Update("reservations", *key, set={"state": "lost"}))
    assert owed(world, order) == ""
    world.table.update(Update("reservations", *order.key, set={"state": "disputed"}))
    assert "dispute" in owed(world, order)


def test_what_a_person_has_to_do_is_done_first(world: World) -> None:
    order = voided(world)
    tasks = ManualTasks(world.table, world.clock)
    tasks.note("refund-failed", "Give it back by hand.", order=order.order_id)
    with pytest.raises(WrongStateError, match="orders tasks"):
        erase(world, order)
    tasks.done(tasks.open()[0].task_id, "ann@desk", "by bank transfer")
    assert erase(world, order).erased_at


def test_an_order_waits_for_its_invoice_which_keeps_the_address(world: World) -> None:
    edit_event(world.table, world.clock, EVENT, SELLER)
    order = voided(world)
    assert "has no number yet" in owed(world, order)
    DocumentOffice(world.table, world.clock).invoices(world.event.id, [order.order_id])
    after = erase(world, order)
    (invoice,) = documents_of(world.table, after)
    assert invoice.buyer == ADDRESS
    items = items_of_address(world.table, [EVENT], " Ann@Example.ORG ")
    assert [one.order_id for one in items.orders] == [order.order_id]
    assert items_of_address(world.table, [EVENT], "bob@example.org").all == []


@pytest.mark.parametrize(
    "asked", ["ann@bücher.example", "Ann@BÜCHER.example", "ann@xn--bcher-kva.example"]
)
@pytest.mark.parametrize("typed", ["Ann@Bücher.example", "ann@xn--bcher-kva.example"])
def test_a_domain_is_found_in_its_letters_and_as_the_dns_has_it(
    world: World, typed: str, asked: str
) -> None:
    order = voided(world)
    mark = {GSI1SK: order_in_event(order.created_at, order.order_id, typed)}
    world.table.update(Update("reservations", *session_key(order.session), set=mark))
    world.table.update(Update("reservations", *order.key, set={"email": typed}))
    items = items_of_address(world.table, [EVENT], asked)
    assert [one.order_id for one in items.orders] == [order.order_id]
    assert items_of_address(world.table, [EVENT], f"b{asked}").all == []
    assert items_of_address(world.table, [EVENT], "ann@-..").all == []


def test_documents_lose_their_address_when_no_law_keeps_them(world: World) -> None:
    edit_event(world.table, world.clock, EVENT, SELLER)
    order = voided(world)
    DocumentOffice(world.table, world.clock).invoices(world.event.id, [order.order_id])
    keeper = eraser(world)
    erase(world, order)
    assert keeper.erase_documents(keeper.read(order.key), KEPT_YEARS) == 0
    (invoice,) = documents_of(world.table, order)
    world.clock.ms = epoch_ms(f"{kept_until(invoice.at, KEPT_YEARS)}T23:59:59.000Z")
    assert keeper.erase_documents(keeper.read(order.key), KEPT_YEARS) == 0
    world.clock.tick(1)
    assert keeper.erase_documents(keeper.read(order.key), KEPT_YEARS) == 1
    assert keeper.erase_documents(keeper.read(order.key), KEPT_YEARS) == 0
    assert documents_of(world.table, order) == [msgspec.structs.replace(invoice, buyer=ERASED)]
    assert items_of_address(world.table, [EVENT], ADDRESS).all == []


def test_a_document_that_somebody_else_changes_is_left_alone(world: World) -> None:
    edit_event(world.table, world.clock, EVENT, SELLER)
    order = voided(world)
    DocumentOffice(world.table, world.clock).invoices(world.event.id, [order.order_id])
    world.clock.tick(20 * 366 * 86_400)
    seen = eraser(world).read(order.key)
    (invoice,) = seen.documents
    world.table.update(Update("reservations", *invoice.key, set={"buyer": "other"}))
    assert eraser(world).erase_documents(seen, KEPT_YEARS) == 0
    assert documents_of(world.table, order)[0].buyer == "other"


def test_a_dispute_in_between_wins(world: World) -> None:
    order = voided(world)
    _, disputed = order_changed(order, state="disputed")
    meanwhile = InterleavedTable(world.table, lambda: world.table.update(disputed))
    with pytest.raises(WrongStateError, match="dispute"):
        eraser(world, meanwhile).erase(order.key)
    assert now(world, order).email == ADDRESS


def test_a_refund_that_is_decided_in_between_wins(world: World) -> None:
    order = voided(world)
    refunder = PartRefunder(world.table, world.clock, world.payments)
    meanwhile = InterleavedTable(world.table, lambda: refunder.decide(order, 100, key="k"))
    with pytest.raises(WrongStateError, match="refund of it is under way"):
        eraser(world, meanwhile).erase(order.key)
    assert now(world, order).email == ADDRESS


def paid_again(world: World, order: Order) -> None:
    with suppress(DependencyUnavailableError):  # it is owed back, and cannot be sent now
        settle(world, order, "evt2", payment="pay2")


def test_what_is_noted_beside_a_refunded_order_in_between_wins(world: World) -> None:
    """A dispute, or a second payment, of an order whose own state says nothing of it."""
    order = cancelled(world)
    assert order.state == "refunded"
    meanwhile = InterleavedTable(world.table, lambda: hear(world, order, "open"))
    with pytest.raises(WrongStateError, match="dispute"):
        eraser(world, meanwhile).erase(order.key)
    hear(world, order, "won")
    world.payments.fail = DependencyUnavailableError("The provider is away.")
    again = InterleavedTable(world.table, lambda: paid_again(world, order))
    with pytest.raises(WrongStateError, match="refund of it is under way"):
        eraser(world, again).erase(order.key)
    assert now(world, order).email == ADDRESS


def test_a_late_payment_leaves_nothing_that_finds_an_erased_order(world: World) -> None:
    order = begin(world, held(world)).order
    SeatReleaser(world.table, world.clock).end_session(order.session, "cancelled")
    assert now(world, order).mailbox
    late = InterleavedTable(world.table, lambda: eraser(world).erase(order.key))
    settler = PaymentSettler(late, world.clock, world.payments)
    payment = PaymentEvent(
        "evt1", "succeeded", order.order_id, order.total_minor, order.currency, "pay1"
    )
    assert settler.settle(payment) == "refunded"
    assert now(world, order).erased_at
    assert world.table.query(MailboxOrder, mailbox_key(order.mailbox), "ord_") == []


def test_of_two_at_once_the_first_says_when(world: World) -> None:
    order = voided(world)
    _, first = order_changed(order, email=ERASED, erased_at=STARTS)
    meanwhile = InterleavedTable(world.table, lambda: world.table.update(first))
    done = eraser(world, meanwhile).erase(order.key)
    assert done.erased_at == STARTS == now(world, order).erased_at


def test_an_order_that_keeps_changing_is_left_alone(world: World) -> None:
    order = voided(world)
    with pytest.raises(DependencyUnavailableError):
        eraser(world, Beaten(world, ATTEMPTS_MAX)).erase(order.key)
    assert now(world, order) == order


def test_an_order_that_is_not_there_is_not_found(world: World) -> None:
    with pytest.raises(NotFoundError):
        eraser(world).read(Key("ses_x", "O#ord_x"))


def test_an_account_shows_what_is_keyed_by_its_name(world: World) -> None:
    voided(world)
    shown = items_of_account(world.table, [EVENT], "ann")
    expected = {"order", "session", "reservation", "ledger entry", "user status"}
    assert expected <= kinds(shown.all)
    assert kinds(items_of_address(world.table, [EVENT], ADDRESS).all) == kinds(
        list(shown.of_sessions)
    )
    assert items_of_account(world.table, [EVENT], "bob").all == []


def test_the_law_keeps_from_the_end_of_the_year(world: World) -> None:
    del world
    assert kept_until("2026-01-02T00:00:00.000Z", 10) == "2036-12-31"
    assert law_keeps("2026-01-02T00:00:00.000Z", 10, epoch_ms("2036-12-31T23:00:00Z"))
    assert not law_keeps("2026-01-02T00:00:00.000Z", 10, epoch_ms("2037-01-01T00:00:00Z"))
    assert not took_place("", epoch_ms("2037-01-01T00:00:00Z"))
