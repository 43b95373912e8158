"""What took money is entered under its mail address, in the transaction that took it."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from msgspec.structs import replace

from fairgate.domain.shared.ids import Mailbox
from fairgate.domain.shared.mailbox import mailbox_of
from fairgate.ports.record import SK
from fairgate.service.checkout import settle_payment
from tests.support.world import World
from tests.unit.checkout.test_checkout_and_settle import begin, held, order_of, settle


def entered(world: World) -> list[str]:
    box = mailbox_of(world.secrets.current.addresses, "ann@example.org")
    return [str(item[SK]) for item in world.items("reservations", f"B#{box}")]


def test_a_paid_order_is_entered_and_an_unpaid_one_is_not(world: World) -> None:
    order = begin(world, held(world)).order
    begin(world, held(world, "bob", world.seat_ids[4]))
    assert entered(world) == []
    settle(world, order)
    assert entered(world) == [order.order_id]


def test_a_payment_that_bought_nothing_is_found_as_well(world: World) -> None:
    order = begin(world, held(world)).order
    assert settle(world, order, amount_minor=1) == "refunded"
    assert entered(world) == [order.order_id]
    assert order_of(world, order).state == "refunded"


def test_a_second_payment_of_an_order_enters_it_once(world: World) -> None:
    order = begin(world, held(world)).order
    settle(world, order)
    assert settle(world, order, "evt2", payment="pay2") == "refunded"
    assert entered(world) == [order.order_id]


def test_an_order_without_a_mailbox_is_sold_all_the_same(world: World) -> None:
    key, world.secrets.current = (
        world.secrets.current,
        replace(world.secrets.current, addresses=b""),
    )
    order = begin(world, held(world)).order
    assert order.mailbox == ""
    assert settle(world, order) == "paid"
    world.secrets.current = key
    assert entered(world) == []


def test_the_entry_is_in_the_transaction_of_the_payment(world: World) -> None:
    """Without it the order would be paid and not found: so its law would say."""
    order = begin(world, held(world)).order
    with patch.object(settle_payment, "_findable", lambda _order: []):
        settle(world, order)
    assert entered(world) == []


@pytest.mark.parametrize("email", ["ann@example.org", "ANN@EXAMPLE.ORG"])
def test_the_checkout_names_the_mailbox(world: World, email: str) -> None:
    order = begin(world, held(world)).order
    assert order.mailbox == Mailbox(mailbox_of(world.secrets.current.addresses, email))
