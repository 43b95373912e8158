"""The last address wins: the buyer's until the order is paid, then the one that staff corrects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from fairgate.adapters.dynamodb.codec import from_item
from fairgate.domain.shared.ids import Mailbox
from fairgate.domain.shared.mailbox import mailbox_of
from fairgate.errors import FairgateError, MailAddressError, NotFoundError, WrongStateError
from fairgate.ports.record import PK, SK, Key
from fairgate.ports.table import Update
from fairgate.service.audit.law import violations
from fairgate.service.audit.orders import order_in_mailbox, order_indexed
from fairgate.service.audit.snapshot import Snapshot
from fairgate.service.checkout.begin_checkout import CheckoutBeginner
from fairgate.service.orders.change_address import AddressChanger
from fairgate.service.orders.find_buyer import items_of_address
from fairgate.service.shared.keys import shape_of
from fairgate.service.shared.records.orders import Order
from fairgate.service.tickets.open_link import find_orders, found_tickets
from tests.support.world import EVENT, NAMES, World
from tests.unit.checkout.test_checkout_and_settle import held, order_of, settle
from tests.unit.refunds.test_give_back import now, ticketed

TYPO, RIGHT = "ann@example.org", "anne@example.org"


def box(world: World, email: str) -> Mailbox:
    return mailbox_of(world.secrets.current.addresses, email)


def check_out(world: World, mine: Any, email: str, key: str = "") -> Order:
    beginner = CheckoutBeginner(
        *(world.table, world.clock, world.ids, world.reminders),
        addresses_key=world.secrets.current.addresses,
    )
    return beginner.begin(world.event, mine.session, mine.user, email, idempotency_key=key).order


def change(world: World, order: Order, email: str = RIGHT) -> Order:
    changer = AddressChanger(world.table, world.clock, world.secrets.current.addresses)
    return changer.change(order, email)


def laws_broken(world: World) -> Sequence[object]:
    """Read all items, and return what the laws about addresses say."""
    kinds: dict[str, list[dict[str, Any]]] = {}
    for item in map(from_item, world.client.scan(TableName=NAMES["reservations"])["Items"]):
        kind = shape_of("reservations", Key(item[PK], item[SK])) or ""
        kinds.setdefault(kind, []).append(item)
    seen = Snapshot(now="", kinds=kinds)
    return violations(seen, [order_in_mailbox, order_indexed])


def of_address(world: World, email: str) -> list[str]:
    return [one.order_id for one in items_of_address(world.table, [EVENT], email).orders]


def test_the_address_of_the_last_checkout_gets_the_mails(world: World) -> None:
    mine = held(world)
    first = check_out(world, mine, TYPO, "k1")
    assert check_out(world, mine, RIGHT, "k2").order_id == first.order_id
    order = order_of(world, first)
    assert (order.email, order.mailbox) == (RIGHT, box(world, RIGHT))
    assert check_out(world, mine, TYPO, "k1").email == RIGHT  # a repeated request changes nothing
    settle(world, order)
    assert (of_address(world, RIGHT), of_address(world, TYPO)) == ([order.order_id], [])
    assert [one.order_id for one in find_orders(world.table, box(world, RIGHT)).orders]
    assert find_orders(world.table, box(world, TYPO)).orders == []


def test_a_buyer_cannot_change_it_once_it_is_paid(world: World) -> None:
    mine = held(world)
    order = check_out(world, mine, TYPO)
    settle(world, order)
    with pytest.raises(FairgateError):
        check_out(world, mine, RIGHT)
    assert order_of(world, order).email == TYPO


def test_staff_correct_it_and_the_old_links_show_nothing(world: World) -> None:
    order = ticketed(world)
    assert change(world, order).email == RIGHT
    after = now(world, order)
    assert (after.email, after.state, after.tickets) == (RIGHT, "ticketed", order.tickets)
    assert find_orders(world.table, box(world, TYPO)).orders == []
    with pytest.raises(NotFoundError):
        found_tickets(world.table, world.sign, box(world, TYPO), order.order_id)
    assert len(found_tickets(world.table, world.sign, box(world, RIGHT), order.order_id)) == len(
        order.tickets
    )
    assert (of_address(world, RIGHT), of_address(world, TYPO)) == ([order.order_id], [])
    version = after.version
    assert change(world, after).version == version  # a repetition changes nothing
    change(world, after, TYPO)  # and back: its entry in the list stays
    change(world, now(world, order), RIGHT)
    assert laws_broken(world) == []
    assert find_orders(world.table, box(world, RIGHT)).orders != []


def test_an_address_is_not_given_where_it_was_erased_or_cannot_be_mailed(world: World) -> None:
    order = ticketed(world)
    with pytest.raises(MailAddressError):
        change(world, order, "anna.@example.com")
    erased = {"email": "erased", "mailbox": "", "erasedAt": "2027-01-01T00:00:00.000Z"}
    world.table.update(Update("reservations", *order.key, set=erased))
    with pytest.raises(WrongStateError):
        change(world, now(world, order))
