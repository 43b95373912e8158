"""A buyer is mailed what becomes of an order: what, once, by an id that is the same each time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from fairgate.domain.shared.ids import OrderId
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import DependencyUnavailableError, MailAddressError
from fairgate.ports.outside import Mail
from fairgate.ports.record import DamagedItemError
from fairgate.ports.table import Update
from fairgate.service.catalog.cancel_event import mark_cancelled
from fairgate.service.catalog.edit_event import edit_event
from fairgate.service.orders.erase_buyer import BuyerEraser
from fairgate.service.refunds.cancel_order import OrderCanceller
from fairgate.service.refunds.refund_part import PartRefunder
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.mails import SentMail
from fairgate.service.shared.records.orders import Order
from fairgate_ops.operate.cancel_event.give_all_back import AllGiver
from functions.ticketer import handler as ticketer
from tests.support.mailed import Mailbox
from tests.support.world import EVENT, World
from tests.unit.checkout.test_checkout_and_settle import begin, expire, held, settle
from tests.unit.orders.test_void_tickets import void
from tests.unit.refunds.test_disputes import hear
from tests.unit.refunds.test_give_back import give_back, now, ticketed
from tests.unit.refunds.test_refunds import arrives, cancelled_while_pending, heard

SELLER = {"seller_name": "Tides", "seller_address": "Quay 1", "seller_vat_id": "DE1"}


@pytest.fixture
def box(world: World, monkeypatch: pytest.MonkeyPatch) -> Mailbox:
    return Mailbox(world, monkeypatch)


def subjects(mails: list[Mail]) -> list[str]:
    return [mail.subject for mail in mails]


def cancel(world: World, order: Order) -> Order:
    canceller = OrderCanceller(world.table, world.clock, world.payments)
    return canceller.cancel(world.event, now(world, order))


def test_buying_alone_sends_no_news(world: World, box: Mailbox) -> None:
    ticketed(world)
    assert box.waiting == []


def test_who_cancels_hears_what_goes_back_and_then_that_it_is_on_its_way(
    world: World, box: Mailbox
) -> None:
    order = ticketed(world, cancel_fee_minor=500)
    cancel(world, order)
    cancelled, refund = box.deliver()
    assert subjects([cancelled, refund]) == [
        "Cancelled: your order for The Show",
        "Your refund for The Show",
    ]
    assert (
        "Goes back to you: EUR 90.00\nKept by the terms of your order: EUR 10.00\n"
        in cancelled.text
    )
    assert "Refund: EUR 90.00\n" in refund.text
    assert "The rest of what you paid" in refund.text
    assert "credit note" not in refund.text  # the seller is not said
    assert {mail.to for mail in (cancelled, refund)} == {"ann@example.org"}
    assert f"/#/o/{order.order_id}\n" in refund.text


def test_who_asked_for_erasure_is_written_to_no_more(world: World, box: Mailbox) -> None:
    order = ticketed(world)
    cancel(world, order)
    BuyerEraser(world.table, world.clock).erase(order.key)
    assert box.deliver() == []


def test_one_place_given_back_is_named_and_its_refund_is_a_part(world: World, box: Mailbox) -> None:
    order = ticketed(world)
    give_back(world, order, 1)
    place, refund = box.deliver()
    assert place.subject == "Given back: a place at The Show"
    assert f"  1. {order.tickets[1].label}\n" in place.text
    assert order.tickets[0].label not in place.text
    assert "A part of what you paid" in refund.text
    assert place.mail_id != refund.mail_id


def test_what_staff_refunds_is_told_with_its_credit_note(world: World, box: Mailbox) -> None:
    order = ticketed(world)
    edit_event(world.table, world.clock, EVENT, SELLER)
    for amount in (1_000, 1_000):  # the same again is another refund, with a mail of its own
        refunder = PartRefunder(world.table, world.clock, world.payments)
        refunder.refund(now(world, order), amount, key=f"k{len(box.waiting)}")
    first, second = box.deliver()
    assert "Refund: EUR 10.00\n" in first.text
    assert "A credit note for it" in first.text
    assert first.mail_id != second.mail_id


def test_a_cancelled_event_is_told_as_such(world: World, box: Mailbox) -> None:
    order = ticketed(world, cancel_fee_minor=500)
    event = mark_cancelled(world.table, world.clock, EVENT)
    giver = AllGiver(world.table, world.clock, world.payments)
    giver.decide(event, now(world, order))
    for owed in giver.refunds(order):
        giver.send(owed)
    told, refund = box.deliver()
    assert told.subject == "The Show is cancelled"
    assert "Goes back to you: EUR 100.00\n" in told.text
    assert "Kept" not in told.text
    assert refund.subject == "Your refund for The Show"


def test_tickets_that_staff_makes_void_are_named_and_no_others(world: World, box: Mailbox) -> None:
    order = ticketed(world)
    first, second = order.tickets
    void(world, order, first.ticket)
    world.clock.tick(60)
    void(world, order, second.ticket)
    mails = box.deliver()
    assert subjects(mails) == ["Void: tickets for The Show"] * 2
    assert [entry.label in mails[0].text for entry in order.tickets] == [True, False]
    assert [entry.label in mails[1].text for entry in order.tickets] == [False, True]


def test_a_declined_payment_is_told_once_while_its_places_are_kept(
    world: World, box: Mailbox
) -> None:
    order = begin(world, mine := held(world)).order
    settle(world, order, "evt1", kind="failed")
    (declined,) = box.deliver()
    assert declined.subject == "Your payment for The Show was declined"
    assert order.expires_at[11:16] + " UTC" in declined.text
    begin(world, mine)  # another try
    settle(world, order, "evt2", kind="failed")
    assert box.deliver() == []


def test_a_declined_payment_is_no_news_once_its_places_are_gone_or_bought(
    world: World, box: Mailbox
) -> None:
    order = begin(world, held(world)).order
    settle(world, order, "evt1", kind="failed")
    settle(world, order, "evt2")
    assert box.deliver() == []
    late = begin(world, held(world, "bob", *world.seat_ids[3:5])).order
    settle(world, late, "evt3", kind="failed", payment="pay3")
    world.clock.tick(1_000)
    assert box.deliver() == []


def test_a_payment_that_bought_nothing_is_told_to_go_back(world: World, box: Mailbox) -> None:
    mine = held(world)
    order = begin(world, mine).order
    world.clock.tick(1_000)
    assert expire(world, mine.session) == "ended"
    assert settle(world, order) == "refunded"
    unsold, refund = box.deliver()
    assert unsold.subject == "Your payment for The Show goes back"
    assert "Goes back to you: EUR 100.00\n" in unsold.text
    assert "could not be sold to you any more" in refund.text


def test_a_second_payment_is_told_apart_from_the_first(world: World, box: Mailbox) -> None:
    order = ticketed(world)
    assert settle(world, order, "evt2", payment="pay2") == "refunded"
    (refund,) = box.deliver()
    assert "paid more than once" in refund.text


def test_a_refund_that_comes_back_is_told_and_what_overtook_it_is_not(
    world: World, box: Mailbox
) -> None:
    order = cancelled_while_pending(world)
    on_its_way = box.waiting[-1]
    assert subjects(box.deliver())[-1] == "Your refund for The Show"
    arrives(world, "failed", "expired_card")
    heard(world, order, "failed")
    (returned,) = box.deliver()
    assert returned.subject == "Your refund for The Show did not arrive"
    assert box.handle(on_its_way) == []


def test_tickets_that_a_bank_makes_void_are_told_and_when_they_are_good_again(
    world: World, box: Mailbox
) -> None:
    order = ticketed(world)
    hear(world, order, "open")
    assert subjects(box.deliver()) == ["Your tickets for The Show are not valid for now"]
    world.clock.tick(60)
    hear(world, order, "won")
    assert subjects(box.deliver()) == ["Your tickets for The Show are valid again"]
    hear(world, order, "open", "dp2")
    hear(world, order, "lost", "dp2")
    assert subjects(box.deliver()) == ["Your tickets for The Show are void"]  # the newest alone


def test_an_order_that_was_disputed_before_its_tickets_gets_them_and_no_other_mail(
    world: World, box: Mailbox
) -> None:
    order = begin(world, held(world)).order
    settle(world, order)
    hear(world, order, "open")
    box.deliver()
    hear(world, order, "won")
    assert now(world, order).state == "paid"
    assert box.deliver() == []
    assert now(world, order).state == "ticketed"


def test_a_mail_that_was_not_marked_comes_again_by_the_same_id_and_then_no_more(
    world: World, box: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = ticketed(world)
    void(world, order)
    (message,) = box.waiting

    def dies(_action: Update) -> None:
        raise DependencyUnavailableError("ended")

    with monkeypatch.context() as patch:
        patch.setattr(world.table, "update", dies)
        (first,) = box.handle(message, failures=1)
    (second,) = box.handle(message)
    assert first.mail_id == second.mail_id
    assert first.mail_id.startswith(f"cancelled.{order.order_id}.")
    assert box.handle(message, message) == []


def test_a_mail_that_cannot_be_sent_is_asked_for_again(world: World, box: Mailbox) -> None:
    void(world, ticketed(world))
    (message,) = box.waiting
    box.mailer.fail = DependencyUnavailableError("busy")
    assert box.handle(message, failures=1) == []
    box.mailer.fail = MailAddressError("no address")
    assert box.handle(message) == []  # and is not tried for ever
    box.mailer.fail = None
    assert len(box.handle(message)) == 1


def test_a_mark_outlives_every_queue_and_is_gone_then(world: World, box: Mailbox) -> None:
    order = ticketed(world)
    void(world, order)
    box.deliver()
    (mark,) = world.table.query(SentMail, f"MAIL#{order.order_id}")
    assert mark.sent_at == rfc3339(world.clock.ms)
    assert mark.ttl - world.clock.ms // 1000 == 90 * 86_400


def moved(world: World, **wanted: str) -> int:
    edit_event(world.table, world.clock, EVENT, wanted, tell=True)
    event = world.table.find(Event, world.event.key)
    assert event is not None
    assert event.last_change is not None
    return event.last_change.number


def change(order: OrderId, number: int) -> dict[str, Any]:
    return {"mail": order, "change": number}


def test_a_change_says_what_is_and_what_was(world: World, box: Mailbox) -> None:
    order = ticketed(world)
    starts = {"starts_at": "2031-06-01T20:00:00+02:00", "time_zone": "Europe/Berlin"}
    number = moved(world, venue_address="Quay 2", **starts)
    (mail,) = box.handle(change(order.order_id, number))
    assert mail.subject == "Changed: The Show"
    assert "Begins: Sun 1 Jun 2031, 20:00 CEST\n  (before: not said)\n" in mail.text
    assert "Place: The Hall, Quay 2\n  (before: The Hall)\n" in mail.text
    assert "Name" not in mail.text
    assert list(mail.attachments) == ["event.ics"]
    assert box.handle(change(order.order_id, number)) == []


def test_a_change_that_another_followed_is_told_with_it(world: World, box: Mailbox) -> None:
    order = ticketed(world)
    first = moved(world, artist="Ann")
    second = moved(world, venue_name="Quay Hall")
    assert box.handle(change(order.order_id, first)) == []
    (mail,) = box.handle(change(order.order_id, second))
    assert "Artist: Ann\n  (before: not said)\n" in mail.text
    assert "Place: Quay Hall\n  (before: The Hall)\n" in mail.text


def void_all(world: World, order: Order) -> None:
    void(world, order)


def cancel_event(world: World, _order: Order) -> None:
    mark_cancelled(world.table, world.clock, EVENT)


@pytest.mark.parametrize("ends", [void_all, cancel, cancel_event])
def test_nobody_hears_of_a_change_who_cannot_come_any_more(
    world: World, box: Mailbox, ends: Callable[[World, Order], object]
) -> None:
    order = ticketed(world)
    number = moved(world, artist="Ann")
    ends(world, order)
    assert box.handle(change(order.order_id, number)) == []


def test_an_order_s_own_language_counts(world: World, box: Mailbox) -> None:
    order = ticketed(world)
    world.put(msgspec.structs.replace(now(world, order), language="de"))
    void(world, order)
    (mail,) = box.deliver()
    assert mail.subject == "Ungültig: Karten für The Show"


def test_damage_comes_again_and_holds_up_no_other(world: World, box: Mailbox) -> None:
    void(world, ticketed(world))
    (message,) = box.waiting
    damaged = {"dynamodb": {name: {"SK": {"S": "O#x"}} for name in ("OldImage", "NewImage")}}
    assert len(box.handle(damaged, {"mail": "x", "change": 1}, message, failures=2)) == 1


def test_what_no_record_lists_may_be_of_any_type(world: World, box: Mailbox) -> None:
    void(world, ticketed(world))
    (message,) = box.waiting
    message["dynamodb"]["NewImage"]["note"] = {"SS": ["by hand"]}
    assert len(box.handle(message)) == 1
    message["dynamodb"]["NewImage"]["totalMinor"] = {"SS": ["much"]}
    with pytest.raises(DamagedItemError, match="sort key O#"):
        ticketer.news_in(message)


def passed_on(world: World, order: Order, ticket: str) -> None:
    """Let another account have this ticket, as accepting it does."""
    tickets = [
        {**entry, "holder": "bob"} if entry["ticket"] == ticket else entry
        for entry in now(world, order).item()["tickets"]
    ]
    world.table.update(Update("reservations", *order.key, set={"tickets": tickets}))


def test_no_mail_shows_a_ticket_that_was_passed_on(world: World, box: Mailbox) -> None:
    order = ticketed(world)
    theirs, ours = order.tickets
    passed_on(world, order, theirs.ticket)
    event = mark_cancelled(world.table, world.clock, EVENT)
    AllGiver(world.table, world.clock, world.payments).decide(event, now(world, order))
    (told,) = box.deliver()
    assert ours.label in told.text
    assert theirs.label not in told.text + told.html
    assert "Goes back to you: EUR 100.00\n" in told.text


def test_a_void_ticket_of_somebody_else_is_no_news_for_its_buyer(
    world: World, box: Mailbox
) -> None:
    order = ticketed(world)
    theirs, ours = order.tickets
    passed_on(world, order, theirs.ticket)
    void(world, order, theirs.ticket)
    assert box.deliver() == []
    world.clock.tick(60)
    void(world, order, ours.ticket)
    (told,) = box.deliver()
    assert ours.label in told.text
