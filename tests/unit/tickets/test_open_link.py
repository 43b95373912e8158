"""A link shows the orders of its mailbox as they are, and no others."""

from __future__ import annotations

import msgspec
import pytest

from fairgate.domain.shared.ids import Mailbox
from fairgate.domain.shared.mailbox import mailbox_of
from fairgate.errors import NotFoundError, WrongStateError
from fairgate.service.orders.erase_buyer import BuyerEraser
from fairgate.service.refunds.cancel_order import OrderCanceller
from fairgate.service.shared.mailbox_keys import mailbox_key
from fairgate.service.shared.records.mails import MailboxOrder
from fairgate.service.shared.records.orders import Order
from fairgate.service.tickets.issue_tickets import TicketOffice, issue_tickets
from fairgate.service.tickets.open_link import (
    ORDERS_MAX,
    find_orders,
    found_ticket,
    found_tickets,
)
from tests.support.world import World
from tests.unit.checkout.test_checkout_and_settle import begin, held, order_of, settle


def box(world: World, email: str = "ann@example.org") -> Mailbox:
    return mailbox_of(world.secrets.current.addresses, email)


def bought(world: World, user: str, *seats: str) -> Order:
    order = begin(world, held(world, user, *seats)).order
    settle(world, order, f"evt-{order.order_id}", payment=f"pay-{order.order_id}")
    world.clock.tick(1)
    return order


def ticketed(world: World, order: Order) -> Order:
    office = TicketOffice(world.table, world.clock, world.mail_queue)
    issue_tickets(office, order.order_id)
    return order_of(world, order)


def states(world: World, mailbox: Mailbox) -> dict[str, str]:
    return {o.order_id: o.state for o in find_orders(world.table, mailbox).orders}


def test_all_orders_of_an_address_are_shown_as_what_they_are(world: World) -> None:
    one = ticketed(world, bought(world, "ann", *world.seat_ids[:2]))
    two = bought(world, "bob", world.seat_ids[2])  # another account, the same address
    OrderCanceller(world.table, world.clock, world.payments).cancel(world.event, two_of(world, two))
    begin(world, held(world, "cleo", world.seat_ids[3]))  # not paid
    assert states(world, box(world)) == {one.order_id: "ticketed", two.order_id: "refunded"}


def two_of(world: World, order: Order) -> Order:
    return order_of(world, order)


def test_the_newest_comes_first(world: World) -> None:
    made = [bought(world, f"u{n}", seat).order_id for n, seat in enumerate(world.seat_ids[:3])]
    shown = [order.order_id for order in find_orders(world.table, box(world)).orders]
    assert shown == made[::-1]


def test_another_address_sees_nothing_and_opens_no_ticket(world: World) -> None:
    order = ticketed(world, bought(world, "ann"))
    other = box(world, "eve@example.org")
    assert find_orders(world.table, other).orders == []
    with pytest.raises(NotFoundError):
        found_tickets(world.table, world.sign, other, order.order_id)
    assert len(found_tickets(world.table, world.sign, box(world), order.order_id)) == 2


def test_an_entry_alone_opens_nothing(world: World) -> None:
    """An order counts by what it says itself, wherever it is entered."""
    order = ticketed(world, bought(world, "ann"))
    other = box(world, "eve@example.org")
    world.put(MailboxOrder(f"B#{other}", order.order_id, order_id=order.order_id))
    assert find_orders(world.table, other).orders == []


def test_an_order_whose_address_was_taken_away_is_shown_to_nobody(world: World) -> None:
    order = ticketed(world, bought(world, "ann"))
    world.put(msgspec.structs.replace(order, mailbox=Mailbox(""), email="gone"))
    assert find_orders(world.table, box(world)).orders == []
    with pytest.raises(NotFoundError):
        found_tickets(world.table, world.sign, box(world), order.order_id)
    with pytest.raises(NotFoundError):
        found_tickets(world.table, world.sign, Mailbox(""), order.order_id + "x")


def test_a_ticket_is_one_of_the_order_that_admits(world: World) -> None:
    order = ticketed(world, bought(world, "ann"))
    assert found_ticket(world.table, world.sign, box(world), order.order_id, 1).number == 2
    for unit in (2, -1, None):
        with pytest.raises(NotFoundError):
            found_ticket(world.table, world.sign, box(world), order.order_id, unit)
    for wrong in ("nonsense", "ord_" + "0" * 32 + "_" + "0" * 8):
        with pytest.raises(NotFoundError):
            found_tickets(world.table, world.sign, box(world), wrong)


def test_what_admits_nobody_has_no_tickets_to_show(world: World) -> None:
    order = bought(world, "ann")
    with pytest.raises(WrongStateError):
        found_tickets(world.table, world.sign, box(world), order.order_id)
    done = ticketed(world, order)
    OrderCanceller(world.table, world.clock, world.payments).cancel(world.event, done)
    with pytest.raises(WrongStateError):
        found_tickets(world.table, world.sign, box(world), order.order_id)


def test_an_order_that_is_damaged_takes_no_other_one_away(world: World) -> None:
    one, two = (bought(world, u, s) for u, s in zip("ab", world.seat_ids, strict=False))
    item = world.item("reservations", one.key)
    assert item is not None
    world.put_item("reservations", item | {"totalMinor": "much"})
    assert list(states(world, box(world))) == [two.order_id]


def test_the_newest_fifty_are_read_and_that_there_are_more_is_said(world: World) -> None:
    order = order_of(world, bought(world, "ann"))
    for number in range(ORDERS_MAX):
        name = f"ord_{number:032x}_00000000"
        world.put(MailboxOrder(f"B#{box(world)}", name, order_id=type(order.order_id)(name)))
    found = find_orders(world.table, box(world))
    assert found.older
    assert [one.order_id for one in found.orders] == [order.order_id]


def test_an_erased_address_finds_nothing_and_its_entries_go(world: World) -> None:
    order = ticketed(world, bought(world, "ann"))
    OrderCanceller(world.table, world.clock, world.payments).cancel(world.event, order)
    assert states(world, box(world)) == {order.order_id: "refunded"}
    erased = BuyerEraser(world.table, world.clock).erase(order.key)
    assert erased.mailbox == ""
    assert find_orders(world.table, box(world)).orders == []
    with pytest.raises(NotFoundError):
        found_tickets(world.table, world.sign, box(world), order.order_id)
    [entry] = world.table.query(MailboxOrder, mailbox_key(box(world)), "ord_")
    assert 0 < entry.ttl <= world.clock.now_ms() // 1000
