"""Whatever comes between the reading and the writing of an acceptance: one good code a place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from fairgate.domain.tickets.offer_token import NamedOffer
from fairgate.errors import FairgateError
from fairgate.ports.table import Action, TransactionRefusedError
from fairgate.service.orders.void_tickets import TicketVoider
from fairgate.service.refunds.cancel_order import OrderCanceller
from fairgate.service.refunds.return_place import PlaceReturner
from fairgate.service.shared.order_update import order_changed
from fairgate.service.tickets.accept_ticket import TicketAccepted, TicketAccepter
from fairgate.service.tickets.offer_ticket import TicketOffered
from fairgate.service.tickets.take_back import TicketTaker
from fairgate_lab.engine.table import InterleavedTable
from tests.support.world import World
from tests.unit.tickets.test_passing_on import FOREVER, Hands


@pytest.fixture
def hands(world: World) -> Hands:
    return Hands(world)


def accept(hands: Hands, offered: TicketOffered, table: Any, key: str = "") -> TicketAccepted:
    named = NamedOffer(hands.order.order_id, offered.offer.number)
    accepter = TicketAccepter(table, hands.world.clock)
    return accepter.accept(hands.now, named, "bob", idempotency_key=key)


def returns(hands: Hands, _offered: TicketOffered) -> None:
    world = hands.world
    PlaceReturner(world.table, world.clock, world.payments).give_back(
        hands.event(), hands.now, hands.first
    )


def cancels_the_event(hands: Hands, _offered: TicketOffered) -> None:
    world = hands.world
    canceller = OrderCanceller(world.table, world.clock, world.payments)
    cancelled = msgspec.structs.replace(hands.event(), cancelled_at=FOREVER)
    canceller.cancel_for_event(cancelled, hands.now)


def is_disputed(hands: Hands, _offered: TicketOffered) -> None:
    hands.world.table.update(order_changed(hands.now, state="disputed")[1])


def goes_round(hands: Hands, offered: TicketOffered) -> None:
    """Somebody else accepts, and staff takes it back."""
    stolen = hands.accept(offered, "cid").ticket
    taker = TicketTaker(hands.world.table, hands.world.clock)
    taker.take_back(hands.now, stolen)


MEANWHILE: dict[str, tuple[Callable[[Hands, TicketOffered], object], int]] = {
    "withdrawn": (lambda hands, _offered: hands.withdraw(), 2),
    "offered anew": (lambda hands, _offered: (hands.withdraw(), hands.offer()), 2),
    "accepted by another": (lambda hands, offered: hands.accept(offered, "cid"), 2),
    "taken back": (goes_round, 2),
    "made void": (
        lambda hands, _: TicketVoider(hands.world.table, hands.world.clock).void(hands.now),
        0,
    ),
    "given back": (returns, 1),
    "event cancelled": (cancels_the_event, 0),
    "disputed": (is_disputed, 0),
}


@pytest.mark.parametrize("case", MEANWHILE)
def test_what_came_first_counts_and_nobody_has_two(hands: Hands, case: str) -> None:
    act, good = MEANWHILE[case]
    offered = hands.offer()
    table = InterleavedTable(hands.world.table, lambda: act(hands, offered))
    with pytest.raises(FairgateError):
        accept(hands, offered, table)
    order = hands.now
    admitting = order.admitting if order.state == "ticketed" else []
    assert len(admitting) == good
    assert set(Counter(entry.unit for entry in admitting).values()) <= {1}
    assert not order.held_by("bob")
    assert hands.taken("bob") == 0


class LosesAnAnswer:
    """The table, which does the first write; its answer is lost and the client sends it again."""

    def __init__(self, table: Any) -> None:
        self._table, self._lost = table, False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def transact(self, actions: Sequence[Action], token: str | None = None) -> None:
        self._table.transact(actions, token)
        if not self._lost:
            self._lost = True
            with pytest.raises(TransactionRefusedError) as again:
                self._table.transact(actions, token)
            raise again.value


@pytest.mark.parametrize("key", ["", "k"])
def test_an_acceptance_whose_answer_was_lost_is_the_one_that_was_made(
    hands: Hands, key: str
) -> None:
    offered = hands.offer()
    accepted = accept(hands, offered, LosesAnAnswer(hands.world.table), key)
    order = hands.now
    assert [entry.ticket for entry in order.held_by("bob")] == [accepted.ticket]
    assert (len(order.passed), hands.taken("bob")) == (1, 1)
