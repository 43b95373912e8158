"""Whose ticket is passed on is mailed so: somebody else may have done it."""

from __future__ import annotations

import pytest

from fairgate.service.tickets.take_back import TicketTaker
from tests.support.mailed import Mailbox
from tests.support.world import World
from tests.unit.tickets.test_passing_on import Hands


@pytest.fixture
def box(world: World, monkeypatch: pytest.MonkeyPatch) -> Mailbox:
    return Mailbox(world, monkeypatch)


@pytest.fixture
def hands(world: World, box: Mailbox) -> Hands:
    """Orders whose tickets may be passed on, before a listening mailbox."""
    made = Hands(world)
    box.waiting.clear()
    return made


def test_whose_ticket_is_passed_on_hears_of_it_once_and_not_to_whom(
    hands: Hands, box: Mailbox
) -> None:
    offered = hands.offer()
    assert box.deliver() == []  # that a link was made is nobody's news
    hands.accept(offered)
    (message,) = box.waiting
    (mail,) = box.deliver()
    theirs, ours = hands.order.tickets
    assert mail.to == "ann@example.org"
    assert mail.subject == "Passed on: your ticket for The Show"
    assert mail.mail_id.startswith(f"passed.{hands.order.order_id}.")
    for part in (mail.text, mail.html):
        assert theirs.label in part
        assert ours.label not in part
        assert "The Hall" in part
        assert "is no longer valid" in part
        assert "contact the box office" in part
        assert "bob" not in part
    hands.accept(offered)  # as one does who lost the answer
    assert box.waiting == []
    assert box.handle(message) == []


def test_each_ticket_that_is_passed_on_has_a_mail_of_its_own(hands: Hands, box: Mailbox) -> None:
    for entry in hands.order.tickets:
        hands.accept(hands.offer(ticket=entry.ticket))
    mails = box.deliver()
    assert [entry.label in mails[0].text for entry in hands.order.tickets] == [True, False]
    assert [entry.label in mails[1].text for entry in hands.order.tickets] == [False, True]
    assert len({mail.mail_id for mail in mails}) == 2


def test_a_buyer_hears_once_of_a_ticket_that_goes_on_from_hand_to_hand(
    hands: Hands, box: Mailbox
) -> None:
    hands.accept(hands.offer())
    hands.accept(hands.offer("bob", hands.first), "eve")  # whom bob is, no order says
    (mail,) = box.deliver()
    assert hands.order.tickets[0].label in mail.text
    hands.accept(hands.offer("eve", hands.first), "ann")
    assert box.deliver() == []
    hands.accept(hands.offer())
    (again,) = box.deliver()
    assert again.mail_id != mail.mail_id


def test_a_ticket_that_its_buyer_has_again_is_no_news(hands: Hands, box: Mailbox) -> None:
    hands.accept(hands.offer())
    taker = TicketTaker(hands.world.table, hands.world.clock)
    taker.take_back(hands.now, hands.first)
    assert box.deliver() == []
