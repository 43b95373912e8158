"""Staff gives a ticket back that was passed on by fraud: its buyer has it, under a new code."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from fairgate.errors import NotFoundError, WrongStateError
from fairgate.ports.table import Update
from fairgate.service.orders.void_tickets import TicketVoider
from fairgate.service.tickets.issue_tickets import read_tickets
from fairgate.service.tickets.take_back import TicketTakenBack, TicketTaker
from fairgate_lab.engine.table import InterleavedTable
from tests.support.world import World
from tests.unit.tickets.test_passing_on import Hands, reason


@pytest.fixture
def hands(world: World) -> Hands:
    return Hands(world)


def take_back(hands: Hands, ticket: str, table: Any = None) -> TicketTakenBack:
    taker = TicketTaker(table or hands.world.table, hands.world.clock)
    return taker.take_back(hands.now, ticket)


def codes(hands: Hands, user: str) -> list[str]:
    read = read_tickets(hands.world.table, hands.world.sign, user=user, order=hands.order.order_id)
    return [face.ticket for face in read]


class BeforeTheWrite(InterleavedTable):
    """Lets somebody else act once, between the reading and the write of a single item."""

    def update(self, update: Update) -> None:
        self.transact([update])


def test_the_buyer_has_it_again_and_what_was_passed_on_is_void(hands: Hands) -> None:
    stolen = hands.accept(hands.offer()).ticket
    done = take_back(hands, stolen)
    after = hands.now
    assert done.order.tickets == after.tickets
    assert codes(hands, "ann") == [done.ticket, hands.order.tickets[1].ticket]
    assert stolen in {one.ticket for one in after.passed}
    assert len({hands.order.tickets[0].ticket, stolen, done.ticket}) == 3
    assert after.passed_on == set()
    with pytest.raises(WrongStateError):
        codes(hands, "bob")
    assert (hands.taken("ann"), hands.taken("bob")) == (2, 1)


def test_again_changes_nothing_and_the_old_name_is_understood(hands: Hands) -> None:
    bought = hands.first
    hands.accept(hands.offer())
    assert take_back(hands, bought).ticket
    before = hands.now
    assert take_back(hands, bought).ticket == ""
    assert hands.now == before


def test_an_offer_that_the_thief_has_made_is_good_for_nobody(hands: Hands) -> None:
    stolen = hands.accept(hands.offer()).ticket
    offered = hands.offer("bob", stolen)
    take_back(hands, stolen)
    with pytest.raises(WrongStateError) as refused:
        hands.accept(offered, "cid")
    assert reason(refused) == "withdrawn"


def test_who_passes_it_on_in_the_middle_passes_on_nothing(hands: Hands) -> None:
    stolen = hands.accept(hands.offer()).ticket
    offered = hands.offer("bob", stolen)
    goes_on = lambda: hands.accept(offered, "cid")  # noqa: E731 once, before the write
    done = take_back(hands, stolen, BeforeTheWrite(hands.world.table, goes_on))
    assert codes(hands, "ann")[0] == done.ticket
    assert hands.now.passed_on == set()


def test_the_old_link_gives_the_thief_nothing_once_more(hands: Hands) -> None:
    offered = hands.offer()
    take_back(hands, hands.accept(offered).ticket)
    with pytest.raises(WrongStateError) as refused:
        hands.accept(offered)
    assert reason(refused) == "accepted"


def test_what_admits_nobody_or_is_not_there_is_refused(hands: Hands) -> None:
    with pytest.raises(NotFoundError):
        take_back(hands, "tkt_" + "0" * 16)
    stolen = hands.accept(hands.offer()).ticket
    TicketVoider(hands.world.table, hands.world.clock).void(hands.now, stolen)
    with pytest.raises(WrongStateError) as refused:
        take_back(hands, stolen)
    assert reason(refused) == "void"
    hands.world.put(msgspec.structs.replace(hands.now, state="cancelled"))
    with pytest.raises(WrongStateError):
        take_back(hands, stolen)
