"""One open payment page of an order, the same for a repeated request, a new one for a new try."""

from __future__ import annotations

import itertools
from typing import Any

from fairgate.adapters.memory.payments import MemoryPayments
from fairgate.errors import DependencyUnavailableError
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate.service.orders.open_payment import close_payment, open_payment
from tests.support.world import World
from tests.unit.orders.test_checkout_and_settle import held, order_of, settle
from tests.unit.shared.test_idempotency import begin_as


class NewPages(MemoryPayments):
    """A provider whose pages have closed by themselves: each question opens another."""

    numbers = itertools.count(1)

    def open_checkout(self, **asked: Any) -> str:
        return f"{super().open_checkout(**asked)}&{next(self.numbers)}"


def open_page(world: World, mine: Any, key: str) -> str:
    return open_payment(world.table, world.payments, begin_as(world, mine, key), "http://shop")


def test_the_same_request_leads_to_the_same_page_without_asking_the_provider(
    world: World,
) -> None:
    world.payments = NewPages()
    mine = held(world)
    page = open_page(world, mine, "k")
    world.payments.fail = DependencyUnavailableError("away")
    assert open_page(world, mine, "k") == page


def test_a_new_try_leads_to_a_new_page_and_closes_the_old_one(world: World) -> None:
    """Also before the provider has told of the decline that made it necessary."""
    world.payments = NewPages()
    mine = held(world)
    old = open_page(world, mine, "k")
    new = open_page(world, mine, "k2")
    assert new != old
    assert world.payments.closed == [old]
    assert open_page(world, mine, "k2") == new


def test_an_open_page_stays_the_page(world: World) -> None:
    mine = held(world)
    assert open_page(world, mine, "k") == open_page(world, mine, "k2")
    assert world.payments.closed == []


def test_a_page_is_closed_when_its_session_ended_unpaid_and_only_then(world: World) -> None:
    mine, theirs = held(world), held(world, "bob", world.seat_ids[5])
    page = open_page(world, mine, "k")
    open_page(world, theirs, "k")
    paid = begin_as(world, theirs, "k").order
    settle(world, paid)
    SeatReleaser(world.table, world.clock).end_session(mine.session, "cancelled", mine.user)
    for session in (mine.session, theirs.session, "ses_" + "0" * 32):
        close_payment(world.table, world.payments, session)
    assert world.payments.closed == [page]


def test_a_page_is_not_kept_when_the_order_was_paid_meanwhile(world: World) -> None:
    mine = held(world)
    begun = begin_as(world, mine, "k")
    settle(world, begun.order)
    assert open_payment(world.table, world.payments, begun, "http://shop")
    assert order_of(world, begun.order).pay_page == ""
