"""A ticket that staff made void admits nobody ever again, and no money moves."""

from __future__ import annotations

import msgspec
import pytest

from fairgate.adapters.mail.letters import word_letter
from fairgate.errors import DependencyUnavailableError, NotFoundError, WrongStateError
from fairgate.http.views.orders import order_view
from fairgate.ports.table import TransactionRefusedError, Update
from fairgate.service.orders.void_tickets import TicketsVoided, TicketVoider, still_good
from fairgate.service.refunds.cancel_order import OrderCanceller
from fairgate.service.refunds.cancel_terms import cancel_offer
from fairgate.service.shared.records.orders import Order
from fairgate.service.tickets.issue_tickets import faces_of, read_ticket, read_tickets
from fairgate.service.tickets.mail_tickets import MailDeps, mail_tickets
from fairgate_lab.engine.outside import MemoryMailer
from fairgate_lab.engine.table import CountedTable, InterleavedTable
from tests.support.world import World
from tests.unit.checkout.test_checkout_and_settle import begin, held, settle
from tests.unit.refunds.test_give_back import give_back, now, ticketed


def void(world: World, order: Order, ticket: str = "") -> TicketsVoided:
    return TicketVoider(world.table, world.clock).void(now(world, order), ticket)


def names(order: Order) -> list[str]:
    return [entry.ticket for entry in order.tickets]


def test_one_ticket_is_void_and_nothing_else_changes(world: World) -> None:
    order = ticketed(world)
    first, second = names(order)
    done = void(world, order, first)
    assert done.tickets == [first]
    after = now(world, order)
    assert [entry.ticket for entry in after.admitting] == [second]
    assert (after.state, after.left_minor, after.units) == ("ticketed", 10_000, order.units)
    assert world.payments.refunds == {}
    changed = msgspec.structs.replace(
        after, voided=order.voided, updated_at=order.updated_at, version=order.version
    )
    assert changed == order
    (seat,) = {world.seat(unit.seat)["availability"] for unit in order.units}
    assert seat == "reserved"


def test_void_twice_changes_nothing(world: World) -> None:
    order = ticketed(world)
    first, second = names(order)
    void(world, order, first)
    before = now(world, order)
    world.clock.tick(60)
    assert void(world, order, first).tickets == ()
    assert now(world, order) == before
    assert void(world, order).tickets == [second]
    assert void(world, order).tickets == ()
    assert [one.ticket for one in now(world, order).voided] == [first, second]


def test_a_void_ticket_is_neither_shown_nor_mailed(world: World) -> None:
    order = ticketed(world)
    first, second = names(order)
    void(world, order, first)
    (face,) = read_tickets(world.table, world.sign, user="ann", order=order.order_id)
    assert (face.ticket, face.number, face.total) == (second, 1, 1)
    assert face.label == order.tickets[1].label
    with pytest.raises(NotFoundError):
        read_ticket(world.table, world.sign, user="ann", order=order.order_id, unit=1)
    mailer = MemoryMailer()
    room = MailDeps(
        world.table,
        world.clock,
        mailer,
        document=lambda faces: b"ticket " * len(faces),
        word=word_letter,
        calendar=lambda _entry: b"",
        public_url="https://x.example",
        sign=world.sign,
    )
    assert mail_tickets(room, order.order_id, again="m1")
    assert mailer.sent[0].attachments == {"tickets.pdf": b"ticket "}
    void(world, order)
    assert not mail_tickets(room, order.order_id, again="m1")
    assert len(mailer.sent) == 1
    with pytest.raises(WrongStateError, match="void"):
        read_tickets(world.table, world.sign, user="ann", order=order.order_id)


def test_its_buyer_sees_it_and_does_not_cancel_it(world: World) -> None:
    order = ticketed(world)
    assert cancel_offer(order, world.event) is not None
    assert (order_view(order).tickets, order_view(order).void) == (2, [])
    void(world, order, names(order)[0])
    after = now(world, order)
    assert cancel_offer(after, world.event) is None
    assert (order_view(after).tickets, order_view(after).void) == (1, [order.tickets[0].label])
    canceller = OrderCanceller(world.table, world.clock, world.payments)
    with pytest.raises(WrongStateError) as refused:
        canceller.cancel(world.event, after)
    assert refused.value.fields["reason"] == "void"
    with pytest.raises(WrongStateError):
        give_back(world, order, 1)
    assert world.payments.refunds == {}


def test_who_read_the_order_before_cannot_cancel_it_since(world: World) -> None:
    order = ticketed(world)
    table = InterleavedTable(world.table, lambda: void(world, order, names(order)[0]))
    canceller = OrderCanceller(table, world.clock, world.payments)
    with pytest.raises(WrongStateError):
        canceller.cancel(world.event, order)
    assert (now(world, order).state, world.payments.refunds) == ("ticketed", {})


def test_a_ticket_that_was_given_back_is_void_already(world: World) -> None:
    order = ticketed(world)
    first, second = names(order)
    after = give_back(world, order)
    assert void(world, order, first).tickets == ()
    assert void(world, order).tickets == [second]
    assert len(after.returned) == 1


def test_a_ticket_of_a_disputed_order_is_void_also_once_the_bank_gives_up(world: World) -> None:
    order = ticketed(world)
    disputed = Update("reservations", *order.key, set={"state": "disputed"})
    world.table.update(disputed)
    assert len(void(world, order).tickets) == 2
    world.table.update(Update("reservations", *order.key, set={"state": "ticketed"}))
    assert faces_of(now(world, order), None, world.sign) == []


@pytest.mark.parametrize("state", ["cancelled", "refunded"])
def test_what_ended_has_nothing_to_make_void(world: World, state: str) -> None:
    order = ticketed(world)
    world.table.update(Update("reservations", *order.key, set={"state": state}))
    assert void(world, order).tickets == ()
    assert now(world, order).voided == ()


def test_an_order_without_tickets_is_refused(world: World) -> None:
    order = begin(world, held(world)).order
    with pytest.raises(WrongStateError):
        still_good(order)
    settle(world, order)
    with pytest.raises(WrongStateError, match="paid"):
        void(world, order)
    with pytest.raises(NotFoundError):
        void(world, order, "tkt_0000000000000000")


def test_of_two_at_once_each_ticket_is_made_void_once(world: World) -> None:
    order = ticketed(world)
    first, _ = names(order)

    class Meanwhile(CountedTable):
        """Somebody else makes one ticket void, between our reading and our writing."""

        def update(self, action: Update) -> None:
            if not self.calls:
                self.calls["update"] += 1
                void(world, order, first)
            world.table.update(action)

    done = TicketVoider(Meanwhile(world.table), world.clock).void(order)
    assert done.tickets == names(order)[1:]
    assert [one.ticket for one in now(world, order).voided] == names(order)


def test_an_order_that_keeps_changing_is_left_alone(world: World) -> None:
    order = ticketed(world)

    class Busy(CountedTable):
        def update(self, _action: Update) -> None:
            raise TransactionRefusedError([])

    with pytest.raises(DependencyUnavailableError):
        TicketVoider(Busy(world.table), world.clock).void(order)
