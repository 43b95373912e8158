"""A ticket is offered by a link and taken over by one account: a new code, the old one void."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest

from fairgate.domain.tickets.offer_token import NamedOffer
from fairgate.errors import (
    FairgateError,
    IdempotencyMismatchError,
    LimitExceededError,
    NotFoundError,
    WrongStateError,
)
from fairgate.service.orders.void_tickets import TicketVoider
from fairgate.service.refunds.cancel_order import OrderCanceller
from fairgate.service.refunds.cancel_terms import cancel_offer
from fairgate.service.refunds.return_place import PlaceReturner
from fairgate.service.shared.keys import event_key, user_status_key
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.orders import Order
from fairgate.service.shared.records.sessions import UserStatus
from fairgate.service.tickets.accept_ticket import TicketAccepted, TicketAccepter
from fairgate.service.tickets.held_orders import held_orders, read_holders_order
from fairgate.service.tickets.issue_tickets import faces_of, read_tickets
from fairgate.service.tickets.offer_ticket import OFFER_S, TicketOffered, TicketOfferer
from fairgate.service.tickets.pass_terms import PASSED_MAX, standings
from fairgate_lab.engine.table import InterleavedTable
from tests.support.world import World
from tests.unit.checkout.test_checkout_and_settle import begin, held, settle
from tests.unit.refunds.test_give_back import now, ticketed

FOREVER = "2099-01-01T00:00:00.000Z"


@dataclass
class Hands:
    """Two seats that ann has bought, and what everybody does with them."""

    world: World
    order: Order = field(init=False)
    until: str = FOREVER
    cancel_until: str = FOREVER

    def __post_init__(self) -> None:
        self.order = ticketed(self.world, cancel_until=self.cancel_until, transfer_until=self.until)

    @property
    def now(self) -> Order:
        return now(self.world, self.order)

    @property
    def first(self) -> str:
        return self.now.tickets[0].ticket

    def offer(self, user: str = "ann", ticket: str = "", key: str = "") -> TicketOffered:
        offerer = TicketOfferer(self.world.table, self.world.clock)
        event = self.event()
        name = ticket or self.first
        return offerer.offer(event, self.now, user, name, idempotency_key=key)

    def event(self) -> Event:
        return self.world.table.find(Event, event_key(self.order.event_id)) or self.world.event

    def withdraw(self, user: str = "ann", ticket: str = "") -> Order:
        offerer = TicketOfferer(self.world.table, self.world.clock)
        return offerer.withdraw(self.now, user, ticket or self.first)

    def accept(self, offered: TicketOffered, user: str = "bob", **more: Any) -> TicketAccepted:
        named = NamedOffer(self.order.order_id, offered.offer.number)
        accepter = TicketAccepter(self.world.table, self.world.clock)
        return accepter.accept(accepter.order_of(named), named, user, **more)

    def taken(self, user: str) -> int:
        status = self.world.table.find(UserStatus, user_status_key(user, self.order.event_id))
        return 0 if status is None else status.places_taken


@pytest.fixture
def hands(world: World) -> Hands:
    return Hands(world)


def reason(error: pytest.ExceptionInfo[FairgateError]) -> object:
    return error.value.fields.get("reason")


def test_the_new_holder_has_a_new_code_and_the_old_one_is_void(hands: Hands) -> None:
    before = hands.order
    accepted = hands.accept(hands.offer())
    after = hands.now
    new, kept = after.tickets
    assert (accepted.ticket, accepted.label) == (new.ticket, before.tickets[0].label)
    assert new.ticket != before.tickets[0].ticket
    assert kept == before.tickets[1]
    assert [one.ticket for one in after.passed] == [before.tickets[0].ticket]
    table, sign = hands.world.table, hands.world.sign
    (theirs,) = read_tickets(table, sign, user="bob", order=after.order_id)
    (own,) = read_tickets(table, sign, user="ann", order=after.order_id)
    assert (theirs.ticket, own.ticket) == (new.ticket, kept.ticket)
    given, stayed = faces_of(before, None, sign)
    assert (theirs.code != given.code, own.code) == (True, stayed.code)
    assert [face.ticket for face in faces_of(after, None, sign)] == [kept.ticket]
    assert [order.order_id for order in held_orders(table, "bob")] == [after.order_id]
    assert (after.units, after.left_minor) == (before.units, before.left_minor)


def test_an_offer_again_is_the_same_offer_and_ends_after_two_days(hands: Hands) -> None:
    first = hands.offer().offer
    assert hands.offer().offer == first
    hands.world.clock.tick(OFFER_S)
    second = hands.offer().offer
    assert second.number > first.number
    assert [one.number for one in hands.now.offers] == [second.number]


def test_no_offer_goes_beyond_the_last_moment(world: World) -> None:
    soon = "2027-01-15T09:00:00.000Z"
    hands = Hands(world, until=soon)
    assert hands.offer().offer.until == soon
    world.clock.tick(86_400)
    with pytest.raises(WrongStateError) as refused:
        hands.offer()
    assert reason(refused) == "too-late"


def test_orders_of_an_event_that_says_nothing_are_not_passed_on(world: World) -> None:
    with pytest.raises(WrongStateError) as refused:
        Hands(world, until="").offer()
    assert reason(refused) == "never"


def test_accepting_again_gives_the_same_ticket_and_changes_nothing(hands: Hands) -> None:
    offered = hands.offer()
    first = hands.accept(offered)
    before = hands.now
    assert hands.accept(offered).ticket == first.ticket
    assert hands.accept(offered, idempotency_key="k").ticket == first.ticket
    assert (hands.now, hands.taken("bob")) == (before, 1)


def test_of_two_who_accept_one_has_it(hands: Hands) -> None:
    offered = hands.offer()
    hands.accept(offered, "bob")
    with pytest.raises(WrongStateError) as refused:
        hands.accept(offered, "cid")
    assert reason(refused) == "accepted"
    assert (hands.taken("bob"), hands.taken("cid")) == (1, 0)
    assert list(held_orders(hands.world.table, "cid")) == []


def test_what_was_withdrawn_is_not_accepted(hands: Hands) -> None:
    offered = hands.offer()
    hands.withdraw()
    assert not hands.withdraw().offers
    with pytest.raises(WrongStateError) as refused:
        hands.accept(offered)
    assert reason(refused) == "withdrawn"


def test_what_was_accepted_is_not_withdrawn(hands: Hands) -> None:
    ticket = hands.first
    hands.accept(hands.offer())
    with pytest.raises(WrongStateError) as refused:
        hands.withdraw(ticket=ticket)
    assert reason(refused) == "passed-on"


def test_an_offer_is_not_accepted_after_its_time(hands: Hands) -> None:
    offered = hands.offer()
    hands.world.clock.tick(OFFER_S)
    with pytest.raises(WrongStateError) as refused:
        hands.accept(offered)
    assert reason(refused) == "too-late"


def test_nobody_accepts_their_own_ticket(hands: Hands) -> None:
    with pytest.raises(WrongStateError) as refused:
        hands.accept(hands.offer(), "ann")
    assert reason(refused) == "own"


def test_a_link_of_no_offer_names_nothing(hands: Hands) -> None:
    offered = hands.offer()
    ghost = msgspec.structs.replace(offered.offer, number=99)
    with pytest.raises(WrongStateError) as refused:
        hands.accept(TicketOffered(offered.order, ghost))
    assert reason(refused) == "withdrawn"


def test_only_who_has_a_ticket_offers_it(hands: Hands) -> None:
    with pytest.raises(NotFoundError):
        hands.offer("mallory")
    with pytest.raises(NotFoundError):
        read_holders_order(hands.world.table, hands.order.order_id, "mallory")
    ticket = hands.first
    hands.accept(hands.offer())
    with pytest.raises(WrongStateError) as refused:
        hands.offer("ann", ticket)
    assert reason(refused) == "passed-on"


def test_it_may_go_on_and_come_back_to_its_buyer(hands: Hands) -> None:
    hands.accept(hands.offer(), "bob")
    hands.accept(hands.offer("bob"), "cid")
    cid = hands.first
    hands.accept(hands.offer("cid"), "ann")
    back = hands.now.tickets[0]
    assert (back.holder, hands.taken("ann")) == ("", 2)  # as it was bought
    assert [s.state for s in standings(hands.now, hands.event(), "ann", 0)] == ["good", "good"]
    assert [(s.ticket, s.state) for s in standings(hands.now, hands.event(), "cid", 0)] == [
        (cid, "passed-on")
    ]
    bought_it = cancel_offer(hands.now, hands.event())
    assert bought_it is not None
    assert bought_it.back is not None
    assert len(bought_it.places) == 2


def test_a_ticket_goes_through_few_hands(hands: Hands) -> None:
    for user, other in [("ann", "bob"), ("bob", "ann")] * 3:
        if len(hands.now.passed) == PASSED_MAX:
            break
        hands.accept(hands.offer(user), other)
    with pytest.raises(WrongStateError) as refused:
        hands.offer("bob" if PASSED_MAX % 2 else "ann")
    assert reason(refused) == "too-often"


def test_what_is_accepted_counts_like_what_is_bought(hands: Hands) -> None:
    limit = hands.event().user_limit
    hands.world.put(UserStatus(*user_status_key("bob", hands.order.event_id), places_taken=limit))
    with pytest.raises(LimitExceededError) as refused:
        hands.accept(hands.offer())
    assert refused.value.fields["limit"] == limit
    assert not hands.now.passed


def test_what_waits_for_its_payment_is_kept_when_the_limit_rose_and_a_ticket_came(
    world: World,
) -> None:
    hands = Hands(world)
    world.event = msgspec.structs.replace(world.event, user_limit=1)
    waiting = begin(world, held(world, "bob", world.seat_ids[5])).order
    world.event = msgspec.structs.replace(world.event, user_limit=2)
    world.put(world.event)
    hands.accept(hands.offer(), "bob")
    assert settle(world, waiting, "evt_b", payment="pay_b") == "paid"


def test_the_buyer_cannot_cancel_what_somebody_else_has(hands: Hands) -> None:
    world, old = hands.world, hands.first
    hands.accept(hands.offer())
    canceller = OrderCanceller(world.table, world.clock, world.payments)
    returner = PlaceReturner(world.table, world.clock, world.payments)
    with pytest.raises(WrongStateError) as refused:
        canceller.cancel(hands.event(), hands.now)
    assert reason(refused) == "passed-on"
    for ticket in (old, hands.first):
        with pytest.raises(WrongStateError) as refused:
            returner.give_back(hands.event(), hands.now, ticket)
        assert reason(refused) == "passed-on"
    offer = cancel_offer(hands.now, hands.event())
    assert offer is not None
    assert (offer.back, len(offer.places)) == (None, 1)
    returner.give_back(hands.event(), hands.now, hands.now.tickets[1].ticket)
    assert [entry.holder for entry in hands.now.tickets] == ["bob"]


def test_a_place_that_was_given_back_takes_its_offer_along(hands: Hands) -> None:
    world, offered = hands.world, hands.offer()
    returner = PlaceReturner(world.table, world.clock, world.payments)
    returner.give_back(hands.event(), hands.now, hands.first)
    assert not hands.now.offers
    with pytest.raises(WrongStateError) as refused:
        hands.accept(offered)
    assert reason(refused) == "withdrawn"


@pytest.mark.parametrize("whole", [True, False])
def test_a_ticket_that_staff_made_void_is_not_passed_on(hands: Hands, whole: bool) -> None:
    offered = hands.offer()
    voider = TicketVoider(hands.world.table, hands.world.clock)
    voider.void(hands.now, "" if whole else hands.first)
    for refused_act in (lambda: hands.accept(offered), hands.offer):
        with pytest.raises(WrongStateError) as refused:
            refused_act()
        assert reason(refused) == "void"


def test_staff_makes_void_what_somebody_has_by_now(hands: Hands) -> None:
    old = hands.first
    hands.accept(hands.offer())
    voider = TicketVoider(hands.world.table, hands.world.clock)
    assert voider.void(hands.now, old).tickets == ()  # it is, since it was passed on
    assert voider.void(hands.now, hands.first).tickets == [hands.first]
    with pytest.raises(WrongStateError):
        read_tickets(hands.world.table, hands.world.sign, user="bob", order=hands.order.order_id)


def test_a_cancelled_event_gives_all_to_the_buyers_payment(hands: Hands) -> None:
    world = hands.world
    offered = hands.offer(ticket=hands.now.tickets[1].ticket)
    hands.accept(hands.offer())
    cancelled = msgspec.structs.replace(hands.event(), cancelled_at=FOREVER)
    canceller = OrderCanceller(world.table, world.clock, world.payments)
    after = canceller.cancel_for_event(cancelled, hands.now)
    assert (after.state, hands.now.back_minor) == ("cancelled", hands.order.total_minor)
    with pytest.raises(WrongStateError) as refused:
        hands.accept(offered)
    assert reason(refused) == "event-cancelled"
    with pytest.raises(WrongStateError):
        read_tickets(world.table, world.sign, user="bob", order=hands.order.order_id)


def test_a_key_stands_for_one_offer(hands: Hands) -> None:
    first = hands.offer(key="k").offer
    assert hands.offer(key="k").offer == first
    with pytest.raises(IdempotencyMismatchError):
        hands.offer(ticket=hands.now.tickets[1].ticket, key="k")
    hands.withdraw()
    with pytest.raises(WrongStateError) as refused:
        hands.offer(key="k")  # a late twin opens no second offer
    assert reason(refused) == "withdrawn"
    assert not hands.now.offers


def test_who_withdraws_in_the_middle_of_an_acceptance_is_first(hands: Hands) -> None:
    offered = hands.offer()
    named = NamedOffer(hands.order.order_id, offered.offer.number)
    table = InterleavedTable(hands.world.table, hands.withdraw)
    accepter = TicketAccepter(table, hands.world.clock)
    with pytest.raises(WrongStateError) as refused:
        accepter.accept(hands.now, named, "bob")
    assert reason(refused) == "withdrawn"
    assert not hands.now.passed
    assert hands.taken("bob") == 0
